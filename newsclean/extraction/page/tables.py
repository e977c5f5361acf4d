"""Tell tables of data from tables that hold the layout of an old page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.page.columns import nearest

if TYPE_CHECKING:
    from newsclean.extraction.page.columns import Column, Mask, Page

CELLS = frozenset({"td", "th"})
_HOLD_TEXT = CELLS | {"caption"}
_PARTS = _HOLD_TEXT | {"table", "thead", "tbody", "tfoot", "tr"}

#: A cell of more words is a column of the layout.
_MAX_CELL_WORDS = 80


def data_tables(page: Page, chosen: Mask) -> Mask:
    """Return the rows inside chosen tables of data: several rows, several short cells each.

    A table with words outside its cells is not one: they would have no place in it.
    """
    tables = page.rows(frozenset({"table"}))
    if not chosen[tables].any():
        return np.zeros(len(page), dtype=bool)
    cells = page.rows(CELLS)
    long = cells[page.subtree(page.words * chosen)[cells] > _MAX_CELL_WORDS]
    part = nearest(page, page.tagged(_PARTS))
    loose = page.is_text & chosen & ~page.tagged(_HOLD_TEXT)[part]
    lines = _count_below(page, tables, page.rows(frozenset({"tr"})))
    found = (
        chosen[tables]
        & (_count_below(page, tables, tables) == 1)  # itself
        & (lines > 1)
        & (_count_below(page, tables, cells) >= 2 * lines)
        & (_count_below(page, tables, long) == 0)
        & (page.subtree(loose)[tables] == 0)
    )
    return page.below(tables[found])


def _count_below(page: Page, tables: Column, rows: Column) -> Column:
    """Count how many of these rows lie in each table."""
    past = np.searchsorted(rows, page.end[tables], side="right")
    return past - np.searchsorted(rows, tables)
