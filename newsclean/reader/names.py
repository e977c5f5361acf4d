"""File names for any site, section and address: they hold nothing but `a-z`, `0-9`, `-` and `.`.

A name that had to be changed gets a digest of what it was, so that two never share a file. The
digest is cryptographic: nobody can make an article that takes another one's place.
"""

from __future__ import annotations

import re
from hashlib import sha256
from urllib.parse import unquote, urlsplit

_MAX_NAME = 60
_DIGEST = 16  # hexadecimal digits

#: Names that Windows keeps for itself, with any ending.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))]
)

_OTHER = re.compile("[^a-z0-9]+")
_PLAIN = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")


def folder_name(name: str) -> str:
    """The folder of a site or section.

    >>> folder_name("example.org"), folder_name("../etc")
    ('example.org', 'etc-f7f9121fdb53d8de')
    """
    if _PLAIN.fullmatch(name) and len(name) <= _MAX_NAME and name.split(".")[0] not in _RESERVED:
        return name
    return _with_digest(_slug(name), name)


def article_name(identity: str) -> str:
    """The name of an article's page without its ending: from the last part of its address.

    >>> article_name("https://example.org/2026/Rain-in-Bergen.html?id=7")[:15]
    'rain-in-bergen-'
    """
    try:
        path = unquote(urlsplit(identity).path)
    except ValueError:
        path = ""
    parts = [part for part in path.split("/") if _slug(part)]
    last = parts[-1] if parts else ""
    return _with_digest(_slug(re.sub(r"\.\w{1,5}$", "", last) or last), identity)


def _slug(text: str) -> str:
    return _OTHER.sub("-", text.lower()).strip("-")[:_MAX_NAME].rstrip("-")


def _with_digest(slug: str, whole: str) -> str:
    digest = sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    return f"{slug}-{digest}" if slug else digest
