"""What URLs say: site, section, article; and how links are resolved."""

import socket
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

import newsclean
from newsclean.urls import (
    _public_suffix_list,
    category_of,
    registered_domain,
    resolve_link,
    same_site,
    section_of,
    site_of,
)

PAGE = "<title>Rain</title>{}<h1>Rain</h1><p>It has rained in Bergen for nine days, and goes on."
URL = "https://www.example.org/news/rain?id=7"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("HTTPS://WWW.Example.ORG:443/x", "example.org"),
        ("http://example.org:443/", "example.org:443"),
        ("https://user:secret@example.org/", "example.org"),
        ("http://[::1]:8000/", "[::1]:8000"),
        ("http://[::1:8000]/", "[::1:8000]"),
        ("https://www.example.org./", "example.org"),
        ("https://bücher.example/", "bücher.example"),
        ("https://../", None),
        ("https://exam\x1bple.org/", None),
        ("https://www.2.example.org/", "2.example.org"),
        (None, None),
        ("", None),
        ("/news/1", None),
        ("mailto:a@example.org", None),
        ("https://[", None),
        ("https://example.org:port/", None),
        ("https://example.org:99999/", None),
    ],
)
def test_a_site_is_its_host_and_an_unusual_port(url: str | None, name: str | None) -> None:
    assert site_of(url) == name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.example.org/a", "http://sport.example.org/b", True),
        ("https://a.example.co.uk/", "https://b.example.co.uk/", True),
        ("https://example.co.uk/", "https://other.co.uk/", False),
        ("https://example.com.au/", "https://other.com.au/", False),
        ("https://example.org/", "https://example.net/", False),
        ("https://example.org/", "https://badexample.org/", False),
        ("https://example.org/", "https://example.org.evil.example/", False),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8002/", False),
        ("http://10.0.0.1/", "http://11.0.0.1/", False),
        ("http://localhost:80/", "http://localhost/x", True),
        ("https://example.org/", "not a url", False),
        ("https://news.example.co.uk/", "https://www.example.co.uk/", True),
        ("https://a.blogspot.com/", "https://b.blogspot.com/", False),
        ("https://blogspot.com/", "https://b.blogspot.com/", False),
        ("https://x.github.io/", "https://y.github.io/", False),
        ("https://m.x.github.io/", "https://x.github.io/", True),
        ("https://example.co.uk./", "https://NEWS.Example.co.UK/", True),
        ("https://bücher.de/", "https://m.xn--bcher-kva.de/", True),
        ("https://x.公司.cn/", "https://y.xn--55qx5d.cn/", False),
        ("https://a.paper.internal/", "https://b.paper.internal/", True),
        ("https://one.internal/", "https://two.internal/", False),
        ("http://localhost/", "http://localhost:8000/", False),
        ("http://[::1]/", "http://[::2]/", False),
        ("http://2130706433/", "http://127.0.0.1/", False),
        (f"https://{'ü' * 70}.org/", f"https://m.{'ü' * 70}.org/", True),
    ],
)
def test_a_site_is_one_owners(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same
    assert same_site(other, one) is same


def test_a_registered_domain_keeps_its_port() -> None:
    assert registered_domain("news.example.org:8080") == "example.org:8080"
    assert registered_domain("[::1]:8080") == "[::1]:8080"


def test_what_a_registered_domain_is_needs_neither_network_nor_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setenv("TLDEXTRACT_CACHE", str(tmp_path))
    _public_suffix_list.cache_clear()
    registered_domain.cache_clear()
    assert registered_domain("news.example.co.uk") == "example.co.uk"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "category"),
    [
        ("https://example.org", "home"),
        ("https://example.org/index.html", "home"),
        ("https://example.org/sport/INDEX.php", "sport"),
        ("https://example.org//sport//football/", "sport/football"),
        ("https://example.org/%1B%5B31msport/%E2%80%AEx%C2%9B", "[31msport/x"),
        ("https://example.org/%D1%81%D0%BF%D0%BE%D1%80%D1%82/", "спорт"),
    ],
)
def test_a_section_is_named_by_its_path(url: str, category: str) -> None:
    assert category_of(url) == category


@pytest.mark.parametrize(
    ("url", "section"),
    [
        ("https://example.org/sport/football/who-won", "sport"),
        ("https://example.org/who-won-on-sunday", "home"),
        ("https://example.org/story4/who-won", "home"),
        ("https://example.org/", "home"),
    ],
)
def test_an_article_without_a_category_gets_the_first_step_of_its_path(
    url: str, section: str
) -> None:
    assert section_of(url) == section


def id_of(url: str | None, canonical: str = "") -> str | None:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return newsclean.extract(PAGE.format(link), url).id


def test_the_id_never_changes() -> None:
    assert id_of(URL) == "cc266d14282249f721949725be87f1c4"


def test_scheme_tracking_and_fragment_do_not_count_and_the_query_does() -> None:
    assert id_of("http://example.org/news/rain?id=7&utm_source=rss#top") == id_of(URL)
    assert id_of("https://www.example.org/news/rain?id=8") != id_of(URL)


def test_a_canonical_url_of_the_same_site_counts_and_one_of_another_does_not() -> None:
    assert id_of("https://m.example.org/r/7", URL) == id_of(URL)
    assert id_of(URL, "https://example.net/rain") == id_of(URL)


def test_without_a_url_there_is_no_id() -> None:
    assert id_of(None) is None


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
