"""The public face: `newsclean.extract` and what comes with it."""

import json
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import newsclean
from newsclean import Article, Extractor, Neighborhood, Page, PageError, extract
from newsclean.article import MarkdownArticle

URL = "https://www.example.org/weather/rain"
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


def story(town: str, head: str = "") -> str:
    days = f"It has rained in {town} for nine days, and the river there is as high as it ever was."
    mayor = f"The mayor of {town} says that no help is near, and asks all people to stay at home."
    return (
        f"<html lang=en><head><title>Rain in {town} goes on</title>{head}</head>"
        f"<body><h1>Rain in {town} goes on</h1><div><p>{days}</p>"
        f"<p>{mayor} <a href=/map>A map</a> shows where it is wet.</p><p>{FOOTER}</p></div></body>"
    )


def test_text_bytes_and_a_page_give_the_same_article() -> None:
    html = story("Tromsø")
    articles = [
        extract(html, URL),
        extract(html.encode(), URL),
        extract(html.encode("cp1252"), URL, content_type="text/html; charset=iso-8859-1"),
        extract(Page.from_html(html, URL)),
        extract(Page.from_html(html), URL),
        extract(Page.from_html(html, "https://other.example/"), URL),
    ]
    assert articles[0].headline == "Rain in Tromsø goes on"
    assert 'href="https://www.example.org/map"' in articles[0].body_html
    assert all(article == articles[0] for article in articles)


def test_an_article_has_what_the_page_says_of_itself() -> None:
    head = (
        '<link rel=canonical href="/weather/1"><meta name=author content="Ann Lee">'
        '<meta property="article:published_time" content="2026-03-14T09:30:00+01:00">'
    )
    article = extract(story("Oslo", head), URL)
    assert article.url == URL
    assert article.canonical_url == "https://www.example.org/weather/1"
    assert article.site == "example.org"
    assert article.authors == ["Ann Lee"]
    assert article.date_published
    assert datetime.fromisoformat(article.date_published).utcoffset() is not None
    assert article.language == "en"
    assert 0 < article.article_probability < 1
    assert json.loads(json.dumps(article.to_dict())) == article.to_dict()


def test_a_language_that_the_page_does_not_name_is_found_in_its_text() -> None:
    html = story("Oslo").replace("<html lang=en>", "<html>")
    assert extract(html).language == "en"


def test_neighbors_take_away_what_the_site_repeats_and_are_told_of() -> None:
    hood = Neighborhood()
    for town in ("Bergen", "Bodø", "Moss", "Narvik", "Hamar"):
        hood.learn(story(town))
    alone, together = extract(story("Oslo")), extract(story("Oslo"), neighborhood=hood)
    assert FOOTER in alone.body
    assert FOOTER not in together.body
    assert "The mayor of Oslo" in together.body
    assert alone.extraction["neighbors"] == alone.extraction["static_nodes"] == 0
    assert alone.extraction["scope"] is None
    assert together.extraction["neighbors"] == 5
    assert together.extraction["scope"] == "category"
    assert together.extraction["static_nodes"] == 1
    assert together.extraction["static_chars"] == len(FOOTER)


def test_a_neighborhood_that_learned_in_another_way_is_an_error_that_says_how() -> None:
    with pytest.raises(ValueError, match=r"Neighborhood\('stadynot:paper'\), not .*'hybrid'"):
        extract(story("Oslo"), neighborhood=Neighborhood(), method="stadynot:paper")
    with pytest.raises(ValueError, match=r"Neighborhood\('hybrid'\), not .*'stadynot:paper'"):
        extract(story("Oslo"), neighborhood=Neighborhood("stadynot:paper"))


def test_an_unknown_method_is_an_error_that_names_the_others() -> None:
    with pytest.raises(ValueError, match=r"no method named 'magic'; there are: .*coreex"):
        extract(story("Oslo"), method="magic")


@pytest.mark.parametrize("html", ["", " ", b"", b"%PDF-1.4 x", b"\x89PNG\r\n"])
def test_a_page_that_cannot_be_used_is_a_page_error(html: str | bytes) -> None:
    with pytest.raises(PageError):
        extract(html)


def test_a_page_without_an_article_is_an_empty_article() -> None:
    article = extract("<img src=/x.jpg>", URL)
    assert (article.body, article.body_html, article.is_article) == ("", "", False)


def test_pictures_can_be_left_out() -> None:
    html = story("Oslo").replace("<p>The mayor", "<p><img src=/r.jpg>The mayor")
    assert "<img" in extract(html, URL).body_html
    assert "<img" not in extract(html, URL, images=False).body_html


def test_the_content_hash_follows_what_the_article_says_and_not_the_page_around_it() -> None:
    one = extract(story("Oslo"), URL)
    again = extract(story("Oslo", "<meta name=build content=77>"), f"{URL}?utm_source=x")
    changed = extract(story("Oslo").replace("nine days", "ten days"), URL)
    assert one.content_hash == again.content_hash
    assert one.content_hash != changed.content_hash


def test_an_empty_article_can_be_written() -> None:
    assert json.dumps(Article().to_dict())


def test_extracting_does_not_change_the_page() -> None:
    page = Page.from_html(story("Oslo"), URL)
    first = extract(page)
    assert extract(page) == first
    assert extract(page, method="coreex").extraction["method"] == "coreex"
    assert page.url == URL


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=200), st.binary(max_size=200)), st.text(max_size=30))
def test_any_text_or_bytes_are_an_article_or_a_page_error(html: str | bytes, url: str) -> None:
    with suppress(PageError):
        article = extract(html, url)
        assert json.loads(json.dumps(article.to_dict())) == article.to_dict()


@pytest.mark.parametrize(
    "address",
    [
        "http://[",
        "http://[::1",
        "//[",
        "http://a]b/",
        "http://a:b/",
        "http://a:99999999/",
        "http://\u2100.example/",
        "http://ex\ud800ample.org/",
        "http://[v1\n.x]/embed/1",
        "http://a\x00b/",
        "\x1b[31m",
    ],
)
@pytest.mark.parametrize("place", ["the page's own", "its base", "its links and metadata"])
def test_no_url_is_too_broken_for_an_article(address: str, place: str) -> None:
    value = escape(address)
    base = f'<base href="{value}">' if place == "its base" else ""
    links = (
        f'<link rel=canonical href="{value}"><meta property=og:url content="{value}">'
        f'<meta property=og:image content="{value}">'
    )
    inside = (
        f'<a href="{value}">A link</a><img src="{value}" width=600 height=400>'
        f'<iframe src="{value}" width=600 height=400></iframe>'
    )
    if place != "its links and metadata":
        links, inside = '<link rel=canonical href="https://www.example.org/">', ""
    page = story("Oslo", base + links).replace("<p>The mayor", f"<p>{inside}The mayor")
    for url in (address,) if place == "the page's own" else (URL, None):
        assert "It has rained in Oslo" in extract(page, url).body


@pytest.mark.process
def test_importing_it_does_not_import_what_is_slow_and_seldom_needed() -> None:
    code = "import sys, newsclean; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "newsclean" in loaded
    assert not loaded & {"scrapy", "twisted", "py3langid", "charset_normalizer", "rich"}


def test_all_that_is_public_is_there() -> None:
    for name in newsclean.__all__:
        assert getattr(newsclean, name) is not None


def test_what_is_no_page_is_told_what_is_expected() -> None:
    for wrong in (None, 7, ["<p>"]):
        with pytest.raises(TypeError, match=f"HTML as str or bytes, not {type(wrong).__name__}"):
            extract(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=f"HTML as str or bytes, not {type(wrong).__name__}"):
            Neighborhood().learn(wrong)  # type: ignore[arg-type]


def test_pages_in_a_list_are_no_neighborhood() -> None:
    with pytest.raises(TypeError, match=r"neighborhood is a Neighborhood .*, not list"):
        extract(story("Oslo"), neighborhood=[story("Moss")])  # type: ignore[arg-type]


def test_a_neighborhood_says_how_many_pages_it_knows() -> None:
    hood = Neighborhood()
    hood.learn(story("Moss"))
    hood.learn(story("Oslo"))
    assert repr(hood) == "<Neighborhood of 2 pages>"


def test_a_page_that_is_no_article_says_why() -> None:
    article = extract("<p>Nothing to see here.</p>")
    assert not article.is_article
    assert article.extraction["no_article"] == "too-short"
    assert "no_article" not in extract(story("Oslo")).extraction


def test_markdown_is_made_when_it_is_asked_for() -> None:
    article = newsclean.extract("<h1>Rain</h1><p>It has rained in <b>Bergen</b> for nine days.")
    assert article.markdown == "It has rained in **Bergen** for nine days."
    assert "markdown" not in article.to_dict()
    assert MarkdownArticle.of(article).to_dict()["markdown"] == article.markdown


def test_saved_pages_are_each_others_neighbors() -> None:
    first, _ = Extractor("coreex").extract_site(
        [Page.from_html(story(town), f"{URL}/{town}") for town in ("Oslo", "Moss")]
    )
    assert first.evidence.neighbors is not None
    assert first.evidence.neighbors.count == 1
