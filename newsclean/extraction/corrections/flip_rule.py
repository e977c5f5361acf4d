"""Where corrections contradict the method, and on which blocks of another page they do so.

A block is judged by the labelled blocks of which the method thought as it thinks of this one. Those
with the finest signature that any of them shares with it decide: the block changes sides if enough
of them were wrong, and if the method is not much surer of it than of those.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.page.slots import BlockPaths, own_tag, signatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.corrections.site_corrections import Correction
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.float64]

#: The share of labelled blocks with a signature in which the method must have been wrong, with one
#: corrected page; with more it is more than half.
_WRONG_SHARE_OF_ONE = 2 / 3
#: How much surer of a block than of the labelled ones the method may be, in log-odds.
_MAX_BEYOND = 1.0
#: An article of fewer words is not one: corrections do not leave it so.
_MIN_WORDS = 20
#: A correction may change this many times the largest share of a page's words that it was shown to
#: change, and at least this share: more is held back and reported. The last is for one of which
#: nobody has seen what it changes.
_MAX_TIMES_SHOWN = 2.0
_MIN_SHARE = 0.3
_UNSHOWN_SHARE = 0.5


@dataclass
class Tally:
    """What was said of the blocks with one signature of which the method thought alike."""

    wrong: int = 0
    right: int = 0
    #: of the wrong block of which the method was surest, towards what it thought; infinite if it
    #: has no log-odds
    confidence: float = -math.inf
    #: the corrections in which it was wrong
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Flips:
    """The blocks of a page that change sides, and by which corrections."""

    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    #: for each of these blocks the corrections that moved it
    by: dict[int, tuple[str, ...]] = field(default_factory=dict)
    #: corrections of which a contradicted slot was met, whether or not it moved a block
    met: frozenset[str] = frozenset()
    #: corrections that would have changed far more than they were shown to, with those words
    held_back: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


NO_FLIPS = Flips()


class Rule:
    """The corrections of a site, ready to be asked about many pages."""

    def __init__(self, corrections: Iterable[Correction]) -> None:
        self.corrections = tuple(corrections)
        self.pages = sum(bool(correction.slots) for correction in self.corrections)

    @cached_property
    def tallies(self) -> dict[bool, tuple[dict[str, Tally], ...]]:
        """By what the method thought, and for each of the three signatures."""
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
        """By own tag: how sure the method may be of a block that leaves the article, or enters it.

        A block with another tag cannot change sides.
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
        """The blocks of a page that change sides; `taken` says which the method took."""
        if not self._bounds or not len(page.blocks):
            return NO_FLIPS
        by: dict[int, tuple[str, ...]] = {}
        met: set[str] = set()
        paths = BlockPaths(page)
        sides: Sequence[bool] = taken.tolist()
        for block in self._candidates(paths, taken, log_odds):
            thought = sides[block]
            tally = self._tally(paths[block], thought)
            if tally is None or not tally.wrong:
                continue
            met.update(tally.ids)
            sure = -math.inf if log_odds is None else confidence_in(thought, float(log_odds[block]))
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
        """The corrections that would change far more of this page than they were shown to."""
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
        """The blocks that may change sides, by what is known without their paths."""
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
    """How sure the method was of what it thought; infinite where it does not say."""
    if log_odds is None:
        return math.inf
    return log_odds if taken else -log_odds
