"""What the structure of a page changes once blocks are chosen: what is added, what is left out.

An article is mostly one stretch, has no half tables, and appears once on its page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
#: A table of which more than this share of the words is chosen is chosen as a whole.
TABLE_SHARE = 0.5
TABLES = frozenset({"table"})
#: If this share of the chosen words are second copies, of at least this many different texts of at
#: least this many words each, the page holds its article twice.
MIN_COPIED_SHARE = 0.2
MIN_COPIED_TEXTS = 3
MIN_COPIED_WORDS = 8


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
    """The chosen blocks, and the rest of each table of which most is chosen.

    A table inside another one counts, the one around it does not: old pages are laid out in those.
    """
    whole = chosen.copy()
    tables = page.rows(TABLES)
    holds_next = np.append(page.end[tables[:-1]] >= tables[1:], False)
    for table in tables[~holds_next[: len(tables)]].tolist():
        low, high = np.searchsorted(page.blocks.row, (table, page.end[table] + 1)).tolist()
        words = context.words[low:high]
        if (words * chosen[low:high]).sum() > TABLE_SHARE * words.sum():
            whole[low:high] = True
    return whole


def without_repeated_copy(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, without copies on a page that holds its article twice.

    Such pages have one for narrow screens and one for wide ones. Sentences that an article repeats,
    under each of its pictures for instance, stay.
    """
    texts = page.blocks.text
    seen: set[str] = set()
    copies = []
    for block in np.flatnonzero(chosen).tolist():
        if texts[block] in seen:
            copies.append(block)
        seen.add(texts[block])
    long = [block for block in copies if context.words[block] >= MIN_COPIED_WORDS]
    if len({texts[block] for block in long}) < MIN_COPIED_TEXTS:
        return chosen
    if context.words[long].sum() < MIN_COPIED_SHARE * context.words[chosen].sum():
        return chosen
    without = chosen.copy()
    without[copies] = False
    return without
