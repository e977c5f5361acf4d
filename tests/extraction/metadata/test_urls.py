"""Addresses that a page gives, made absolute."""

from urllib.parse import urljoin, urlsplit

import pytest

from newsclean.urls import resolve_link


@pytest.mark.parametrize(
    "href",
    [
        "https://example.org/a/b.html",
        "http://Example.org/a%20b/?x=1&y=/z",
        "https://example.org/a//../b",
        "hTTps://example.org/a",
        "https://example.org/a#",
        "https://example.org/a?",
        "https://example.org",
        "https:///a",
        "https://example.org/a;b?c",
    ],
)
def test_an_absolute_link_is_resolved_as_any_other(href: str) -> None:
    joined = urljoin("https://base.example/", href)
    assert resolve_link(href, "https://base.example/") == (
        joined if urlsplit(joined).netloc else None
    )
