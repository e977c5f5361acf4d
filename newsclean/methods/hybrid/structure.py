"""What the structure of a page tells once blocks are chosen: what comes along, and what goes.

An article is mostly one stretch, has no half tables, stands once on its page, and its headline is
not its body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid.evidence import SHORTEST_HEADING
from newsclean.methods.hybrid.surroundings import fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.surroundings import Surroundings
    from newsclean.page import Page
    from newsclean.page.columns import Mask

    Floats = NDArray[np.float64]

#: A last stretch of chosen blocks is not the article's if it stands behind so many others, has less
#: than this share of the words, and none of its blocks is sure.
FAR = 12
LITTLE = 0.3
SURE = 0.9
#: A table of which more than this share of the words is chosen is chosen as a whole.
MOST = 0.5
TABLES = frozenset({"table"})
#: The headline is among so many first of the chosen blocks.
HEADLINES = frozenset({"h1"})
FIRST_BLOCKS = 12
#: If this share of the chosen words are second copies, and of so many different texts of some words
#: each, the page holds its article twice.
COPIED = 0.2
COPIED_TEXTS = 3
COPIED_WORDS = 8


def without_tail(at: Surroundings, chosen: Mask, probability: Floats) -> Mask:
    """The chosen blocks, without a doubtful little stretch far behind the others."""
    blocks = np.flatnonzero(chosen)
    gaps = np.flatnonzero(np.diff(blocks) > FAR)
    if not len(gaps):
        return chosen
    tail = blocks[gaps[-1] + 1 :]
    little = at.words[tail].sum() < LITTLE * at.words[blocks].sum()
    if not little or probability[tail].max() >= SURE:
        return chosen
    without = chosen.copy()
    without[tail] = False
    return without


def whole_tables(page: Page, at: Surroundings, chosen: Mask) -> Mask:
    """The chosen blocks, and the rest of each table of which most is chosen.

    A table inside another one counts, the one around it does not: old pages are laid out in those.
    """
    whole = chosen.copy()
    tables = page.rows(TABLES)
    holds_next = np.append(page.end[tables[:-1]] >= tables[1:], False)
    for table in tables[~holds_next[: len(tables)]].tolist():
        low, high = np.searchsorted(page.blocks.row, (table, page.end[table] + 1)).tolist()
        words = at.words[low:high]
        if (words * chosen[low:high]).sum() > MOST * words.sum():
            whole[low:high] = True
    return whole


def once(page: Page, at: Surroundings, chosen: Mask) -> Mask:
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
    long = [block for block in copies if at.words[block] >= COPIED_WORDS]
    if len({texts[block] for block in long}) < COPIED_TEXTS:
        return chosen
    if at.words[long].sum() < COPIED * at.words[chosen].sum():
        return chosen
    once = chosen.copy()
    once[copies] = False
    return once


def without_headline(page: Page, at: Surroundings, chosen: Mask) -> Mask:
    """The chosen blocks, without those that say first of all, in an h1, what the page is called."""
    rows = page.rows(HEADLINES)
    if not len(rows) or not at.title:
        return chosen
    texts, inside = page.blocks.text, page.below(rows)[page.blocks.row]
    first = np.flatnonzero(chosen)[:FIRST_BLOCKS]
    heads = [
        block
        for block in first[inside[first]].tolist()
        if len(text := fold(texts[block])) >= SHORTEST_HEADING and text in at.title
    ]
    if not heads or len(heads) == np.count_nonzero(chosen):
        return chosen
    without = chosen.copy()
    without[heads] = False
    return without
