"""All corrections of a site: what people have said of its pages, and what that does to a page.

In: a page and the blocks that the method took. Out: the blocks that change sides (`flip_rule`), the
texts of corrected fields, and the corrected body.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from newsclean.extraction.corrections.correction_files import (
    FIELDS,
    SUFFIX,
    CorrectionsError,
    corrections_path,
    read_corrections,
    site_file_path,
    write_corrections,
)
from newsclean.extraction.corrections.flip_rule import Rule
from newsclean.extraction.methods.chain import with_markup
from newsclean.extraction.page.slots import BlockPaths, own_tag, signatures
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newsclean.extraction.body import Body
    from newsclean.extraction.corrections.correction_files import Correction
    from newsclean.extraction.corrections.flip_rule import Flips
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


#: Conflicts that are listed; a site with more has one problem in many places.
_MAX_CONFLICTS = 100


class Conflict(NamedTuple):
    """A slot that belongs to the article by one correction, and does not by another."""

    path: str
    belongs: str
    noise: str


@dataclass(frozen=True)
class Corrections:
    """The corrections of a site, as a value: `with_` and `without` return others.

    >>> from newsclean.extraction.corrections import Correction, Slot
    >>> promo = Slot("html body div.promo p", taken=True, wrong=1)
    >>> one = Correction("https://example.org/1", "2026-03-14", "hybrid", (promo,))
    >>> corrections = Corrections("example.org").with_(one)
    >>> len(corrections), len(corrections.without(one.id))
    (1, 0)
    """

    #: the host name of the site, such as example.org
    site: str
    entries: tuple[Correction, ...] = ()

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read a corrections file; raise `CorrectionsError`."""
        return cls(*read_corrections(path))

    @classmethod
    def of_site(cls, site_file: Path | str) -> Self:
        """Read the corrections beside a site file, if there are any, or a corrections file."""
        path = corrections_path(site_file)
        if not path.exists() and site_file_path(path).exists():
            return cls(site_file_path(path).stem)
        return cls.read(path)

    def write(self, path: Path | str) -> None:
        """Replace the file at once; raise `CorrectionsError`."""
        write_corrections(path, self.site, self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Correction]:
        return iter(self.entries)

    def __getitem__(self, name: str) -> Correction:
        """Return the correction with an id, or with the only id that begins so."""
        found = [each for each in self.entries if each.id == name]
        if not found and name:
            found = [each for each in self.entries if each.id.startswith(name)]
        if len(found) != 1:
            problem = "no correction has" if not found else "several corrections have"
            known = ", ".join(each.id for each in self.entries) or "none"
            raise KeyError(f"{problem} the id {name!r}; there are: {known}")
        return found[0]

    def with_(self, *corrections: Correction) -> Corrections:
        """Return these and more; a new one replaces an earlier one of its page and method."""
        pages = {(each.page, each.method) for each in corrections}
        kept = (each for each in self.entries if (each.page, each.method) not in pages)
        return replace(self, entries=(*kept, *corrections))

    def without(self, *names: str) -> Corrections:
        """Return these without the corrections of some ids; `KeyError` if there is no such id."""
        gone = {self[name].id for name in names}
        return replace(self, entries=tuple(each for each in self.entries if each.id not in gone))

    def unlimited(self) -> Corrections:
        """Return these for a preview: those that were in none before may change anything."""
        entries = (
            replace(each, shown_share=math.inf) if each.shown_share is None else each
            for each in self.entries
        )
        return replace(self, entries=tuple(entries))

    def for_page(self, url: str | None) -> Corrections:
        """Return these: all pages are of the site. `CorrectionsFolder` has those of many sites."""
        return self

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {}

    def rule(self, method: str) -> Rule:
        """Return the rule for a method; corrections of other methods do not apply."""
        if method not in self._rules:
            self._rules[method] = Rule(each for each in self.entries if each.method == method)
        return self._rules[method]

    def ids_for(self, method: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the ids of the corrections that can apply to a method, and of the others."""
        own = {each.id for each in self.entries if each.method == method or each.fields}
        return frozenset(own), frozenset(each.id for each in self.entries) - own

    def ids_of_fields(self, fields: Iterable[str]) -> frozenset[str]:
        """Return the ids of the corrections that name the slot of any of these fields."""
        names = set(fields)
        return frozenset(each.id for each in self.entries if names & each.fields.keys())

    def fields_on(self, page: Page) -> dict[str, str]:
        """Return the text of each field whose slot a correction names and the page has."""
        slots = {
            name: [each.fields[name] for each in reversed(self.entries) if name in each.fields]
            for name in FIELDS
        }
        return _field_lines(page, {name: paths for name, paths in slots.items() if paths})

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The pairs of one method that contradict each other, up to a limit."""
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
        """Return the corrections whose slots no page has, by path or by their last elements."""
        missing = {each.id: _changed_slots(each) for each in self.entries}
        for page in pages:
            if not any(missing.values()):
                break
            found = {name for path in set(BlockPaths(page)) for name in _names(path)}
            missing = {name: slots for name, slots in missing.items() if not slots & found}
        return tuple(each for each in self.entries if missing.get(each.id))


def _changed_slots(correction: Correction) -> set[str]:
    """Return the slots that a correction changes, by path and by their last elements."""
    paths = [*(slot.path for slot in correction.contradictions), *correction.fields.values()]
    return {name for path in paths for name in _names(path)}


def _field_lines(page: Page, slots: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the text of the first block in the slot of each field.

    A slot is found by its path, else by its last elements; of several slots the first counts.
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


@dataclass(frozen=True)
class CorrectionsFolder:
    """The corrections of all sites in a folder of site files."""

    #: by registered domain
    sites: dict[str, Corrections] = field(default_factory=dict)
    #: why files are left out
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path | str) -> CorrectionsFolder:
        """Read the corrections in a folder, which may be missing."""
        sites: dict[str, Corrections] = {}
        files: dict[str, Path] = {}
        problems = []
        try:
            paths = sorted(path for path in Path(folder).iterdir() if path.name.endswith(SUFFIX))
        except OSError:
            return cls()
        for path in paths:
            try:
                corrections = Corrections.read(path)
            except CorrectionsError as error:
                problems.append(str(error))
                continue
            domain = domain_of(corrections.site)
            if domain in sites:
                problems.append(f"{path}: {files[domain]} has corrections of {domain}: join them")
                continue
            sites[domain], files[domain] = corrections, path
        return cls(sites, tuple(problems))

    def __bool__(self) -> bool:
        return bool(self.sites)

    def for_page(self, url: str | None) -> Corrections | None:
        """Return the corrections of the site of a URL, None if it has none."""
        if not self.sites or url is None:
            return None
        return self.sites.get(registered_domain(site_of(url) or ""))


def domain_of(site: str) -> str:
    """Return the registered domain of a site, given as a host name or a URL."""
    return registered_domain((site_of(site) if "://" in site else site) or site)


@dataclass(frozen=True)
class CorrectionResult:
    """What corrections have done to one page, by their ids."""

    #: those that can apply: they are of the method in use, or name a field
    known: frozenset[str] = frozenset()
    #: those of which the page has a slot
    met: frozenset[str] = frozenset()
    #: those that cannot apply: they are of another method
    of_other_methods: frozenset[str] = frozenset()
    #: words added or removed
    words: int = 0
    is_changed: bool = False
    held_back: dict[str, int] = field(default_factory=dict)


def taken_blocks(page: Page, rows: Mask) -> Mask:
    """Return the blocks of which more than half is among these rows."""
    return 2 * page.blocks.sum(page.chars * rows) > page.blocks.sum(page.chars)


def with_flips(body: Body, flips: Flips) -> Body:
    """Return the body with the added blocks, and without the removed ones."""
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
