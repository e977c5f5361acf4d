"""All corrections of a site: what people have said of its pages, and what that does to a page.

In: a page and the blocks that the method took. Out: the blocks that change sides (`flip_rule`), the
texts of corrected fields, and the corrected body.
"""

from __future__ import annotations

import math
from collections import Counter
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
from newsclean.extraction.methods.chain import with_markup
from newsclean.extraction.page.slots import BlockPaths, own_tag, signatures
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.body.rows import Body
    from newsclean.extraction.corrections.correction_files import Correction
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.float64]

#: With one corrected page, the method must have been wrong in this share of the labelled blocks.
#: With more pages, it is more than half.
_WRONG_SHARE_OF_ONE = 2 / 3
#: How much surer the method may be of a block than of the labelled ones, in log-odds.
_MAX_BEYOND = 1.0
#: Corrections do not leave an article with fewer words.
_MIN_WORDS = 20
#: A correction may change this many times the largest share of a page's words that its preview
#: showed, and at least this share: more is held back and reported. The last is without a preview.
_MAX_TIMES_SHOWN = 2.0
_MIN_SHARE = 0.3
_UNSHOWN_SHARE = 0.5


#: Conflicts that are listed; a site with more has one problem in many places.
_MAX_CONFLICTS = 100


@dataclass
class Tally:
    """The labels of blocks with one signature that the method took, or did not take."""

    wrong: int = 0
    right: int = 0
    #: how sure the method was of the wrong block of which it was surest, in log-odds; infinite if
    #: it has none
    confidence: float = -math.inf
    #: the corrections with wrong blocks
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Flips:
    """The blocks of a page that change sides, and by which corrections."""

    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    #: by block, the corrections that moved it
    by: dict[int, tuple[str, ...]] = field(default_factory=dict)
    #: corrections with a contradicted slot that the page has, whether or not it moved a block
    met: frozenset[str] = frozenset()
    #: corrections that would have changed far more than their preview showed, with those words
    held_back: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


NO_FLIPS = Flips()


class Rule:
    """The corrections of a site and method, prepared for many pages."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self.corrections = tuple(corrections)
        self.pages = sum(bool(correction.slots) for correction in self.corrections)

    @cached_property
    def tallies(self) -> dict[bool, tuple[dict[str, Tally], ...]]:
        """The labels by whether the method took the blocks, for each of the three signatures."""
        made: dict[bool, tuple[dict[str, Tally], ...]] = {
            taken: ({}, {}, {}) for taken in (True, False)
        }
        for correction in self.corrections:
            for slot in correction.slots:
                for level, signature in zip(made[slot.taken], signatures(slot.path), strict=True):
                    tally = level.setdefault(signature, Tally())
                    tally.wrong += slot.wrong
                    tally.right += slot.right
                    if slot.wrong:
                        tally.ids = tuple(dict.fromkeys((*tally.ids, correction.id)))
                        tally.confidence = max(
                            tally.confidence, confidence_in(slot.taken, slot.log_odds)
                        )
        return made

    @cached_property
    def _bounds(self) -> dict[str, tuple[float, float]]:
        """By tag: how sure the method may be of a block that leaves the article, or enters it.

        Blocks with other tags cannot change sides.
        """
        bounds: dict[str, tuple[float, float]] = {}
        for each in self.corrections:
            for slot in each.contradictions:
                tag = own_tag(slot.path)
                leaves, enters = bounds.get(tag, (-math.inf, -math.inf))
                bound = confidence_in(slot.taken, slot.log_odds) + _MAX_BEYOND
                if slot.taken:
                    bounds[tag] = max(leaves, bound), enters
                else:
                    bounds[tag] = leaves, max(enters, bound)
        return bounds

    def flips(self, page: Page, taken: Mask, log_odds: _Floats | None) -> Flips:
        """Return the blocks of a page that change sides; `taken` are those that the method took."""
        if not self._bounds or not len(page.blocks):
            return NO_FLIPS
        by: dict[int, tuple[str, ...]] = {}
        met: set[str] = set()
        paths = BlockPaths(page)
        sides: Sequence[bool] = taken.tolist()
        for block in self._candidates(paths, taken, log_odds):
            side = sides[block]
            tally = self._tally(paths[block], side)
            if tally is None or not tally.wrong:
                continue
            met.update(tally.ids)
            sure = -math.inf if log_odds is None else confidence_in(side, float(log_odds[block]))
            if self._is_mostly_wrong(tally) and sure <= tally.confidence + _MAX_BEYOND:
                by[block] = tally.ids
        words = page.blocks.sum(page.words)
        held_back = self._held_back(by, words, int(words[taken].sum()))
        by = {block: ids for block, ids in by.items() if not held_back.keys() & ids}
        after = taken.copy()
        after[list(by)] ^= True
        if by and words[after].sum() < _MIN_WORDS:
            by = {}
        return Flips(
            tuple(block for block in by if not sides[block]),
            tuple(block for block in by if sides[block]),
            by,
            frozenset(met),
            held_back,
        )

    def _is_mostly_wrong(self, tally: Tally) -> bool:
        if self.pages > 1:
            return tally.wrong > tally.right
        return tally.wrong >= _WRONG_SHARE_OF_ONE * (tally.wrong + tally.right)

    def _held_back(
        self, by: dict[int, tuple[str, ...]], words: Column, before: int
    ) -> dict[str, int]:
        """Return the corrections that would change far more than their preview showed."""
        changed: Counter[str] = Counter()
        for block, ids in by.items():
            changed.update(dict.fromkeys(ids, int(words[block])))
        return {
            name: count
            for name, count in changed.items()
            if count > max(self._most[name] * before, _MIN_WORDS)
        }

    @cached_property
    def _most(self) -> dict[str, float]:
        """The share of a page's words that each correction may change."""
        return {
            each.id: _UNSHOWN_SHARE
            if each.shown_share is None
            else max(_MAX_TIMES_SHOWN * each.shown_share, _MIN_SHARE)
            for each in self.corrections
        }

    def _tally(self, path: str, taken: bool) -> Tally | None:
        for level, signature in zip(self.tallies[taken], signatures(path), strict=True):
            if signature in level:
                return level[signature]
        return None

    def _candidates(self, paths: BlockPaths, taken: Mask, log_odds: _Floats | None) -> list[int]:
        """Return the blocks that may change sides, as far as tag and log-odds tell."""
        blocks = np.arange(len(paths))
        sure = np.full(len(paths), -math.inf)
        if log_odds is not None:
            sure = np.where(taken, log_odds, -log_odds)
            leaves, enters = (max(bounds) for bounds in zip(*self._bounds.values(), strict=True))
            blocks = np.flatnonzero(sure <= np.where(taken, leaves, enters))
        sure, taken = sure[blocks], taken[blocks]
        tags, tag_of_block = paths.page.tags, paths.page.tag_number[paths.own_rows(blocks)]
        possible = np.zeros(len(blocks), dtype=bool)
        for tag in self._bounds.keys() & set(tags):
            bound = np.where(taken, *self._bounds[tag])
            possible |= (tag_of_block == tags.index(tag)) & (sure <= bound) & (bound > -math.inf)
        found: list[int] = blocks[possible].tolist()
        return found


def confidence_in(taken: bool, log_odds: float | None) -> float:
    """Return how sure the method was of the side it chose; infinite if it has no log-odds."""
    if log_odds is None:
        return math.inf
    return log_odds if taken else -log_odds


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
