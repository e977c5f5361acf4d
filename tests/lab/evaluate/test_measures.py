"""Each measure against an example that was computed by hand, and the intervals of means."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.lab.evaluate.measures import (
    MEASURES,
    Agreement,
    align,
    best_agreement,
    character_agreement,
    means,
    shingle_agreement,
    word_bag_agreement,
)

TEXTS = st.text(alphabet="ab ,x 东", max_size=40)


def close(found: Agreement, precision: float, recall: float) -> bool:
    f1 = 2 * precision * recall / (precision + recall)
    return found == pytest.approx((precision, recall, f1))


def test_words_are_counted_as_often_as_they_stand() -> None:
    # "the" twice in the gold and three times in the text: 4 shared of 5, and of 6.
    found = word_bag_agreement("The the the cat sat", "the cat sat on the mat")
    assert close(found, 4 / 5, 4 / 6)


def test_each_character_of_a_script_without_spaces_is_a_word() -> None:
    # One wrong character of seven costs a seventh, not the whole clause.
    assert close(word_bag_agreement("东京今天下雨", "东京今天有雨，"), 5 / 6, 5 / 6)
    assert close(word_bag_agreement("Tokyo 下雨", "tokyo 有雨"), 2 / 3, 2 / 3)


def test_characters_of_the_words_in_the_same_order_count() -> None:
    # Shared in order: "rain" (4) "," (1) "snow" (4) = 9, of 4+4+1+4 = 13 and of 4+1+4+1+4 = 14.
    assert close(character_agreement("Home rain, snow", "rain, snow, hail"), 9 / 13, 9 / 14)


def test_a_word_out_of_order_is_no_shared_character() -> None:
    assert close(character_agreement("bb aaaa cc", "aaaa cc bb"), 6 / 8, 6 / 8)


def test_characters_of_a_script_without_spaces_count_one_by_one() -> None:
    assert close(character_agreement("东京下雨", "东京也下雪"), 3 / 4, 3 / 5)


def test_shingles_are_runs_of_four_words_with_their_case() -> None:
    # text: abcd bcde cdef, gold: abcd bcde cdeX deXf: 2 of 3, and of 4.
    assert close(shingle_agreement("a b c d e f", "a, b c d e X f"), 2 / 3, 2 / 4)
    assert shingle_agreement("A b c d", "a b c d") == (0, 0, 0)


def test_a_text_of_fewer_than_four_words_is_one_shingle() -> None:
    assert shingle_agreement("It rains", "It rains") == (1, 1, 1)
    assert shingle_agreement("It rains", "It rains now") == (0, 0, 0)


@pytest.mark.parametrize("name", MEASURES)
def test_no_text_agrees_with_no_gold_and_with_nothing_else(name: str) -> None:
    assert MEASURES[name]("", "") == (1, 1, 1)
    assert MEASURES[name]("", "It rains") == (0, 0, 0)
    assert MEASURES[name]("It rains", "") == (0, 0, 0)


def test_of_golds_with_and_without_optional_paragraphs_the_better_counts() -> None:
    golds = ("It rains. See also our map.", "It rains.")
    assert best_agreement(word_bag_agreement, "It rains.", golds) == (1, 1, 1)
    assert best_agreement(word_bag_agreement, golds[0], golds) == (1, 1, 1)


@given(TEXTS, TEXTS)
def test_agreement_is_between_none_and_all_and_the_same_from_the_other_side(
    text: str, gold: str
) -> None:
    for measure in MEASURES.values():
        assert all(0 <= part <= 1 for part in measure(text, gold))
        assert measure(text, text) == (1, 1, 1)
    for measure in (word_bag_agreement, shingle_agreement):
        precision, recall, f1 = measure(gold, text)
        assert measure(text, gold) == pytest.approx((recall, precision, f1))


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_an_alignment_is_as_long_as_the_longest_common_subsequence(
    ours: list[str], golds: list[str]
) -> None:
    pairs = align(ours, golds)
    assert all(ours[a] == golds[b] for a, b in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    table = [[0] * (len(golds) + 1) for _ in range(len(ours) + 1)]
    for a, word in enumerate(ours):
        for b, other in enumerate(golds):
            longer = max(table[a][b + 1], table[a + 1][b])
            table[a + 1][b + 1] = table[a][b] + 1 if word == other else longer
    assert len(pairs) == table[-1][-1]


def test_an_interval_is_that_of_the_normal_approximation_where_that_holds() -> None:
    values = np.random.default_rng(1).normal(0.9, 0.05, size=(400, 1))
    ((mean, low, high),) = means(values)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(half, rel=0.1)
    assert low < mean < high


def test_the_same_pages_give_the_same_interval() -> None:
    assert means([[0.1], [0.9], [0.5]]) == means([[0.1], [0.9], [0.5]])


def test_one_page_has_an_interval_of_no_width() -> None:
    assert means([[0.4, 0.5]]) == [(0.4, 0.4, 0.4), (0.5, 0.5, 0.5)]
