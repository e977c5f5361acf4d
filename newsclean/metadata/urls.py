"""Addresses that a page gives, made absolute, and compared."""

from urllib.parse import urljoin, urlsplit

MAX_URL = 2048


def absolute(value: object, base: str | None) -> str | None:
    """Return the http(s) address that `value` means on a page at `base`, or None.

    >>> absolute("/a.jpg", "https://example.org/news/1")
    'https://example.org/a.jpg'
    >>> absolute("data:image/png;base64,AAAA", "https://example.org/") is None
    True
    """
    if not isinstance(value, str) or len(value) > MAX_URL:
        return None
    value = "".join(value.split())
    if not value or value.startswith("#"):
        return None
    try:
        value.encode()
        joined = urljoin(base or "", value)
        parts = urlsplit(joined)
        host = parts.hostname
    except ValueError:  # "http://[", lone surrogates
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or len(joined) > MAX_URL:
        return None
    return joined


def address(value: object) -> str:
    """Return what makes an address the same page: no scheme, `www.`, query nor fragment.

    >>> address("http://www.example.org/a/?x=1") == address("https://example.org/a")
    True
    """
    if not isinstance(value, str):
        return ""
    try:
        parts = urlsplit(value.strip())
    except ValueError:
        return ""
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/")


def is_home(value: str) -> bool:
    """Tell whether an absolute address is a site's front page."""
    parts = urlsplit(value)
    return parts.path in ("", "/") and not parts.query
