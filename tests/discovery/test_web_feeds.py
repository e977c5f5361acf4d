"""Feeds of every kind, whole and broken."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Page
from newsclean.discovery.entries import Entry
from newsclean.discovery.sources import SourceError, declared_feeds, parse_feed

URL = "https://example.org/feeds/news"

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Example Times</title><link>https://example.org/</link>
<item><title>Rain &amp; snow</title><link>https://example.org/1</link>
<pubDate>Sat, 14 Mar 2026 09:30:00 +0100</pubDate><category>Weather</category></item>
<item><title>Wind</title><guid>https://example.org/2</guid><dc:date>2026-03-13</dc:date></item>
<item><title>No link</title><guid isPermaLink="false">urn:7</guid></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/">
<link rel="self" href="/feeds/news"/>
<entry><title type="html">Rain</title><link rel="enclosure" href="/a.mp3"/>
<link rel="alternate" href="news/1"/><updated>2026-03-14T10:00:00Z</updated>
<published>2026-03-14T09:30:00Z</published><category term="weather" label="Weather"/></entry>
</feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://example.org/"><title>Example Times</title></channel>
<item rdf:about="https://example.org/1"><title>Rain</title>
<dc:date>2026-03-14T09:30:00+01:00</dc:date><dc:subject>Weather</dc:subject></item></rdf:RDF>"""

JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [
            {
                "id": "1",
                "url": "/1",
                "title": "Rain",
                "date_published": "2026-03-14T09:30:00+01:00",
                "tags": ["Weather"],
            },
            {"id": "https://example.org/2"},
            {"id": "3", "external_url": "https://example.org/3"},
            {"id": "only-a-name"},
            "not an item",
        ],
    }
)


def test_rss_gives_links_dates_categories_and_titles() -> None:
    assert parse_feed(RSS.encode(), URL).pages == [
        Entry("https://example.org/1", "2026-03-14T09:30:00+01:00", "Weather", "Rain & snow"),
        Entry("https://example.org/2", "2026-03-13", None, "Wind"),
    ]


def test_atom_gives_the_page_and_not_its_enclosures() -> None:
    assert parse_feed(ATOM.encode(), URL).pages == [
        Entry(
            "https://example.org/news/1",
            "2026-03-14T09:30:00+00:00",
            "Weather",
            "Rain",
            date_changed="2026-03-14T10:00:00+00:00",
        )
    ]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("<id>https://example.org/1</id>", ["https://example.org/1"]),
        ("<id> http://example.org/1\n</id><link rel='self' href='/x'/>", ["http://example.org/1"]),
        ("<id>https://example.org/1</id><link href='/2'/>", ["https://example.org/2"]),
        ("<id>tag:example.org,2026:1</id>", []),
        ("<id>urn:uuid:60a76c80-d399-11d9-b93c-0003939e0af6</id>", []),
        ("<id>1</id>", []),
        ("<id>/1</id>", []),
    ],
)
def test_an_atom_id_counts_if_it_is_a_url_and_there_is_no_link(
    entry: str, expected: list[str]
) -> None:
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{entry}</entry></feed>'
    assert [found.url for found in parse_feed(feed.encode(), URL).pages] == expected


@pytest.mark.parametrize(
    ("guid", "expected"),
    [
        ("<guid>https://example.org/1</guid>", ["https://example.org/1"]),
        ("<guid isPermaLink='TRUE'>https://example.org/1</guid>", ["https://example.org/1"]),
        ("<guid isPermaLink='False'>https://example.org/1</guid>", []),
        ("<guid>4711</guid>", []),
    ],
)
def test_a_guid_counts_if_it_is_a_url_and_not_called_otherwise(
    guid: str, expected: list[str]
) -> None:
    feed = f"<rss><channel><item>{guid}</item></channel></rss>"
    assert [found.url for found in parse_feed(feed.encode(), URL).pages] == expected


def test_rdf_gives_what_its_items_are_about() -> None:
    assert parse_feed(RDF.encode(), URL).pages == [
        Entry("https://example.org/1", "2026-03-14T09:30:00+01:00", "Weather", "Rain")
    ]


def test_a_json_feed_gives_its_items() -> None:
    assert parse_feed(JSON_FEED.encode(), URL).pages == [
        Entry("https://example.org/1", "2026-03-14T09:30:00+01:00", "Weather", "Rain"),
        Entry("https://example.org/2"),
        Entry("https://example.org/3"),
    ]


def test_a_json_feed_may_begin_with_a_byte_order_mark() -> None:
    assert len(parse_feed(b"\xef\xbb\xbf" + JSON_FEED.encode(), URL).pages) == 3


@pytest.mark.parametrize(
    "broken",
    [
        RSS[: RSS.index("</channel>")],  # cut short
        RSS.replace("&amp;", "&"),
        RSS.replace("&amp;", "&nbsp;"),
        f"\n\n  {RSS}",
        RSS.replace("<title>Example Times</title>", "<title>Example <b>Times</title>"),
    ],
)
def test_broken_xml_is_survived(broken: str) -> None:
    urls = [entry.url for entry in parse_feed(broken.encode(), URL).pages]
    assert urls == ["https://example.org/1", "https://example.org/2"]


def test_a_packed_feed_is_unpacked() -> None:
    assert len(parse_feed(gzip.compress(RSS.encode()), URL).pages) == 2


@pytest.mark.parametrize(
    "body",
    [b"", b"<html><p>Not found", b"{", b'{"items": 7}', b"plain text", b"\x1f\x8bbroken"],
)
def test_what_is_no_feed_is_refused(body: bytes) -> None:
    with pytest.raises(SourceError):
        parse_feed(body, URL)


def test_entities_of_the_document_itself_are_not_expanded() -> None:
    doctype = '<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>\n<rss'
    bomb = RSS.replace("Wind", "&b;").replace("<rss", doctype)
    assert [entry.title for entry in parse_feed(bomb.encode(), URL).pages] == ["Rain & snow", "&b;"]


@pytest.mark.parametrize("place", ["<title>Wind", "<guid>https://example.org/2"])
def test_an_entry_with_a_character_that_does_not_exist_is_left_out_and_counted(place: str) -> None:
    found = parse_feed(RSS.replace(place, f"{place}&#xDFFF;").encode(), URL)
    assert [entry.url for entry in found.pages] == ["https://example.org/1"]
    assert found.unreadable == 2  # and the one without a link


def test_entries_without_a_link_are_counted() -> None:
    assert parse_feed(RSS.encode(), URL).unreadable == 1
    items = ["text", {"title": "No link"}, {"url": "/1"}]
    found = parse_feed(json.dumps({"items": items}).encode(), URL)
    assert (len(found.pages), found.unreadable) == (1, 2)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_feed_or_refused(body: bytes) -> None:
    for head in (b"", b"<rss><item>", b'{"items": ['):
        try:
            entries = parse_feed(head + body, URL).pages
        except SourceError:
            continue
        assert all(entry.url.startswith("http") for entry in entries)


def test_a_page_names_its_feeds_and_those_of_comments_are_left_out() -> None:
    page = Page.from_html(
        '<link rel=alternate type="application/rss+xml" href="/feed">'
        '<link rel="alternate" type="application/atom+xml; charset=utf-8" href="//example.org/a">'
        '<link rel=alternate type="application/rss+xml" href="/comments/feed/">'
        '<link rel=alternate hreflang=de href="/de">'
        '<link rel=alternate type="application/rss+xml" href="javascript:x()">'
        '<link rel=alternate type="application/rss+xml" href="/feed"><p>Rain',
        "https://example.org/news",
    )
    assert declared_feeds(page) == ["https://example.org/feed", "https://example.org/a"]


def test_an_article_has_the_same_url_in_a_feed_as_on_a_page() -> None:
    items = "<item><link>/1?id=7&amp;utm_source=rss#comments</link></item>"
    assert [e.url for e in parse_feed(f"<rss>{items}</rss>".encode(), URL).pages] == [
        "https://example.org/1?id=7"
    ]


def test_a_base_that_is_itself_relative_is_resolved() -> None:
    feed = '<feed xml:base="/news/"><entry xml:base="today/"><link href="rain"/></entry></feed>'
    assert [e.url for e in parse_feed(feed.encode(), URL).pages] == [
        "https://example.org/news/today/rain"
    ]
