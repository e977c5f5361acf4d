"""What a URL says: its site, its section, and whether another one is of the same site."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}

#: Path segments that do not name a section.
INDEX_FILES = ("", "index.html", "index.php")

#: Labels under which countries register what others register under `com`.
SECOND_LEVEL = frozenset("ac co com edu go gob gov gouv net ne or org nom press".split())


def site_of(url: str | None) -> str | None:
    """The name under which a site is known: its host without `www.`, and an unusual port.

    >>> site_of("https://www.example.org/news/1")
    'example.org'
    >>> site_of("http://127.0.0.1:8001/sport/")
    '127.0.0.1:8001'
    """
    if not url:
        return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    host = host.removeprefix("www.")
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


def owner_of(site: str) -> str:
    """The part of a site's name that somebody registered.

    >>> owner_of("news.example.co.uk"), owner_of("sport.example.org"), owner_of("127.0.0.1:80")
    ('example.co.uk', 'example.org', '127.0.0.1:80')
    """
    host = site.partition(":")[0]
    labels = host.split(".")
    if labels[-1].isdecimal() or len(labels) < 3:
        return site
    keep = 3 if labels[-2] in SECOND_LEVEL and len(labels[-1]) == 2 else 2
    return site.removeprefix(".".join(labels[:-keep]) + ".")


def same_site(url: str, other: str) -> bool:
    """Whether two URLs belong to one owner; sections often live under hosts of their own."""
    one, two = site_of(url), site_of(other)
    return one is not None and two is not None and owner_of(one) == owner_of(two)


def category_of(url: str) -> str:
    """The name of a section by its URL.

    >>> category_of("https://example.org/news/sport/?page=2")
    'news/sport'
    >>> category_of("https://example.org/")
    'home'
    """
    segments = unquote(urlsplit(url).path).split("/")
    return "/".join(name for name in segments if name.lower() not in INDEX_FILES) or "home"
