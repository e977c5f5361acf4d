"""Precision, recall and F1 of a text against a gold text, and how sure a mean over pages is.

`words` is the product's measure (StaDyNoT 2014, section 4); `characters` that of the Boilerpipe
paper of 2018 (section 4.1); `shingles` that of Zyte's article-extraction-benchmark."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.text import SPACELESS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

#: words in a shingle
_SHINGLE = 4

_WORD = re.compile(r"\w+")


class Agreement(NamedTuple):
    precision: float
    recall: float
    f1: float


def word_bag_agreement(text: str, gold: str) -> Agreement:
    """Words as bags: lower case, counts kept, no stop words taken out.

    >>> word_bag_agreement("the cat sat", "the cat sat on the mat")
    Agreement(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    ours = Counter(_WORD.findall(text.lower()))
    golds = Counter(_WORD.findall(gold.lower()))
    return _agreement((ours & golds).total(), ours.total(), golds.total())


def character_agreement(text: str, gold: str) -> Agreement:
    """Characters of the words and signs that both texts have in the same order.

    The paper asks of each character whether it belongs to the gold; which one does is found by an
    alignment of the words. White space does not count.

    >>> character_agreement("Menu It rains", "It rains now")  # 7 of 11, and 7 of 10
    Agreement(precision=0.6363636363636364, recall=0.7, f1=0.6666666666666666)
    """
    ours, golds = tokens(text), tokens(gold)
    shared = sum(len(golds[place]) for _, place in align(ours, golds))
    return _agreement(shared, sum(map(len, ours)), sum(map(len, golds)))


def shingle_agreement(text: str, gold: str) -> Agreement:
    """Runs of four words as bags, case kept; a shorter text is one run.

    >>> shingle_agreement("a b c d e", "a b c d x")
    Agreement(precision=0.5, recall=0.5, f1=0.5)
    """
    ours, golds = _shingles(text), _shingles(gold)
    return _agreement((ours & golds).total(), ours.total(), golds.total())


MEASURES: dict[str, Callable[[str, str], Agreement]] = {
    "words": word_bag_agreement,
    "characters": character_agreement,
    "shingles": shingle_agreement,
}


def best_agreement(
    measure: Callable[[str, str], Agreement], text: str, golds: Iterable[str]
) -> Agreement:
    """Against each gold text that is right, the better one."""
    return max((measure(text, gold) for gold in golds), key=lambda found: found.f1)


def _agreement(shared: float, ours: float, golds: float) -> Agreement:
    """From three counts; two empty texts agree."""
    if not ours and not golds:
        return Agreement(1.0, 1.0, 1.0)
    precision = shared / ours if ours else 0.0
    recall = shared / golds if golds else 0.0
    both = precision + recall
    return Agreement(precision, recall, 2 * precision * recall / both if both else 0.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    runs = range(max(1, len(words) - _SHINGLE + 1)) if words else ()
    return Counter(tuple(words[start : start + _SHINGLE]) for start in runs)


# Scripts without spaces go character by character, and so does punctuation.
TOKEN = re.compile(rf"[{SPACELESS}]|[^\W{SPACELESS}]+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Words, single punctuation marks, and single characters of scripts without spaces.

    >>> tokens("It rains, 东京也")
    ['It', 'rains', ',', '东', '京', '也']
    """
    return TOKEN.findall(text)


def align(ours: Sequence[str], golds: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of positions of equal items, rising in both, as many as there can be.

    >>> align("a b c d".split(), "x b d".split())
    [(1, 1), (3, 2)]
    """
    start = 0
    while start < min(len(ours), len(golds)) and ours[start] == golds[start]:
        start += 1
    end = 0
    while end < min(len(ours), len(golds)) - start and ours[-1 - end] == golds[-1 - end]:
        end += 1
    middle = _align(ours[start : len(ours) - end], golds[start : len(golds) - end])
    return [
        *((k, k) for k in range(start)),
        *((a + start, b + start) for a, b in middle),
        *((len(ours) - k, len(golds) - k) for k in range(end, 0, -1)),
    ]


def _align(ours: Sequence[str], golds: Sequence[str]) -> list[tuple[int, int]]:
    places: dict[str, int] = {}  # bits of the positions of each word of the gold
    for position, word in enumerate(golds):
        places[word] = places.get(word, 0) | 1 << position
    # Words that the gold does not have change no row; leaving them out saves time and memory.
    kept = [position for position, word in enumerate(ours) if word in places]
    full = (1 << len(golds)) - 1
    row = full
    rows = []  # a bit is 0 where the common subsequence grows by one
    for position in kept:
        hits = row & places[ours[position]]
        row = ((row + hits) | (row - hits)) & full
        rows.append(row)
    pairs = []
    line, column = len(kept), len(golds)
    while line and column:
        if rows[line - 1] >> (column - 1) & 1:
            column -= 1
            continue
        line -= 1
        if not line or rows[line - 1] >> (column - 1) & 1:
            column -= 1
            pairs.append((kept[line], column))
    return pairs[::-1]


RESAMPLES = 2000
LEVEL = 0.95
_SEED = 2014


class Mean(NamedTuple):
    """A mean, and the interval in which it lies with the confidence of `LEVEL`."""

    mean: float
    low: float
    high: float


def means(values: ArrayLike) -> list[Mean]:
    """The mean and interval of each column, a row a page; all columns see the same resamples.

    >>> [(m.mean, m.low < m.mean < m.high) for m in means([[0.0, 1.0], [1.0, 3.0], [0.5, 2.0]])]
    [(0.5, True), (2.0, True)]
    """
    rows = np.asarray(values, dtype=float)
    centre = rows.mean(axis=0)
    resampled = _draws(len(rows)) @ rows / len(rows)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return [Mean(*map(float, three)) for three in zip(centre, low, high, strict=True)]


def ratio(parts: ArrayLike, wholes: ArrayLike) -> Mean | None:
    """The sum of the parts over that of the wholes, a pair a page, and its interval.

    None if there is no whole.

    >>> share = ratio([1, 2, 0, 3], [2, 2, 1, 3])
    >>> share and (share.mean, share.low < share.mean < share.high)
    (0.75, True)
    """
    pairs = np.stack([np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)], axis=1)
    part, whole = pairs.sum(axis=0)
    if not whole:
        return None
    resampled = _draws(len(pairs)) @ pairs
    resampled = resampled[resampled[:, 1] > 0]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(resampled[:, 0] / resampled[:, 1], [tail, 1 - tail])
    return Mean(float(part / whole), float(low), float(high))


@lru_cache(maxsize=16)
def _draws(pages: int) -> NDArray[np.float64]:
    """How often each page is drawn, a row a resample."""
    draws = np.random.default_rng(_SEED).multinomial(
        pages, np.full(pages, 1 / pages), size=RESAMPLES
    )
    return draws.astype(float)
