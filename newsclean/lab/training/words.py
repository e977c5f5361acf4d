"""Fits the vocabulary of `hybrid`: which words speak for the article, and which against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.lab.folds import publisher
from newsclean.lab.training.adam import minimize
from newsclean.lab.training.fit import ARTICLE, importance_of
from newsclean.methods.hybrid.vocabulary import MIN_WORDS, Vocabulary, distinct_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.lab.training.adam import Floats
    from newsclean.lab.training.examples import Example

#: A word is of the language, and not of a topic or a site, if this many publishers use it.
MIN_PUBLISHERS = 40
#: Logistic regression: steps, the first one's length, and how much weights are drawn to 0.
STEPS = 120
RATE = 0.08
DECAY = 1e-5


def common_words(examples: Sequence[Example], min_publishers: int = MIN_PUBLISHERS) -> list[str]:
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
    return sorted(word for word, count in counts.items() if count >= min_publishers)


def fit_vocabulary(examples: Sequence[Example], words: Sequence[str]) -> Vocabulary:
    """How much each word speaks for the article, learned from blocks of articles' pages alone."""
    numbers = {word: number for number, word in enumerate(words)}
    found: list[int] = []
    sizes, targets, shares = [], [], []
    for example in examples:
        if example.gold.kind != ARTICLE:
            continue
        importance = importance_of(example)
        for block in np.flatnonzero((example.words >= MIN_WORDS) & (importance > 0)).tolist():
            known = [
                numbers[word] for word in distinct_words(example.texts[block]) if word in numbers
            ]
            found += known
            sizes.append(len(known))
            targets.append(example.is_article[block])
            shares.append(importance[block])
    if not found:
        return Vocabulary({})
    word, count = np.array(found), np.array(sizes)
    of_word = np.repeat(np.arange(len(count)), count)
    scale = 1 / np.sqrt(1 + count)
    share = scale * shares / np.sum(shares)
    target = np.array(targets, dtype=float)

    def gradient_of(weight: Floats) -> Floats:
        said = np.bincount(of_word, weight[word], len(count)) * scale
        wrong = (1 / (1 + np.exp(-said)) - target) * share
        gradient: Floats = np.bincount(word, wrong[of_word], len(words)) + DECAY * weight
        return gradient

    weight = minimize(gradient_of, len(words), STEPS, RATE)
    rounded = weight.astype(np.float16).tolist()
    return Vocabulary(dict(zip(words, rounded, strict=True)))
