"""What a URL alone says of the page at it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.is_article import LIKELY, SURELY_NOT, article_likelihood
from newsclean.extraction.is_article.link_target import (
    MAX_SHORT_URL,
    RESERVED,
    count_link_targets,
    is_reserved,
    link_target,
    plain,
)

ARTICLES = [
    "https://a.org/2026/03/14/mayor-opens-bridge",
    "https://a.org/sport/2026/mar/14/team-wins-at-last",
    "https://a.org/politik/buergermeister-eroeffnet-bruecke-12345678.html",
    "https://a.org/article/mayor-opens-bridge-4d6714d00666fef0117a8e2ea5970fd5",
    "https://a.org/news/video-shows-how-the-mayor-opened-the-bridge-20260314.html",
]
OTHERS = [
    "https://a.org/",
    "https://a.org/video/",
    "https://a.org/author/",
    "https://a.org/tags/",
    "https://a.org/login",
    "https://a.org/photos/",
]


@pytest.mark.parametrize(
    ("url", "feature"),
    [
        ("https://daily.example.org/story?id=62025268", "number"),
        ("https://www.example.org/2019/04/15/us/politics/mayor-of-oldbridge.html", "date"),
        ("https://news.example.org/", "slash"),
        ("https://video.example.org/v/6026408055001/", "reserved"),
    ],
)
def test_urls_such_as_those_of_the_slides_have_their_features(url: str, feature: str) -> None:
    assert getattr(link_target(url), feature)


def test_an_article_such_as_that_of_the_slides_is_shorter_than_their_advertisement() -> None:
    article = link_target(
        "https://news.example.org/latest-storm-hits-oldbridge-community-many-hurt-201112355.html"
    )
    advert = link_target(
        "https://business.example.com/4995internet"
        "?CMP=BAC-22238190-4304415-238973491-90614167&omndfa=1"
    )
    assert article.length <= MAX_SHORT_URL < advert.length


@pytest.mark.parametrize(
    "date", ["2026/03/14", "2026/3", "2026-03-14", "20260314", "2026/mar/14", "14-03-2026"]
)
def test_a_date_is_a_date_however_it_is_written_and_no_number(date: str) -> None:
    target = link_target(f"https://a.org/{date}/rain")
    assert (target.date, target.number) == (True, False)


@pytest.mark.parametrize("path", ["best-phones-of-2026", "20263114/x", "1848-1849", "2026"])
def test_a_year_alone_is_no_date(path: str) -> None:
    assert not link_target(f"https://a.org/{path}").date


@pytest.mark.parametrize(
    "path", ["rain-12345", "r/7/", "story?id=7", "x,4d6714d00666", "a1234.htm"]
)
def test_numbers_and_ids_are_found(path: str) -> None:
    assert link_target(f"https://a.org/{path}").number


@pytest.mark.parametrize("path", ["rain", "top-10-towns", "best-of-2026", "kindergarten-news"])
def test_words_and_small_counts_are_no_ids(path: str) -> None:
    assert not link_target(f"https://a.org/{path}").number


@pytest.mark.parametrize(
    "path",
    [
        "video",
        "Videos/1",
        "fotostrecke/x",
        "photo-gallery/",
        "vidéos/",
        "galeria.html",
        "yazarlar/a",
    ],
)
def test_reserved_words_count_as_steps_of_the_path(path: str) -> None:
    assert link_target(f"https://a.org/{path}").reserved


@pytest.mark.parametrize("path", ["video-of-the-flood", "a-tag-too-far", "searching-for-rain"])
def test_reserved_words_do_not_count_inside_a_headline(path: str) -> None:
    assert not link_target(f"https://a.org/{path}").reserved


def test_reserved_words_are_written_as_they_are_compared() -> None:
    assert all(word == plain(word) and is_reserved(word) for word in RESERVED)


def test_a_page_has_the_sum_of_its_links() -> None:
    counts = count_link_targets([*ARTICLES, *OTHERS])
    assert (counts.number, counts.date, counts.slash, counts.reserved) == (2, 3, 5, 5)
    assert counts.short == 11
    assert count_link_targets([]).short == 0


@pytest.mark.parametrize("url", ARTICLES)
def test_what_looks_like_an_article_comes_first(url: str) -> None:
    assert article_likelihood(url) >= LIKELY


@pytest.mark.parametrize("url", OTHERS)
def test_what_is_surely_no_article_is_known_by_its_url(url: str) -> None:
    assert article_likelihood(url) < SURELY_NOT


@given(st.text() | st.from_regex(r"https?://[a-z.]{1,9}/[\w/.?=&%-]{0,40}"))
def test_every_text_has_features_and_a_likelihood(url: str) -> None:
    assert link_target(url).length == len(url)
    assert 0 <= article_likelihood(url) <= 1
