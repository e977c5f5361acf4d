"""All maximal scoring subsequences, against the definition taken at its word."""

from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods.mss import Stretch, best_subsequence, maximal_subsequences

#: Few different values, so that ties and zeros are common.
scores = st.lists(st.integers(-4, 4), max_size=14)


def stretches(sequence: list[int]) -> list[tuple[int, int]]:
    size = len(sequence)
    return [(a, b) for a in range(size) for b in range(a + 1, size + 1)]


def by_brute_force(sequence: list[int]) -> list[Stretch]:
    """Ruzzo and Tompa, proposition 1: every proper subsequence scores less, and no proper
    supersequence has that property. The empty subsequence scores 0."""
    found = stretches(sequence)
    total = {(a, b): sum(sequence[a:b]) for a, b in found}
    tight = [
        (a, b)
        for a, b in found
        if total[a, b] > 0
        and all(
            total[c, d] < total[a, b]
            for c in range(a, b)
            for d in range(c + 1, b + 1)
            if (c, d) != (a, b)
        )
    ]
    return [
        Stretch(a, b, total[a, b])
        for a, b in tight
        if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in tight)
    ]


@given(scores)
def test_it_finds_what_brute_force_finds(sequence: list[int]) -> None:
    assert maximal_subsequences(sequence) == by_brute_force(sequence)


@given(scores)
def test_the_best_one_has_the_highest_sum_of_all_stretches(sequence: list[int]) -> None:
    best = max((stretch.score for stretch in maximal_subsequences(sequence)), default=0)
    highest = max((sum(sequence[a:b]) for a, b in stretches(sequence)), default=0)
    assert best == max(highest, 0)


@given(scores)
def test_the_best_one_alone_is_the_first_of_the_best_of_all(sequence: list[int]) -> None:
    every = maximal_subsequences(sequence)
    first = max(every, key=lambda stretch: stretch.score, default=Stretch(0, 0, 0))
    assert best_subsequence(np.array(sequence, dtype=float)) == first


@given(st.lists(st.integers(-1000, 1000), max_size=200))
def test_they_stand_in_order_do_not_overlap_and_hold_every_positive_score(
    sequence: list[int],
) -> None:
    found = maximal_subsequences(sequence)
    covered = [place for stretch in found for place in range(stretch.start, stretch.stop)]
    assert covered == sorted(set(covered))
    assert {place for place, score in enumerate(sequence) if score > 0} <= set(covered)
    assert all(stretch.score == sum(sequence[stretch.start : stretch.stop]) for stretch in found)


@given(scores)
def test_read_backwards_they_are_the_same_stretches(sequence: list[int]) -> None:
    size = len(sequence)
    backwards = maximal_subsequences(sequence[::-1])
    turned = [Stretch(size - stop, size - start, score) for start, stop, score in backwards[::-1]]
    assert maximal_subsequences(sequence) == turned


def test_the_slides_example_is_one_subsequence() -> None:
    assert maximal_subsequences([5, 27, 33]) == [Stretch(0, 3, 65)]


def test_the_example_of_ruzzo_and_tompa() -> None:
    found = maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])
    assert found == [Stretch(0, 1, 4), Stretch(2, 3, 3), Stretch(4, 11, 7)]


def test_two_that_a_loss_of_their_own_size_parts_stay_two() -> None:
    assert maximal_subsequences([2, -2, 2]) == [Stretch(0, 1, 2), Stretch(2, 3, 2)]


@pytest.mark.parametrize("sequence", [[], [0], [-1, -2], [0, 0, -3]])
def test_without_a_positive_score_there_is_none(sequence: list[int]) -> None:
    assert maximal_subsequences(sequence) == []


class Counted(int):
    """A number that counts how often it, or a sum of it, is compared."""

    compared = 0

    def __add__(self, other: int) -> Self:
        return type(self)(int(self) + int(other))

    __radd__ = __add__

    def __ge__(self, other: Any) -> bool:
        Counted.compared += 1
        return int(self) >= int(other)

    def __le__(self, other: Any) -> bool:
        Counted.compared += 1
        return int(self) <= int(other)


@pytest.mark.parametrize(
    "sequence",
    [
        [1] * 20_000,
        [1, -1] * 10_000,
        [2, -1] * 10_000,
        [1, -2] * 10_000,
        [*range(10_000, 0, -1), *[-1, 2] * 5_000],
        # falling and then rising: each search passes many candidates
        [1, -3] * 5_000 + [3, -1] * 5_000,
    ],
)
def test_the_comparisons_are_a_few_for_each_score_however_long_the_sequence(
    sequence: list[int],
) -> None:
    Counted.compared = 0
    found = maximal_subsequences(map(Counted, sequence))
    assert found == maximal_subsequences(sequence)
    assert 0 < Counted.compared <= 5 * len(sequence)  # a quadratic search makes millions
