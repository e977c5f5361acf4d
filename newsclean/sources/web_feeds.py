"""RSS, Atom, RDF and JSON Feed: the articles that a site announces."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsclean.extraction.metadata.dates import iso_date
from newsclean.sources.entries import Entry, Listing
from newsclean.sources.xml import (
    SourceError,
    children,
    local_name,
    parse_xml,
    read_each,
    text_of,
    unpacked,
)
from newsclean.urls import article_address, base_url, resolve_link, resolve_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

    from newsclean.extraction.page import Page

#: Of a feed with more entries, the first ones are read.
MAX_ENTRIES = 50_000
#: Entries of more characters are not titles or categories.
MAX_TEXT = 300
#: What may come before the first character of a JSON document: white space, the mark of UTF-8.
_BEFORE_JSON = b" \t\r\n\xef\xbb\xbf"

FEED_TYPES = frozenset(
    "application/rss+xml application/atom+xml application/rdf+xml application/feed+json".split()
)
ROOTS = frozenset({"rss", "feed", "rdf"})
XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


def parse_feed(body: bytes, url: str) -> Listing:
    """The entries of a feed, in its order; `SourceError` if it is not one.

    >>> parse_feed(b"<rss><channel><item><link>/1</link><title>Rain", "https://a.org/feed").pages
    [Entry(url='https://a.org/1', date=None, category=None, title='Rain', date_changed=None)]
    """
    body = unpacked(body)
    if body.lstrip(_BEFORE_JSON)[:1] == b"{":
        return Listing(list(_json_entries(body, url)))
    root = parse_xml(body)
    if local_name(root) not in ROOTS:
        raise SourceError(f"is not a feed: its root is <{local_name(root)}>")
    items = islice(filter(_is_item, root.iter()), MAX_ENTRIES)
    pages, unreadable = read_each(items, lambda item: _entry(item, _base(root, url)))
    return Listing(pages, unreadable=unreadable)


def declared_feeds(page: Page) -> list[str]:
    """The feeds that a page names in its head, without those of readers' comments."""
    base = base_url(page.elements("base"), page.url)
    found: dict[str, None] = {}
    for link in page.elements("link"):
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        if kind not in FEED_TYPES or "alternate" not in (link.get("rel") or "").lower():
            continue
        url = resolve_link(link.get("href"), base)
        if url and url.startswith("http") and "comments" not in urlsplit(url).path.split("/"):
            found[url] = None
    return list(found)


def _entry(item: etree._Element, base: str) -> Entry | None:
    link = next(filter(None, _links(item, base)), None)
    if link is None:
        return None
    published = iso_date(text_of(item, "pubdate", "published", "issued", "date"))
    changed = iso_date(text_of(item, "updated", "modified"))
    title = text_of(item, "title")[:MAX_TEXT]
    return Entry(article_address(link), published or changed, _category(item), title, changed)


def _base(element: etree._Element, url: str) -> str:
    """The address against which links in an element are resolved; its own may be relative."""
    return resolve_url(element.get(XML_BASE), url) or url


def _is_item(element: etree._Element) -> bool:
    return local_name(element) in ("item", "entry")


def _links(item: etree._Element, base: str) -> Iterator[str | None]:
    """Where an entry may lead, the surest first; an id may be an address or only a name."""
    base = _base(item, base)
    yield resolve_url(text_of(item, "origlink"), base)
    for link in children(item, "link"):
        if (link.get("rel") or "alternate").lower() == "alternate":
            yield resolve_url(link.get("href") or "".join(map(str, link.itertext())), base)
    for guid in children(item, "guid"):
        if (guid.get("isPermaLink") or "true").lower() != "false":
            yield resolve_url("".join(map(str, guid.itertext())), None)
    about = next((str(value) for name, value in item.items() if str(name).endswith("}about")), None)
    yield resolve_url(about, base)
    yield resolve_url(text_of(item, "id"), None)


def _category(item: etree._Element) -> str | None:
    for category in children(item, "category", "subject", "section"):
        name = (
            category.get("label") or category.get("term") or "".join(map(str, category.itertext()))
        )
        if name and (name := " ".join(name.split())[:MAX_TEXT]):
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
    for item in items[:MAX_ENTRIES]:
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
            yield Entry(address, published or changed, category, title[:MAX_TEXT], changed)


def _first_text(values: Iterable[Any]) -> str | None:
    return next((value for value in values if isinstance(value, str) and value), None)
