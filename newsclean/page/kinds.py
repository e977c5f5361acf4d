"""What is not an HTML page: by what the server calls it, and by how it begins."""

from __future__ import annotations

import json
import re

#: XHTML comes under many names, and some servers call every page a stream of bytes.
HTML_TYPES = re.compile(r"html|octet-stream|application/xml|text/xml")

# The first element after declarations and comments.
_FEED = re.compile(
    rb"(?:\s|<\?[^>]*>|<!--.*?-->|<!(?!--)[^>]*>)*+<(?:\w+:)?(rss|feed|rdf|urlset|sitemapindex)[\s>]",
    re.DOTALL | re.IGNORECASE,
)
_FEEDS = {b"rss": "an RSS feed", b"rdf": "an RSS feed", b"feed": "an Atom feed"}
_NAMES = {"json": "JSON", "rss": "an RSS feed", "atom": "an Atom feed", "text/plain": "plain text"}

#: How far into a document its first element is looked for.
MAX_HEAD = 4096


def other_type(content_type: str | None) -> str | None:
    """What a server says that it sends, if that is not an HTML page.

    >>> other_type("application/json; charset=utf-8"), other_type("image/png")
    ('JSON (the server calls it application/json; charset=utf-8)', 'image/png')
    >>> other_type("application/xhtml+xml"), other_type(None)
    (None, None)
    """
    kind = (content_type or "").strip().lower()
    if not kind or HTML_TYPES.search(kind):
        return None
    if not kind.isprintable():
        kind = ascii(kind)[1:-1]  # it is shown to people
    name = next((name for part, name in _NAMES.items() if part in kind), None)
    return f"{name} (the server calls it {kind})" if name else kind


def other_contents(source: bytes) -> str | None:
    """What a document is, if its text (as UTF-8) shows that it is not an HTML page.

    Text without a single tag may well be one.

    >>> other_contents(b'{"a": 1}'), other_contents(b'<?xml version="1.0"?><rss><channel>')
    ('JSON', 'an RSS feed')
    >>> other_contents(b"One.<p>Two.")
    """
    head = source[:MAX_HEAD].removeprefix(b"\xef\xbb\xbf")
    feed = _FEED.match(head)
    if feed:
        return _FEEDS.get(feed[1].lower(), "a sitemap")
    if head.lstrip().startswith((b"{", b"[")) and _is_json(source):
        return "JSON"
    return None


def _is_json(source: bytes) -> bool:
    """Whether this is one JSON value, or JSON lines."""
    text = source.decode("utf-8-sig", "replace").lstrip()
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    rest = text[end : end + MAX_HEAD].lstrip()
    return not rest or rest.startswith("{")
