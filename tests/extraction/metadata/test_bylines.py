"""Names in bylines, without a page."""

import pytest

from newsclean.extraction.metadata.bylines import (
    Byline,
    author_names,
    is_person,
    labelled_names,
    name_beside_date,
    name_with_biography,
    names_of_line,
    signed_names,
)


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Written by: Ann Lee", ["Ann Lee"]),
        ("Von Ann Lee", ["Ann Lee"]),
        ("Von Miller", ["Von Miller"]),
        ("Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann Lee, Bob Ray and Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Ann Lee, Bob Ray, and Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Ann Lee & Bob Ray; Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Santiago Ramón y Cajal", ["Santiago Ramón y Cajal"]),
        ("Ann Lee, PhD, MD", ["Ann Lee"]),
        ("Ann Lee, Jr.", ["Ann Lee Jr."]),
        ("Ann Lee, Political Editor", ["Ann Lee"]),
        ("Ann Lee | Daily News", ["Ann Lee"]),
        ("Ann Lee for Daily News", ["Ann Lee"]),
        ("Ann Lee (ann.lee@example.org) @annlee", ["Ann Lee"]),
        ("Ann Lee https://example.org/ann", ["Ann Lee"]),
        ("https://www.facebook.com/annlee", []),
        ("@annlee", []),
        ("admin", []),
        ("1234", []),
        ("Ann &amp; Bob Ray", ["Ann & Bob Ray"]),
    ],
)
def test_a_byline_gives_its_names(byline: str, expected: list[str]) -> None:
    assert author_names([Byline(byline)], ["Daily News"]) == expected


def test_a_name_stands_once() -> None:
    assert author_names([Byline("Ann Lee"), Byline("ANN LEE"), Byline("By Ann Lee")]) == ["Ann Lee"]


@pytest.mark.parametrize("line", ["1 March 2024 • 5 min read", "Weather | 1 March 2024 | Share"])
def test_other_words_beside_a_date_are_not_a_name(line: str) -> None:
    assert name_beside_date([line]) == []


def test_a_topic_below_the_headline_is_not_presented() -> None:
    lines = ["Rain again", "Harbour Weather", "Harbour Weather, all week.", "It rains."]
    assert name_with_biography(lines, lines[1:]) == []


def test_initials_do_not_make_a_person_a_house_but_a_host_is_one() -> None:
    assert is_person("Ann B. Lee")
    assert is_person("J.K. Lee")
    assert not is_person("Daily.example Lee")


def test_a_list_of_other_articles_has_no_author_of_this_one() -> None:
    assert labelled_names(["Written by Ann Lee", "Snow", "Written by Bob Ray", "Hail"]) == []
    assert labelled_names(["Written by Ann Lee", "Snow", "Written by Ann Lee"]) == ["Ann Lee"]


def test_a_sentence_that_only_mentions_a_writer_names_no_author() -> None:
    assert (
        labelled_names(["A letter written by Ann Lee was found.", "The author", "It rains"]) == []
    )


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Lee Sun, 15 Nov 2026 06:00:00 GMT",
        "By Ann Lee Sunday, November 15, 2026",
        "Von Ann Lee So., 15. November 2026",
    ],
)
def test_the_day_of_the_week_is_not_a_part_of_a_name(line: str) -> None:
    assert names_of_line(line) == ["Ann Lee"]


def test_a_name_that_is_a_day_of_another_week_is_a_name() -> None:
    assert names_of_line("By Mary Sun, 16 Nov 2026") == ["Mary Sun"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Szerző: Kovács Anna", "Kovács Anna"),
        ("Penulis: Budi Santoso", "Budi Santoso"),
        ("Tác giả: Nguyễn Văn An", "Nguyễn Văn An"),
        ("ผู้เขียน: สมชาย ใจดี", "สมชาย ใจดี"),
        ("نویسنده: علی رضایی", "علی رضایی"),
        ("الكاتب: أحمد علي", "أحمد علي"),
        ("על ידי דנה לוי", "דנה לוי"),
    ],
)
def test_an_author_is_labelled_in_many_languages(line: str, name: str) -> None:
    assert signed_names([line])[0] == [name]
