"""The features of each text block of a page: a row for each block, a column for each feature.

All of them are computed from columns of the page, for all blocks at once. They come in groups
(`FEATURE_GROUPS`), so that a group can be left out and its worth measured.
"""

from __future__ import annotations

import re
from collections import Counter
from math import log1p
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.methods import boilerpipe, mss, tree_filter
from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.context import LEVELS
from newsclean.extraction.methods.hybrid.hints import PHRASE_KINDS, count_title_words
from newsclean.extraction.methods.mss import best_subsequence
from newsclean.extraction.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from newsclean.extraction.metadata.page_sources import JsonLdScript
    from newsclean.extraction.methods.hybrid.context import BlockContext, Features
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.float64]

#: The value of a feature that a block or a page does not have.
MISSING = -1.0

#: Blocks before and after with features of their own, and the reach of sums over more of them.
_REACH = 3
_WIDTHS = (5, 10)
#: Counts that grow with an article are limited: to the network, an article ten times as long as any
#: in the training pages then looks like a long one, not like something unknown.
_MAX_PAGE_WORDS = 5000
_MAX_PAGE_BLOCKS = 300
_MAX_BRANCH_WORDS = 3000
_MAX_BRANCH_BLOCKS = 80
_MAX_SIMILAR_BLOCKS = 60
_EMPHASIS = frozenset({"b", "strong", "em", "i"})
_PICTURES = frozenset({"img", "picture", "video", "amp-img", "svg"})

#: Shorter texts appear in a title by chance; in a heading they may be a bit shorter.
_MIN_TITLE_LENGTH = 15
_MIN_HEADING_LENGTH = 10
#: Blocks among which the headline is searched if no heading is one.
_MAX_HEADLINE_BLOCKS = 80
DISTANCES = ("blocks after headline", "words after headline", "levels from headline")

#: A shorter body in JSON-LD may be a summary.
_MIN_STATED_BODY = 200  # characters
#: Characters of that body that are searched for all blocks together.
_MAX_SEARCHED = 200_000_000
_NOT_WORD = re.compile(r"[\W_]+")
_NOT_WORD_NOR_LINE = re.compile(r"(?:[^\w\n]|_)+")

#: Boxes of one name beside each other are a list from this number on; more than `_MAX_BOXES` count
#: as that many.
_MIN_BOXES = 3
_MAX_BOXES = 30
#: A line that asks for a reply has at most this many words.
_MAX_REPLY_WORDS = 12
#: The date of an article is among this many blocks after its headline.
_MAX_BLOCKS_TO_DATE = 4
_MAX_COUNTED = 5
#: A shorter text is found twice by chance.
_MIN_COPIED_WORDS = 8
_HEADLINES = frozenset({"h1", "h2"})
_ARTICLES = frozenset({"article"})


def _shallow(context: BlockContext) -> Features:
    page, blocks, words = context.page, context.page.blocks, context.words
    links = page.link[page.text_rows]
    new_link = links >= 0
    new_link[1:] &= links[1:] != links[:-1]
    bold = page.below(page.rows(_EMPHASIS))
    texts = blocks.text
    copies = Counter(texts)
    place = np.arange(len(context))
    features: Features = {
        "words": np.log1p(words),
        "letters per word": blocks.sum(page.chars) / words,
        "linked": context.linked,
        "links": np.log1p(np.bincount(blocks.of_text, new_link, len(context))),
        "bold": blocks.sum(page.words * bold) / words,
        "text nodes": np.log1p(np.bincount(blocks.of_text, minlength=len(context))),
        **context.letters,
        "copies": np.fromiter((copies[text] for text in texts), np.int64, len(texts)),
        "position": place / max(len(context) - 1, 1),
        "words before": context.before[2, 1:] / context.before[2, -1],
        "running before": context.before[0, :-1] / max(context.before[0, -1], 1.0),
    }
    for name, count in zip(hints.AROUND, np.minimum(context.around[:, 0], 3), strict=False):
        features[f"in {name}"] = count
    return features


def _page(context: BlockContext) -> Features:
    running, linked, words = context.before[:, -1].tolist()
    features = {
        "page words": log1p(min(words, _MAX_PAGE_WORDS)),
        "page blocks": log1p(min(len(context), _MAX_PAGE_BLOCKS)),
        "page running": log1p(min(running, _MAX_PAGE_WORDS)),
        "page linked": linked / words,
    }
    return {name: np.full(len(context), answer) for name, answer in features.items()}


def _order(context: BlockContext) -> Features:
    """Words, links and sentence ends of the blocks before and after."""
    n = len(context)
    padded = np.full((4, n + 2 * _REACH), MISSING)
    own = padded[:, _REACH : _REACH + n]
    own[0], own[1], own[2], own[3] = (
        np.log1p(context.words),
        context.linked,
        context.closed,
        context.rows[1],
    )
    features: Features = {}
    for step in range(1, _REACH + 1):
        for sign, side in ((-step, "before"), (step, "after")):
            words, linked, closed, parent = padded[:, _REACH + sign : _REACH + sign + n]
            features[f"words {step} {side}"] = words
            features[f"linked {step} {side}"] = linked
            features[f"ends sentence {step} {side}"] = closed
            features[f"same parent {step} {side}"] = parent == own[3]
    # Blocks before the first and after the last one count as empty.
    wide = max(_WIDTHS)
    sums = np.zeros((3, n + 1 + 2 * wide))
    sums[:, wide : wide + n + 1] = context.before
    sums[:, wide + n + 1 :] = context.before[:, -1:]
    for width in _WIDTHS:
        low, high = wide - width, wide + width + 1
        near = np.log1p(sums[:, high : high + n] - sums[:, low : low + n])
        for name, answer in zip(("running", "linked", "words"), near, strict=True):
            features[f"{name} within {width}"] = answer
    return features


def _tree(context: BlockContext) -> Features:
    """Words, links and pictures of the ancestors, and similar blocks beside."""
    page, n, words = context.page, len(context), context.words
    branches = context.branches
    closed = np.zeros(n + 1)
    np.cumsum(context.closed & (words > 5), out=closed[1:])
    pictures = np.zeros(len(page) + 1)
    pictures[page.rows(_PICTURES) + 1] = 1
    np.cumsum(pictures, out=pictures)
    low, high = branches.low, branches.high
    running, linked, inside = context.before.take(high, axis=1) - context.before.take(low, axis=1)
    shown = pictures[page.end[branches.row] + 1] - pictures[branches.row]
    of_branch = {
        "running": running / max(context.before[0, -1], 1.0),
        "pictures": np.minimum(shown, 20),
        "words": np.log1p(np.minimum(inside, _MAX_BRANCH_WORDS)),
        "blocks": np.log1p(np.minimum(high - low, _MAX_BRANCH_BLOCKS)),
        "ends sentence": (closed[high] - closed[low]) / (high - low),
        "linked": linked / inside,
        "inside": inside,
        "before": context.before[2, low],
    }
    columns = {name: column.take(branches.of_block) for name, column in of_branch.items()}
    columns["share of"] = words / np.minimum(columns["inside"], _MAX_BRANCH_WORDS)
    columns["position in"] = (context.before[2, :-1] - columns["before"]) / columns["inside"]
    features: Features = {"depth": page.depth[context.rows[0]]}
    for level in range(LEVELS + 1):
        for name in ("running", "pictures"):
            features[f"{name} {level}"] = columns[name][level]
        if level:
            for name in ("words", "share of", "blocks", "ends sentence", "linked", "position in"):
                features[f"{name} {level}"] = columns[name][level]
    tags = page.tag_number[context.rows[0]]
    kind = branches.of_block[1] * len(page.tags) + tags
    similar = np.bincount(kind)[kind]
    features["similar blocks"] = np.log1p(np.minimum(similar, _MAX_SIMILAR_BLOCKS))
    features["words of similar blocks"] = np.log1p(np.bincount(kind, words)[kind] / similar)
    return features


def _names(context: BlockContext) -> Features:
    """Hints in `class` and `id`, near the block and anywhere around it."""
    features: Features = {}
    first, behind = len(hints.AROUND), len(hints.AROUND) + len(hints.KINDS)
    own, outer, outermost = context.around[first:behind].transpose(1, 0, 2)
    near, wider = np.minimum(own - outer, 2), np.minimum(outer - outermost, 2)
    everywhere = np.minimum(own, 4)
    for number, kind in enumerate(hints.KINDS):
        features[f"{kind} 0"] = near[number]
        features[f"{kind} 1"] = wider[number]
        features[f"{kind} any"] = everywhere[number]
    return features


def _wording(context: BlockContext) -> Features:
    """Kinds of phrases in the block, and words of the title."""
    counts = np.minimum(context.phrases, 3)
    features: Features = dict(
        zip((f"mentions {kind}" for kind in PHRASE_KINDS), counts, strict=True)
    )
    features["words of the title"] = count_title_words(context.lines, context.start, context.title)
    return features


def _headline(context: BlockContext) -> Features:
    """The distance of each block from the headline."""
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
    # The further up a branch is, the earlier it begins and the later it ends.
    above = np.array(up)
    begun = np.searchsorted(-above, -context.rows[0])
    common = np.maximum(begun, np.searchsorted(page.end[above], context.rows[0]))
    return {
        "headline": np.ones(n),
        DISTANCES[0]: np.clip(np.arange(n) - head, -30, 60),
        DISTANCES[1]: (sums - sums[head]) / sums[-1],
        DISTANCES[2]: common,
    }


def headline_block(context: BlockContext) -> int:
    """Return the block that repeats the page's title, a heading first; -1 if there is none."""
    page = context.page
    texts = page.blocks.text
    title = context.title
    first = np.flatnonzero(page.tagged({"h1"})[context.rows[0]]).tolist()
    if title:
        headings = np.flatnonzero(context.in_heading).tolist()
        short = np.flatnonzero((context.words >= 3) & (context.words <= 30))[
            :_MAX_HEADLINE_BLOCKS
        ].tolist()
        max_length = 2 * len(title)
        for blocks, min_length in (
            (first + headings, _MIN_HEADING_LENGTH),
            (short, _MIN_TITLE_LENGTH),
        ):
            for block in blocks:
                text = texts[block]
                if min_length <= len(text) <= max_length and (
                    len(folded := comparison_key(text, " ")) >= min_length and folded in title
                ):
                    return int(block)
    return first[0] if first else -1


def _json_ld(context: BlockContext) -> Features:
    """Whether the block appears in the body that the page gives in JSON-LD."""
    sources = (script.text or "" for script in context.page.elements("script"))
    if any("articleBody" in source for source in sources):
        for script in context.json_ld:
            body = _NOT_WORD.sub("", _stated_body(script)).casefold()
            if len(body) > _MIN_STATED_BODY:
                begins = "\n".join([text[:120] for text in context.page.blocks.text])
                lines = _NOT_WORD_NOR_LINE.sub("", begins).casefold().split("\n")
                body = body[: _MAX_SEARCHED // len(lines)]
                found = [line != "" and line[:60] in body for line in lines]
                return {"in JSON-LD body": np.array(found, dtype=float)}
    return {"in JSON-LD body": np.full(len(context), MISSING)}


def _stated_body(script: JsonLdScript) -> str:
    """Return the body of a valid script; nothing of one that was only salvaged."""
    if not script.is_valid or "articleBody" not in script.source:
        return ""
    try:
        return _article_body(script.values)
    except RecursionError:
        return ""


def _article_body(data: Any) -> str:
    if isinstance(data, dict):
        if isinstance(body := data.get("articleBody"), str):
            return body
        data = list(data.values())
    if isinstance(data, list):
        return next(filter(None, map(_article_body, data)), "")
    return ""


def _methods(context: BlockContext) -> Features:
    """What the papers' methods choose, computed from the counts at hand."""
    n = len(context)
    features = boilerpipe.Features(
        np.arange(n), context.words.astype(np.int64), context.linked, np.ones(n, dtype=bool)
    )
    pipe = boilerpipe.classify(features)
    branch = np.bincount(context.rows[tree_filter.PAPER.n], context.words * pipe)
    ones = np.ones(n)
    shares = mss.Shares(context.words * mss.WORD, ones, ones, context.linked, np.zeros(n))
    best = best_subsequence(mss.values(shares, mss.TUNED))
    in_best = np.zeros(n, dtype=bool)
    in_best[best.start : best.stop] = True
    return {
        "boilerpipe": pipe,
        "tree": context.rows[tree_filter.PAPER.n] == branch.argmax(),
        "mss": in_best,
    }


def reply_features(context: BlockContext) -> Features:
    """The list of boxes of one shape around each block, and what its boxes hold.

    Comments are such boxes beside each other, each with a date, a name, a link to reply.
    """
    branches, n = context.branches, len(context)
    is_box = branches.top == np.arange(len(branches.top))
    group = _groups(context)
    around = group.take(branches.top.take(branches.of_block))  # by level
    size = np.maximum(np.bincount(group, is_box), 1).astype(np.int64)
    replies = _replies(context)
    words = context.before[2]
    of_box = {
        "dated": _holds(context.dated, branches.low, branches.high),
        "answered": _holds(replies, branches.low, branches.high),
        "words": words[branches.high] - words[branches.low],
    }
    mean = {name: np.bincount(group, column * is_box) / size for name, column in of_box.items()}
    first = np.full(len(size), n)
    np.minimum.at(first, group, branches.low)
    # The list whose boxes have most dates and answers, of equal ones the innermost.
    lists = size.take(around) >= _MIN_BOXES
    weight = lists * (1 + mean["dated"].take(around) + mean["answered"].take(around))
    best = around[weight.argmax(axis=0), np.arange(n)]
    found = lists.any(axis=0)
    return {
        "boxes alike": np.log1p(np.minimum(size[best], _MAX_BOXES)) * found,
        "boxes dated": mean["dated"][best] * found,
        "boxes answered": mean["answered"][best] * found,
        "words of boxes": np.log1p(mean["words"][best]) * found,
        "running before boxes": context.before[0, first[best]]
        / max(context.before[0, -1], 1.0)
        * found,
    }


def _groups(context: BlockContext) -> Column:
    """Return the list of each branch: branches of one slot beside each other."""
    branches = context.branches
    keys = context.branch_slots.astype(np.uint32)  # the lower half
    lists: Column = branches.parent * (1 << 32) + keys
    group: Column = np.unique(lists[branches.top], return_inverse=True)[1]
    return group


def _replies(context: BlockContext) -> Mask:
    """Return which blocks are short lines that ask for a reply."""
    said = context.phrases[PHRASE_KINDS.index("comment")] > 0
    replies: Mask = said & (context.words <= _MAX_REPLY_WORDS)
    return replies


def _holds(marks: Mask, low: Column, high: Column) -> _Floats:
    """Return which branches hold any marked block."""
    total = np.zeros(len(marks) + 1, dtype=np.int64)
    np.cumsum(marks, out=total[1:])
    held: _Floats = (total.take(high) > total.take(low)).astype(float)
    return held


def second_article_features(context: BlockContext) -> Features:
    """Headlines with a date, articles and copies before each block.

    A second article has a headline and a date of its own after the text of the first.
    """
    page, n = context.page, len(context)
    dates = np.flatnonzero(context.dated)
    heads = np.flatnonzero(page.below(page.rows(_HEADLINES))[page.blocks.row])
    place = np.searchsorted(dates, heads, side="right")
    near = np.append(dates, 2 * n)[place] - heads <= _MAX_BLOCKS_TO_DATE
    dated = np.zeros(n, dtype=np.int64)
    dated[heads[near]] = 1
    started = np.cumsum(dated)
    last = np.maximum.accumulate(np.where(dated, np.arange(n), 0))
    running = context.before[0]
    articles = np.sort(page.end[page.rows(_ARTICLES)])
    seen: set[str] = set()
    copied = np.zeros(n)
    texts = page.blocks.text
    for block in np.flatnonzero(context.words >= _MIN_COPIED_WORDS).tolist():
        text = texts[block]
        if text in seen:
            copied[block] = 1
        seen.add(text)
    return {
        "dated headlines before": np.minimum(started, _MAX_COUNTED),
        "running since dated headline": np.log1p(running[:-1] - running[last]),
        "articles ended before": np.minimum(
            np.searchsorted(articles, page.blocks.row), _MAX_COUNTED
        ),
        "copy of a block before": copied,
    }


#: The features of a page by group: from the blocks of a page to a column for each name.
FEATURE_GROUPS: dict[str, Callable[[BlockContext], Features]] = {
    "shallow": _shallow,
    "page": _page,
    "order": _order,
    "tree": _tree,
    "names": _names,
    "wording": _wording,
    "headline": _headline,
    "json-ld": _json_ld,
    "methods": _methods,
    "replies": reply_features,
    "second article": second_article_features,
}


def block_features(
    context: BlockContext, groups: Iterable[str] = FEATURE_GROUPS
) -> tuple[list[str], NDArray[np.float32]]:
    """Return the names of the features of these groups, and a row of values for each block."""
    features: Features = {}
    for group in groups:
        features |= FEATURE_GROUPS[group](context)
    values = np.empty((len(features), len(context)), dtype=np.float32)
    np.concatenate(list(features.values()), out=values.reshape(-1), casting="unsafe")
    return list(features), values.T
