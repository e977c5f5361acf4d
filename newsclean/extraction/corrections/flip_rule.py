"""Decide which blocks of a page change sides because corrections contradict the method.

Each block is compared with labelled blocks that the method classified the same way. Those with the
finest signature that the block shares decide: it changes sides if the method was wrong in enough of
them, and is not much surer of the block than it was of those.
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
