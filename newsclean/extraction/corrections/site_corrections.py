"""What a person has said of one page of a site."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import xxhash

from newsclean.extraction.corrections.flip_rule import Rule
from newsclean.extraction.methods.chain import with_markup
from newsclean.extraction.page.slots import BlockPaths, own_tag, signatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from newsclean.extraction.body import Body
    from newsclean.extraction.corrections.flip_rule import Flips
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


#: The fields of an article whose slot a person can name.
FIELDS = ("headline", "byline", "date")
#: Characters of a block's text that are kept, so that people recognise it.
MAX_SAMPLE = 60

_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Slot:
    """The blocks of a labelled page that have one path, and of which the method thought alike."""

    path: str
    #: whether the method had taken them for the article
    taken: bool
    #: in how many of them it was wrong, and right
    wrong: int = 0
    right: int = 0
    #: of those in which it was wrong: the log-odds for the article of the one of which it was
    #: surest, None if the method has none
    log_odds: float | None = None
    #: how the first wrong one begins, to recognise it
    text: str = ""

    @property
    def belongs(self) -> int:
        """How many of the blocks belong to the article."""
        return self.right if self.taken else self.wrong

    @property
    def noise(self) -> int:
        """How many of them do not."""
        return self.wrong if self.taken else self.right


@dataclass(frozen=True)
class Correction:
    """The labels of one page: for each of its slots whether the method was right there."""

    #: the address of the page, or its file
    page: str
    #: the day, as in 2026-03-14
    date: str
    #: the method that was corrected
    method: str
    slots: tuple[Slot, ...] = ()
    #: by name of the field, the path of the block that holds it
    fields: Mapping[str, str] = field(default_factory=lambda: _NO_FIELDS)
    note: str = ""
    #: the largest share of a page's words that it was shown to change, on so many pages; None if
    #: nobody has looked
    shown_share: float | None = None
    shown_pages: int = 0
    id: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", self._made_id())

    def _made_id(self) -> str:
        """A short name, the same for the same labels of the same page on the same day."""
        slots = (repr(slot) for slot in self.slots)
        parts = (self.page, self.date, self.method, *slots, repr(sorted(self.fields.items())))
        return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))[:8]

    @property
    def contradictions(self) -> tuple[Slot, ...]:
        """The slots in which the method was wrong."""
        return tuple(slot for slot in self.slots if slot.wrong)

    @property
    def is_empty(self) -> bool:
        """Whether it would change nothing: the method was right everywhere."""
        return not self.contradictions and not self.fields


# Whether a page still has the slots that a correction speaks of.


def _wanted_slots(correction: Correction) -> set[str] | None:
    """The slots that a correction changes, by path and by their last elements."""
    paths = [*(slot.path for slot in correction.contradictions), *correction.fields.values()]
    return {name for path in paths for name in _names(path)} or None


def _slots_of_page(page: Page) -> set[str]:
    """The slots of all blocks of a page, in the same words."""
    return {name for path in set(BlockPaths(page)) for name in _names(path)}


def _field_lines(page: Page, slots: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The text of the first block in the slot of each field, where the page has one.

    The path counts first, then the last elements; of several slots the first one that is there.
    """
    if not slots:
        return {}
    tags = {own_tag(path) for paths in slots.values() for path in paths}
    texts: dict[str, str] = {}
    found_paths = BlockPaths(page)
    own_rows = found_paths.own_rows(np.arange(len(page.blocks)))
    for block in np.flatnonzero(page.tagged(tags)[own_rows]).tolist():
        for name in _names(found_paths[block]):
            texts.setdefault(name, page.blocks.text[block])
    found = {}
    for kind, paths in slots.items():
        names = [name for path in paths for name in _names(path)]
        if there := next((name for name in names if name in texts), None):
            found[kind] = texts[there]
    return found


def _names(path: str) -> tuple[str, str]:
    found = signatures(path)
    return found.path, found.last


# All corrections of one site: what people have said of its pages, in order.

#: Pairs that are listed; who has more has one and the same problem in many places.
_MAX_CONFLICTS = 100


class Conflict(NamedTuple):
    """Two corrections of which one says of a slot that it belongs to the article, one that not."""

    path: str
    belongs: str
    noise: str


@dataclass(frozen=True)
class Corrections:
    """They are a value: `with_` and `without` return others, and `write` saves them.

    >>> from newsclean.extraction.corrections.site_corrections import Correction, Slot
    >>> promo = Slot("html body div.promo p", taken=True, wrong=1)
    >>> one = Correction("https://example.org/1", "2026-03-14", "hybrid", (promo,))
    >>> corrections = Corrections("example.org").with_(one)
    >>> len(corrections), len(corrections.without(one.id))
    (1, 0)
    """

    #: the host name of the site, as in example.org
    site: str
    entries: tuple[Correction, ...] = ()

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The corrections of a file; `CorrectionsError` if it cannot be read or makes no sense."""
        from newsclean.extraction.corrections.correction_files import read_corrections

        site, entries = read_corrections(path)
        return cls(site, entries)

    @classmethod
    def of_site(cls, site_file: Path | str) -> Self:
        """Those beside a site file, or in the file itself; a site file may have none yet."""
        from newsclean.extraction.corrections.correction_files import (
            corrections_path,
            site_file_path,
        )

        path = corrections_path(site_file)
        if not path.exists() and site_file_path(path).exists():
            return cls(site_file_path(path).stem)
        return cls.read(path)

    def write(self, path: Path | str) -> None:
        """Save them; whoever reads the file meanwhile sees the old one or the new one."""
        from newsclean.extraction.corrections.correction_files import write_corrections

        write_corrections(path, self.site, self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Correction]:
        return iter(self.entries)

    def __getitem__(self, name: str) -> Correction:
        """The correction of an id, or of the beginning of one."""
        found = [each for each in self.entries if each.id == name]
        if not found and name:
            found = [each for each in self.entries if each.id.startswith(name)]
        if len(found) != 1:
            problem = "no correction has" if not found else "several corrections have"
            known = ", ".join(each.id for each in self.entries) or "none"
            raise KeyError(f"{problem} the id {name!r}; there are: {known}")
        return found[0]

    def with_(self, *corrections: Correction) -> Corrections:
        """These and more; one of the same page and method takes the place of the earlier one."""
        pages = {(each.page, each.method) for each in corrections}
        kept = (each for each in self.entries if (each.page, each.method) not in pages)
        return replace(self, entries=(*kept, *corrections))

    def without(self, *names: str) -> Corrections:
        """These without the corrections of some ids; `KeyError` if there is no such id."""
        gone = {self[name].id for name in names}
        return replace(self, entries=tuple(each for each in self.entries if each.id not in gone))

    def unlimited(self) -> Corrections:
        """These, where those of which nobody has seen what they change may change anything.

        So a preview shows all that they would change.
        """
        entries = (
            replace(each, shown_share=math.inf) if each.shown_share is None else each
            for each in self.entries
        )
        return replace(self, entries=tuple(entries))

    def for_page(self, url: str | None) -> Corrections:
        """Those that hold for a page; here all, for whoever asks has the pages of one site."""
        return self

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {}

    def rule(self, method: str) -> Rule:
        """What they say where a method is in use: those of other methods say nothing."""
        if method not in self._rules:
            self._rules[method] = Rule(each for each in self.entries if each.method == method)
        return self._rules[method]

    def ids_for(self, method: str) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of those that can speak where a method is in use, and of those that cannot."""
        speaking = [each.id for each in self.entries if each.method == method or each.fields]
        others = [each.id for each in self.entries if each.id not in speaking]
        return frozenset(speaking), frozenset(others)

    def ids_of_fields(self, fields: Iterable[str]) -> frozenset[str]:
        """The ids of those that name the slot of any of these fields."""
        names = set(fields)
        return frozenset(each.id for each in self.entries if names & each.fields.keys())

    def fields_on(self, page: Page) -> dict[str, str]:
        """The lines of a page of which the corrections say that they hold a field."""
        slots = {
            name: [each.fields[name] for each in reversed(self.entries) if name in each.fields]
            for name in FIELDS
        }
        return _field_lines(page, {name: paths for name, paths in slots.items() if paths})

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The pairs that contradict each other, slot by slot, of one method; not all of many."""
        said: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
        disputed: set[tuple[str, str]] = set()
        for each in self.entries:
            counts: dict[str, list[int]] = {}
            for slot in each.slots:
                count = counts.setdefault(slot.path, [0, 0])
                count[0] += slot.belongs
                count[1] += slot.noise
                if slot.wrong:
                    disputed.add((each.method, slot.path))
            for path, (belongs, noise) in counts.items():
                if belongs != noise:
                    sides = said.setdefault((each.method, path), ([], []))
                    sides[belongs < noise].append(each.id)
        pairs = (
            Conflict(key[1], one, other)
            for key, (for_article, for_noise) in said.items()
            if key in disputed
            for one in for_article
            for other in for_noise
        )
        return tuple(islice(pairs, _MAX_CONFLICTS))

    def inactive(self, pages: Iterable[Page]) -> tuple[Correction, ...]:
        """Those whose slots none of these pages has, neither by path nor by their last elements."""
        left = {each.id: _wanted_slots(each) for each in self.entries}
        for page in pages:
            if not any(left.values()):
                break
            found = _slots_of_page(page)
            left = {name: None if wanted and wanted & found else wanted
                    for name, wanted in left.items()}  # fmt: skip
        return tuple(each for each in self.entries if left[each.id])


# What corrections have done to one page.


@dataclass(frozen=True)
class CorrectionResult:
    """By the ids of the corrections."""

    #: all of the site that speak of the method in use, or of a field
    known: frozenset[str] = frozenset()
    #: those of which the page has a slot
    met: frozenset[str] = frozenset()
    #: all that were made with another method, and say nothing
    of_other_methods: frozenset[str] = frozenset()
    #: words that were added or removed
    words: int = 0
    is_changed: bool = False
    held_back: dict[str, int] = field(default_factory=dict)


# From blocks that change sides to the rows of the body.


def taken_blocks(page: Page, rows: Mask) -> Mask:
    """The blocks of which more than half is among these rows."""
    return 2 * page.blocks.sum(page.chars * rows) > page.blocks.sum(page.chars)


def with_flips(body: Body, flips: Flips) -> Body:
    """The body with the blocks that were added, and without those that were removed."""
    if not flips:
        return body
    page = body.page
    added, removed = (_text_rows(page, blocks) for blocks in (flips.added, flips.removed))
    text = _changed(page, body.text, added, removed)
    is_same = body.html is body.text or np.array_equal(body.html, body.text)
    html = text if is_same else _changed(page, body.html, added, removed)
    return replace(body, text=text, html=html)


def _changed(page: Page, rows: Mask, added: Mask, removed: Mask) -> Mask:
    return with_markup(page, ((rows & page.is_text) | added) & ~removed)


def _text_rows(page: Page, blocks: tuple[int, ...]) -> Mask:
    chosen = np.zeros(len(page.blocks), dtype=bool)
    chosen[list(blocks)] = True
    rows = np.zeros(len(page), dtype=bool)
    rows[page.text_rows] = chosen[page.blocks.of_text]
    return rows
