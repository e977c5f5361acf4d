"""Invented examples: numbers in place of pages."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsclean.evaluate.corpus import Gold
from newsclean.training.examples import Example
from newsclean.training.labels import Bags

Values = NDArray[np.float32]
QUESTIONS = 4
LEVELS = 2


def example(
    seed: int,
    is_article: Callable[[Values], NDArray[np.bool_]],
    collection: str = "rain",
    kind: str = "article",
) -> Example:
    """A page of some blocks whose evidence is chance."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 14))
    values = random.normal(size=(n, QUESTIONS)).astype(np.float32)
    place = np.arange(n)
    halves = np.where(place < n // 2, 0, n // 2), np.where(place < n // 2, n // 2, n)
    words = random.integers(1, 60, n)
    labels = is_article(values)
    texts = [" ".join(f"w{seed}b{k}" for _ in range(size)) for k, size in enumerate(words)]
    gold = "\n\n".join(text for text, label in zip(texts, labels, strict=True) if label)
    return Example(
        gold=Gold(collection, str(seed), f"site{seed}", gold, Path("none"), 1, kind),
        questions=[f"question {number}" for number in range(QUESTIONS)],
        values=values,
        words=words.astype(float),
        ranges=[halves, (np.zeros(n, dtype=np.int64), np.full(n, n))],
        is_article=labels,
        optional=np.zeros(n, dtype=bool),
        bags=Bags.of(texts, [gold]),
        texts=texts,
    )


def first_answer(values: Values) -> NDArray[np.bool_]:
    """A block is of the article if it answers the first question above the mean."""
    return values[:, 0] > 0


def answer_before(values: Values) -> NDArray[np.bool_]:
    """A block is of the article if the block before it answers so: nothing on its own tells."""
    labels = np.zeros(len(values), dtype=bool)
    labels[1:] = values[:-1, 0] > 0
    return labels
