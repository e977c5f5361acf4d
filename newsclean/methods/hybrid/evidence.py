"""What speaks for and against each text block of a page: a row a block, a column a question.

All of it comes from columns of the page that exist already, for all blocks at once. `KINDS` tells
which questions belong together, so that a kind can be taken away and its worth measured.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from math import log1p
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods import boilerpipe, mss, tree_filter
from newsclean.methods.hybrid import hints, wording
from newsclean.methods.hybrid.branches import LEVELS
from newsclean.methods.hybrid.surroundings import fold
from newsclean.methods.ruzzo_tompa import best_subsequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from newsclean.methods.hybrid.surroundings import Answers, Surroundings

EMPHASIS = frozenset({"b", "strong", "em", "i"})
PICTURES = frozenset({"img", "picture", "video", "amp-img", "svg"})

#: How many blocks before and after are asked one by one, and how far the sums over some of them go.
REACH = 3
WIDTHS = (5, 10)
#: Shorter texts stand in a title by chance; in a heading a bit shorter ones do not.
SHORTEST_TITLE = 15
SHORTEST_HEADING = 10
#: Blocks among which the headline is looked for where no heading is one.
FIRST_BLOCKS = 80
#: What grows with an article is cut off here, as few have more: one ten times as long as any that
#: training has seen looks to the network like a long one, not like a stranger.
PAGE_WORDS = 5000
PAGE_BLOCKS = 300
BRANCH_WORDS = 3000
BRANCH_BLOCKS = 80
ALIKE = 60
#: What stands for "not asked" or "not there".
NONE = -1.0

HEADING = list(hints.AROUND).index("heading")

_NOT_WORD = re.compile(r"[\W_]+")
_NOT_WORD_NOR_LINE = re.compile(r"(?:[^\w\n]|_)+")


def _shallow(at: Surroundings) -> Answers:
    page, blocks, words = at.page, at.page.blocks, at.words
    links = page.link[page.text_rows]
    new_link = links >= 0
    new_link[1:] &= links[1:] != links[:-1]
    bold = page.below(page.rows(EMPHASIS))
    texts = blocks.text
    again = Counter(texts)
    place = np.arange(len(at))
    answers: Answers = {
        "words": np.log1p(words),
        "letters a word": blocks.sum(page.chars) / words,
        "linked": at.linked,
        "links": np.log1p(np.bincount(blocks.of_text, new_link, len(at))),
        "bold": blocks.sum(page.words * bold) / words,
        "pieces": np.log1p(np.bincount(blocks.of_text, minlength=len(at))),
        **at.letters,
        "again": np.fromiter((again[text] for text in texts), np.int64, len(texts)),
        "place": place / max(len(at) - 1, 1),
        "words before": at.before[2, 1:] / at.before[2, -1],
        "running before": at.before[0, :-1] / max(at.before[0, -1], 1.0),
    }
    for name, count in zip(hints.AROUND, np.minimum(at.around[:, 0], 3), strict=False):
        answers[f"in {name}"] = count
    return answers


def _page(at: Surroundings) -> Answers:
    running, linked, words = at.before[:, -1].tolist()
    answers = {
        "page words": log1p(min(words, PAGE_WORDS)),
        "page blocks": log1p(min(len(at), PAGE_BLOCKS)),
        "page running": log1p(min(running, PAGE_WORDS)),
        "page linked": linked / words,
    }
    return {name: np.full(len(at), answer) for name, answer in answers.items()}


def _order(at: Surroundings) -> Answers:
    """The blocks before and after."""
    n = len(at)
    padded = np.full((4, n + 2 * REACH), NONE)
    own = padded[:, REACH : REACH + n]
    own[0], own[1], own[2], own[3] = np.log1p(at.words), at.linked, at.closed, at.rows[1]
    answers: Answers = {}
    for step in range(1, REACH + 1):
        for sign, side in ((-step, "before"), (step, "after")):
            words, linked, closed, parent = padded[:, REACH + sign : REACH + sign + n]
            answers[f"words {step} {side}"] = words
            answers[f"linked {step} {side}"] = linked
            answers[f"closed {step} {side}"] = closed
            answers[f"same parent {step} {side}"] = parent == own[3]
    # As if blocks without words stood before the first and behind the last one.
    wide = max(WIDTHS)
    sums = np.zeros((3, n + 1 + 2 * wide))
    sums[:, wide : wide + n + 1] = at.before
    sums[:, wide + n + 1 :] = at.before[:, -1:]
    for width in WIDTHS:
        low, high = wide - width, wide + width + 1
        near = np.log1p(sums[:, high : high + n] - sums[:, low : low + n])
        for name, answer in zip(("running", "linked", "words"), near, strict=True):
            answers[f"{name} within {width}"] = answer
    return answers


def _tree(at: Surroundings) -> Answers:
    """The ancestors, and the blocks beside."""
    page, n, words = at.page, len(at), at.words
    branches = at.branches
    closed = np.zeros(n + 1)
    np.cumsum(at.closed & (words > 5), out=closed[1:])
    pictures = np.zeros(len(page) + 1)
    pictures[page.rows(PICTURES) + 1] = 1
    np.cumsum(pictures, out=pictures)
    low, high = branches.low, branches.high
    running, linked, inside = at.before.take(high, axis=1) - at.before.take(low, axis=1)
    shown = pictures[page.end[branches.row] + 1] - pictures[branches.row]
    of_branch = {
        "running": running / max(at.before[0, -1], 1.0),
        "pictures": np.minimum(shown, 20),
        "words": np.log1p(np.minimum(inside, BRANCH_WORDS)),
        "blocks": np.log1p(np.minimum(high - low, BRANCH_BLOCKS)),
        "closed": (closed[high] - closed[low]) / (high - low),
        "linked": linked / inside,
        "inside": inside,
        "before": at.before[2, low],
    }
    columns = {name: column.take(branches.of_block) for name, column in of_branch.items()}
    columns["share of"] = words / np.minimum(columns["inside"], BRANCH_WORDS)
    columns["place in"] = (at.before[2, :-1] - columns["before"]) / columns["inside"]
    answers: Answers = {"depth": page.depth[at.rows[0]]}
    for level in range(LEVELS + 1):
        for name in ("running", "pictures"):
            answers[f"{name} {level}"] = columns[name][level]
        if level:
            for name in ("words", "share of", "blocks", "closed", "linked", "place in"):
                answers[f"{name} {level}"] = columns[name][level]
    tags = page.tag_number[at.rows[0]]
    kind = branches.of_block[1] * len(page.tags) + tags
    alike = np.bincount(kind)[kind]
    answers["alike"] = np.log1p(np.minimum(alike, ALIKE))
    answers["words of the alike"] = np.log1p(np.bincount(kind, words)[kind] / alike)
    return answers


def _names(at: Surroundings) -> Answers:
    """The hints in `class` and `id`, near the block and anywhere around it."""
    answers: Answers = {}
    own, outer, outermost = at.around[len(hints.AROUND) :].transpose(1, 0, 2)
    near, wider = np.minimum(own - outer, 2), np.minimum(outer - outermost, 2)
    everywhere = np.minimum(own, 4)
    for number, kind in enumerate(hints.KINDS):
        answers[f"{kind} 0"] = near[number]
        answers[f"{kind} 1"] = wider[number]
        answers[f"{kind} any"] = everywhere[number]
    return answers


def _wording(at: Surroundings) -> Answers:
    """What the words themselves hint at."""
    counts = np.minimum(wording.count_phrases(at.lines, at.start), 3)
    answers: Answers = dict(zip((f"says {kind}" for kind in wording.KINDS), counts, strict=True))
    answers["words of the title"] = wording.count_title_words(at.lines, at.start, at.title)
    return answers


def _headline(at: Surroundings) -> Answers:
    """Where the block stands from the headline."""
    n, page = len(at), at.page
    head = headline_block(at)
    if head < 0:
        names = ("headline", "blocks behind it", "words behind it", "steps up from it")
        return {name: np.full(n, NONE) for name in names}
    sums = at.before[2, 1:]
    row = int(at.rows[0][head])
    up = []
    while row >= 0:
        up.append(row)
        row = int(page.parent[row])
    # The further up, the earlier the branch begins and the later it ends.
    above = np.array(up)
    begun = np.searchsorted(-above, -at.rows[0])
    common = np.maximum(begun, np.searchsorted(page.end[above], at.rows[0]))
    return {
        "headline": np.ones(n),
        "blocks behind it": np.clip(np.arange(n) - head, -30, 60),
        "words behind it": (sums - sums[head]) / sums[-1],
        "steps up from it": common,
    }


def headline_block(at: Surroundings) -> int:
    """The block that says what the page's title says, a heading first; -1 if there is none."""
    page = at.page
    texts = page.blocks.text
    title = at.title
    first = np.flatnonzero(page.tagged({"h1"})[at.rows[0]]).tolist()
    if title:
        headings = np.flatnonzero(at.around[HEADING, 0]).tolist()
        short = np.flatnonzero((at.words >= 3) & (at.words <= 30))[:FIRST_BLOCKS].tolist()
        longest = 2 * len(title)
        for blocks, shortest in ((first + headings, SHORTEST_HEADING), (short, SHORTEST_TITLE)):
            for block in blocks:
                text = texts[block]
                if shortest <= len(text) <= longest and (
                    len(folded := fold(text)) >= shortest and folded in title
                ):
                    return int(block)
    return first[0] if first else -1


def _stated(at: Surroundings) -> Answers:
    """Whether the block stands in the body that the page gives in JSON-LD."""
    texts = at.page.blocks.text
    for element in at.page.elements("script"):
        if "ld+json" not in (element.get("type") or "") or "articleBody" not in (
            source := element.text or ""
        ):
            continue
        try:
            body = _NOT_WORD.sub("", _stated_body(json.loads(source, strict=False))).casefold()
        except (ValueError, RecursionError):
            continue
        if len(body) > 200:
            begins = "\n".join([text[:120] for text in texts])
            lines = _NOT_WORD_NOR_LINE.sub("", begins).casefold().split("\n")
            found = [line != "" and line[:60] in body for line in lines]
            return {"stated": np.array(found, dtype=float)}
    return {"stated": np.full(len(at), NONE)}


def _stated_body(data: Any) -> str:
    if isinstance(data, dict):
        if isinstance(body := data.get("articleBody"), str):
            return body
        data = list(data.values())
    if isinstance(data, list):
        return next(filter(None, map(_stated_body, data)), "")
    return ""


def _methods(at: Surroundings) -> Answers:
    """What the papers' methods say of a block, asked with the counts at hand."""
    n = len(at)
    features = boilerpipe.Features(
        np.arange(n), at.words.astype(np.int64), at.linked, np.ones(n, dtype=bool)
    )
    pipe = boilerpipe.classify(features)
    branch = np.bincount(at.rows[tree_filter.PAPER.n], at.words * pipe)
    ones = np.ones(n)
    shares = mss.Shares(at.words * mss.WORD, ones, ones, at.linked, np.zeros(n))
    best = best_subsequence(mss.values(shares, mss.TUNED))
    in_best = np.zeros(n, dtype=bool)
    in_best[best.start : best.stop] = True
    return {
        "boilerpipe": pipe,
        "tree": at.rows[tree_filter.PAPER.n] == branch.argmax(),
        "mss": in_best,
    }


#: Evidence of the page itself, by kind.
KINDS: dict[str, Callable[[Surroundings], Answers]] = {
    "shallow": _shallow,
    "page": _page,
    "order": _order,
    "tree": _tree,
    "names": _names,
    "wording": _wording,
    "headline": _headline,
    "stated": _stated,
    "methods": _methods,
}


def page_evidence(at: Surroundings) -> tuple[list[str], NDArray[np.float32]]:
    """The questions, and the answers of a page by itself."""
    answers: Answers = {}
    for ask in KINDS.values():
        answers |= ask(at)
    values = np.empty((len(answers), len(at)), dtype=np.float32)
    np.concatenate(list(answers.values()), out=values.reshape(-1), casting="unsafe")
    return list(answers), values.T
