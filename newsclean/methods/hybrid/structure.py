"""What the structure of a page changes once blocks are chosen: what is added, what is left out.

An article is mostly one stretch, has no half tables, and appears once on its page.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata.text import comparison_key
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
