"""Whether an article is a live blog: its entries, each with its time, are the article."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: What the boxes of live blogs are called, without what parts the words.
NAMES = re.compile(
    r"live(?:blog|ticker|story|stream|update|report|feed)|newsticker|minuto?aminuto?"
)
#: As many entries show their time.
MIN_ENTRIES = 3

_PARTS = re.compile(r"[\W_]+")
_TIME = re.compile(r"^\D{0,20}\b[012]?\d[:.h][0-5]\d(?!\d)")
#: A line with a time says hardly anything else.
MAX_TIME_LINE = 40  # characters


def is_live_blog(page: Page, text: Mask, types: Iterable[str]) -> bool:
    """Whether a page with this article calls it a live blog, or the box around its entries does.

    `types` are the page's own, as JSON-LD has them.
    """
    if any(name.endswith("LiveBlogPosting") for name in types):
        return True
    rows = page.text_rows[text[page.text_rows]]
    if not len(rows):
        return False
    row = int(page.parent[rows[len(rows) // 2]])
    while row > 0:
        element = page.element[row]
        if element is not None:
            names = f"{element.get('class', '')} {element.get('id', '')}".lower()
            if NAMES.search(_PARTS.sub("", names)) and _entries(page, row) >= MIN_ENTRIES:
                return True
        row = int(page.parent[row])
    return False


def _entries(page: Page, row: int) -> int:
    """How many lines with a time a box has."""
    blocks = page.blocks
    low, high = blocks.row.searchsorted((row, page.end[row] + 1)).tolist()
    lines = (line for line in blocks.text[low:high] if len(line) <= MAX_TIME_LINE)
    return sum(_TIME.search(line) is not None for line in lines)
