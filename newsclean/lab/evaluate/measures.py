"""Precision, recall and F1 of a text against a gold text, in three currencies.

`words` is the product's measure (StaDyNoT 2014, section 4); `characters` that of the Boilerpipe
paper of 2018 (section 4.1); `shingles` that of Zyte's article-extraction-benchmark.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from newsclean.lab.evaluate.alignment import align, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: words in a shingle
SHINGLE = 4

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
    return agreement((ours & golds).total(), ours.total(), golds.total())


def character_agreement(text: str, gold: str) -> Agreement:
    """Characters of the words and signs that both texts have in the same order.

    The paper asks of each character whether it belongs to the gold; which one does is found by an
    alignment of the words. White space does not count.

    >>> character_agreement("Menu It rains", "It rains now")  # 7 of 11, and 7 of 10
    Agreement(precision=0.6363636363636364, recall=0.7, f1=0.6666666666666666)
    """
    ours, golds = tokens(text), tokens(gold)
    shared = sum(len(golds[place]) for _, place in align(ours, golds))
    return agreement(shared, sum(map(len, ours)), sum(map(len, golds)))


def shingle_agreement(text: str, gold: str) -> Agreement:
    """Runs of four words as bags, case kept; a shorter text is one run.

    >>> shingle_agreement("a b c d e", "a b c d x")
    Agreement(precision=0.5, recall=0.5, f1=0.5)
    """
    ours, golds = _shingles(text), _shingles(gold)
    return agreement((ours & golds).total(), ours.total(), golds.total())


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


def agreement(shared: float, ours: float, golds: float) -> Agreement:
    """From three counts; two empty texts agree."""
    if not ours and not golds:
        return Agreement(1.0, 1.0, 1.0)
    precision = shared / ours if ours else 0.0
    recall = shared / golds if golds else 0.0
    both = precision + recall
    return Agreement(precision, recall, 2 * precision * recall / both if both else 0.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    runs = range(max(1, len(words) - SHINGLE + 1)) if words else ()
    return Counter(tuple(words[start : start + SHINGLE]) for start in runs)
