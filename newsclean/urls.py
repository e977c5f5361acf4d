"""What a URL says: its site, its section, the article it names, its pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import xxhash
from lxml.html import HtmlElement

if TYPE_CHECKING:
    from tldextract import TLDExtract


# What a URL says: its site, its section, and whether another one is of the same site.

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


# What an article is known by: one address of one site, or the file in which it was saved.

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


# The shape of an address: what the addresses of one kind of page have in common.

#: Longer shapes end with a hash of what is cut off.
MAX_SHAPE = 60
#: A folder of more words or letters is the name of something, and not of a section.
MAX_FOLDER_WORDS = 2
MAX_FOLDER_LETTERS = 24
#: From this many words on, a segment is a sentence, however long.
MIN_SENTENCE_WORDS = 3

_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d([/_.-])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?!\d)"
    r"|(?<!\d)(?:19[89]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
_EXTENSION = re.compile(r"(?<=[^/])\.[a-z][a-z0-9]{1,4}$", re.I)
_JOINTS = re.compile(r"[-_+~., ]+")


def address_shape(url: str) -> str:
    """The shape of an address within its site, in at most `MAX_SHAPE` characters.

    The names of folders stay as they are. The last segment is `w` for a word, `w-w` for two and
    `words` for a sentence; `#` is a number, `id` a mixture of letters and digits, `date` a date.
    Of a query, the names stay.

    >>> address_shape("https://a.org/sport/2026/03/14/who-won-the-cup-4711.html")
    '/sport/date/words-#.html'
    >>> address_shape("https://a.org/tag/bridges/"), address_shape("https://a.org/quote/ABC7?x=1&p=2")
    ('/tag/w/', '/quote/id?p&x')
    >>> address_shape("https://a.org/the-mayor-of-oldbridge/comments-17")
    '/words/w-#'
    >>> address_shape("https://a.org/"), address_shape("http://[")
    ('/', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    path = unquote(parts.path)
    extension = _EXTENSION.search(path)
    stem = path[: extension.start()] if extension else path
    segments = _DATE.sub("\0", stem).split("/")
    last = max((place for place, segment in enumerate(segments) if segment), default=0)
    shape = "/".join(
        _segment_shape(segment, is_folder=place < last) for place, segment in enumerate(segments)
    )
    shape += extension[0].lower() if extension else ""
    names = sorted({pair.partition("=")[0].lower() for pair in parts.query.split("&")} - {""})
    shape = f"{shape or '/'}?{'&'.join(names)}" if names else shape or "/"
    if len(shape) <= MAX_SHAPE:
        return shape
    digest = xxhash.xxh3_64_hexdigest(shape.encode("utf-8", "surrogatepass"))[:8]
    return f"{shape[: MAX_SHAPE - len(digest) - 1]}…{digest}"


def _segment_shape(segment: str, *, is_folder: bool) -> str:
    parts = [part for part in _JOINTS.split(segment) if part]
    kinds = [_part_kind(part) for part in parts]
    if is_folder and set(kinds) == {"w"} and len(kinds) <= MAX_FOLDER_WORDS:
        name = "-".join(parts).lower()
        if len(name) <= MAX_FOLDER_LETTERS:
            return name
    words = kinds.count("w")
    if words < MIN_SENTENCE_WORDS:
        return "-".join(kinds)
    # Numbers inside a sentence are words of it; those at its ends are the article's own.
    ends = [kinds[0] if kinds[0] != "w" else "", kinds[-1] if kinds[-1] != "w" else ""]
    return "-".join(filter(None, (ends[0], "words", ends[1])))


def _part_kind(part: str) -> str:
    if "\0" in part:
        return "date"
    if part.isdecimal():
        return "#"
    return "id" if any(map(str.isdecimal, part)) else "w"


# Addresses that a page gives: made absolute, and compared.

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


def section_of(url: str) -> str:
    """Return the category of an article that comes without one: the first segment of its path.

    >>> section_of("https://example.org/sport/2026/03/who-won-123.html")
    'sport'
    >>> section_of("https://example.org/2026/03/14/who-won")
    'home'
    """
    first, *others = category_of(url).split("/")
    return first if others and not any(c.isdecimal() for c in first) else "home"
