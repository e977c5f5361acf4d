"""Kinds of characters."""

from unicodedata import category

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods.hybrid.hints import (
    COLON,
    COMMA,
    DIGIT,
    END,
    LETTER,
    QUOTE,
    SIGN,
    SPACE,
    UPPER,
    kinds_of,
)


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("AÉЖΩĐＡ", UPPER),
        ("aéжωđßａ", LETTER),
        ("東京ひカ가กअبא", LETTER),
        ("07٣९１", DIGIT),
        (".!?…。！？؟।።", END),
        (",;、，；،؛", COMMA),
        ("\"'“”‘’„«»‹›「」『』", QUOTE),
        (":：", COLON),
        ("-–—()©€%&/•＆", SIGN),
        (" \t\n\u00a0\u3000\u200b", SPACE),
    ],
)
def test_characters_of_many_scripts_have_their_kind(characters: str, kind: int) -> None:
    assert kinds_of(characters).tolist() == [kind] * len(characters)


def test_no_text_has_no_kinds() -> None:
    assert kinds_of("").tolist() == []


def test_half_of_a_character_is_no_error() -> None:
    assert len(kinds_of("a\ud800b")) == 3


@given(st.text(st.characters(exclude_categories=())))
def test_each_character_has_a_kind_whatever_stands_beside_it(text: str) -> None:
    kinds = kinds_of(text)
    assert len(kinds) == len(text)
    alone = [kinds_of(character)[0] for character in text]
    assert np.array_equal(kinds, np.array(alone, dtype=np.uint8))


@given(st.text(st.characters(max_codepoint=0x30FF)))
def test_capital_letters_are_those_that_unicode_calls_so(text: str) -> None:
    expected = [category(character) == "Lu" for character in text]
    assert [kind == UPPER for kind in kinds_of(text)] == expected
