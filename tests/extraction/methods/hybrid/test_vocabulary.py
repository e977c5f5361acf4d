"""The words of doubtful blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods.hybrid.network import MIN_WORDS, Vocabulary

VOCABULARY = Vocabulary({"said": 3.0, "subscribe": -3.0})
OFFER, STORY = "Subscribe to it now, today", "It rains, he said on Monday"
FOREIGN = "Det regner her i dag"


def adjusted(probability: float, text: str, words: int = 9) -> float:
    return float(VOCABULARY.adjusted(np.array([probability]), np.array([float(words)]), [text])[0])


def test_words_decide_where_the_network_is_in_doubt() -> None:
    assert adjusted(0.55, OFFER) < 0.5 < adjusted(0.45, STORY)


@pytest.mark.parametrize("sure", [0.0, 0.1, 0.9, 1.0])
def test_where_the_network_is_sure_words_change_nothing(sure: float) -> None:
    assert adjusted(sure, OFFER) == adjusted(sure, STORY) == sure


def test_words_that_are_not_known_change_nothing() -> None:
    assert adjusted(0.55, FOREIGN) == pytest.approx(0.55)


def test_a_few_words_say_too_little() -> None:
    assert adjusted(0.55, OFFER, MIN_WORDS - 1) == 0.55


def test_a_word_counts_once_and_in_any_case() -> None:
    assert VOCABULARY("SUBSCRIBE and subscribe") == VOCABULARY("subscribe and")


def test_without_a_vocabulary_the_network_has_the_last_word() -> None:
    probability = np.array([0.55])
    assert (Vocabulary({}).adjusted(probability, np.array([9.0]), [OFFER]) == probability).all()


@given(st.floats(0, 1), st.text())
def test_what_comes_out_is_a_probability(probability: float, text: str) -> None:
    assert 0 <= adjusted(probability, text) <= 1
