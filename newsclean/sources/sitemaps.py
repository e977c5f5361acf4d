"""Sitemaps: lists of a site's addresses, and lists of such lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from newsclean.identity import article_address
from newsclean.metadata.dates import iso_date
from newsclean.metadata.urls import resolve_url
from newsclean.sources.entries import Entry
from newsclean.sources.web_feeds import ROOTS, parse_feed
from newsclean.sources.xml import (
    SourceError,
    children,
    local_name,
    parse_xml,
    text_of,
    unpacked,
)

#: The protocol allows 50,000 addresses in a file.
MAX_ENTRIES = 50_000


@dataclass(frozen=True)
class Sitemap:
    """What one file names."""

    #: pages, with the date of a news sitemap or else of the last change
    pages: list[Entry] = field(default_factory=list)
    #: other sitemaps, with the date of their last change
    sitemaps: list[Entry] = field(default_factory=list)
    #: whether it is a news sitemap, which names articles alone
    is_news: bool = False


def parse_sitemap(body: bytes, url: str) -> Sitemap:
    """The addresses in a sitemap, gzipped or not, broken or not; `SourceError` if it is not one.

    The protocol also takes a feed, or a text with an address on each line.

    >>> parse_sitemap(b"<urlset><url><loc>https://a.org/1</loc>", "https://a.org/x.xml").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='', date_changed=None)]
    """
    body = unpacked(body)
    if b"<" not in body[:4096]:
        return _text_sitemap(body, url)
    root = parse_xml(body)
    name = local_name(root)
    if name in ROOTS:
        return Sitemap(pages=parse_feed(body, url))
    if name not in ("urlset", "sitemapindex"):
        raise SourceError(f"is not a sitemap: its root is <{name}>")
    pages: list[Entry] = []
    sitemaps: list[Entry] = []
    is_news = False
    for element in children(root, "url", "sitemap"):
        if len(pages) + len(sitemaps) >= MAX_ENTRIES:
            break
        location = resolve_url(text_of(element, "loc"), url)
        if not location:
            continue
        changed = iso_date(text_of(element, "lastmod"))
        news = next(children(element, "news"), None)
        if local_name(element) == "sitemap":
            sitemaps.append(Entry(location, changed))
        elif news is None:
            pages.append(Entry(article_address(location), changed))
        else:
            is_news = True
            date = iso_date(text_of(news, "publication_date")) or changed
            title = text_of(news, "title")
            address = article_address(location)
            pages.append(Entry(address, date, title=title, date_changed=changed))
    return Sitemap(pages, sitemaps, is_news)


def _text_sitemap(body: bytes, url: str) -> Sitemap:
    lines = body.decode("utf-8-sig", "replace").split()
    found = [resolve_url(line, None) for line in lines[:MAX_ENTRIES]]
    pages = [Entry(address) for address in found if address]
    if not pages:
        raise SourceError("is not a sitemap: it names no address")
    return Sitemap(pages)
