"""What a URL says (its site, section, article and pattern), and how links are resolved."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement
    from tldextract import TLDExtract

MAX_URL = 2048
#: Schemes of links that a reader can follow.
LINK_SCHEMES = frozenset({"http", "https", "mailto"})

_DEFAULT_PORTS = {"http": 80, "https": 443}
#: Path segments that do not name a section.
_INDEX_FILES = ("", "index.html", "index.php")
#: Sites whose registered domain is cached; a crawl asks about the same few for every link.
_MAX_SITES = 4096
_TRACKING = re.compile(
    r"(?:utm|mtm|pk|ns|wt)_\w+=|(?:fbclid|gclid|dclid|yclid|msclkid|igshid|mc_cid|mc_eid|cmpid"
    r"|ncid|xtor|at_medium|at_campaign)=",
    re.I,
)

#: Longer URL patterns end with a hash of what is cut off.
_MAX_PATTERN = 60
#: A folder with more words or letters names something other than a section.
_MAX_FOLDER_WORDS = 2
_MAX_FOLDER_LETTERS = 24
#: A segment with at least this many words is a sentence.
_MIN_SENTENCE_WORDS = 3

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d([/_.-])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?!\d)"
    r"|(?<!\d)(?:19[89]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
_EXTENSION = re.compile(r"(?<=[^/])\.[a-z][a-z0-9]{1,4}$", re.I)
_JOINTS = re.compile(r"[-_+~., ]+")
_PLAIN_HOST = r"https?://[\w.-]+"
_PLAIN_PATH = r"/[\w%.~/+=@,-]*(?:\?[\w%.~/+=@,&:-]+)?"
#: An absolute URL that resolving leaves as it is.
_PLAIN = re.compile(_PLAIN_HOST + _PLAIN_PATH, re.A)
#: A path that only needs the host before it, unless it contains `//` or `/.`.
_PATH = re.compile(_PLAIN_PATH, re.A)
_HOST = re.compile(rf"({_PLAIN_HOST})(?:[/?#]|$)", re.A)


def site_of(url: str | None) -> str | None:
    """Return the name of a site: its host without `www.`, with the port if it is not the default.

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
    return host if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


@lru_cache(_MAX_SITES)
def registered_domain(site: str) -> str:
    """Return the registered domain of a site, with its port.

    The public suffix list decides, with its private part: blogs on one host are sites of their own.
    An IP address is its own domain.

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


@cache
def _public_suffix_list() -> TLDExtract:
    """Return the list that tldextract ships; nothing is downloaded or written to a cache.

    Imported late: it takes longer than a page, and only a crawl needs it.
    """
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


def _ascii_host(host: str) -> str:
    """Return the host in its IDNA form, or unchanged if it has none."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def same_site(url: str, other: str) -> bool:
    """Whether two URLs have the same registered domain; sections often have hosts of their own."""
    one, two = site_of(url), site_of(other)
    if one is None or two is None:
        return False
    return one == two or registered_domain(one) == registered_domain(two)


def category_of(url: str) -> str:
    """Return the name of the section at a URL.

    >>> category_of("https://example.org/news/sport/?page=2")
    'news/sport'
    >>> category_of("https://example.org/")
    'home'
    """
    segments = _CONTROLS.sub("", unquote(urlsplit(url).path)).split("/")
    return "/".join(name for name in segments if name.lower() not in _INDEX_FILES) or "home"


def article_name(url: str, canonical_url: str | None) -> str:
    """Return the URL that identifies the article at `url`.

    This is its canonical URL if that has the same registered domain. A canonical URL of another
    domain is only a claim: a copy could take over the identity of the original.

    >>> article_name("https://m.example.org/1?ref=home", "https://www.example.org/1")
    'https://www.example.org/1'
    >>> article_name("https://example.org/1", "https://example.net/1")
    'https://example.org/1'
    """
    return canonical_url if canonical_url and same_site(url, canonical_url) else url


def article_id(name: str) -> str:
    """Return the id of the article with this name: 32 hexadecimal digits, always the same.

    Scheme, `www.`, fragment and tracking parameters do not count; other parameters do.

    >>> article_id("https://www.example.org/1?utm_source=rss#top") == article_id("http://example.org/1")
    True
    >>> article_id("https://example.org/?id=1") == article_id("https://example.org/?id=2")
    False
    """
    try:
        parts = urlsplit(article_url(name))
        place = f"{parts.path or '/'}?{parts.query}"
    except ValueError:  # "http://["
        place = name
    key = f"{site_of(name) or ''} {place}"
    return xxhash.xxh3_128_hexdigest(key.encode("utf-8", "surrogatepass"))


def saved_id(name: str, body: bytes) -> str:
    """Return the id of an article without a URL, from its file name and bytes.

    The name alone could also belong to another page in another folder.

    >>> saved_id("1.html", b"Rain") == saved_id("1.html", b"Rain")
    True
    >>> saved_id("1.html", b"Rain") == saved_id("1.html", b"Snow")
    False
    """
    key = f"saved page {name}\0".encode("utf-8", "surrogatepass") + body
    return xxhash.xxh3_128_hexdigest(key)


def article_url(url: str) -> str:
    """Return the URL without its fragment and tracking parameters.

    >>> article_url("https://a.org/x?id=7&utm_source=rss#comments")
    'https://a.org/x?id=7'
    """
    return without_tracking(urldefrag(url).url)


def without_tracking(url: str) -> str:
    """Return the URL without the parameters that only say where a reader came from.

    >>> without_tracking("https://a.org/x?id=7&utm_source=home")
    'https://a.org/x?id=7'
    """
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part and not _TRACKING.match(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head


def url_pattern(url: str) -> str:
    """Return what a URL has in common with others of its kind, in at most 60 characters.

    Folder names are kept. The last segment becomes `w` for one word, `w-w` for two and `words` for
    a sentence; `#` is a number, `id` a mix of letters and digits, `date` a date. Of a query, only
    the parameter names are kept.

    >>> url_pattern("https://a.org/sport/2026/03/14/who-won-the-cup-4711.html")
    '/sport/date/words-#.html'
    >>> url_pattern("https://a.org/tag/bridges/"), url_pattern("https://a.org/quote/ABC7?x=1&p=2")
    ('/tag/w/', '/quote/id?p&x')
    >>> url_pattern("https://a.org/the-mayor-of-oldbridge/comments-17")
    '/words/w-#'
    >>> url_pattern("https://a.org/"), url_pattern("http://[")
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
    pattern = "/".join(
        _segment_pattern(segment, is_folder=place < last) for place, segment in enumerate(segments)
    )
    pattern += extension[0].lower() if extension else ""
    names = sorted({pair.partition("=")[0].lower() for pair in parts.query.split("&")} - {""})
    pattern = f"{pattern or '/'}?{'&'.join(names)}" if names else pattern or "/"
    if len(pattern) <= _MAX_PATTERN:
        return pattern
    digest = xxhash.xxh3_64_hexdigest(pattern.encode("utf-8", "surrogatepass"))[:8]
    return f"{pattern[: _MAX_PATTERN - len(digest) - 1]}…{digest}"


def _segment_pattern(segment: str, *, is_folder: bool) -> str:
    parts = [part for part in _JOINTS.split(segment) if part]
    kinds = [_part_kind(part) for part in parts]
    if is_folder and set(kinds) == {"w"} and len(kinds) <= _MAX_FOLDER_WORDS:
        name = "-".join(parts).lower()
        if len(name) <= _MAX_FOLDER_LETTERS:
            return name
    words = kinds.count("w")
    if words < _MIN_SENTENCE_WORDS:
        return "-".join(kinds)
    # A number inside a sentence is one of its words; one at either end is the article's.
    ends = [kinds[0] if kinds[0] != "w" else "", kinds[-1] if kinds[-1] != "w" else ""]
    return "-".join(filter(None, (ends[0], "words", ends[1])))


def _part_kind(part: str) -> str:
    if "\0" in part:
        return "date"
    if part.isdecimal():
        return "#"
    return "id" if any(map(str.isdecimal, part)) else "w"


def base_url(bases: Iterable[HtmlElement], url: str | None) -> str | None:
    """Return the URL against which the links of the page at `url` are resolved.

    `bases` are the page's `<base>` elements; the first one with an `href` counts.
    """
    href = next(filter(None, (element.get("href") for element in bases)), None)
    return resolve_link(href, url) or url


def resolve_link(href: str | None, base: str | None) -> str | None:
    """Return the absolute URL of a link, or None if a reader cannot follow it.

    Links are resolved as written; use `resolve_url` for URLs in metadata.

    >>> resolve_link("/a?b=1", "https://example.org/news/x")
    'https://example.org/a?b=1'
    >>> resolve_link("javascript:alert(1)", "https://example.org/") is None
    True
    """
    if not href or not href.strip():
        return None
    if _PLAIN.fullmatch(href):  # most are, and the rest is slow
        return href
    if _PATH.fullmatch(href) and "//" not in href and "/." not in href:
        host = _HOST.match(base or "")
        if host:
            return host[1] + href
    try:
        # `urlsplit` drops line breaks, so they are percent-encoded first.
        joined = printable_url(urljoin(base or "", href.strip()))
        parts = urlsplit(joined)
    except ValueError:  # "http://["
        return None
    if parts.scheme not in LINK_SCHEMES or not (parts.netloc or parts.scheme == "mailto"):
        return None
    return joined


def resolve_url(value: object, base: str | None) -> str | None:
    """Return the absolute http(s) URL of a value in the metadata of a page at `base`, or None.

    Stricter than `resolve_link`: it refuses `mailto:`, a fragment alone and overlong values, and
    removes white space inside the value, where templates break lines.

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
        joined = printable_url(urljoin(base or "", value))
        parts = urlsplit(joined)
        host = parts.hostname
    except ValueError:  # "http://[", lone surrogates
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or len(joined) > MAX_URL:
        return None
    return joined


def printable_url(url: str) -> str:
    """Return the URL with unprintable characters percent-encoded.

    >>> printable_url("https://example.org/a\\x1b[31m?b=ü")
    'https://example.org/a%1B[31m?b=ü'
    """
    if url.isprintable():
        return url
    return "".join(
        letter if letter.isprintable() else quote(letter, errors="replace") for letter in url
    )


def url_key(value: object) -> str:
    """Return a key shared by all URLs of one page: without scheme, `www.`, query and fragment.

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
    """Whether an absolute URL is that of a site's front page."""
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
