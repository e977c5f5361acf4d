"""Addresses that a page gives: made absolute, and compared."""

import re
from collections.abc import Iterable
from urllib.parse import quote, urljoin, urlsplit

from lxml.html import HtmlElement

MAX_URL = 2048

#: Where a link may lead that a reader can follow.
LINK_SCHEMES = frozenset({"http", "https", "mailto"})

_PLAIN_HOST = r"https?://[\w.-]+"
_PLAIN_PATH = r"/[\w%.~/+=@,-]*(?:\?[\w%.~/+=@,&:-]+)?"
#: An absolute address that resolving leaves as it is.
_PLAIN = re.compile(_PLAIN_HOST + _PLAIN_PATH, re.A)
#: A path to which resolving adds the host, unless it has `//` or `/.` in it.
_PATH = re.compile(_PLAIN_PATH, re.A)
_HOST = re.compile(rf"({_PLAIN_HOST})(?:[/?#]|$)", re.A)


def base_url(bases: Iterable[HtmlElement], url: str | None) -> str | None:
    """The address against which the links of the page at `url` are resolved.

    `bases` are the page's `<base>` elements; the first one that has an address decides.
    """
    href = next(filter(None, (element.get("href") for element in bases)), None)
    return resolve_link(href, url) or url


def resolve_link(href: str | None, base: str | None) -> str | None:
    """The address to which a link leads, or None if a reader cannot follow it.

    Links are resolved as they are written; `resolve_url` is for addresses in metadata.

    >>> resolve_link("/a?b=1", "https://example.org/news/x")
    'https://example.org/a?b=1'
    >>> resolve_link("javascript:alert(1)", "https://example.org/") is None
    True
    """
    if not href or not href.strip():
        return None
    if _PLAIN.fullmatch(href):  # as most are; what follows would be slow and change nothing
        return href
    if _PATH.fullmatch(href) and "//" not in href and "/." not in href:
        host = _HOST.match(base or "")
        if host:
            return host[1] + href
    try:
        # `urlsplit` drops line breaks that are written out here: who reads it again reads this.
        joined = printable_url(urljoin(base or "", href.strip()))
        parts = urlsplit(joined)
    except ValueError:  # "http://["
        return None
    if parts.scheme not in LINK_SCHEMES or not (parts.netloc or parts.scheme == "mailto"):
        return None
    return joined


def resolve_url(value: object, base: str | None) -> str | None:
    """The http(s) address that a value in the metadata of a page at `base` means, or None.

    Stricter than `resolve_link`: it refuses `mailto:`, a fragment alone and what is too long, and
    takes white space out of the middle, which metadata has where templates break lines.

    >>> resolve_url("/a.jpg", "https://example.org/news/1")
    'https://example.org/a.jpg'
    >>> resolve_url("data:image/png;base64,AAAA", "https://example.org/") is None
    True
    """
    if not isinstance(value, str) or len(value) > MAX_URL:
        return None
    if _PLAIN.fullmatch(value):
        return value
    value = "".join(value.split())
    if not value or value.startswith("#"):
        return None
    try:
        value.encode()
        joined = urljoin(base or "", value)
        joined = printable_url(joined)
        parts = urlsplit(joined)
        host = parts.hostname
    except ValueError:  # "http://[", lone surrogates
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or len(joined) > MAX_URL:
        return None
    return joined


def printable_url(url: str) -> str:
    """The same address without characters that cannot be printed: they are written as `%1B`.

    >>> printable_url("https://example.org/a\\x1b[31m?b=ü")
    'https://example.org/a%1B[31m?b=ü'
    """
    if url.isprintable():
        return url
    return "".join(
        letter if letter.isprintable() else quote(letter, errors="replace") for letter in url
    )


def url_key(value: object) -> str:
    """What is the same for all addresses of one page: no scheme, `www.`, query nor fragment.

    >>> url_key("http://www.example.org/a/?x=1") == url_key("https://example.org/a")
    True
    """
    if not isinstance(value, str):
        return ""
    try:
        parts = urlsplit(value.strip())
    except ValueError:
        return ""
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/")


def is_front_page(url: str) -> bool:
    """Whether an absolute address is that of a site's front page."""
    try:
        parts = urlsplit(url)
    except ValueError:  # "http://["
        return False
    return parts.path in ("", "/") and not parts.query
