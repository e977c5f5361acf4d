"""Which pages of a site to ask a person about: where a correction would bring most.

A page is worth as much as the doubtful words of the whole site that are in its slots, as far as no
correction has them yet: words of which the method is not sure, and words of which another method
says otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.corrections import BlockPaths
from newsclean.extraction.corrections.site_corrections import taken_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.corrections import Corrections
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page.columns import Mask

    Floats = NDArray[np.float64]

#: Pages of a site that are suggested: from the fourth on little is gained.
MAX_PAGES = 3
#: The method with which another one is compared.
OTHER_METHOD = "stadynot+coreex"
#: Below this the method is sure: 0 where it is certain, 1 where it could be either.
LEAST_DOUBT = 0.1
#: What counts of a word on which two methods disagree, beside one that is as doubtful as can be.
FOR_DISAGREEMENT = 0.25


@dataclass(frozen=True)
class Suggestion:
    """A page to correct next."""

    #: its place among the pages that were asked about
    number: int
    url: str | None
    #: doubtful words of the site that its slots hold
    words: float
    #: the slots that hold most of them
    slots: tuple[str, ...]


def suggest(
    extractions: Sequence[Extraction],
    corrections: Corrections | None = None,
    others: Sequence[Mask] | None = None,
    most: int = MAX_PAGES,
) -> list[Suggestion]:
    """The pages to correct, the best first; fewer where nothing is in doubt.

    `others` are the blocks that another method takes on each of the pages.
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
        found.append(Suggestion(best, url, round(worth[best], 1), tuple(new[:3])))
        left.remove(best)
        labelled |= doubts[best].keys()
    return found


def _doubts(extraction: Extraction, other: Mask | None) -> dict[str, float]:
    """The doubtful words of a page by slot."""
    page = extraction.page
    words = page.blocks.sum(page.words)
    doubt = np.zeros(len(words))
    if extraction.choice.block_probability is not None:
        doubt = 1 - np.abs(2 * extraction.choice.block_probability - 1)
        doubt[doubt < LEAST_DOUBT] = 0.0
    if other is not None:
        taken = taken_blocks(page, extraction.uncorrected_body.text)
        doubt = np.maximum(doubt, FOR_DISAGREEMENT * (taken != other))
    paths = BlockPaths(page)
    found: dict[str, float] = {}
    for block in np.flatnonzero(doubt).tolist():
        path = paths[block]
        found[path] = found.get(path, 0.0) + float(words[block] * doubt[block])
    return found
