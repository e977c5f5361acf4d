"""Suggest which pages of a site a person should label: those where a correction would help most.

In: the extractions of a site's pages and what another method takes on them. Out: up to three pages.
A page is worth the doubtful words of the whole site that are in its slots, unless a correction
covers the slot already. Doubtful words are those of which the method is not sure, and those on
which the two methods disagree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.corrections.site_corrections import taken_blocks
from newsclean.extraction.page.slots import BlockPaths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.extraction.corrections import Corrections
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page.columns import Mask

#: Pages per site: from the fourth on little is gained.
_MAX_PAGES = 3
#: The method to compare with.
OTHER_METHOD = "stadynot+coreex"
#: Doubt is 0 where the method is certain and 1 at a probability of one half; less than this counts
#: as none.
_LEAST_DOUBT = 0.1
#: The doubt about a word on which the two methods disagree.
_DISAGREEMENT = 0.25
#: Slots that a suggestion names.
_MAX_SLOTS = 3


@dataclass(frozen=True)
class Suggestion:
    """A page to correct next."""

    #: its place among the given pages
    number: int
    url: str | None
    #: doubtful words of the site that are in its slots
    words: float
    #: the slots that hold most of them
    slots: tuple[str, ...]


def suggest(
    extractions: Sequence[Extraction],
    corrections: Corrections | None = None,
    others: Sequence[Mask] | None = None,
    most: int = _MAX_PAGES,
) -> list[Suggestion]:
    """Return the pages to correct, the best first.

    `others` are the blocks that another method takes on each page. With corrections, `most` is the
    number of corrected pages that the site should have in the end.
    """
    doubts = [
        _doubts(extraction, None if others is None else others[number])
        for number, extraction in enumerate(extractions)
    ]
    of_site: dict[str, float] = defaultdict(float)
    for doubt in doubts:
        for path, words in doubt.items():
            of_site[path] += words
    entries = () if corrections is None else corrections.entries
    labelled = {slot.path for each in entries for slot in each.slots}
    corrected = {each.page for each in entries}
    left = {n for n, each in enumerate(extractions) if each.page.url not in corrected}
    found: list[Suggestion] = []
    while left and len(found) < most - len(entries):
        worth = {n: sum(of_site[path] for path in doubts[n].keys() - labelled) for n in left}
        best = max(sorted(left), key=lambda n: worth[n])
        if not worth[best]:
            break
        new = sorted(doubts[best].keys() - labelled, key=lambda path: -of_site[path])
        url = extractions[best].page.url
        found.append(Suggestion(best, url, round(worth[best], 1), tuple(new[:_MAX_SLOTS])))
        left.remove(best)
        labelled |= doubts[best].keys()
    return found


def _doubts(extraction: Extraction, other: Mask | None) -> dict[str, float]:
    """Return the doubtful words of a page by slot."""
    page = extraction.page
    words = page.blocks.sum(page.words)
    doubt = np.zeros(len(words))
    if extraction.choice.block_probability is not None:
        doubt = 1 - np.abs(2 * extraction.choice.block_probability - 1)
        doubt[doubt < _LEAST_DOUBT] = 0.0
    if other is not None:
        taken = taken_blocks(page, extraction.uncorrected_body.text)
        doubt = np.maximum(doubt, _DISAGREEMENT * (taken != other))
    paths = BlockPaths(page)
    found: dict[str, float] = defaultdict(float)
    for block in np.flatnonzero(doubt).tolist():
        found[paths[block]] += float(words[block] * doubt[block])
    return found
