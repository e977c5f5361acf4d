"""Invented examples: numbers in place of pages."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsclean.lab.evaluate.corpus import Gold
from newsclean.lab.training.block_examples import Bags, Example

Floats = NDArray[np.float32]
FEATURES = 4
LEVELS = 2


def example(
    seed: int,
    is_article: Callable[[Floats], NDArray[np.bool_]],
    collection: str = "rain",
    kind: str = "article",
) -> Example:
    """A page of some blocks whose features are chance."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 14))
    features = random.normal(size=(n, FEATURES)).astype(np.float32)
    place = np.arange(n)
    halves = np.where(place < n // 2, 0, n // 2), np.where(place < n // 2, n // 2, n)
    words = random.integers(1, 60, n)
    labels = is_article(features)
    texts = [" ".join(f"w{seed}b{k}" for _ in range(size)) for k, size in enumerate(words)]
    gold = "\n\n".join(text for text, label in zip(texts, labels, strict=True) if label)
    return Example(
        gold=Gold(collection, str(seed), f"site{seed}", gold, Path("none"), 1, kind),
        feature_names=[f"feature {number}" for number in range(FEATURES)],
        features=features,
        words=words.astype(float),
        ranges=[halves, (np.zeros(n, dtype=np.int64), np.full(n, n))],
        is_article=labels,
        optional=np.zeros(n, dtype=bool),
        beside=np.zeros(n, dtype=bool),
        bags=Bags.of(texts, [gold]),
        texts=texts,
    )


def by_first(features: Floats) -> NDArray[np.bool_]:
    """A block is of the article if its first feature is above the mean."""
    return features[:, 0] > 0


def by_block_before(features: Floats) -> NDArray[np.bool_]:
    """A block is of the article if that holds for the block before it: nothing on its own tells."""
    labels = np.zeros(len(features), dtype=bool)
    labels[1:] = features[:-1, 0] > 0
    return labels
