"""The Atom feed of the clean articles (RFC 4287)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urljoin
from uuid import NAMESPACE_URL, uuid5

from lxml import etree

from newsclean import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.reader.article import ReaderArticle
    from newsclean.reader.catalogue import Entry

_ATOM = "http://www.w3.org/2005/Atom"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
MAX_ENTRIES = 50
#: For a feed whose articles have no date at all; an update must be given.
_NO_DATE = "1970-01-01T00:00:00Z"
_NOT_IN_IRI = re.compile(r'[\x00-\x20"<>\\^`{|}]')


class FeedEntry(NamedTuple):
    entry: Entry
    article: ReaderArticle


def atom_feed(
    entries: Sequence[FeedEntry], *, title: str, feed_id: str, base_url: str | None = None
) -> str:
    """The feed of these articles, newest first; links are relative to `base_url` or the feed."""
    feed = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})  # type: ignore[dict-item]
    updates = [each.article.updated for each in entries]
    latest = max((update for update in updates if update), key=lambda u: u.instant, default=None)
    _add(feed, "id", feed_id)
    _add(feed, "title", title)
    _add(feed, "updated", latest.rfc3339 if latest else _NO_DATE)
    _add(feed, "generator", "newsclean", version=__version__)
    _add(_add(feed, "author"), "name", "newsclean")
    _add_link(feed, "alternate", urljoin(base_url or "", "index.html"), type="text/html")
    if base_url:
        _add_link(feed, "self", urljoin(base_url, "feed.xml"), type="application/atom+xml")
    for each in entries:
        _add_entry(feed, each, base_url)
    etree.indent(feed)
    return etree.tostring(
        feed, encoding="unicode", doctype='<?xml version="1.0" encoding="utf-8"?>'
    )


def _add_entry(feed: etree._Element, each: FeedEntry, base_url: str | None) -> None:
    entry, article = each
    node = _add(feed, "entry")
    if article.language:
        node.set(_XML_LANG, article.language)
    _add(node, "id", _iri(article.url) if article.url else uuid5(NAMESPACE_URL, entry.identity).urn)
    _add(node, "title", article.headline, type="text")
    _add(node, "updated", article.updated.rfc3339 if article.updated else _NO_DATE)
    if article.published:
        _add(node, "published", article.published.rfc3339)
    for name in article.authors or [article.publisher or article.site]:
        _add(_add(node, "author"), "name", name)
    _add_link(node, "alternate", urljoin(base_url or "", entry.path), type="text/html")
    if article.url:
        _add_link(node, "via", _iri(article.url))
    for term in filter(None, [article.section, *article.keywords]):
        _add(node, "category", term=term)
    if entry.teaser:
        _add(node, "summary", entry.teaser, type="text")
    _add(node, "content", article.body.html, type="html")


def _iri(url: str) -> str:
    """An address with the characters escaped that none may hold.

    >>> _iri('https://example.org/a b?"c"=ü')
    'https://example.org/a%20b?%22c%22=ü'
    """
    return _NOT_IN_IRI.sub(lambda found: quote(found[0]), url)


def _add_link(parent: etree._Element, rel: str, href: str, **attributes: str) -> None:
    _add(parent, "link", rel=rel, href=href, **attributes)


def _add(
    parent: etree._Element, name: str, text: str | None = None, **attributes: str
) -> etree._Element:
    node = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    node.text = text
    return node
