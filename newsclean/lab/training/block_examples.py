"""Pages with gold texts as examples: the features of each block, and whether it is the article."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import block_features
from newsclean.extraction.methods.hybrid.hints import AROUND, KINDS
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import align, tokens, words
from newsclean.lab.training.training_cache import EXAMPLES, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Column, Mask
    from newsclean.lab.evaluate.corpus import Gold

    _Floats = NDArray[np.float32]

#: A block of which this share appears in the gold text, in its order, is part of the article.
_MIN_ALIGNED = 0.6
#: Doubtful: worth a try to take it out, or in, if the agreement grows.
_SURE = 0.95
_POSSIBLE = 0.3
#: A block of this many words may be a second copy of a text whose first one was aligned; it is
#: tried if this share of its words appears in the gold text at all.
_MIN_COPY_WORDS = 8
_MIN_CONTAINED = 0.8
_MAX_ROUNDS = 3
#: A line of fewer words that ends no sentence is a line beside the text: a subheading, a byline, a
#: date, a label. It is near the text up to so many blocks before the first one of the article, and
#: after the last one.
_MAX_LINE_WORDS = 11
_BEFORE, _AFTER = 8, 3
_CAPTIONS = [list(AROUND).index(name) for name in ("figure", "caption")]
_PICTURE = len(AROUND) + KINDS.index("picture")


@dataclass(frozen=True, eq=False)
class Bags:
    """The words of a page's blocks and of its gold texts, as numbers."""

    #: the words of all blocks, and where each block begins in them (and the last one ends)
    words: NDArray[np.int32]
    start: NDArray[np.int32]
    #: of each gold text, how often it has each word
    golds: tuple[NDArray[np.int32], ...]

    @classmethod
    def of(cls, texts: Sequence[str], golds: Sequence[str]) -> Bags:
        numbers: dict[str, int] = {}

        def read(text: str) -> list[int]:
            return [numbers.setdefault(word, len(numbers)) for word in words(text.lower())]

        blocks = [read(text) for text in texts]
        bags = [Counter(read(gold)) for gold in golds]
        counts = []
        for bag in bags:
            count = np.zeros(len(numbers), dtype=np.int32)
            count[list(bag.keys())] = list(bag.values())
            counts.append(count)
        start = np.cumsum([0, *map(len, blocks)]).astype(np.int32)
        return cls(np.array([w for b in blocks for w in b], dtype=np.int32), start, tuple(counts))

    @cached_property
    def of_word(self) -> Column:
        """The block of each word."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def f1(self, chosen: Mask) -> float:
        """The word F1 of the chosen blocks, against the gold text that fits best."""
        ours = self.words[chosen[self.of_word]]
        best = 0.0
        for gold in self.golds:
            shared = np.minimum(np.bincount(ours, minlength=len(gold)), gold).sum()
            total = len(ours) + int(gold.sum())
            best = max(best, 2 * float(shared) / total if total else 1.0)
        return best

    def contained(self, block: int) -> float:
        """The share of a block's words that appear in a gold text."""
        own = self.words[self.start[block] : self.start[block + 1]]
        if not len(own):
            return 0.0
        counts = (np.bincount(own, minlength=len(gold)) for gold in self.golds)
        pairs = zip(counts, self.golds, strict=True)
        return max(float(np.minimum(count, gold).sum()) for count, gold in pairs) / len(own)


def label_blocks(texts: Sequence[str], golds: Sequence[str], bags: Bags) -> Mask:
    """The blocks that give the best word F1, as far as trying one at a time finds them."""
    longest = max(golds, key=len)
    parts = [tokens(text) for text in texts]
    owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    pairs = align([token for part in parts for token in part], tokens(longest))
    hits = np.bincount(owner[[ours for ours, _ in pairs]], minlength=len(parts))
    share = hits / np.maximum([len(part) for part in parts], 1)
    chosen: Mask = share >= _MIN_ALIGNED
    best = bags.f1(chosen)
    sizes = np.diff(bags.start)
    doubtful = np.where(chosen, share < _SURE, (share >= _POSSIBLE) | (sizes >= _MIN_COPY_WORDS))
    order = [block for block in np.argsort(-sizes, kind="stable").tolist() if doubtful[block]]
    for _ in range(_MAX_ROUNDS):
        before = best
        for block in order:
            if not chosen[block] and bags.contained(block) < _MIN_CONTAINED:
                continue
            chosen[block] ^= True
            tried = bags.f1(chosen)
            if tried > best + 1e-9:
                best = tried
            else:
                chosen[block] ^= True
        if best == before:
            break
    return chosen


def optional_blocks(texts: Sequence[str], golds: Sequence[str], labels: Mask) -> Mask:
    """The labelled blocks that only the longer gold text has: right either way."""
    if len(golds) < 2:
        return np.zeros(len(texts), dtype=bool)
    shortest = " ".join(min(golds, key=len).split())
    missing = np.array([len(text) > 20 and text not in shortest for text in texts], dtype=bool)
    only_longer: Mask = labels & missing
    return only_longer


def lines_beside(context: BlockContext, labels: Mask) -> Mask:
    """Headings, and captions and short lines near the text: conventions differ on them."""
    near = np.zeros(len(labels), dtype=bool)
    if labels.any():
        own = np.flatnonzero(labels).tolist()
        near[max(own[0] - _BEFORE, 0) : own[-1] + 1 + _AFTER] = True
    inside, around = context.around[:, 0], context.around[_PICTURE]
    caption = (inside[_CAPTIONS] > 0).any(axis=0) | (around[0] > around[1])
    short = ((context.words <= _MAX_LINE_WORDS) & ~context.closed) | context.dated
    beside: Mask = context.in_heading | ((caption | short) & near)
    return beside


@dataclass(eq=False)
class Example:
    """One page."""

    gold: Gold
    feature_names: list[str]
    #: a row for each block
    features: _Floats
    words: NDArray[np.float64]
    #: for each level above the block the first block of the branch, and the first one after it
    ranges: list[tuple[Column, Column]]
    is_article: Mask
    #: right either way
    optional: Mask
    #: headings, captions and short lines
    beside: Mask
    bags: Bags
    texts: list[str]


def read_examples(
    golds: Sequence[Gold],
    jobs: int = 1,
    advance: Callable[[], object] = lambda: None,
    cache: Path | None = None,
) -> list[Example]:
    """The pages that can be read; `advance` is called for each.

    In the folder `cache` they are kept, and taken from there the next time.
    """
    examples: list[Example] = []
    with ProcessPoolExecutor(jobs) as pool:
        for example in pool.map(partial(_read_example, cache), golds, chunksize=8):
            if example is not None:
                examples.append(example)
            advance()
    return examples


def _read_example(cache: Path | None, gold: Gold) -> Example | None:
    return kept(cache, EXAMPLES, [gold.digest], lambda: read_example(gold))


def read_example(gold: Gold) -> Example | None:
    """The example of a page, None if it has no text."""
    try:
        page = Page.from_html(read_page(gold.path), gold.url)
    except PageError:
        return None
    texts = page.blocks.text
    if not texts:
        return None
    context = BlockContext(page)
    names, features = block_features(context)
    bags = Bags.of(texts, gold.versions)
    labels = label_blocks(texts, gold.versions, bags)
    optional = optional_blocks(texts, gold.versions, labels)
    return Example(
        gold=gold,
        feature_names=names,
        features=features,
        words=context.words,
        ranges=context.ranges[1:],
        is_article=labels,
        optional=optional,
        beside=lines_beside(context, labels),
        bags=bags,
        texts=texts,
    )
