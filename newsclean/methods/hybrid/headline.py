"""The headline among the blocks of a page: the distance to it, and the body without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata.text import comparison_key
from newsclean.methods.hybrid import hints

if TYPE_CHECKING:
    from newsclean.methods.hybrid.context import BlockContext, Features
    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: Shorter texts appear in a title by chance; in a heading a bit shorter ones do not.
MIN_TITLE_LENGTH = 15
MIN_HEADING_LENGTH = 10
#: Blocks among which the headline is looked for where no heading is one.
MAX_HEADLINE_BLOCKS = 80
#: A headline that was chosen with the body is among the first chosen blocks.
HEADLINES = frozenset({"h1"})
MAX_FIRST_BLOCKS = 12

HEADING = list(hints.AROUND).index("heading")
DISTANCES = ("blocks after headline", "words after headline", "levels from headline")
#: The value of a feature that a block or a page does not have.
MISSING = -1.0


def headline_features(context: BlockContext) -> Features:
    """How far each block is from the headline."""
    n, page = len(context), context.page
    head = headline_block(context)
    if head < 0:
        names = ("headline", *DISTANCES)
        return {name: np.full(n, MISSING) for name in names}
    sums = context.before[2, 1:]
    row = int(context.rows[0][head])
    up = []
    while row >= 0:
        up.append(row)
        row = page.parents[row]
    # The further up, the earlier the branch begins and the later it ends.
    above = np.array(up)
    begun = np.searchsorted(-above, -context.rows[0])
    common = np.maximum(begun, np.searchsorted(page.end[above], context.rows[0]))
    return {
        "headline": np.ones(n),
        DISTANCES[0]: np.clip(np.arange(n) - head, -30, 60),
        DISTANCES[1]: (sums - sums[head]) / sums[-1],
        DISTANCES[2]: common,
    }


def is_heading(context: BlockContext) -> Mask:
    """Which blocks are in a heading."""
    inside: Mask = context.around[HEADING, 0] > 0
    return inside


def headline_block(context: BlockContext) -> int:
    """The block that says what the page's title says, a heading first; -1 if there is none."""
    page = context.page
    texts = page.blocks.text
    title = context.title
    first = np.flatnonzero(page.tagged({"h1"})[context.rows[0]]).tolist()
    if title:
        headings = np.flatnonzero(is_heading(context)).tolist()
        short = np.flatnonzero((context.words >= 3) & (context.words <= 30))[
            :MAX_HEADLINE_BLOCKS
        ].tolist()
        max_length = 2 * len(title)
        for blocks, min_length in (
            (first + headings, MIN_HEADING_LENGTH),
            (short, MIN_TITLE_LENGTH),
        ):
            for block in blocks:
                text = texts[block]
                if min_length <= len(text) <= max_length and (
                    len(folded := comparison_key(text, " ")) >= min_length and folded in title
                ):
                    return int(block)
    return first[0] if first else -1


def without_headline(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, without those that say first of all, in an h1, what the page is called.

    Of a page without a title, that is the h1 with which its text begins.
    """
    rows = page.rows(HEADLINES)
    if not len(rows):
        return chosen
    texts, inside = page.blocks.text, page.below(rows)[page.blocks.row]
    if context.title:
        first = np.flatnonzero(chosen)[:MAX_FIRST_BLOCKS]
        heads = [
            block
            for block in first[inside[first]].tolist()
            if len(text := comparison_key(texts[block], " ")) >= MIN_HEADING_LENGTH
            and text in context.title
        ]
    else:
        first = np.flatnonzero(chosen)[:1]
        heads = first[inside[first]].tolist()
    if not heads or len(heads) == np.count_nonzero(chosen):
        return chosen
    without = chosen.copy()
    without[heads] = False
    return without
