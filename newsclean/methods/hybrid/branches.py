"""The branches of a page's tree that hold its blocks, each worked out once for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.climbing import nearest_line_break
from newsclean.page.tags import LINE_BREAKING

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Column

#: How many ancestors are asked; one that holds no more text than the one below it is skipped.
LEVELS = 5
#: Inline elements around a text; where there are more, all rows of the page are asked.
INLINE = 4


@dataclass(frozen=True, eq=False)
class Branches:
    """The elements from the root to the line-breaking element around each block."""

    #: the row of each, in document order
    row: Column
    #: which of them is its parent, -1 for the root
    parent: Column
    #: the first block below it, and the first one behind
    low: Column
    high: Column
    #: the outermost branch that holds no more text than it
    top: Column
    #: the branch around each block, then those further out that hold more text; a row a level
    of_block: Column

    @classmethod
    def of(cls, page: Page) -> Branches:
        inner = _around(page)
        holds = np.zeros(len(page), dtype=np.int64)
        holds[inner] = 1
        rows = np.flatnonzero(page.subtree(holds))
        place = np.full(len(page) + 1, -1)  # the last one stands for the parent of the root
        place[rows] = np.arange(len(rows))
        parent = place[page.parent[rows]]

        blocks = np.zeros(len(page) + 1, dtype=np.int64)
        blocks[page.blocks.row + 1] = 1
        np.cumsum(blocks, out=blocks)
        low, high = blocks[rows], blocks[page.end[rows] + 1]

        # What holds no more text than its parent is all that the parent has, and the next one.
        words = page.subtree(page.words)[rows]
        more = words != words[parent]
        more[:1] = True
        highest = np.maximum.accumulate(np.where(more, np.arange(len(rows)), 0))
        above = np.maximum(parent[highest], 0)
        of_block = np.empty((LEVELS + 1, len(inner)), dtype=np.int64)
        of_block[0] = place[inner]
        for level in range(LEVELS):
            of_block[level + 1] = above[of_block[level]]
        return cls(rows, parent, low, high, highest, of_block)


def _around(page: Page) -> Column:
    """The line-breaking element around each block, or the root."""
    breaks = page.tagged(LINE_BREAKING)
    breaks[0] = True
    up = page.parent[page.blocks.row]
    for _ in range(INLINE):
        up = np.where(breaks[up], up, page.parent[up])
    return up if breaks[up].all() else nearest_line_break(page)[page.blocks.row]
