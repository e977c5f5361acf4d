"""Pages with gold texts as examples: the features of each block, and whether it is the article."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.training.cache import TrainingCache
from newsclean.lab.training.labels import Bags, label_blocks, optional_blocks
from newsclean.methods.hybrid.context import BlockContext
from newsclean.methods.hybrid.features import block_features
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.page.columns import Column, Mask

    Floats = NDArray[np.float32]


@dataclass(eq=False)
class Example:
    """One page."""

    gold: Gold
    feature_names: list[str]
    #: a row for each block
    features: Floats
    words: NDArray[np.float64]
    #: for each level above the block the first block of the branch, and the first one after it
    ranges: list[tuple[Column, Column]]
    is_article: Mask
    #: right either way
    optional: Mask
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
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(cache,)) as pool:
        for example in pool.map(_read_example, golds, chunksize=8):
            if example is not None:
                examples.append(example)
            advance()
    return examples


_cache: TrainingCache


def _begin(cache: Path | None) -> None:
    global _cache
    _cache = TrainingCache(cache)


def _read_example(gold: Gold) -> Example | None:
    return _cache.example(gold.digest, lambda: read_example(gold))


def read_example(gold: Gold) -> Example | None:
    """The example of a page, None if it has no text."""
    return example_of(gold, read_page(gold.path))


def example_of(gold: Gold, html: str | bytes) -> Example | None:
    """The example of a page that is given."""
    try:
        page = Page.from_html(html, gold.url)
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
        bags=bags,
        texts=texts,
    )
