"""The metadata of whole pages, whatever they say about themselves."""

import json

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.metadata.page_metadata import TAGS, PageMetadata
from newsclean.extraction.metadata.page_sources import (
    AUTHORS,
    HEADLINE,
    IMAGE,
    KEYWORDS,
    PUBLISHED,
    SiteFacts,
    json_ld_scripts,
)

from .pages import TITLE, meta, read, script, visible


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


def test_the_base_element_makes_urls_absolute() -> None:
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
def test_only_http_urls_are_handed_on(href: str) -> None:
    page = read(
        f'<link rel="canonical" href="{href}"><meta property="og:image" content="{href}">',
        url="https://example.org/rain",
    )
    assert page.canonical_url is None
    assert page.image is None


def test_a_canonical_url_that_names_the_front_page_is_a_mistake() -> None:
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


def test_the_publisher_is_the_one_of_the_article() -> None:
    publisher = {"@type": "Organization", "name": "Harbour Media"}
    head = '<meta property="og:site_name" content="Harbour News">'
    assert visible(head).publisher == "Harbour News"
    page = visible(head + script({"@type": "NewsArticle", "publisher": publisher}))
    assert page.publisher == "Harbour Media"


@pytest.mark.parametrize(
    "facts",
    [
        SiteFacts(4, day_first=True),
        SiteFacts(4, day_first=False),
        SiteFacts(4, zone="+02:00"),
        SiteFacts(5, authors={"maxberg": 5}),
        SiteFacts(5, bylines={"p.who": 4}),
    ],
)
@pytest.mark.parametrize(
    "html",
    [
        f"<html lang=en>{TITLE}<h1>Nine wet days in Bergen</h1><p>03/04/2024</p>",
        f"{TITLE}<meta property=article:published_time content=2024-04-03T08:00:00>",
        f"{TITLE}<meta name=author content='Max Berg'><h1>Nine wet days</h1><p>By Ann Lee</p>",
        f"{TITLE}<h1>Nine wet days in Bergen</h1><p class=who>Ann Lee</p><p>It rained.</p>",
    ],
)
def test_what_was_read_of_a_page_alone_does_not_change_what_its_neighbors_tell(
    html: str, facts: SiteFacts
) -> None:
    alone = visible(html)
    read = alone.as_dict(), alone.known_facts, alone.asked_facts
    assert alone.with_facts(facts).as_dict() == visible(html, facts=facts).as_dict()
    assert (alone.as_dict(), alone.known_facts, alone.asked_facts) == read


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["@type", "@id", "@graph", "name", "author", "headline", "datePublished",
                         "image", "url", "keywords", "inLanguage", "publisher", "@value"]),
        inner | st.sampled_from(["NewsArticle", "WebPage", "#a"]),
        max_size=6,
    ),
    max_leaves=20,
)  # fmt: skip


def assert_can_be_stored(html: str) -> None:
    page = read(html, url="https://example.org/rain")
    json.dumps(page.as_dict(), ensure_ascii=False).encode()


@given(json_values)
@settings(max_examples=60, deadline=None)
def test_any_json_ld_is_survived(value: object) -> None:
    article = {"@type": "NewsArticle", "author": value, "image": value, "datePublished": value,
               "headline": value, "keywords": value, "url": value}  # fmt: skip
    texts = [json.dumps(value), json.dumps(article)]
    assert_can_be_stored(script(*(text.replace("<", "\\u003c") for text in texts)))


@given(st.text(alphabet='{}[]":,\\/*\n <>!-&;atype@headline', max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_script_text_is_survived(text: str) -> None:
    assert_can_be_stored(script(text))


@given(
    st.dictionaries(
        st.sampled_from([*HEADLINE, *AUTHORS, *PUBLISHED, *KEYWORDS, *IMAGE, "og:url"]),
        st.text(max_size=60) | st.from_regex(r"[0-9TZ:. /+-]{1,30}", fullmatch=True),
        max_size=8,
    )
)
@settings(max_examples=150, deadline=None)
def test_any_meta_content_is_survived(contents: dict[str, str]) -> None:
    root = lxml.html.document_fromstring("<html><head></head><body><h1>x</h1></body></html>")
    for name, content in contents.items():
        element = lxml.html.Element("meta", name=name)
        try:
            element.set("content", content)
        except ValueError:  # lxml takes no control characters
            continue
        root.append(element)
    page = PageMetadata(lambda tag: list(root.iter(tag)), "https://example.org/rain")
    json.dumps(page.as_dict(), ensure_ascii=False).encode()
