"""Fits the vocabularies of pages: which words speak for an article, and which against it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.is_article.trees import MARGIN, ZONES, Vocabulary, is_language_known
from newsclean.lab.training.optimizers import minimize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.is_article.page_features import PageWords
    from newsclean.lab.training.optimizers import Floats

#: A word is of the language, and not of a topic or a site, if this many publishers use it there.
MIN_PUBLISHERS = {MARGIN: 60, "title": 8, "address": 8, "frame": 6}
#: A page of a collection of news counts for this many others: all of them are articles.
_NEWS_WEIGHT = 0.3
#: Logistic regression: steps, the first one's length, and how much weights are drawn to 0.
_STEPS = 120
_RATE = 0.08
_DECAY = 3e-4
#: Parts of the publishers: the words of each are judged by what the others have taught.
PARTS = 4
#: Of a weight.
_DECIMALS = 2

#: What each page's words say, by the name of the question.
_Scores = list[dict[str, float | None]]


@dataclass(frozen=True, eq=False)
class WordedPages:
    """Pages by their words, what they are, and of whom."""

    words: Sequence[PageWords]
    is_article: NDArray[np.bool_]
    is_news: NDArray[np.bool_]
    publishers: Sequence[str]

    def take(self, rows: NDArray[np.int64]) -> WordedPages:
        """Some of the pages."""
        return WordedPages(
            [self.words[row] for row in rows.tolist()],
            self.is_article[rows],
            self.is_news[rows],
            [self.publishers[row] for row in rows.tolist()],
        )


def fit_vocabularies(pages: WordedPages) -> dict[str, Vocabulary]:
    """The vocabulary of each question."""
    return {question: _fit_vocabulary(pages, zones) for question, zones in ZONES.items()}


def scores_of(vocabularies: dict[str, Vocabulary], words: Sequence[PageWords]) -> _Scores:
    """What vocabularies say of pages."""
    return [{name: said(page) for name, said in vocabularies.items()} for page in words]


def cross_fitted_scores(pages: WordedPages, seed: int = 1) -> _Scores:
    """What the words of each page say to vocabularies that have not seen its publisher.

    Trees that are trained on what a page's own label has taught would trust the words too much.
    """
    part = _parts(pages.publishers, seed)
    scores: _Scores = [{} for _ in pages.words]
    for number in range(PARTS):
        own = np.flatnonzero(part == number)
        vocabularies = fit_vocabularies(pages.take(np.flatnonzero(part != number)))
        said = scores_of(vocabularies, pages.take(own).words)
        for row, score in zip(own.tolist(), said, strict=True):
            scores[row] = score
    return scores


def _parts(publishers: Sequence[str], seed: int) -> NDArray[np.int64]:
    """The part of each page; all pages of a publisher are in one."""
    names = sorted(set(publishers))
    random.Random(seed).shuffle(names)
    number = {name: position % PARTS for position, name in enumerate(names)}
    return np.array([number[name] for name in publishers], dtype=np.int64)


def common_words(pages: WordedPages, zone: str) -> list[str]:
    """The words that enough publishers use in a place."""
    by_publisher: dict[str, set[str]] = {}
    for words, publisher in zip(pages.words, pages.publishers, strict=True):
        by_publisher.setdefault(publisher, set()).update(getattr(words, zone))
    counts = Counter(word for words in by_publisher.values() for word in words)
    return sorted(word for word, count in counts.items() if count >= MIN_PUBLISHERS[zone])


def _fit_vocabulary(pages: WordedPages, zones: Sequence[str]) -> Vocabulary:
    """How much each common word speaks for an article; nothing if there are none.

    Pages in a language that it does not know do not count.
    """
    common = {zone: common_words(pages, zone) for zone in zones}
    if MARGIN in common:
        pages = pages.take(np.flatnonzero(_is_known(pages.words, set(common[MARGIN]))))
    if not (pages.words and any(common.values())):
        return Vocabulary({zone: {} for zone in zones})
    *weights, bias = np.round(_fit(pages, common), _DECIMALS).tolist()
    by_zone: dict[str, dict[str, float]] = {}
    for zone, words in common.items():
        by_zone[zone] = dict(zip(words, weights, strict=False))
        weights = weights[len(words) :]
    return Vocabulary(by_zone, bias)


def _is_known(pages: Sequence[PageWords], margin: set[str]) -> list[bool]:
    """Which pages are in the language of the words that are common around articles."""
    distinct = [set(page.margin) for page in pages]
    return [is_language_known(len(words & margin), len(words)) for words in distinct]


def _fit(pages: WordedPages, common: dict[str, list[str]]) -> Floats:
    """The weights of all words, one place after the other, and the bias."""
    numbers: list[int] = []
    rows: list[int] = []
    values: list[float] = []
    first = 0
    for zone, words in common.items():
        number_of = {word: number for number, word in enumerate(words, first)}
        first += len(words)
        for row, page in enumerate(pages.words):
            known = sorted(number_of[word] for word in set(getattr(page, zone)) & number_of.keys())
            numbers += known
            rows += [row] * len(known)
            values += [1 / sqrt(1 + len(known))] * len(known)
    count = len(pages.words)
    word = np.array(numbers + [first] * count)
    page_of = np.array(rows + list(range(count)))
    value = np.array(values + [1.0] * count)
    weight = np.where(pages.is_news, _NEWS_WEIGHT, 1.0)
    share = weight / weight.sum()
    target = pages.is_article.astype(float)

    def gradient_of(weights: Floats) -> Floats:
        said = np.bincount(page_of, weights[word] * value, count)
        wrong = (1 / (1 + np.exp(-said)) - target) * share
        gradient: Floats = np.bincount(word, wrong[page_of] * value, first + 1) + _DECAY * weights
        return gradient

    return minimize(gradient_of, first + 1, _STEPS, _RATE)
