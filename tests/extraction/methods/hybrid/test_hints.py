"""What an element's tag says, and what the names in its `class` and `id` hint at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.hints import AROUND, COUNTED, FIELD, KINDS, read_names


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
