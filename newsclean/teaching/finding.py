"""Which blocks of a page a person means: by their first words, or by the text of the article."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from newsclean.text import comparison_key

if TYPE_CHECKING:
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

#: Words that follow each other, by which a text is found in another one.
RUN = 3
#: The share of a block's runs that appear in the article's text.
MIN_SHARE = 0.6
#: A block of this many words is found by its runs; a shorter one by its place between those.
MIN_LONG = 8
#: Words by which a long block may begin earlier, or end later, than its place says.
SLACK = 3

_WORD = re.compile(r"\w+")


def blocks_beginning(page: Page, words: str) -> list[int]:
    """The blocks that begin with these words, whatever their case and signs.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p>Sign up – it’s free!<p>It rains.<p>Sign here")
    >>> blocks_beginning(page, "sign"), blocks_beginning(page, "SIGN UP it's")
    ([0, 2], [0])
    """
    key = comparison_key(words, " ").strip()
    if not key:
        return []
    texts = (comparison_key(text, " ").strip() for text in page.blocks.text)
    return [block for block, text in enumerate(texts) if text.startswith(key)]


def blocks_in_text(page: Page, text: str) -> Mask:
    """The blocks that belong to the article whose text somebody has written down.

    First the blocks of some length of which most runs of three words are there, in the order of the
    text: a second copy, or a teaser with the same words, is not in order. Then short blocks that
    are there between their neighbors.

    >>> from newsclean.extraction.page import Page
    >>> html = "<p>Rain<p>Menu<p>Rain<p>It rains in Bergen today, as it did on Monday<p>Bergen"
    >>> text = "Rain\\n\\nIt rains in Bergen today, as it did on Monday"
    >>> blocks_in_text(Page.from_html(html), text).tolist()
    [False, False, True, True, False]
    """
    gold = _words(text)
    blocks = [_words(block) for block in page.blocks.text]
    places = _in_order(_long_blocks(blocks, gold))
    found = np.zeros(len(blocks), dtype=bool)
    found[list(places)] = True
    edges = [(-1, 0), *((block, place + len(blocks[block])) for block, place in places.items())]
    ends = [*places.items(), (len(blocks), len(gold))]
    for (before, low), (after, high) in zip(edges, ends, strict=True):
        # From the end backwards before the first long block: a headline comes after its menu.
        numbers = range(before + 1, after)
        window = gold[max(low - SLACK, 0) : high + SLACK]
        for block in numbers if before >= 0 else reversed(numbers):
            if found[block] or not blocks[block] or len(blocks[block]) > len(window):
                continue
            if (place := _place(blocks[block], window)) is not None:
                found[block] = True
                del window[place : place + len(blocks[block])]
    return found


def _long_blocks(blocks: list[list[str]], gold: list[str]) -> list[tuple[int, int]]:
    """The blocks of some length that are in the text, each with where it begins there."""
    runs: dict[tuple[str, ...], list[int]] = {}
    for place in range(len(gold) - RUN + 1):
        runs.setdefault(tuple(gold[place : place + RUN]), []).append(place)
    found = []
    for block, words in enumerate(blocks):
        if len(words) < MIN_LONG:
            continue
        own = [runs.get(tuple(words[start : start + RUN]), []) for start in _starts(words)]
        there = [(start, places) for start, places in enumerate(own) if places]
        if len(there) < MIN_SHARE * len(own):
            continue
        # What the text says once tells the place; what it repeats may be at another one.
        offsets = [places[0] - start for start, places in there if len(places) == 1]
        offsets = offsets or [places[0] - start for start, places in there]
        found.append((block, max(int(np.median(offsets)), 0)))
    return found


def _starts(words: list[str]) -> range:
    return range(len(words) - RUN + 1)


def _in_order(found: list[tuple[int, int]]) -> dict[int, int]:
    """The longest series of blocks whose places in the text rise, each with its place."""
    tails: list[int] = []  # the smallest place with which a series of each length ends
    last: list[int] = []  # and its number among the found
    before: list[int] = []
    for number, (_, place) in enumerate(found):
        length = bisect_left(tails, place)
        tails[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    series = []
    number = last[-1] if last else -1
    while number >= 0:
        series.append(found[number])
        number = before[number]
    return dict(reversed(series))


def _place(words: list[str], window: list[str]) -> int | None:
    """Where these words follow each other in others."""
    for place in range(len(window) - len(words) + 1):
        if window[place : place + len(words)] == words:
            return place
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
