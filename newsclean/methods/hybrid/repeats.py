"""What tells comments, a second article and a copy: boxes that repeat, and what each begins with.

Comments are boxes of one shape beside each other, each with a date, a name, a link to reply. A
second article has a headline and a date of its own after the first one's text. All is counted over
the blocks and branches at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid import wording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.context import BlockContext, Features
    from newsclean.page.columns import Column, Mask

    Floats = NDArray[np.float64]

#: As many boxes of one name beside each other are a list; more than MAX_BOXES are as many.
MIN_BOXES = 3
MAX_BOXES = 30
#: A line of at most this many words of which this share of the characters are digits has a date.
MAX_DATE_WORDS = 12
MIN_DATE_DIGITS = 0.12
#: A headline has its date among this many blocks after it.
MAX_BLOCKS_TO_DATE = 4
MAX_COUNTED = 5
#: A shorter text is found twice by chance.
MIN_COPIED_WORDS = 8

HEADLINES = frozenset({"h1", "h2"})
ARTICLES = frozenset({"article"})


def reply_features(context: BlockContext) -> Features:
    """The largest list of boxes of one shape around each block, and what its boxes hold."""
    branches, n = context.branches, len(context)
    is_box = branches.top == np.arange(len(branches.top))
    group = _groups(context)
    around = group.take(branches.top.take(branches.of_block))  # the lists around each block
    size = np.maximum(np.bincount(group, is_box), 1).astype(np.int64)
    dates, replies = _dates(context), _replies(context)
    words = context.before[2]
    of_box = {
        "dated": _holds(dates, branches.low, branches.high),
        "answered": _holds(replies, branches.low, branches.high),
        "words": words[branches.high] - words[branches.low],
    }
    mean = {name: np.bincount(group, column * is_box) / size for name, column in of_box.items()}
    first = np.full(len(size), n)
    np.minimum.at(first, group, branches.low)
    # The innermost list whose boxes have dates or answers; else the innermost list at all.
    lists = size.take(around) >= MIN_BOXES
    speaks = lists * (1 + mean["dated"].take(around) + mean["answered"].take(around))
    best = around[speaks.argmax(axis=0), np.arange(n)]
    found = lists.any(axis=0)
    return {
        "boxes alike": np.log1p(np.minimum(size[best], MAX_BOXES)) * found,
        "boxes dated": mean["dated"][best] * found,
        "boxes answered": mean["answered"][best] * found,
        "words of boxes": np.log1p(mean["words"][best]) * found,
        "running before boxes": context.before[0, first[best]]
        / max(context.before[0, -1], 1.0)
        * found,
    }


def second_article_features(context: BlockContext) -> Features:
    """How many headlines with a date, and how many articles, are before each block; copies."""
    page, n = context.page, len(context)
    dates = np.flatnonzero(_dates(context))
    heads = np.flatnonzero(page.below(page.rows(HEADLINES))[page.blocks.row])
    place = np.searchsorted(dates, heads, side="right")
    near = np.append(dates, 2 * n)[place] - heads <= MAX_BLOCKS_TO_DATE
    dated = np.zeros(n, dtype=np.int64)
    dated[heads[near]] = 1
    started = np.cumsum(dated)
    last = np.maximum.accumulate(np.where(dated, np.arange(n), 0))
    running = context.before[0]
    articles = np.sort(page.end[page.rows(ARTICLES)])
    seen: set[str] = set()
    copied = np.zeros(n)
    texts = page.blocks.text
    for block in np.flatnonzero(context.words >= MIN_COPIED_WORDS).tolist():
        text = texts[block]
        if text in seen:
            copied[block] = 1
        seen.add(text)
    return {
        "dated headlines before": np.minimum(started, MAX_COUNTED),
        "running since dated headline": np.log1p(running[:-1] - running[last]),
        "articles ended before": np.minimum(
            np.searchsorted(articles, page.blocks.row), MAX_COUNTED
        ),
        "copy of a block before": copied,
    }


def _groups(context: BlockContext) -> Column:
    """For each branch the list of boxes in which the outermost one with the same text is."""
    branches = context.branches
    keys = np.array(context.branch_slots, dtype=np.uint64).astype(np.uint32)  # the lower half
    lists: Column = branches.parent * (1 << 32) + keys
    group: Column = np.unique(lists[branches.top], return_inverse=True)[1]
    return group


def _dates(context: BlockContext) -> Mask:
    short = context.words <= MAX_DATE_WORDS
    dates: Mask = short & (context.letters["digits"] >= MIN_DATE_DIGITS)
    return dates


def _replies(context: BlockContext) -> Mask:
    """Short lines with a word for an answer."""
    said = context.phrases[wording.KINDS.index("comment")] > 0
    replies: Mask = said & (context.words <= MAX_DATE_WORDS)
    return replies


def _holds(marks: Mask, low: Column, high: Column) -> Floats:
    """Whether any of the blocks of each branch is marked."""
    total = np.zeros(len(marks) + 1, dtype=np.int64)
    np.cumsum(marks, out=total[1:])
    held: Floats = (total.take(high) > total.take(low)).astype(float)
    return held
