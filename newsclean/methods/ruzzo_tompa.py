"""All maximal scoring subsequences in linear time (Ruzzo and Tompa, ISMB 1999).

A subsequence is a stretch of scores without gaps. It is maximal if every shorter stretch within it
scores less, and no longer stretch around it has that property. Maximal ones never overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Stretch(NamedTuple):
    """The scores from `start` up to, but not including, `stop`, and their sum."""

    start: int
    stop: int
    score: float


def maximal_subsequences(scores: Iterable[float]) -> list[Stretch]:
    """The maximal scoring subsequences, in the order in which they stand.

    >>> maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])  # the paper's example
    [Stretch(start=0, stop=1, score=4),
     Stretch(start=2, stop=3, score=3),
     Stretch(start=4, stop=11, score=7)]
    """
    # For each candidate: where it starts and stops, the totals left of it (L) and up to its end
    # (R), and the nearest candidate before it whose L is smaller, -1 if there is none. A search
    # follows these links, and a candidate that one search has passed no other will see again.
    starts: list[int] = []
    stops: list[int] = []
    left: list[float] = []
    right: list[float] = []
    smaller: list[int] = []
    total: float = 0
    for place, score in enumerate(scores):
        before, total = total, total + score
        if score <= 0:
            continue
        start = place
        j = len(starts) - 1
        while True:
            while j >= 0 and left[j] >= before:  # step 1
                j = smaller[j]
            if j < 0 or right[j] >= total:  # steps 2 and 3
                break
            start, before, link = starts[j], left[j], smaller[j]  # step 4
            for column in (starts, stops, left, right, smaller):
                del column[j:]
            j = link
        starts.append(start)
        stops.append(place + 1)
        left.append(before)
        right.append(total)
        smaller.append(j)
    return [
        Stretch(start, stop, until - before)
        for start, stop, before, until in zip(starts, stops, left, right, strict=True)
    ]


def best_subsequence(scores: NDArray[np.float64]) -> Stretch:
    """The first of the maximal scoring subsequences with the highest score; an empty one for none.

    >>> best_subsequence(np.array([4.0, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5]))
    Stretch(start=4, stop=11, score=7.0)
    """
    if not len(scores):
        return Stretch(0, 0, 0.0)
    totals = np.zeros(len(scores) + 1)
    np.cumsum(scores, out=totals[1:])
    lowest = np.minimum.accumulate(totals[:-1])
    gains = totals[1:] - lowest
    last = int(gains.argmax())
    if gains[last] <= 0:
        return Stretch(0, 0, 0.0)
    # Of several beginnings with the same score, the last one: what stands before it adds nothing.
    start = last - int((totals[last::-1] == lowest[last]).argmax())
    return Stretch(start, last + 1, float(gains[last]))
