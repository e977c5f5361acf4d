"""Plain text: one blank line between paragraphs, a line for each row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata.text import visible_text
from newsclean.page.tables import data_tables
from newsclean.page.words import fold_spaces

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask


def render_text(page: Page, chosen: Mask) -> str:
    """The chosen text.

    >>> from newsclean.page import Page
    >>> from newsclean.methods import Choice
    >>> page = Page.from_html("<p>Rain, <b>then</b> snow.<ul><li>One<li>Two</ul>")
    >>> print(render_text(page, Choice.everything(page).rows))
    Rain, then snow.
    <BLANKLINE>
    One
    <BLANKLINE>
    Two
    """
    rows = page.text_rows[chosen[page.text_rows]]
    in_table = data_tables(page, chosen) if page.elements("table") else None
    paragraphs: list[str] = []
    pieces: list[str] = []
    last_block = -1
    last_line = -1  # row of the <tr> in which the last text was

    def flush(line: int) -> None:
        nonlocal last_line
        text = _normalize_space(visible_text("".join(pieces)))
        pieces.clear()
        if not text:
            return
        if line >= 0 and line == last_line:
            paragraphs[-1] += f"\t{text}"
        elif line >= 0 and last_line >= 0 and _table(page, line) == _table(page, last_line):
            paragraphs[-1] += f"\n{text}"
        else:
            paragraphs.append(text)
        last_line = line

    line = -1
    before = -1  # place of the last text among all texts of the page
    places = np.flatnonzero(chosen[page.text_rows]).tolist()
    blocks = page.block[rows].tolist()
    for row, block, place in zip(rows.tolist(), blocks, places, strict=True):
        if block != last_block:
            flush(line)
            last_block = block
            line = _ancestor(page, row, "tr") if in_table is not None and in_table[row] else -1
        elif place > before + 1:
            pieces.append(" ")  # words that were left out were between them
        before = place
        pieces.append(page.text[row])
    flush(line)
    return "\n\n".join(paragraphs)


def _normalize_space(text: str) -> str:
    """A text with single spaces, and the line feeds of `<br>`."""
    if "\n" not in text:
        return fold_spaces(text)
    return "\n".join(filter(None, map(fold_spaces, text.split("\n"))))


def _table(page: Page, row: int) -> int:
    return _ancestor(page, row, "table")


def _ancestor(page: Page, row: int, tag: str) -> int:
    while row >= 0 and page.tag[row] != tag:
        row = page.parents[row]
    return row
