"""What the structure of a page changes once blocks are chosen: what is added, what is left out.

An article is mostly one stretch, has no half tables, appears once on its page, and is the first one
where others follow it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.metadata.text import comparison_key
from newsclean.methods.hybrid.headline import is_heading
from newsclean.page.tables import CELLS, data_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.context import BlockContext
    from newsclean.page import Page
    from newsclean.page.columns import Mask

    Floats = NDArray[np.float64]

#: A last stretch of chosen blocks is not the article's if more than this many others come before
#: it, if it has less than this share of the words, and no block of this probability.
MAX_GAP = 12
MIN_TAIL_SHARE = 0.3
SURE = 0.9
#: A heading between two chosen blocks is the article's from this probability on.
MIN_HEADING = 0.3
#: A table of data of which more than this share of the words is chosen is chosen as a whole.
TABLE_SHARE = 0.5
TABLES = frozenset({"table"})
#: Its cells hold at most so many texts each, on average.
MAX_TEXTS = 1.5
#: If this share of what the chosen blocks say is said twice, and in at least this many different
#: texts of at least this many words each, the page holds its article twice.
MIN_COPIED_SHARE = 0.4
MIN_COPIED_TEXTS = 3
MIN_COPIED_WORDS = 8
#: It holds it at most this many times: an article repeats its lines more often.
MAX_VERSIONS = 3
#: The box of the page's own article has at least this many chosen words, if other articles follow.
MIN_ARTICLE_WORDS = 100
HEADLINES = frozenset({"h1"})
#: The date of an article is among this many blocks after its headline, in a line of at most this
#: many words of which this share of the characters are digits.
MAX_BLOCKS_TO_DATE = 6
MAX_DATE_WORDS = 12
MIN_DATE_DIGITS = 0.12


def without_tail(context: BlockContext, chosen: Mask, probability: Floats) -> Mask:
    """The chosen blocks, without a doubtful little stretch far after the others."""
    blocks = np.flatnonzero(chosen)
    gaps = np.flatnonzero(np.diff(blocks) > MAX_GAP)
    if not len(gaps):
        return chosen
    tail = blocks[gaps[-1] + 1 :]
    little = context.words[tail].sum() < MIN_TAIL_SHARE * context.words[blocks].sum()
    if not little or probability[tail].max() >= SURE:
        return chosen
    without = chosen.copy()
    without[tail] = False
    return without


def with_headings(context: BlockContext, chosen: Mask, probability: Floats) -> Mask:
    """The chosen blocks, and each heading between two of them that may well be the article's."""
    likely = probability >= MIN_HEADING
    if not likely.any():
        return chosen
    headings = is_heading(context) & likely
    headings[:1] = headings[-1:] = False
    headings[1:-1] &= chosen[:-2] & chosen[2:]
    return chosen | headings


def whole_tables(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, and the rest of each table of data of which most is chosen.

    A table that holds the columns of an old page has comments and menus in it, too.
    """
    tables = page.rows(TABLES)
    if not len(tables):
        return chosen
    whole = chosen.copy()
    data = data_tables(page, np.ones(len(page), dtype=bool))
    cells = page.rows(CELLS)
    for table in tables[data[tables]].tolist():
        edges = table, page.end[table] + 1
        low, high = np.searchsorted(page.blocks.row, edges).tolist()
        held = np.diff(np.searchsorted(cells, edges)).item()
        words = context.words[low:high]
        if (
            high - low <= MAX_TEXTS * held
            and (words * chosen[low:high]).sum() > TABLE_SHARE * words.sum()
        ):
            whole[low:high] = True
    return whole


def without_repeated_copy(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, without the other versions on a page that holds its article twice.

    Such pages have one for narrow screens or for print, and one for wide screens: most of what they
    say, they say twice. Lines that an article repeats, the refrain of a poem or the same sentence
    under each of its pictures, stay.
    """
    blocks = np.flatnonzero(chosen).tolist()
    texts, words = page.blocks.text, context.words
    if len(blocks) - len({texts[block] for block in blocks}) < MIN_COPIED_TEXTS:
        return chosen
    keys = [comparison_key(texts[block], " ") for block in blocks]
    counts = Counter(keys)
    seen: set[str] = set()
    copies = []
    repeated: dict[str, float] = {}
    for block, key in zip(blocks, keys, strict=True):
        is_long = words[block] >= MIN_COPIED_WORDS
        if key in seen and (counts[key] <= MAX_VERSIONS or not is_long):
            copies.append(block)
            if is_long:
                repeated[key] = words[block]
        seen.add(key)
    said_once = words[chosen].sum() - words[copies].sum()
    said_twice = sum(repeated.values())
    if len(repeated) < MIN_COPIED_TEXTS or said_twice < MIN_COPIED_SHARE * said_once:
        return chosen
    without = chosen.copy()
    without[copies] = False
    return without


def without_later_articles(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, without other articles that follow the page's own.

    Pages that go on with the next story have each story in a box of the same name, with a headline
    and a date of its own. Where sections of one article have headlines of the first rank, their
    boxes have no dates.
    """
    heads = page.rows(HEADLINES).tolist()
    if len(heads) < 2:
        return chosen
    without = chosen.copy()
    own = -1
    for head, before, after in zip(heads, [-1, *heads], [*heads[1:], len(page)], strict=False):
        if own < 0:
            box = _box_of(page, head, before, after)
            low, high = _blocks_below(page, box)
            if context.words[low:high][chosen[low:high]].sum() >= MIN_ARTICLE_WORDS:
                own = box
            continue
        other = _box_of(page, head, before, after)
        if _are_alike(page, own, other) and _is_dated(context, head):
            low, high = _blocks_below(page, other)
            without[low:high] = False
    return without


def _box_of(page: Page, head: int, before: int, after: int) -> int:
    """The largest element with a headline in which neither the one before nor the next one is."""
    box = head
    while (above := page.parents[box]) > before and page.end[above] < after:
        box = above
    return box


def _blocks_below(page: Page, row: int) -> tuple[int, int]:
    """The first block below an element, and the first one after it."""
    low, high = np.searchsorted(page.blocks.row, (row, page.end[row] + 1)).tolist()
    return low, high


def _are_alike(page: Page, box: int, other: int) -> bool:
    """Whether two elements are in the same one, with the same tag and class."""
    if page.parents[box] != page.parents[other] or page.tag[box] != page.tag[other]:
        return False
    first: Any = page.element[box]
    second: Any = page.element[other]
    return bool(first.get("class") == second.get("class"))


def _is_dated(context: BlockContext, head: int) -> bool:
    """Whether a date comes soon after a headline."""
    low, start = _blocks_below(context.page, head)
    near = slice(start, start + MAX_BLOCKS_TO_DATE)
    digits = context.letters["digits"][near] >= MIN_DATE_DIGITS
    return low < start and bool((digits & (context.words[near] <= MAX_DATE_WORDS)).any())
