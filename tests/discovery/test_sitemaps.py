"""Sitemaps, news sitemaps, indexes, whole and broken."""

import gzip

import pytest

from newsclean.discovery.entries import Entry
from newsclean.discovery.sources import MAX_SIZE, SourceError, parse_sitemap

URL = "https://example.org/sitemap.xml"
NEWS = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://example.org/1</loc><lastmod>2026-03-15</lastmod>
<image:image><image:loc>https://example.org/1.jpg</image:loc></image:image>
<news:news><news:publication><news:name>Example</news:name></news:publication>
<news:publication_date>2026-03-14T09:30:00+01:00</news:publication_date>
<news:title>Rain</news:title></news:news></url>
</urlset>"""
PLAIN = "<urlset><url><loc> https://example.org/1 </loc><lastmod>2026-03-14</lastmod></url>"
INDEX = (
    "<sitemapindex><sitemap><loc>https://example.org/2026-03.xml.gz</loc>"
    "<lastmod>2026-03-14T00:00:00Z</lastmod></sitemap></sitemapindex>"
)


def test_a_news_sitemap_gives_the_date_of_publication() -> None:
    found = parse_sitemap(NEWS.encode(), URL)
    assert found.pages == [
        Entry("https://example.org/1", "2026-03-14T09:30:00+01:00", None, "Rain", "2026-03-15")
    ]
    assert found.is_news


def test_a_sitemap_gives_the_date_of_the_last_change_and_may_be_cut_short() -> None:
    found = parse_sitemap(PLAIN.encode(), URL)
    assert found.pages == [Entry("https://example.org/1", "2026-03-14")]
    assert not found.is_news


def test_an_index_gives_other_sitemaps() -> None:
    found = parse_sitemap(INDEX.encode(), URL)
    assert found.sitemaps == [
        Entry("https://example.org/2026-03.xml.gz", "2026-03-14T00:00:00+00:00")
    ]
    assert found.pages == []


def test_a_packed_sitemap_is_read_as_far_as_it_goes() -> None:
    many = "<urlset>" + "".join(
        f"<url><loc>https://example.org/{n}</loc></url>" for n in range(20_000)
    )
    packed = gzip.compress(many.encode())
    assert len(parse_sitemap(packed, URL).pages) == 20_000
    assert 0 < len(parse_sitemap(packed[: len(packed) // 2], URL).pages) < 20_000


def test_a_packed_sitemap_that_unpacks_without_end_is_refused() -> None:
    with pytest.raises(SourceError, match="unpacks to more than"):
        parse_sitemap(gzip.compress(b"<" * (MAX_SIZE + 1)), URL)


def test_a_text_with_urls_is_a_sitemap() -> None:
    text = "https://example.org/1\nhttps://example.org/2\n\nnot a URL\n"
    found = parse_sitemap(text.encode(), URL)
    assert [entry.url for entry in found.pages] == [
        "https://example.org/1",
        "https://example.org/2",
    ]


def test_a_feed_is_a_sitemap() -> None:
    feed = b"<rss><channel><item><link>https://example.org/1</link></item></channel></rss>"
    assert [entry.url for entry in parse_sitemap(feed, URL).pages] == ["https://example.org/1"]


@pytest.mark.parametrize("body", [b"", b"<html><p>Not found", b"no URL at all"])
def test_what_is_no_sitemap_is_refused(body: bytes) -> None:
    with pytest.raises(SourceError):
        parse_sitemap(body, URL)


@pytest.mark.parametrize("body", [NEWS, PLAIN, INDEX])
def test_an_entry_with_a_character_that_does_not_exist_is_left_out_and_counted(body: str) -> None:
    found = parse_sitemap(body.replace("https://example.org/", "&#55296;", 1).encode(), URL)
    assert (found.pages, found.sitemaps, found.unreadable) == ([], [], 1)
