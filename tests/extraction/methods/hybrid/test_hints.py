"""Hints in names, characters and phrases."""

from unicodedata import category

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import block_features
from newsclean.extraction.methods.hybrid.hints import (
    AROUND,
    COLON,
    COMMA,
    COUNTED,
    DIGIT,
    END,
    FIELD,
    KINDS,
    LETTER,
    MOST_TITLE_WORDS,
    PHRASE_KINDS,
    PHRASES,
    QUOTE,
    SIGN,
    SPACE,
    UPPER,
    count_phrases,
    count_title_words,
    kinds_of,
    read_names,
)
from newsclean.extraction.page import Page


def kinds(class_: str | None, id_: str | None = None, tag: str = "div") -> set[str]:
    counts, _ = read_names(tag, class_, id_)
    names = enumerate((*AROUND, *KINDS))
    return {name for field, name in names if counts >> field * FIELD & 1}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("story-body__inner", "content"),
        ("ArtikelInhalt", "content"),
        ("contenu", "content"),
        ("cuerpo-noticia", "content"),
        ("testo_articolo", "content"),
        ("standfirst", "lead"),
        ("chapo", "lead"),
        ("relatedLinks", "related"),
        ("leia-mais", "related"),
        ("teilen", "social"),
        ("newsletterBox", "offer"),
        ("bildunterschrift", "picture"),
        ("byline", "meta"),
        ("breadcrumbs", "tags"),
        ("comentarios", "comment"),
        ("cookieBanner", "frame"),
        ("werbung", "ad"),
        ("visually-hidden", "hidden"),
    ],
)
def test_names_hint_in_several_languages_and_spellings(name: str, kind: str) -> None:
    assert kind in kinds(name)
    assert kind in kinds(None, name)


@pytest.mark.parametrize("name", ["ad", "ads", "top ad-1", "AD_slot", "js-ad"])
def test_a_short_word_hints_as_a_whole_part_of_a_name(name: str) -> None:
    assert "ad" in kinds(name)


@pytest.mark.parametrize("name", ["shadow", "loading", "gradient", "address", "adjust", "readable"])
def test_a_short_word_inside_another_one_is_no_hint(name: str) -> None:
    assert "ad" not in kinds(name)


def test_an_element_without_names_hints_at_nothing() -> None:
    assert kinds(None) == kinds("", "") == kinds("x7 c-12", "b") == set()


def test_a_tag_says_what_it_is_for_whatever_its_names() -> None:
    assert kinds(None, tag="figcaption") == {"caption"}
    assert kinds("share", tag="h2") == {"heading", "social"}


def test_names_in_class_and_id_add_up() -> None:
    assert kinds("article", "share") == {"content", "social"}


def test_a_slot_is_told_by_tag_and_class_and_not_by_the_id_which_may_be_the_pages_own() -> None:
    _, slot = read_names("div", "body", "story-1")
    assert read_names("div", "body", "story-2")[1] == slot
    assert read_names("section", "body", "story-1")[1] != slot
    assert read_names("div", "side", "story-1")[1] != slot


@given(st.text(), st.none() | st.text(st.characters()), st.none() | st.text(st.characters()))
def test_any_names_can_be_read(tag: str, class_: str | None, id_: str | None) -> None:
    counts, slot = found = read_names(tag, class_, id_)
    fields = [counts >> field * FIELD & (1 << FIELD) - 1 for field in range(COUNTED)]
    assert set(fields) <= {0, 1}
    assert counts == sum(count << field * FIELD for field, count in enumerate(fields))
    assert 0 <= slot < 1 << 64
    assert read_names(tag, class_, id_) == found


def test_half_of_a_character_in_a_name_is_no_error() -> None:
    assert kinds("share\ud800", "\udfff") == {"social"}


def test_the_names_that_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[object, object] = {}
    monkeypatch.setattr(hints, "_seen", seen)
    monkeypatch.setattr(hints, "MOST_SEEN", 10)
    for number in range(35):
        read_names("div", f"name{number}", None)
        assert len(seen) <= 10


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
