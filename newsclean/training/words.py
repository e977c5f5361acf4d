"""Fits the vocabulary of `hybrid`: which words speak for the article, and which against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid.folds import publisher
from newsclean.methods.hybrid.vocabulary import FEWEST_WORDS, Vocabulary, distinct_words
from newsclean.training.fit import ARTICLE, importance_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.training.examples import Example

#: A word is of the language, and not of a topic or a site, if so many publishers use it.
FEWEST_PUBLISHERS = 40
#: Logistic regression: steps, the first one's length, and how much weights are drawn to nothing.
STEPS = 120
RATE = 0.08
DECAY = 1e-5


def common_words(examples: Sequence[Example], fewest: int = FEWEST_PUBLISHERS) -> list[str]:
    """The words that enough publishers use in their articles' pages."""
    by_publisher: dict[str, set[str]] = {}
    for example in examples:
        if example.gold.kind == ARTICLE:
            words = by_publisher.setdefault(publisher(example.gold.site), set())
            words.update(distinct_words("\n".join(example.texts)))
    counts: dict[str, int] = {}
    for words in by_publisher.values():
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, count in counts.items() if count >= fewest)


def fit_vocabulary(examples: Sequence[Example], words: Sequence[str]) -> Vocabulary:
    """How much each word speaks for the article, told from blocks of articles' pages alone."""
    numbers = {word: number for number, word in enumerate(words)}
    found: list[int] = []
    sizes, targets, shares = [], [], []
    for example in examples:
        if example.gold.kind != ARTICLE:
            continue
        importance = importance_of(example)
        for block in np.flatnonzero((example.words >= FEWEST_WORDS) & (importance > 0)).tolist():
            known = [
                numbers[word] for word in distinct_words(example.texts[block]) if word in numbers
            ]
            found += known
            sizes.append(len(known))
            targets.append(example.is_article[block])
            shares.append(importance[block])
    if not found:
        return Vocabulary({})
    word, size = np.array(found), np.array(sizes)
    of_word = np.repeat(np.arange(len(size)), size)
    scale = 1 / np.sqrt(1 + size)
    share = scale * shares / np.sum(shares)
    target = np.array(targets, dtype=float)
    weight, first, second = np.zeros((3, len(words)))
    for step in range(1, STEPS + 1):
        said = np.bincount(of_word, weight[word], len(size)) * scale
        wrong = (1 / (1 + np.exp(-said)) - target) * share
        slope = np.bincount(word, wrong[of_word], len(words)) + DECAY * weight
        first += 0.1 * (slope - first)
        second += 0.01 * (slope * slope - second)
        rate = RATE * (1 - (step - 1) / STEPS)
        steepness = np.sqrt(second / (1 - 0.99**step)) + 1e-9
        weight -= rate * first / (1 - 0.9**step) / steepness
    rounded = weight.astype(np.float16).tolist()
    return Vocabulary(dict(zip(words, rounded, strict=True)))
