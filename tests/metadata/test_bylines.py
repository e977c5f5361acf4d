"""Names beside the headline that no word calls an author's."""

import pytest

from newsclean.metadata.bylines import name_beside_date, name_with_biography
from newsclean.metadata.names import is_person
from newsclean.methods.page_metadata import metadata_of
from newsclean.page import Page

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
