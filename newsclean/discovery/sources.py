"""Feeds, sitemaps and lists of URLs: the articles that a site announces."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from lxml import etree

from newsclean.extraction.metadata.dates import date_in_url, iso_date
from newsclean.text import moment_of
from newsclean.urls import article_address, base_url, resolve_link, resolve_url, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.extraction.page import Page


# Articles as a feed, a sitemap or a list names them.


@dataclass(frozen=True)
class Entry:
    """The address of an article, and what the source says of it."""

    url: str
    #: ISO 8601, of the publication or, where only that is given, of the last change
    date: str | None = None
    category: str | None = None
    title: str = ""
    #: ISO 8601, of the last change, where the source gives it
    date_changed: str | None = None

    @property
    def moment(self) -> datetime | None:
        """The date as a point in time; the one in the address where the source gives none."""
        return moment_of(self.date) or moment_of(date_in_url(self.url))

    @property
    def latest_moment(self) -> datetime | None:
        """The last point in time that the date may mean: of a day alone, its end."""
        date = self.date if moment_of(self.date) else date_in_url(self.url)
        moment = moment_of(date)
        if moment is None or date is None or len(date) > len("2026-03-14"):
            return moment
        return moment + _ALMOST_A_DAY

    @property
    def changed(self) -> datetime | None:
        """When the article has changed last, by the dates of the source; it may be its first."""
        moments = map(moment_of, (self.date, self.date_changed))
        return max((moment for moment in moments if moment is not None), default=None)

    def merged_with(self, other: Entry) -> Entry:
        """With what another entry of the same address says beside, and the later change."""
        later = max((self, other), key=lambda entry: entry.changed or _OLDEST)
        return replace(
            self,
            date=self.date or other.date,
            category=self.category or other.category,
            title=self.title or other.title,
            date_changed=later.changed.isoformat() if later.changed else None,
        )


@dataclass(frozen=True)
class Listing:
    """What a feed or a sitemap names."""

    #: pages, with the date of the publication or else of the last change
    pages: list[Entry] = field(default_factory=list)
    #: other sitemaps, with the date of their last change
    sitemaps: list[Entry] = field(default_factory=list)
    #: whether it is a news sitemap, which names articles alone
    is_news: bool = False
    #: how many entries were left out because they cannot be read
    unreadable: int = 0


_ALMOST_A_DAY = timedelta(days=1, microseconds=-1)
_OLDEST = datetime.min.replace(tzinfo=UTC)


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """Each address once, the newest first; those without a date come last, in their order.

    >>> found = newest_first([Entry("a"), Entry("b", "2026-03-01"), Entry("c", "2026-03-02")])
    >>> [entry.url for entry in found]
    ['c', 'b', 'a']
    """
    by_url: dict[str, Entry] = {}
    for entry in entries:
        known = by_url.get(entry.url)
        by_url[entry.url] = entry if known is None else known.merged_with(entry)
    return sorted(by_url.values(), key=lambda entry: entry.moment or _OLDEST, reverse=True)


# Feeds and sitemaps as XML: what can be read of them is read.

#: Bytes of a feed or sitemap, unpacked; the sitemap protocol allows 50 MB.
MAX_SIZE = 50 * 1024 * 1024

_Value = TypeVar("_Value")

_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(rb"\A[^<]+")


class SourceError(ValueError):
    """A feed, sitemap or list that cannot be read at all."""


def unpacked(body: bytes) -> bytes:
    """The bytes of a document that may be gzipped; of a packed one cut short, what is there."""
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
    """The root of an XML document, broken or not; entities and addresses are not followed."""
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
    """The name of an element without its namespace, in lower case.

    Comments, and elements whose namespace cannot be read, have none.

    >>> _local_name(etree.fromstring('<a:Link xmlns:a="http://www.w3.org/2005/Atom"/>'))
    'link'
    """
    try:
        tag = element.tag
    except UnicodeDecodeError:
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def children(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    """The children of an element with any of these names, whatever their namespace."""
    return (child for child in element if _local_name(child) in names)


def _read_each(
    elements: Iterable[etree._Element], read: Callable[[etree._Element], _Value | None]
) -> tuple[list[_Value], int]:
    """What `read` returns for each element, and how many elements cannot be read.

    libxml2 takes references to characters that do not exist, as `&#xD800;`, into a tree from which
    their texts and attributes cannot be had.
    """
    found: list[_Value] = []
    unreadable = 0
    for element in elements:
        try:
            value = read(element)
        except UnicodeDecodeError:
            unreadable += 1
        else:
            if value is not None:
                found.append(value)
    return found, unreadable


def _text_of(element: etree._Element, *names: str) -> str:
    """The text of the first child that has one of these names and any text."""
    for name in names:
        for child in children(element, name):
            if text := " ".join("".join(map(str, child.itertext())).split()):
                return text
    return ""


# RSS, Atom, RDF and JSON Feed: the articles that a site announces.

#: Of a feed with more entries, the first ones are read.
_MAX_ENTRIES = 50_000
#: Entries of more characters are not titles or categories.
_MAX_TEXT = 300
#: What may come before the first character of a JSON document: white space, the mark of UTF-8.
_BEFORE_JSON = b" \t\r\n\xef\xbb\xbf"

_FEED_TYPES = frozenset(
    "application/rss+xml application/atom+xml application/rdf+xml application/feed+json".split()
)
_ROOTS = frozenset({"rss", "feed", "rdf"})
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


def parse_feed(body: bytes, url: str) -> Listing:
    """The entries of a feed, in its order; `SourceError` if it is not one.

    >>> parse_feed(b"<rss><channel><item><link>/1</link><title>Rain", "https://a.org/feed").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='Rain', date_changed=None)]
    """
    body = unpacked(body)
    if body.lstrip(_BEFORE_JSON)[:1] == b"{":
        return Listing(list(_json_entries(body, url)))
    root = _parse_xml(body)
    if _local_name(root) not in _ROOTS:
        raise SourceError(f"is not a feed: its root is <{_local_name(root)}>")
    items = islice(filter(_is_item, root.iter()), _MAX_ENTRIES)
    pages, unreadable = _read_each(items, lambda item: _entry(item, _base(root, url)))
    return Listing(pages, unreadable=unreadable)


def declared_feeds(page: Page) -> list[str]:
    """The feeds that a page names in its head, without those of readers' comments."""
    base = base_url(page.elements("base"), page.url)
    found: dict[str, None] = {}
    for link in page.elements("link"):
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        if kind not in _FEED_TYPES or "alternate" not in (link.get("rel") or "").lower():
            continue
        url = resolve_link(link.get("href"), base)
        if url and url.startswith("http") and "comments" not in urlsplit(url).path.split("/"):
            found[url] = None
    return list(found)


def _entry(item: etree._Element, base: str) -> Entry | None:
    link = next(filter(None, _links(item, base)), None)
    if link is None:
        return None
    published = iso_date(_text_of(item, "pubdate", "published", "issued", "date"))
    changed = iso_date(_text_of(item, "updated", "modified"))
    title = _text_of(item, "title")[:_MAX_TEXT]
    return Entry(article_address(link), published or changed, _category(item), title, changed)


def _base(element: etree._Element, url: str) -> str:
    """The address against which links in an element are resolved; its own may be relative."""
    return resolve_url(element.get(_XML_BASE), url) or url


def _is_item(element: etree._Element) -> bool:
    return _local_name(element) in ("item", "entry")


def _links(item: etree._Element, base: str) -> Iterator[str | None]:
    """Where an entry may lead, the surest first; an id may be an address or only a name."""
    base = _base(item, base)
    yield resolve_url(_text_of(item, "origlink"), base)
    for link in children(item, "link"):
        if (link.get("rel") or "alternate").lower() == "alternate":
            yield resolve_url(link.get("href") or "".join(map(str, link.itertext())), base)
    for guid in children(item, "guid"):
        if (guid.get("isPermaLink") or "true").lower() != "false":
            yield resolve_url("".join(map(str, guid.itertext())), None)
    about = next((str(value) for name, value in item.items() if str(name).endswith("}about")), None)
    yield resolve_url(about, base)
    yield resolve_url(_text_of(item, "id"), None)


def _category(item: etree._Element) -> str | None:
    for category in children(item, "category", "subject", "section"):
        name = (
            category.get("label") or category.get("term") or "".join(map(str, category.itertext()))
        )
        if name and (name := " ".join(name.split())[:_MAX_TEXT]):
            return name
    return None


def _json_entries(body: bytes, url: str) -> Iterator[Entry]:
    try:
        feed = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"is not JSON: {error}") from None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        raise SourceError("is JSON, and not a JSON Feed: it has no list of items")
    for item in items[:_MAX_ENTRIES]:
        if not isinstance(item, dict):
            continue
        named = [resolve_url(item.get(name), url) for name in ("url", "external_url")]
        link = next(filter(None, (*named, resolve_url(item.get("id"), None))), None)
        if link:
            published = iso_date(item.get("date_published"))
            changed = iso_date(item.get("date_modified"))
            tags = item.get("tags")
            category = _first_text(tags if isinstance(tags, list) else ())
            title = _first_text((item.get("title"),)) or ""
            address = article_address(link)
            yield Entry(address, published or changed, category, title[:_MAX_TEXT], changed)


def _first_text(values: Iterable[Any]) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)


# Sitemaps: lists of a site's addresses, and lists of such lists.

#: The protocol allows 50,000 addresses in a file.


def parse_sitemap(body: bytes, url: str) -> Listing:
    """The addresses in a sitemap, gzipped or not, broken or not; `SourceError` if it is not one.

    The protocol also takes a feed, or a text with an address on each line.

    >>> parse_sitemap(b"<urlset><url><loc>https://a.org/1</loc>", "https://a.org/x.xml").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='', date_changed=None)]
    """
    body = unpacked(body)
    if b"<" not in body[:4096]:
        return _text_sitemap(body)
    root = _parse_xml(body)
    name = _local_name(root)
    if name in _ROOTS:
        return parse_feed(body, url)
    if name not in ("urlset", "sitemapindex"):
        raise SourceError(f"is not a sitemap: its root is <{name}>")
    found = list(islice(children(root, "url"), _MAX_ENTRIES))
    indexed = islice(children(root, "sitemap"), _MAX_ENTRIES)
    pages, bad_pages = _read_each(found, lambda element: _page(element, url))
    sitemaps, bad_sitemaps = _read_each(indexed, lambda element: _sitemap(element, url))
    is_news = any(True for element in found for _ in children(element, "news"))
    return Listing(pages, sitemaps, is_news, bad_pages + bad_sitemaps)


def _page(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(_text_of(element, "loc"), url)
    if not location:
        return None
    changed = iso_date(_text_of(element, "lastmod"))
    news = next(children(element, "news"), None)
    if news is None:
        return Entry(article_address(location), changed)
    date = iso_date(_text_of(news, "publication_date")) or changed
    title = _text_of(news, "title")
    return Entry(article_address(location), date, title=title, date_changed=changed)


def _sitemap(element: etree._Element, url: str) -> Entry | None:
    location = resolve_url(_text_of(element, "loc"), url)
    return Entry(location, iso_date(_text_of(element, "lastmod"))) if location else None


def _text_sitemap(body: bytes) -> Listing:
    lines = body.decode("utf-8-sig", "replace").split()
    found = [resolve_url(line, None) for line in lines[:_MAX_ENTRIES]]
    pages = [Entry(address) for address in found if address]
    if not pages:
        raise SourceError("is not a sitemap: it names no address")
    return Listing(pages)


# Lists of addresses: a line each, CSV with a heading, or JSON lines.


def read_url_list(
    lines: Iterable[str], refused: Callable[[int, str], object] = lambda number, why: None
) -> Iterator[Entry]:
    """The entries of a list, each address once; `refused` is called with the number of a bad line.

    CSV is known by a heading with a column `url`, JSON lines by their braces; both may have
    `category` and `date`. Empty lines and lines that begin with # are left out.

    >>> [entry.category for entry in read_url_list(["url,category", "https://a.org/1,sport"])]
    ['sport']
    """
    columns: list[str] | None = None
    is_first = True
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        line = line.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        if is_first:
            is_first = False
            heading = [name.strip(' "').lower() for name in line.split(",")]
            if "url" in heading:
                columns = heading
                continue
        try:
            fields = _fields(line, columns)
        except ValueError as error:
            refused(number, str(error))
            continue
        url = resolve_url(fields.get("url"), None)
        if url is None or site_of(url) is None:
            refused(number, f"{fields.get('url')!r} is not a URL of a web page")
        elif url not in seen:
            seen.add(url)
            yield Entry(url, iso_date(fields.get("date")), fields.get("category") or None)


def _fields(line: str, columns: list[str] | None) -> dict[str, str]:
    if columns is not None:
        try:
            return dict(zip(columns, next(csv.reader([line], strict=True)), strict=False))
        except csv.Error as error:
            raise ValueError(f"not a line of CSV: {error}") from None
    if not line.startswith("{"):
        return {"url": line}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    return {name: value for name, value in record.items() if isinstance(value, str)}
