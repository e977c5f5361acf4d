"""Names beside the headline that no word calls an author's."""

import pytest

from newsclean.extraction.metadata.bylines import (
    is_person,
    looks_like_name,
    name_beside_date,
    name_with_biography,
)
from newsclean.extraction.methods.keys import metadata_of
from newsclean.extraction.page import Page

TEXT = "<p>" + "It has rained in the harbour for nine days, and there is no end in sight. " * 8


def authors(html: str, url: str | None = None) -> list[str]:
    return metadata_of(Page.from_html(html + TEXT + TEXT, url)).authors


@pytest.mark.parametrize("line", ["1 March 2024 • Ann Lee in Weather", "Ann Lee | March 1, 2024"])
def test_a_name_that_shares_its_line_with_the_date_is_the_author(line: str) -> None:
    assert authors(f"<h1>Rain again</h1><p>{line}</p>") == ["Ann Lee"]


@pytest.mark.parametrize("line", ["1 March 2024 • 5 min read", "Weather | 1 March 2024 | Share"])
def test_other_words_beside_a_date_are_not_a_name(line: str) -> None:
    assert name_beside_date([line]) == []


def test_a_name_below_the_headline_is_the_author_if_the_page_presents_that_person() -> None:
    head = "<h1>Rain again</h1><p>Ann Lee</p>"
    about = "<p>Ann Lee is a writer who sails."
    assert metadata_of(Page.from_html(head + TEXT + about)).authors == ["Ann Lee"]
    assert metadata_of(Page.from_html(head + TEXT)).authors == []


def test_a_topic_below_the_headline_is_not_presented() -> None:
    lines = ["Rain again", "Harbour Weather", "Harbour Weather, all week.", "It rains."]
    assert name_with_biography(lines, lines[1:]) == []


def test_initials_do_not_make_a_person_a_house_but_a_host_is_one() -> None:
    assert is_person("Ann B. Lee")
    assert is_person("J.K. Lee")
    assert not is_person("Daily.example Lee")


def test_the_author_of_a_blog_that_has_her_name_is_the_author() -> None:
    html = '<meta name=author content="Ann Lee"><h1>Rain again</h1><span class=author>Listen</span>'
    assert authors(html, "https://annlee.example.org/rain") == ["Ann Lee"]


def test_who_signed_below_the_headline_counts_more_than_a_name_elsewhere() -> None:
    html = "<h1>Rain again</h1><p>Posted by Annie on Friday</p>"
    aside = "<div class=author>Bob Ray</div>"
    assert authors(html + aside) == ["Annie"]
    role = "<h1>Rain again</h1><p>By Bob Ray Review Editor</p>"
    assert authors(role + aside) == ["Bob Ray"]


def test_all_who_are_named_in_one_line_with_the_author_of_the_head_are_authors() -> None:
    head = '<meta name=author content="Ann Lee"><h1>Rain again</h1>'
    assert authors(f"{head}<p>Ann Lee, Bob Ray & Cy Fox</p>") == ["Ann Lee", "Bob Ray", "Cy Fox"]
    assert authors(f"{head}<p>Ann Lee, Harbour Weather</p>") == ["Ann Lee"]
    assert authors(f"{head}<p>Bob Ray and Cy Fox</p>") == ["Ann Lee"]


def test_a_title_does_not_make_another_person() -> None:
    head = '<meta name=author content="Ann Lee"><h1>Rain again</h1>'
    assert authors(f"{head}<p>Written by Dr Ann Lee, Prof. Bob Ray</p>") == [
        "Dr Ann Lee",
        "Prof. Bob Ray",
    ]
    assert authors(f"{head}<p>By Dr. Ann Lee</p>") == ["Ann Lee"]


def test_a_role_may_be_between_the_name_and_the_date() -> None:
    assert authors("<h1>Rain again</h1><p>Ann Lee | Senior Writer | 1 March 2024") == ["Ann Lee"]


@pytest.mark.parametrize("text", ["In This Article", "Harbour Women's Watch", "Related Articles"])
def test_words_that_no_person_has_in_her_name_are_not_a_name(text: str) -> None:
    assert not looks_like_name(text)
    byline = f"<h1>Rain again</h1><p>By Ann Lee, Executive Editor, {text}</p>"
    assert authors(f'<meta name=author content="Ann Lee">{byline}') == ["Ann Lee"]


def test_who_is_presented_below_the_headline_counts_more_than_a_name_elsewhere() -> None:
    html = "<h1>Rain again</h1><p>Ann Lee</p>" + TEXT + "<p>Ann Lee is a writer who sails."
    assert authors(html + "<div class=author>Bob Ray</div>") == ["Ann Lee"]


def test_the_site_is_the_author_where_only_an_element_of_an_author_names_it() -> None:
    site = "<meta property=og:site_name content=Facette><h1>Rain again</h1>"
    assert authors(f"{site}<span itemprop=author><b>Facette</b></span>") == ["Facette"]
    both = f"{site}<span itemprop=author>Facette</span><p>By Ann Lee</p>"
    assert authors(both) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("citation_authors", ["Ann Lee", "Bob Ray"]),
        ("citation_authors", ["Lee, Ann; Ray, Bob"]),
        ("citation_author", ["Lee, Ann", "Ray, Bob"]),
    ],
)
def test_a_catalogue_has_its_authors_in_one_element_or_in_several(
    name: str, contents: list[str]
) -> None:
    meta = "".join(f'<meta name={name} content="{content}">' for content in contents)
    first = '<meta name=dc.creator content="Ann Lee">'
    assert authors(f"{first}{meta}<h1>Rain again</h1>") == ["Ann Lee", "Bob Ray"]
