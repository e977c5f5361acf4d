"""Bylines and dates that stand only on the page itself: by the classes of small elements.

This is for pages whose head says nothing, so it may cost a look at many elements, but never
the text of a large one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

from newsclean.metadata.dates import date_in_text
from newsclean.metadata.names import looks_like_name, names_in

TAGS = ("a", "span", "address", "p", "div", "small")
MAX_ELEMENTS = 3000  # of one tag
MAX_CHILDREN = 12
MAX_TEXT = 120
MAX_CANDIDATES = 20
MAX_ROLES = 5000  # that are remembered: a site's pages repeat them

_BY = re.compile(r"by-?line|(?:^|[\s_-])by(?:[\s_-]|$)")
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|by|contributors?|journalists?)/\w"
)
_DATE = re.compile(r"date|publi|posted|time|by-?line|meta|author", re.I)
_LABELLED = re.compile(r"\s*(?:first |originally )?(?:published|posted)\b", re.I)
# Authors and dates of something else than the article, or of its update.
_ASIDE = re.compile(
    r"comment|related|card|teaser|sidebar|footer|recommend|bookmark|bio\b|avatar|role|tag\b|"
    r"updat|modif|descr",
    re.I,
)
_UPDATED = re.compile(r"updat|modif|reviewed|aktualisiert|mis à jour|actualizado", re.I)
_CONNECTS = re.compile(r"(?:^|\s)(?:,|;|&|and|und|et|y|with)$", re.I)

Elements = Callable[[str], Sequence[HtmlElement]]


def shown_authors(elements: Elements) -> list[str]:
    """Return the names in the first small element that looks like a byline, and its siblings."""
    found: list[str] = []
    parent = None
    for element, pieces in _small(elements, _is_byline):
        if found and element.getparent() is not parent:
            break
        if names := _leading_names(pieces):
            found += names
            parent = element.getparent()
    return found


def shown_date(elements: Elements) -> str | None:
    """Return the first date in a small element that looks like a dateline."""
    for _, pieces in _small(elements, _is_dateline):
        text = " ".join(pieces)
        if not _UPDATED.search(text) and (found := date_in_text(text)):
            return found
    return None


def _leading_names(pieces: list[str]) -> list[str]:
    """Return the names in pieces of text; what follows them is a role, a date or a place."""
    found: list[str] = []
    connected = False
    for piece in pieces:
        names = names_in(piece)
        if names and all(map(looks_like_name, names)) and (connected or not found):
            found += names
        elif found and not _CONNECTS.search(piece):
            break
        connected = bool(_CONNECTS.search(piece))
    return found


def _small(
    elements: Elements, wanted: Callable[[HtmlElement], bool]
) -> Iterator[tuple[HtmlElement, list[str]]]:
    """Yield the wanted small elements and their pieces of text."""
    return islice(
        (
            (element, pieces)
            for tag in TAGS
            for element in islice(elements(tag), MAX_ELEMENTS)
            if wanted(element) and (pieces := _pieces(element))
        ),
        MAX_CANDIDATES,
    )


def _is_byline(element: HtmlElement) -> bool:
    role = _role(element)
    links = element.tag == "a" and _AUTHOR_PAGE.search(element.get("href") or "")
    return bool(links or _names_author(role)) and not _ASIDE.search(role)


def _is_dateline(element: HtmlElement) -> bool:
    role = _role(element)
    if _names_date(role):
        return not _ASIDE.search(role)
    text = element.text
    return bool(text) and bool(_LABELLED.match(text))


def _role(element: HtmlElement) -> str:
    get = element.get
    return f"{get('class', '')} {get('itemprop', '')} {get('rel', '')} {get('id', '')}"


@lru_cache(MAX_ROLES)
def _names_author(role: str) -> bool:
    role = role.lower()
    named = "author" in role or "writer" in role
    return named or ("by" in role and bool(_BY.search(role)))


@lru_cache(MAX_ROLES)
def _names_date(role: str) -> bool:
    return bool(_DATE.search(role))


def _pieces(element: HtmlElement) -> list[str]:
    if len(element) > MAX_CHILDREN:
        return []
    pieces: list[str] = []
    length = 0
    for text in element.itertext():
        if text := " ".join(text.split()):
            pieces.append(text)
            length += len(text)
        if length > MAX_TEXT:
            return []
    return pieces
