"""Precision, recall and F1 of a text against a gold text (StaDyNoT, section 4)."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

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


def agreement(shared: float, ours: float, golds: float) -> Agreement:
    """From three counts; two empty texts agree."""
    if not ours and not golds:
        return Agreement(1.0, 1.0, 1.0)
    precision = shared / ours if ours else 0.0
    recall = shared / golds if golds else 0.0
    both = precision + recall
    return Agreement(precision, recall, 2 * precision * recall / both if both else 0.0)
