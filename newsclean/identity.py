"""What an article is known by: one address of one site, or the file in which it was saved."""

from __future__ import annotations

import re
from urllib.parse import urldefrag, urlsplit

import xxhash

from newsclean.site import same_site, site_of

_TRACKING = re.compile(
    r"(?:utm|mtm|pk|ns|wt)_\w+=|(?:fbclid|gclid|dclid|yclid|msclkid|igshid|mc_cid|mc_eid|cmpid"
    r"|ncid|xtor|at_medium|at_campaign)=",
    re.I,
)


def article_name(url: str, canonical_url: str | None) -> str:
    """The address by which the article at `url` is known.

    That is the one that the page calls its own, if it is of the same registered domain. One of
    another domain is only a claim: whoever copies an article could make it his own.

    >>> article_name("https://m.example.org/1?ref=home", "https://www.example.org/1")
    'https://www.example.org/1'
    >>> article_name("https://example.org/1", "https://example.net/1")
    'https://example.org/1'
    """
    return canonical_url if canonical_url and same_site(url, canonical_url) else url


def article_id(name: str) -> str:
    """The id of the article with this name: 32 hexadecimal digits, the same in every process.

    Scheme, `www.`, fragment and the parameters of tracking do not count; other parameters do.

    >>> article_id("https://www.example.org/1?utm_source=rss#top") == article_id("http://example.org/1")
    True
    >>> article_id("https://example.org/?id=1") == article_id("https://example.org/?id=2")
    False
    """
    try:
        parts = urlsplit(article_address(name))
        place = f"{parts.path or '/'}?{parts.query}"
    except ValueError:  # "http://["
        place = name
    key = f"{site_of(name) or ''} {place}"
    return xxhash.xxh3_128_hexdigest(key.encode("utf-8", "surrogatepass"))


def saved_id(name: str, body: bytes) -> str:
    """The id of an article whose address nobody knows: by the name of its file and its bytes.

    The name alone would be that of another page in another folder.

    >>> saved_id("1.html", b"Rain") == saved_id("1.html", b"Rain")
    True
    >>> saved_id("1.html", b"Rain") == saved_id("1.html", b"Snow")
    False
    """
    key = f"saved page {name}\0".encode("utf-8", "surrogatepass") + body
    return xxhash.xxh3_128_hexdigest(key)


def article_address(url: str) -> str:
    """A URL without its fragment and without parameters of tracking.

    >>> article_address("https://a.org/x?id=7&utm_source=rss#comments")
    'https://a.org/x?id=7'
    """
    return without_tracking(urldefrag(url).url)


def without_tracking(url: str) -> str:
    """A URL without the parameters that only say where a reader came from.

    >>> without_tracking("https://a.org/x?id=7&utm_source=home")
    'https://a.org/x?id=7'
    """
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part and not _TRACKING.match(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head
