"""Feeds, sitemaps and robots.txt: the articles that a site announces.

In: the bytes of a source and its URL. Out: the entries in it and the sitemaps that it names.
`parse_feed` and `parse_sitemap` read as much as they can of broken files. `Source.read` applies the
rules of a crawl: only the source's own site, and only news sitemaps unless the user named the
source.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urljoin, urlsplit

from lxml import etree

from newsclean.discovery.entries import Entry, entries_by_site, newest_first
from newsclean.extraction.is_article.link_target import SURELY_NOT, article_likelihood
from newsclean.extraction.metadata.dates import iso_date
from newsclean.urls import (
    article_url,
    registered_domain,
    resolve_link,
    resolve_url,
    same_site,
    site_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from newsclean.extraction.page import Page

_Kind = Literal["feed", "sitemap", "robots"]
_Value = TypeVar("_Value")

#: Uncompressed bytes of a feed or sitemap; the sitemap protocol allows 50 MB.
MAX_SIZE = 50 * 1024 * 1024
#: Entries of a file that are read; the sitemap protocol allows 50,000.
_MAX_ENTRIES = 50_000
#: Characters of a title or category; the rest is cut off.
_MAX_TEXT = 300

#: Feeds declared by one page that are read.
_MAX_FEEDS = 10
#: Sitemaps of one site that are read: those that robots.txt declares, and those named in sitemaps
#: that the user named.
MAX_SITEMAPS, _MAX_NESTED_SITEMAPS = 20, 100

_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(rb"\A[^<]+")
#: What may precede the first character of a JSON document: white space, the UTF-8 byte order mark.
_BEFORE_JSON = b" \t\r\n\xef\xbb\xbf"

_FEED_TYPES = frozenset(
    "application/rss+xml application/atom+xml application/rdf+xml application/feed+json".split()
)
_FEED_ROOTS = frozenset({"rss", "feed", "rdf"})
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


class SourceError(ValueError):
    """A feed, sitemap or list that cannot be read at all."""


@dataclass(frozen=True)
class Listing:
    """The contents of a feed or a sitemap."""

    #: articles, with the date of the publication or else of the last change
    pages: list[Entry] = field(default_factory=list)
    #: other sitemaps, with the date of their last change
    sitemaps: list[Entry] = field(default_factory=list)
    #: whether it is a news sitemap, which lists only articles
    is_news: bool = False
    #: number of entries that cannot be read
    unreadable: int = 0


def parse_feed(body: bytes, url: str) -> Listing:
    """Read RSS, Atom, RDF or JSON Feed, in its order; `SourceError` if it is not a feed.

    >>> parse_feed(b"<rss><channel><item><link>/1</link><title>Rain", "https://a.org/feed").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='Rain', date_changed=None)]
    """
    body = _unpacked(body)
    if body.lstrip(_BEFORE_JSON)[:1] == b"{":
        return _json_listing(body, url)
    root = _parse_xml(body)
    if _local_name(root) not in _FEED_ROOTS:
        raise SourceError(f"is not a feed: its root is <{_local_name(root)}>")
    items = (item for item in root.iter() if _local_name(item) in ("item", "entry"))
    pages, unreadable = _read_each(
        islice(items, _MAX_ENTRIES), lambda item: _feed_entry(item, _base(root, url))
    )
    return Listing(pages, unreadable=unreadable)


def parse_sitemap(body: bytes, url: str) -> Listing:
    """Read a sitemap, gzipped or not, broken or not; `SourceError` if it is not one.

    The protocol also allows a feed, or a text file with a URL on each line.

    >>> parse_sitemap(b"<urlset><url><loc>https://a.org/1</loc>", "https://a.org/x.xml").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='', date_changed=None)]
    """
    body = _unpacked(body)
    if b"<" not in body[:4096]:
        return _text_sitemap(body)
    root = _parse_xml(body)
    name = _local_name(root)
    if name in _FEED_ROOTS:
        return parse_feed(body, url)
    if name not in ("urlset", "sitemapindex"):
        raise SourceError(f"is not a sitemap: its root is <{name}>")
    found = list(islice(_children(root, "url"), _MAX_ENTRIES))
    indexed = islice(_children(root, "sitemap"), _MAX_ENTRIES)
    pages, bad_pages = _read_each(found, lambda element: _sitemap_page(element, url))
    sitemaps, bad_sitemaps = _read_each(indexed, lambda element: _nested_sitemap(element, url))
    is_news = any(True for element in found for _ in _children(element, "news"))
    return Listing(pages, sitemaps, is_news, bad_pages + bad_sitemaps)


def robots_sitemaps(body: bytes, url: str) -> list[Entry]:
    """Return the sitemaps that a robots.txt names, in its order.

    >>> [entry.url for entry in robots_sitemaps(b"Sitemap: /s.xml", "https://a.org/robots.txt")]
    ['https://a.org/s.xml']
    """
    pairs = (line.partition(":") for line in body.decode("utf-8-sig", "replace").splitlines())
    named = (value for name, _, value in pairs if name.strip().lower() == "sitemap")
    return [Entry(found) for value in named if (found := resolve_url(value, url))]


def declared_feeds(page: Page) -> list[str]:
    """Return the feeds of the page's own site that its head names, except comment feeds."""
    base = page.base_url
    found: dict[str, None] = {}
    for link in page.elements("link"):
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        if kind not in _FEED_TYPES or "alternate" not in (link.get("rel") or "").lower():
            continue
        url = resolve_link(link.get("href"), base)
        if url and url.startswith("http") and "comments" not in urlsplit(url).path.split("/"):
            found[url] = None
    return [url for url in found if page.url is None or same_site(url, page.url)]


def _feed_entry(item: etree._Element, base: str) -> Entry | None:
    link = next(filter(None, _entry_links(item, base)), None)
    if link is None:
        return None
    published = iso_date(_text_of(item, "pubdate", "published", "issued", "date"))
    changed = iso_date(_text_of(item, "updated", "modified"))
    title = _text_of(item, "title")[:_MAX_TEXT]
    return Entry(article_url(link), published or changed, _category(item), title, changed)


def _entry_links(item: etree._Element, base: str) -> Iterator[str | None]:
    """Yield the URLs that an entry may mean, the surest first; an id need not be a URL."""
    base = _base(item, base)
    yield resolve_url(_text_of(item, "origlink"), base)
    for link in _children(item, "link"):
        if (link.get("rel") or "alternate").lower() == "alternate":
            yield resolve_url(link.get("href") or "".join(map(str, link.itertext())), base)
    for guid in _children(item, "guid"):
        if (guid.get("isPermaLink") or "true").lower() != "false":
            yield resolve_url("".join(map(str, guid.itertext())), None)
    about = next((str(value) for name, value in item.items() if str(name).endswith("}about")), None)
    yield resolve_url(about, base)
    yield resolve_url(_text_of(item, "id"), None)


def _category(item: etree._Element) -> str | None:
    for category in _children(item, "category", "subject", "section"):
        name = (
            category.get("label") or category.get("term") or "".join(map(str, category.itertext()))
        )
        if name and (name := " ".join(name.split())[:_MAX_TEXT]):
            return name
    return None


def _json_listing(body: bytes, url: str) -> Listing:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is not JSON: {error}") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise SourceError("is JSON, and not a JSON Feed: it has no list of items")
    pages = [_json_entry(item, url) for item in items[:_MAX_ENTRIES]]
    found = [entry for entry in pages if entry is not None]
    return Listing(found, unreadable=len(pages) - len(found))


def _json_entry(item: object, url: str) -> Entry | None:
    if not isinstance(item, dict):
        return None
    named = [resolve_url(item.get(name), url) for name in ("url", "external_url")]
    link = next(filter(None, (*named, resolve_url(item.get("id"), None))), None)
    if link is None:
        return None
    published = iso_date(item.get("date_published"))
    changed = iso_date(item.get("date_modified"))
    tags = item.get("tags")
    category = _first_text(tags if isinstance(tags, list) else ())
    title = (_first_text((item.get("title"),)) or "")[:_MAX_TEXT]
    return Entry(article_url(link), published or changed, category, title, changed)


def _first_text(values: Iterable[Any]) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)


def _base(element: etree._Element, url: str) -> str:
    """Return the base URL of the links in an element; `xml:base` may itself be relative."""
    return resolve_url(element.get(_XML_BASE), url) or url


def _sitemap_page(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(_text_of(element, "loc"), url)
    if not location:
        return None
    changed = iso_date(_text_of(element, "lastmod"))
    news = next(_children(element, "news"), None)
    if news is None:
        return Entry(article_url(location), changed)
    date = iso_date(_text_of(news, "publication_date")) or changed
    title = _text_of(news, "title")
    return Entry(article_url(location), date, title=title, date_changed=changed)


def _nested_sitemap(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(_text_of(element, "loc"), url)
    return Entry(location, iso_date(_text_of(element, "lastmod"))) if location else None


def _text_sitemap(body: bytes) -> Listing:
    lines = body.decode("utf-8-sig", "replace").split()
    found = [resolve_url(line, None) for line in lines[:_MAX_ENTRIES]]
    pages = [Entry(url) for url in found if url]
    if not pages:
        raise SourceError("is not a sitemap: it has no URLs")
    return Listing(pages)


def _unpacked(body: bytes) -> bytes:
    """Uncompress a document if it is gzipped; of a truncated one, return what is there."""
    if not body.startswith(_GZIP):
        return body
    parts = []
    size = 0
    try:
        with gzip.open(io.BytesIO(body)) as packed:
            while piece := packed.read(1 << 16):
                size += len(piece)
                if size > MAX_SIZE:
                    raise SourceError(f"unpacks to more than {MAX_SIZE:,} bytes")
                parts.append(piece)
    except (OSError, EOFError, zlib.error) as error:
        if not parts:
            raise SourceError(f"cannot be unpacked: {error}") from None
    return b"".join(parts)


def _parse_xml(body: bytes) -> etree._Element:
    """Parse XML, broken or not, without resolving entities or loading anything."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, huge_tree=False, remove_pis=True
    )
    try:
        root = etree.fromstring(_BEFORE_ROOT.sub(b"", body), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SourceError(f"is not XML: {error}") from None
    if root is None:
        raise SourceError("is not XML: it has no element")
    return root


def _local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace, in lower case.

    It is empty for comments and for elements whose namespace cannot be read.

    >>> _local_name(etree.fromstring('<a:Link xmlns:a="http://www.w3.org/2005/Atom"/>'))
    'link'
    """
    try:
        tag = element.tag
    except UnicodeDecodeError:
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _children(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Return the children with any of these names, whatever their namespace."""
    return (child for child in element if _local_name(child) in names)


def _read_each(
    elements: Iterable[etree._Element], read: Callable[[etree._Element], _Value | None]
) -> tuple[list[_Value], int]:
    """Return what `read` returns for each element, and the number of unreadable elements.

    An element without a URL counts as unreadable. libxml2 accepts references to invalid characters,
    like `&#xD800;`, but the texts and attributes that contain them cannot be read from its tree.
    """
    found: list[_Value] = []
    unreadable = 0
    for element in elements:
        try:
            value = read(element)
        except UnicodeDecodeError:
            value = None
        if value is None:
            unreadable += 1
        else:
            found.append(value)
    return found, unreadable


def _text_of(element: etree._Element, *names: str) -> str:
    """Return the text of the first child that has one of these names and any text."""
    for name in names:
        for child in _children(element, name):
            if text := " ".join("".join(map(str, child.itertext())).split()):
                return text
    return ""


@dataclass(frozen=True)
class SourceReading:
    """What a crawl takes from a source."""

    pages: list[Entry]
    #: further sources that it names
    sources: list[Source]
    #: number of entries that lead to other sites
    elsewhere: int = 0
    #: number of entries of a general sitemap whose URLs are clearly not those of articles
    unlikely: int = 0
    #: number of entries that cannot be read
    unreadable: int = 0


@dataclass(frozen=True)
class Source:
    """A feed, a sitemap or a robots.txt, to be read in a crawl."""

    url: str
    kind: _Kind
    #: whether the user named it, or a sitemap that names it; else only news sitemaps are wanted
    is_named: bool = False
    #: when it last changed, if the sitemap that names it says so
    changed: datetime | None = None

    def read(self, body: bytes, url: str) -> SourceReading:
        """Read the entries of the source's own site; `SourceError` if it cannot be read.

        A feed that the user named may be hosted elsewhere: if it has no entries of its own site,
        the site with the most entries counts as its own.
        """
        listing = self._parse(body, url)
        is_general = self.kind == "sitemap" and not listing.is_news
        listed = listing.pages if self.is_named or not is_general else []
        pages = _of_site(listed, url)
        if self.kind == "feed" and self.is_named and not pages:
            main = max(entries_by_site(listed).values(), key=len, default=[])
            pages = _of_site(listed, main[0].url) if main else []
        sitemaps = _of_site(listing.sitemaps, url)
        elsewhere = len(listed) - len(pages) + len(listing.sitemaps) - len(sitemaps)
        likely = pages
        if is_general:
            likely = [page for page in pages if article_likelihood(page.url) >= SURELY_NOT]
        return SourceReading(
            likely,
            self._nested(sitemaps),
            elsewhere,
            unlikely=len(pages) - len(likely),
            unreadable=listing.unreadable,
        )

    def _parse(self, body: bytes, url: str) -> Listing:
        if self.kind == "robots":
            return Listing(sitemaps=robots_sitemaps(body, url))
        return parse_feed(body, url) if self.kind == "feed" else parse_sitemap(body, url)

    def _nested(self, sitemaps: list[Entry]) -> list[Source]:
        """Return the sitemaps to read; of declared ones those named "news", or else the first."""
        if self.kind == "sitemap":
            sitemaps = newest_first(sitemaps)
        if not self.is_named:
            news = [one for one in sitemaps if "news" in urlsplit(one.url).path.lower()]
            sitemaps = news or sitemaps[:1]
        return [
            Source(one.url, "sitemap", self.is_named, one.latest_moment if one.date else None)
            for one in sitemaps
        ]


def _of_site(entries: Iterable[Entry], url: str) -> list[Entry]:
    return [entry for entry in entries if same_site(entry.url, url)]


class KnownSources:
    """The sources that a crawl has found: each is read once, and not too many of a site."""

    def __init__(self, since: datetime | None = None) -> None:
        #: sitemaps that last changed before this time are not read
        self.since = since
        #: number of sitemaps that were not read because their site has too many
        self.not_read = 0
        self._seen: set[str] = set()
        self._sitemaps: Counter[str] = Counter()

    def named(self, sources: Iterable[Source]) -> list[Source]:
        """Return the sources that the user named, each once; all of them are read."""
        new = {source.url: source for source in sources if source.url not in self._seen}
        self._seen |= new.keys()
        return list(new.values())

    def declared(self, page: Page) -> list[Source]:
        """Return the new feeds that a section page declares, and the site's robots.txt."""
        if page.url is None:
            return []
        feeds = [Source(url, "feed") for url in declared_feeds(page)[:_MAX_FEEDS]]
        return self.new([*feeds, Source(urljoin(page.url, "/robots.txt"), "robots")])

    def new(self, sources: Iterable[Source]) -> list[Source]:
        """Return those of the sources that have not been found before and are to be read."""
        found = []
        for source in sources:
            if source.url in self._seen or self._is_too_old(source):
                continue
            self._seen.add(source.url)
            if source.kind == "sitemap" and not self._has_room(source):
                self.not_read += 1
                continue
            found.append(source)
        return found

    def _is_too_old(self, source: Source) -> bool:
        return self.since is not None and source.changed is not None and source.changed < self.since

    def _has_room(self, sitemap: Source) -> bool:
        """Count a sitemap of a site: an index may name others without end."""
        site = registered_domain(site_of(sitemap.url) or "")
        self._sitemaps[site] += 1
        most = _MAX_NESTED_SITEMAPS if sitemap.is_named else MAX_SITEMAPS
        return self._sitemaps[site] <= most
