"""The links of a section page: their addresses, their words and their places."""

import pytest

from newsclean.discovery.links import Link, is_inside, is_same_page, links_of, section_match
from newsclean.extraction.page import Page
from newsclean.urls import without_tracking

from .markup import HEADLINE, SECTION, a


def test_an_address_that_is_linked_thrice_is_one_link_with_its_longest_text() -> None:
    url = "/2026/03/14/who-won"
    html = a(url, "") + a(f"{url}?utm_source=home&fbclid=1") + a(f"{url}#comments", "3")
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.url == "https://www.example.org/2026/03/14/who-won"
    assert link.text == HEADLINE


@pytest.mark.parametrize(
    "html",
    [
        a("/x", f"<img src=1.jpg alt='{HEADLINE}'>"),
        a("/x", "<img src=1.jpg>", title=HEADLINE),
        '<a href="/x" aria-label="Who won on Sunday, and why"><svg></svg></a>',
    ],
)
def test_a_link_around_a_picture_has_the_words_that_describe_it(html: str) -> None:
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.text == HEADLINE


@pytest.mark.parametrize(
    ("text", "is_headline"),
    [
        (HEADLINE, True),
        ("Bundesverfassungsgericht entscheidet", True),
        ("谁赢得了周日的比赛", True),
        ("More", False),
        ("Log in", False),
        ("体育", False),
        ("", False),
    ],
)
def test_several_words_are_a_headline_and_a_few_are_a_label(text: str, is_headline: bool) -> None:
    assert Link("https://example.org/x", text).is_headline is is_headline


def test_only_tracking_parameters_are_cut_off() -> None:
    url = "https://example.org/x?gclid=1&id=7&UTM_medium=a&page=2&utmost=3"
    assert without_tracking(url) == "https://example.org/x?id=7&page=2&utmost=3"
    assert without_tracking("https://example.org/x?") == "https://example.org/x"


def test_links_are_relative_to_the_base_of_the_page() -> None:
    html = "<base href=https://www.example.org/old/>" + a("2026/03/14/who-won")
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.url == "https://www.example.org/old/2026/03/14/who-won"


@pytest.mark.parametrize(
    ("html", "prominence"),
    [
        (f"<h2>{a('/x')}</h2>", 2),
        (a("/x", f"<h3>{HEADLINE}</h3>"), 2),
        (f"<p>{a('/x')}</p>", 1),
        (f"<nav>{a('/x')}</nav>", 0),
        (f"<footer><h4>{a('/x')}</h4></footer>", 0),
        (f"<aside><ul><li>{a('/x')}</ul></aside>", 0),
        (f"<h2>Other</h2><nav></nav>{a('/x')}", 1),
    ],
)
def test_a_link_in_a_heading_is_prominent_and_one_in_a_side_column_is_not(
    html: str, prominence: int
) -> None:
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.prominence == prominence


def test_an_article_below_the_sections_address_belongs_to_it_most_surely() -> None:
    side = f"<aside>{a('/sport/who-won')}</aside><h2>{a('/culture/who-sang')}</h2>"
    inside, mentioned = links_of(Page.from_html(side, SECTION))
    assert section_match(inside, SECTION) > section_match(mentioned, SECTION)


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.org/sport/who-won", True),
        ("https://www.example.org/sport/football/who-won", True),
        ("https://example.org/sports-car/new", False),
        ("https://example.org/culture/sport/x", False),
        ("https://other.example/sport/who-won", False),
        ("https://example.org/sport/", False),
    ],
)
def test_inside_means_below_the_sections_path_on_its_host(url: str, inside: bool) -> None:
    assert is_inside(url, SECTION) is inside


def test_nothing_is_inside_a_front_page() -> None:
    assert not is_inside("https://example.org/sport/who-won", "https://example.org/")


def test_a_slash_or_a_fragment_makes_no_other_page() -> None:
    assert is_same_page("https://a.org/x/#top", "https://a.org/x")
    assert not is_same_page("https://a.org/x?page=2", "https://a.org/x")
