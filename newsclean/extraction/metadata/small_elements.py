"""Bylines and dates by the class names, or the first words, of small elements.

For pages whose head says nothing. It may look at many elements, but never at the text of a large
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice

from lxml.html import HtmlElement

from newsclean.extraction.metadata.bylines import AND, looks_like_signature, names_at_start
from newsclean.extraction.metadata.datelines import (
    LABEL_BEGINNINGS,
    LABELLED,
    VisibleDates,
    dates_in,
)
from newsclean.extraction.metadata.page_sources import Elements

#: The tags that are looked at.
TAGS = ("a", "span", "address", "p", "div", "small", "h3", "h4", "h5", "cite", "aside")
_MICRODATA_TAGS = ("time", "span", "p", "div", "li", "abbr")
_TAGS_WITHOUT_BYLINE = frozenset(["nav", "li", "form", "footer", "button", "label"])
_MAX_ELEMENTS = 3000  # of one tag
_MAX_CHILDREN = 12
_MAX_NODES = 500  # below an element, at any depth
_MAX_TEXT = 120
_MAX_CANDIDATES = 20
_MAX_BEGIN = 200  # characters at the start of a text that may tell what it is
_MAX_ROLES = 5000  # cached: the pages of a site repeat them

#: The attributes that tell what an element is.
_ROLES = frozenset(["class", "itemprop", "rel", "id"])
_BY = re.compile(r"by-?line|(?:^|[\s_-])by(?:[\s_-]|$)")
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|by|contributors?|journalists?)/\w"
)
_DATE = re.compile(r"date|publi|posted|time|by-?line|meta|author")
# Something other than the article, or its update.
_OF_SOMETHING_ELSE = re.compile(
    r"comment|related|card|teaser|sidebar|footer|recommend|bookmark|bio\b|reviewer|avatar|role|"
    r"tag\b|updat|modif|descr"
)
_LABEL = re.compile(r"\s*+(?:by|author)(?:\s*+:|\s|$)\s*+", re.I)
_SIGNED = re.compile(r"\s*+(?:[Bb]y|BY)(?:\s*+:)?(?:\s*+$|\s+(?=[^\W\d_a-zß-ÿ]))")
#: The first two letters of texts that may be signed or labelled; most need no further look.
_BEGINNINGS = LABEL_BEGINNINGS | {"by"}
_CONNECTS = re.compile(rf"(?:^|\s)(?:,|;|&|with|{AND})$", re.I)

#: What an element may be.
_BYLINE, _SIGNATURE, _DATELINE = 1, 2, 4
#: It belongs to something other than the article, or is even a date of that.
_ELSE, _ELSE_DATE = 8, 16


class SmallElements:
    """The small elements of a page, with what their class names or first words say they are.

    Each element is looked at once, and none after the one that is found.
    """

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self._seen: list[tuple[HtmlElement, int]] = []
        self._unseen = _marked(elements)

    @cached_property
    def _microdata(self) -> list[tuple[HtmlElement, str]]:
        """The elements with microdata, except meta, each with its names."""
        return [
            (element, names.lower())
            for tag in _MICRODATA_TAGS
            for element in islice(self.elements(tag), _MAX_ELEMENTS)
            if (names := element.get("itemprop")) is not None
        ]

    def with_itemprop(self, name: str) -> Iterator[HtmlElement]:
        """Yield the elements, except meta, with this name in their microdata."""
        return (element for element, names in self._microdata if name in names.split())

    def of(self, kind: int) -> Iterator[tuple[HtmlElement, list[str]]]:
        """Yield the elements of a kind with their pieces of text."""
        wanted = (
            (element, pieces)
            for element, kinds in self._each_marked()
            if kinds & kind
            and (kind != _SIGNATURE or _may_be_signed(element))
            and (pieces := _pieces(element))
        )
        return islice(wanted, _MAX_CANDIDATES)

    def _each_marked(self) -> Iterator[tuple[HtmlElement, int]]:
        place = 0
        while True:
            if place == len(self._seen):
                new = next(self._unseen, None)
                if new is None:
                    return
                self._seen.append(new)
            yield self._seen[place]
            place += 1


def _marked(elements: Elements) -> Iterator[tuple[HtmlElement, int]]:
    """Yield the elements that may be of some kind, with those kinds."""
    wanted = _BYLINE | _SIGNATURE | _DATELINE
    for tag in TAGS:
        for element in islice(elements(tag), _MAX_ELEMENTS):
            kinds = 0
            names = element.keys()
            for name in names:
                if name in _ROLES:
                    kinds |= _kinds(element.get(name))
            if kinds & _ELSE:
                kinds = _ELSE | _ELSE_DATE if kinds & _DATELINE else _ELSE
            is_own = not kinds & _ELSE
            if tag == "a" and is_own and _AUTHOR_PAGE.search(element.get("href", "")):
                kinds |= _BYLINE
            text = element.text
            if text and (begin := text.lstrip())[:2].lower() in _BEGINNINGS:
                said = _kinds_by_text(begin[:_MAX_BEGIN])
                if is_own:
                    kinds |= said & _SIGNATURE
                if not kinds & _ELSE_DATE:
                    kinds |= said & _DATELINE
            if kinds & wanted:
                yield element, kinds


def _may_be_signed(element: HtmlElement) -> bool:
    """Whether an element is outside menus and forms."""
    return not any(above.tag in _TAGS_WITHOUT_BYLINE for above in element.iterancestors())


@lru_cache(_MAX_ROLES)
def _kinds(role: str) -> int:
    """Return what a class name or another attribute says about an element."""
    role = role.lower()
    is_author = "author" in role or "writer" in role or ("by" in role and bool(_BY.search(role)))
    kinds = (_BYLINE | _DATELINE) if is_author else _DATELINE if _DATE.search(role) else 0
    return kinds | _ELSE if _OF_SOMETHING_ELSE.search(role) else kinds


def _kinds_by_text(begin: str) -> int:
    """Return what the first words of a text say about it."""
    signed = _SIGNATURE if _SIGNED.match(begin) else 0
    return signed | (_DATELINE if LABELLED.match(begin) else 0)


def _pieces(element: HtmlElement) -> list[str]:
    if len(element) > _MAX_CHILDREN:
        return []
    if next(islice(element.iter(), _MAX_NODES, None), None) is not None:  # it has more
        return []
    pieces: list[str] = []
    length = 0
    for text in element.itertext():
        if text := " ".join(text.split()):
            pieces.append(text)
            length += len(text)
        if length > _MAX_TEXT:
            return []
    return pieces


def authors_by_class(elements: SmallElements) -> list[str]:
    """Return the names in the first small element that looks like a byline, and in its siblings."""
    return _authors(elements, _BYLINE) or _authors(elements, _SIGNATURE)


def _authors(elements: SmallElements, kind: int) -> list[str]:
    found: list[str] = []
    parent = None
    for element, pieces in elements.of(kind):
        if found and element.getparent() is not parent:
            break
        if names := _leading_names(pieces):
            found += names
            parent = element.getparent()
    return found


def _leading_names(pieces: list[str]) -> list[str]:
    """Return the names in pieces of text; a role, a date or a place may follow them."""
    found: list[str] = []
    connected = False
    for piece in pieces:
        names = names_at_start(piece)
        if names and (connected or not found):
            found += names
        elif found and not _CONNECTS.search(piece):
            break
        connected = bool(_CONNECTS.search(piece))
    return found


def signature_by_class(elements: SmallElements) -> list[str]:
    """Return who signs in the first element with an author's class name: a first name, a team."""
    for _, pieces in elements.of(_BYLINE):
        text = " ".join(pieces)
        found = _LABEL.match(text)
        text = text[found.end() :] if found else text
        if looks_like_signature(text.removeprefix("the ")):
            return [text]
    return []


def dates_by_class(elements: SmallElements, day_first: bool | None = None) -> VisibleDates:
    """Return the date in the first small element that looks like a dateline, and that of an update.

    What a dateline calls updated is never the date of publication. After that date, an update is
    only looked for beside it.
    """
    published = updated = parent = None
    for element, pieces in elements.of(_DATELINE):
        if published and (updated or element.getparent() is not parent):
            break
        found = dates_in(" ".join(pieces), day_first)
        if found.published and not published:
            published, parent = found.published, element.getparent()
        updated = updated or found.updated
    if published and updated and updated[:10] < published[:10]:
        updated = None  # of something else
    return VisibleDates(published, updated)
