"""Which blocks of a page show its headline, its byline and its date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.metadata.dates import date_in_text
from newsclean.text import comparison_key

if TYPE_CHECKING:
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page import Page

#: Headline, byline and date are among so many blocks before the text, and after its beginning.
_MAX_ABOVE = 25
_MAX_BELOW = 8
#: And in blocks of at most so many words.
_MAX_LINE_WORDS = 20
#: A headline further in than this many elements below an `h1` is not in it.
_MAX_LEVELS = 3


def headline_block(extraction: Extraction) -> int | None:
    """The block that shows the headline: one in an `h1`, else the last one before the text."""
    page, headline = extraction.page, extraction.headline
    key = comparison_key(headline or "", " ")
    if not key:
        return None
    found = [n for n in _near_text(extraction) if comparison_key(page.blocks.text[n], " ") == key]
    in_h1 = [n for n in found if _is_in_h1(page, n)]
    return next(reversed(in_h1 or found), None)


def byline_blocks(extraction: Extraction) -> set[int]:
    """The short blocks outside the article that name an author."""
    names = [comparison_key(name, " ") for name in extraction.metadata.authors]
    names = [f" {name} " if name.isascii() else name for name in names if name]
    text = extraction.page.blocks.text
    return {
        n
        for n in _short_lines(extraction)
        if any(name in f" {comparison_key(text[n], ' ')} " for name in names)
    }


def date_blocks(extraction: Extraction) -> set[int]:
    """The short blocks outside the article that show the day when it appeared or was changed."""
    metadata = extraction.metadata
    days = {date[:10] for date in (metadata.date_published, metadata.date_modified) if date}
    if not days:
        return set()
    text = extraction.page.blocks.text
    found = set()
    for n in _short_lines(extraction):
        # Day and month may be in either order.
        dates = {date_in_text(text[n], order) for order in (None, True, False)}
        if days & {date[:10] for date in dates if date}:
            found.add(n)
    return found


def _near_text(extraction: Extraction) -> list[int]:
    """The blocks around the beginning of the text; all of a page without one."""
    page = extraction.page
    chosen = page.blocks.sum(page.words * extraction.body.text)
    first = np.flatnonzero(chosen)[:1].tolist()
    if not first:
        return list(range(len(page.blocks)))
    return list(range(max(first[0] - _MAX_ABOVE, 0), min(first[0] + _MAX_BELOW, len(page.blocks))))


def _short_lines(extraction: Extraction) -> list[int]:
    page = extraction.page
    words = page.blocks.sum(page.words)
    chosen = page.blocks.sum(page.words * extraction.body.text)
    return [n for n in _near_text(extraction) if not chosen[n] and words[n] <= _MAX_LINE_WORDS]


def _is_in_h1(page: Page, block: int) -> bool:
    row = int(page.parent[page.blocks.row[block]])
    for _ in range(_MAX_LEVELS):
        if row < 0:
            return False
        if page.tag[row] == "h1":
            return True
        row = page.parents[row]
    return False
