"""What the words of a text hint at."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import block_features
from newsclean.extraction.methods.hybrid.hints import (
    MOST_TITLE_WORDS,
    PHRASE_KINDS,
    PHRASES,
    count_phrases,
    count_title_words,
)
from newsclean.extraction.page import Page


def starts(blocks: list[str]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(block) + 1 for block in blocks)])[:-1]


def phrases(*blocks: str) -> list[dict[str, int]]:
    counts = count_phrases("\n".join(blocks), starts(list(blocks)))
    return [
        {kind: int(count) for kind, count in zip(PHRASE_KINDS, column, strict=True) if count}
        for column in counts.T
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("we use cookies", "consent"),
        ("hinweise zum datenschutz", "consent"),
        ("jetzt abonnieren", "offer"),
        ("la suscripción", "offer"),
        ("© example times", "rights"),
        ("eine anzeige", "rights"),
        ("foto: imago", "credit"),
        ("share it on facebook", "social"),
        ("lire aussi", "more"),
        ("leggi anche", "more"),
        ("lea también", "more"),
        ("sie ist redakteurin", "person"),
        ("write to desk@example.org", "contact"),
        ("3 kommentare", "comment"),
    ],
)
def test_phrases_hint_in_several_languages(text: str, kind: str) -> None:
    assert kind in phrases(text)[0]


def test_capital_letters_and_other_scripts_do_not_hide_a_phrase() -> None:
    assert phrases("東京 ОСЛО 😀 Cookie", "NEWSLETTER") == [{"consent": 1}, {"offer": 1}]


def test_each_block_has_its_own_count() -> None:
    assert phrases("it rains", "cookies, cookies", "", "our newsletter") == [
        {},
        {"consent": 2},
        {},
        {"offer": 1},
    ]


def test_a_phrase_does_not_reach_from_one_block_into_the_next() -> None:
    assert phrases("sign", "up") == [{}, {}]


def test_no_kind_has_an_empty_phrase() -> None:
    for said in PHRASES.values():
        assert all(phrase.strip() for phrase in said.split(","))


@given(st.lists(st.text(st.characters(exclude_characters="\n")), min_size=1, max_size=8))
def test_all_that_a_text_says_is_counted_once(blocks: list[str]) -> None:
    whole = sum(phrases("\n".join(blocks))[0].values())
    assert sum(sum(found.values()) for found in phrases(*blocks)) == whole


pieces = st.sampled_from([piece.strip() for said in PHRASES.values() for piece in said.split(",")])


@given(st.lists(pieces | st.text("mehr zu@reportwcki.", max_size=3), max_size=12))
def test_every_phrase_is_found_as_often_as_it_stands_there(parts: list[str]) -> None:
    text = "".join(parts)
    expected = {
        kind: sum(text.count(phrase.strip()) for phrase in said.split(","))
        for kind, said in PHRASES.items()
    }
    assert phrases(text) == [{kind: count for kind, count in expected.items() if count}]


def title_words(title: str, *blocks: str) -> list[int]:
    counts = count_title_words("\n".join(blocks), starts(list(blocks)), title)
    return [int(count) for count in counts]


def test_different_words_of_the_title_are_counted() -> None:
    blocks = ("heavy rain in bergen", "rain, rain, rain", "sun")
    assert title_words("heavy rain over bergen", *blocks) == [3, 1, 0]


def test_words_of_a_title_in_any_script_are_found_in_capital_letters_too() -> None:
    assert title_words("дождь über осло", "ДОЖДЬ", "ÜBER und ОСЛО", "über") == [1, 2, 1]


def test_short_words_and_numbers_of_the_title_do_not_count() -> None:
    assert title_words("the 2024 cup", "the 2024 cup") == [0]


def test_a_title_of_very_many_words_is_cut_off() -> None:
    title = " ".join(f"{letter * 5}" for letter in "abcdefghijklmnopqrstuvwxyz")
    assert title_words(title, title) == [MOST_TITLE_WORDS]


def test_letters_whose_small_form_is_longer_move_no_word_into_another_block() -> None:
    html = f"<p>{'İ' * 40} rains</p><p>It is wet</p><p>Our newsletter</p><p>The end</p>"
    names, values = block_features(BlockContext(Page.from_html(html)))
    assert values[:, names.index("mentions offer")].tolist() == [0, 0, 1, 0]
