"""Which tables are data, and which only hold the layout of an old page together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask

CELLS = frozenset({"td", "th"})

#: A cell with more words than this is a column of the layout.
LONGEST_CELL = 80


def data_tables(page: Page, chosen: Mask) -> Mask:
    """The rows inside tables of data that are chosen whole: several rows, several short cells."""
    found = []
    words = page.subtree(page.words * chosen)
    cells = page.rows(CELLS)
    lines = page.rows(frozenset({"tr"}))
    tables = page.rows(frozenset({"table"}))
    for table in tables.tolist():
        last = int(page.end[table])
        own_cells = cells[(cells > table) & (cells <= last)]
        own_lines = lines[(lines > table) & (lines <= last)]
        nested = np.count_nonzero((tables > table) & (tables <= last))
        if (
            chosen[table]
            and not nested
            and len(own_lines) > 1
            and len(own_cells) >= 2 * len(own_lines)
            and words[own_cells].max() <= LONGEST_CELL
        ):
            found.append(table)
    return page.below(np.array(found, dtype=np.int64))
