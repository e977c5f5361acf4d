"""Sitemaps: lists of a site's addresses, and lists of such lists."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from newsclean.extraction.metadata.dates import iso_date
from newsclean.sources.entries import Entry, Listing
from newsclean.sources.web_feeds import ROOTS, parse_feed
from newsclean.sources.xml import (
    SourceError,
    children,
    local_name,
    parse_xml,
    read_each,
    text_of,
    unpacked,
)
from newsclean.urls import article_address, resolve_url

if TYPE_CHECKING:
    from lxml import etree

#: The protocol allows 50,000 addresses in a file.
MAX_ENTRIES = 50_000


def parse_sitemap(body: bytes, url: str) -> Listing:
    """The addresses in a sitemap, gzipped or not, broken or not; `SourceError` if it is not one.

    The protocol also takes a feed, or a text with an address on each line.

    >>> parse_sitemap(b"<urlset><url><loc>https://a.org/1</loc>", "https://a.org/x.xml").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='', date_changed=None)]
    """
    body = unpacked(body)
    if b"<" not in body[:4096]:
        return _text_sitemap(body)
    root = parse_xml(body)
    name = local_name(root)
    if name in ROOTS:
        return parse_feed(body, url)
    if name not in ("urlset", "sitemapindex"):
        raise SourceError(f"is not a sitemap: its root is <{name}>")
    found = list(islice(children(root, "url"), MAX_ENTRIES))
    indexed = islice(children(root, "sitemap"), MAX_ENTRIES)
    pages, bad_pages = read_each(found, lambda element: _page(element, url))
    sitemaps, bad_sitemaps = read_each(indexed, lambda element: _sitemap(element, url))
    is_news = any(True for element in found for _ in children(element, "news"))
    return Listing(pages, sitemaps, is_news, bad_pages + bad_sitemaps)


def _page(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(text_of(element, "loc"), url)
    if not location:
        return None
    changed = iso_date(text_of(element, "lastmod"))
    news = next(children(element, "news"), None)
    if news is None:
        return Entry(article_address(location), changed)
    date = iso_date(text_of(news, "publication_date")) or changed
    title = text_of(news, "title")
    return Entry(article_address(location), date, title=title, date_changed=changed)


def _sitemap(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(text_of(element, "loc"), url)
    return Entry(location, iso_date(text_of(element, "lastmod"))) if location else None


def _text_sitemap(body: bytes) -> Listing:
    lines = body.decode("utf-8-sig", "replace").split()
    found = [resolve_url(line, None) for line in lines[:MAX_ENTRIES]]
    pages = [Entry(address) for address in found if address]
    if not pages:
        raise SourceError("is not a sitemap: it names no address")
    return Listing(pages)
