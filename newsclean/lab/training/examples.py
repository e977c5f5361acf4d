"""Pages with gold texts as examples: the features of each block, and whether it is the article."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.training.labels import Bags, label_blocks, optional_blocks
from newsclean.methods.hybrid.context import BlockContext
from newsclean.methods.hybrid.features import block_features
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from newsclean.lab.evaluate.corpus import Corpus, Gold
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
    corpus: Corpus, jobs: int = 1, advance: Callable[[], object] = lambda: None
) -> list[Example]:
    """The pages of a corpus that can be read; `advance` is called for each."""
    examples: list[Example] = []
    with ProcessPoolExecutor(jobs) as pool:
        for example in pool.map(read_example, corpus.golds, chunksize=8):
            if example is not None:
                examples.append(example)
            advance()
    return examples


def read_example(gold: Gold) -> Example | None:
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
    return Example(
        gold=gold,
        feature_names=names,
        features=features,
        words=context.words,
        ranges=context.ranges[1:],
        is_article=labels,
        optional=optional_blocks(texts, gold.versions, labels),
        bags=bags,
        texts=texts,
    )
