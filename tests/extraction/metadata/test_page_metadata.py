import lxml.html
import pytest

from newsclean.extraction.metadata import TAGS, PageMetadata, detected_language
from newsclean.extraction.metadata.structured_data import json_ld_scripts

from .pages import meta, read, script


def test_an_empty_page_says_nothing() -> None:
    page = read("")
    assert not any(page.as_dict().values())


def test_a_page_with_opengraph_alone_is_read() -> None:
    page = read(
        meta(
            og__title="Rain on Monday", og__description="It rains.", og__site_name="Daily News",
            og__url="https://example.org/rain", og__image="/rain.jpg", og__type="article",
            og__locale="pt_BR", article__published_time="2024-03-01T09:30:00+01:00",
            article__modified_time="2024-03-02", article__author="Ann Lee",
            article__tag="Weather",
        ),
        url="https://example.org/x",
    )  # fmt: skip
    assert page.headline == "Rain on Monday"
    assert page.description == "It rains."
    assert page.site_name == "Daily News"
    assert page.canonical_url == "https://example.org/rain"
    assert page.image == "https://example.org/rain.jpg"
    assert page.types == ["article"]
    assert page.language == "pt"
    assert page.date_published == "2024-03-01T09:30:00+01:00"
    assert page.date_modified == "2024-03-02"
    assert page.authors == ["Ann Lee"]
    assert page.keywords == ["Weather"]


def test_json_ld_is_trusted_before_opengraph() -> None:
    article = {"@type": "NewsArticle", "datePublished": "2024-03-01", "author": "Ann Lee"}
    head = meta(article__published_time="2024-02-01", article__author="Bob Ray")
    page = read(head + script(article))
    assert page.date_published == "2024-03-01"
    assert page.authors == ["Ann Lee"]


@pytest.mark.parametrize(
    "html",
    [
        '<meta name="parsely-pub-date" content="2024-03-01">',
        '<meta name="DC.date.issued" content="2024-03-01">',
        '<meta itemprop="datePublished" content="2024-03-01">',
        '<time itemprop="datePublished" datetime="2024-03-01">today</time>',
        '<time class="updated" datetime="2024-04-01"></time><time>March 1, 2024</time>',
        '<time datetime="2024-04-01"></time><time class="published" datetime="2024-03-01"></time>',
        '<span class="post-date">March 1, 2024</span>',
        "<p>Published on March 1, 2024</p>",
        '<span class="date">Updated April 1, 2024</span><div class="date">March 1, 2024</div>',
        '<div class="by">By Ann Lee | 2024-03-01</div>',
        '<time datetime="garbage">1 Mar 2024</time>',
        '<time datetime="x">Updated 1 Apr 2024</time><time datetime="y">1 Mar 2024</time>',
        '<span class="date">1 марта 2024</span>',
    ],
)
def test_the_date_is_found_where_sites_put_it(html: str) -> None:
    assert read(html).date_published == "2024-03-01"


@pytest.mark.parametrize(
    "html",
    [
        "<p>Published: 1 Mar 2024 10:00 | Updated: 2 Mar 2024</p>",
        "<p>Last updated 2 Mar 2024, first published 1 Mar 2024</p>",
        '<span class="date">1 Mar 2024 (updated 2 Mar 2024)</span>',
        "<p>Veröffentlicht am 1. März 2024, aktualisiert am 2. März 2024</p>",
        "<p>公開 2024年3月1日 更新 2024年3月2日</p>",
        '<span class="date">1 Mar 2024</span><p>Updated: 2 Mar 2024</p>',
    ],
)
def test_a_dateline_may_tell_of_an_update_too(html: str) -> None:
    page = read(html)
    assert (page.date_published or "")[:10] == "2024-03-01"
    assert page.date_modified == "2024-03-02"


def test_the_date_in_the_address_serves_where_the_page_has_none() -> None:
    assert read("<p>x", url="https://example.org/2024/03/01/x").date_published == "2024-03-01"


def test_the_base_element_makes_addresses_absolute() -> None:
    html = (
        '<base href="/en/"><link rel="canonical" href="rain">'
        '<meta name="twitter:image" content="a.jpg">'
    )
    page = read(html, url="https://example.org/x")
    assert page.canonical_url == "https://example.org/en/rain"
    assert page.image == "https://example.org/en/a.jpg"


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "data:text/html,x", "http://[", "ftp://example.org/", "#x", " "]
)
def test_only_http_addresses_are_handed_on(href: str) -> None:
    page = read(
        f'<link rel="canonical" href="{href}"><meta property="og:image" content="{href}">',
        url="https://example.org/rain",
    )
    assert page.canonical_url is None
    assert page.image is None


def test_a_canonical_address_that_names_the_front_page_is_a_mistake() -> None:
    html = '<link rel="canonical" href="https://example.org/">' + meta(
        og__url="https://example.org/rain"
    )
    assert (
        read(html, url="https://example.org/rain?x=1").canonical_url == "https://example.org/rain"
    )


@pytest.mark.parametrize(
    "image",
    [
        "/a.jpg",
        {"url": "/a.jpg"},
        [{"@type": "ImageObject", "contentUrl": "/a.jpg"}],
        ["", "/a.jpg"],
    ],
)
def test_json_ld_images_come_in_many_shapes(image: object) -> None:
    page = read(script({"@type": "Article", "image": image}), url="https://example.org/rain")
    assert page.image == "https://example.org/a.jpg"


def test_a_language_is_detected_only_in_enough_text() -> None:
    german = "Am Montag hat es in den Bergen stark geregnet, und die Flüsse sind gestiegen. " * 3
    assert detected_language(german) == "de"
    assert detected_language("Oui.") is None


def test_the_language_is_what_the_page_declares() -> None:
    assert read('<html lang="en-GB"><p>x</p></html>').language == "en"
    assert read('<html lang="und"><p>x</p></html>').language is None
    assert read(script({"@type": "Article", "inLanguage": {"name": "en-US"}})).language == "en"


def test_keywords_are_parted_at_commas_only_where_they_are_one_string() -> None:
    one = {"@type": "Article", "keywords": "rain, wind,rain; snow"}
    several = {"@type": "Article", "keywords": ["Washington, D.C.", {"name": "rain"}]}
    assert read(script(one)).keywords == ["rain", "wind", "snow"]
    assert read(script(several)).keywords == ["Washington, D.C.", "rain"]


def test_no_value_has_characters_that_nobody_sees() -> None:
    page = read(
        "<h1>Rain&shy;coats\u200b for\ufeff all\ufdd0</h1>"
        '<meta name="author" content="Ann\u2060 L&shy;ee">'
    )
    assert page.headline == "Raincoats for all"
    assert page.authors == ["Ann Lee"]


def test_no_value_is_longer_than_a_reader_would_want() -> None:
    long = "word " * 200_000
    names = ("og:title", "og:description", "author", "keywords", "og:site_name", "og:type")
    page = read("".join(f'<meta name="{name}" content="{long}">' for name in names))
    assert all(len(str(value)) <= 5000 for value in page.as_dict().values())
    assert page.description
    assert page.description.endswith("word")


def test_reading_asks_only_for_the_tags_that_it_announces_and_leaves_the_tree_alone() -> None:
    root = lxml.html.document_fromstring("<title>Rain</title><h1>Rain</h1><p>It rains.</p>")
    before = lxml.html.tostring(root)
    asked = set()

    def elements(tag: str) -> list[lxml.html.HtmlElement]:
        asked.add(tag)
        return list(root.iter(tag))

    PageMetadata(elements).as_dict()
    assert asked == set(TAGS)
    assert lxml.html.tostring(root) == before


def test_the_text_alone_needs_no_more_than_headline_and_authors() -> None:
    root = lxml.html.document_fromstring(
        '<meta name=description content="Wet."><meta property=og:title content="Rain on Monday">'
        "<h1>Rain on Monday</h1><p class=byline>By Ann Lee</p><time>2024-03-01</time>"
    )
    asked = set()

    def elements(tag: str) -> list[lxml.html.HtmlElement]:
        asked.add(tag)
        return list(root.iter(tag))

    page = PageMetadata(elements)
    assert not asked
    assert (page.headline, page.authors) == ("Rain on Monday", ["Ann Lee"])
    assert not asked & {"html", "time"}
    assert (page.description, page.date_published) == ("Wet.", "2024-03-01")


def test_json_ld_that_was_parsed_before_is_not_parsed_again() -> None:
    html = script({"@type": "NewsArticle", "headline": "Rain", "datePublished": "2024-03-01"})
    root = lxml.html.document_fromstring(html)
    parsed = json_ld_scripts(root.iter("script"))

    def elements(tag: str) -> list[lxml.html.HtmlElement]:
        assert tag != "script"
        return list(root.iter(tag))

    assert PageMetadata(elements, json_ld=parsed).as_dict() == read(html).as_dict()


@pytest.mark.parametrize(
    ("role", "signs"),
    [
        ("article-Author", True),
        ("BYLINE", True),
        ("by-line", True),
        ("entry by", True),
        ("by_name", True),
        ("staffWriter", True),
        ("baby", False),
        ("nearby story", False),
    ],
)
def test_a_byline_is_known_by_its_class(role: str, signs: bool) -> None:
    page = read(f'<div><span class="{role}">Ann Lee</span></div>')
    assert page.authors == (["Ann Lee"] if signs else [])
