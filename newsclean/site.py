"""What a URL says: its site, its section, and whether another one is of the same site."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from tldextract import TLDExtract

DEFAULT_PORTS = {"http": 80, "https": 443}

#: Path segments that do not name a section.
INDEX_FILES = ("", "index.html", "index.php")

#: Sites whose registered domain is kept; a crawl asks about the same few for every link.
MAX_SITES = 4096

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def site_of(url: str | None) -> str | None:
    """The name under which a site is known: its host without `www.`, and an unusual port.

    >>> site_of("https://www.example.org/news/1")
    'example.org'
    >>> site_of("http://127.0.0.1:8001/sport/"), site_of("http://[::1]:8001/")
    ('127.0.0.1:8001', '[::1]:8001')
    """
    if not url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    host = (host or "").rstrip(".").removeprefix("www.")
    if not host or not host.isprintable():
        return None
    if ":" in host:
        host = f"[{host}]"
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


@lru_cache(MAX_SITES)
def registered_domain(site: str) -> str:
    """The part of a site's name that somebody registered, with the site's port.

    What can be registered is what the public suffix list says, with its private part: blogs under
    one host are sites of their own. An address in numbers is its own owner.

    >>> registered_domain("news.example.co.uk"), registered_domain("a.blogspot.com")
    ('example.co.uk', 'a.blogspot.com')
    >>> registered_domain("sport.example.org:8080"), registered_domain("127.0.0.1:80")
    ('example.org:8080', '127.0.0.1:80')
    """
    host, colon, port = site.rpartition(":")
    if not port.isdecimal():
        host, colon, port = site, "", ""
    labels = _ascii_host(host).split(".")
    if host.startswith("[") or labels[-1].isdecimal():
        return site
    suffix = _public_suffix_list()(".".join(labels)).suffix
    # The list's own rule for a suffix that it does not have: it is the last label.
    keep = suffix.count(".") + 2
    return ".".join(labels[-keep:]) + colon + port


def same_site(url: str, other: str) -> bool:
    """Whether two URLs belong to one owner; sections often live under hosts of their own."""
    one, two = site_of(url), site_of(other)
    if one is None or two is None:
        return False
    return one == two or registered_domain(one) == registered_domain(two)


def _ascii_host(host: str) -> str:
    """A host as it is asked for; one that cannot be asked for as it is written."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


@cache
def _public_suffix_list() -> TLDExtract:
    """The list that tldextract ships: nothing is downloaded, and nothing written to a cache.

    Imported late: it takes longer than a page, and only a crawl asks.
    """
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


def category_of(url: str) -> str:
    """The name of a section by its URL.

    >>> category_of("https://example.org/news/sport/?page=2")
    'news/sport'
    >>> category_of("https://example.org/")
    'home'
    """
    segments = _CONTROLS.sub("", unquote(urlsplit(url).path)).split("/")
    return "/".join(name for name in segments if name.lower() not in INDEX_FILES) or "home"
