"""Whatever a page says of itself, its metadata can be read and stored."""

import json

import lxml.html
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.metadata import PageMetadata
from newsclean.extraction.metadata.structured_data import (
    AUTHORS,
    HEADLINE,
    IMAGE,
    KEYWORDS,
    PUBLISHED,
)

from .pages import read, script

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
