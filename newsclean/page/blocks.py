"""Text blocks: runs of inline text between two line breaks, in document order.

A block is what a reader sees as one paragraph, list item, caption, menu entry or table cell. The
text rows of a block follow each other, so that a block is a range of `page.text_rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from newsclean.page.columns import Column, Page


@dataclass(eq=False)
class Blocks:
    """They know the page's texts and not the page, which would then outlive its last user."""

    text_rows: Column
    #: the text of each text row
    pieces: Collection[str]
    #: position in `page.text_rows` of each block's first text
    start: Column
    #: block of each text row, counted from 0
    of_text: Column

    @classmethod
    def of(cls, page: Page) -> Blocks:
        number = page.block[page.text_rows]
        first = np.ones(len(number), dtype=bool)
        first[1:] = number[1:] != number[:-1]
        return cls(
            text_rows=page.text_rows,
            pieces=page.text.values(),
            start=np.flatnonzero(first),
            of_text=np.cumsum(first) - 1,
        )

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def row(self) -> Column:
        """The first text row of each block."""
        return self.text_rows[self.start]

    def sum(self, values: Column) -> Column:
        """The sum of a page column over each block's text rows."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        return np.add.reduceat(values[self.text_rows], self.start)

    @cached_property
    def text(self) -> list[str]:
        """The text of each block, white space folded.

        >>> from newsclean.page import Page
        >>> Blocks.of(Page.from_html("<p>Hel<b>lo</b> you</p><li>one<br>two")).text
        ['Hello you', 'one two']
        """
        pieces = list(self.pieces)
        edges = [*self.start.tolist(), len(pieces)]
        return [
            pieces[a].strip() if b - a == 1 else " ".join("".join(pieces[a:b]).split())
            for a, b in pairwise(edges)
        ]
