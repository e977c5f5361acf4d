"""Bylines and dates that appear only on the page itself: by the classes of small elements.

This is for pages whose head says nothing, so it may cost a look at many elements, but never
the text of a large one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from lxml.html import HtmlElement

from newsclean.metadata.datelines import LABEL_BEGINNINGS, LABELLED, ShownDates, dates_in
from newsclean.metadata.dates import find_date
from newsclean.metadata.names import looks_like_name, looks_like_signature, names_in

TAGS = ("a", "span", "address", "p", "div", "small", "h3", "h4", "h5", "cite", "aside")
MICRODATA_TAGS = ("time", "span", "p", "div", "li", "abbr")
MAX_ELEMENTS = 3000  # of one tag
MAX_CHILDREN = 12
MAX_NODES = 500  # below it, at any depth
MAX_TEXT = 120
MAX_CANDIDATES = 20
MAX_BEGIN = 200  # characters of a text that may say what it is
MAX_ROLES = 5000  # that are remembered: a site's pages repeat them

_BY = re.compile(r"by-?line|(?:^|[\s_-])by(?:[\s_-]|$)")
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|by|contributors?|journalists?)/\w"
)
_DATE = re.compile(r"date|publi|posted|time|by-?line|meta|author")
# Authors and dates of something else than the article, or of its update.
_OF_SOMETHING_ELSE = re.compile(
    r"comment|related|card|teaser|sidebar|footer|recommend|bookmark|bio\b|reviewer|avatar|role|"
    r"tag\b|updat|modif|descr"
)
_LABEL = re.compile(r"\s*+(?:by|author)(?:\s*+:|\s|$)\s*+", re.I)
_SIGNED = re.compile(r"\s*+(?:[Bb]y|BY)(?:\s*+:)?(?:\s*+$|\s+(?=[^\W\d_a-zß-ÿ]))")
#: The first two letters of all that may be signed or labelled: most texts need no further look.
_BEGINNINGS = frozenset(["by", *(word[:2] for word in LABEL_BEGINNINGS)])
#: The attributes that say what an element is.
_ROLES = frozenset(["class", "itemprop", "rel", "id"])
_TAGS_WITHOUT_BYLINE = frozenset(["nav", "li", "form", "footer", "button", "label"])
_CONNECTS = re.compile(r"(?:^|\s)(?:,|;|&|and|und|et|y|with)$", re.I)

#: What an element may be.
BYLINE, SIGNED, DATELINE = 1, 2, 4
#: It is of something else than the article, or even a date of that.
_ELSE, _ELSE_DATE = 8, 16

Elements = Callable[[str], Sequence[HtmlElement]]


def shown_authors(elements: SmallElements) -> list[str]:
    """The names in the first small element that looks like a byline, and its siblings."""
    return _authors(elements, BYLINE) or _authors(elements, SIGNED)


def shown_signature(elements: SmallElements) -> list[str]:
    """What signs in the first element that is an author's by its class: a first name, a team."""
    for _, pieces in elements.of(BYLINE):
        text = " ".join(pieces)
        found = _LABEL.match(text)
        text = text[found.end() :] if found else text
        if looks_like_signature(text.removeprefix("the ")):
            return [text]
    return []


def shown_dates(elements: SmallElements, day_first: bool | None = None) -> ShownDates:
    """The first date in a small element that looks like a dateline, and that of an update.

    What a dateline calls updated is never the date of publication; after that date, an update's
    is only looked for beside it.
    """
    published = updated = parent = None
    for element, pieces in elements.of(DATELINE):
        if published and (updated or element.getparent() is not parent):
            break
        found = dates_in(" ".join(pieces), day_first)
        if found.published and not published:
            published, parent = found.published, element.getparent()
        updated = updated or found.updated
    if published and updated and updated[:10] < published[:10]:
        updated = None  # of something else
    return ShownDates(published, updated)


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
    """The names in pieces of text; what follows them is a role, a date or a place."""
    found: list[str] = []
    connected = False
    for piece in pieces:
        start, _ = find_date(piece)
        names = list(takewhile(looks_like_name, names_in(piece[:start])))
        if names and (connected or not found):
            found += names
        elif found and not _CONNECTS.search(piece):
            break
        connected = bool(_CONNECTS.search(piece))
    return found


class SmallElements:
    """The small elements of a page by what their classes, or their first words, say they are.

    Each element is looked at once, whoever asks, and none after the one that is found.
    """

    def __init__(self, elements: Elements) -> None:
        self.elements = elements
        self._seen: list[tuple[HtmlElement, int]] = []
        self._unseen = _marked(elements)

    @cached_property
    def _microdata(self) -> list[tuple[HtmlElement, str]]:
        """The elements, other than meta, with microdata, each with the names that it gives."""
        return [
            (element, names.lower())
            for tag in MICRODATA_TAGS
            for element in islice(self.elements(tag), MAX_ELEMENTS)
            if (names := element.get("itemprop")) is not None
        ]

    def with_itemprop(self, name: str) -> Iterator[HtmlElement]:
        """The elements, other than meta, that microdata gives a name."""
        return (element for element, names in self._microdata if name in names.split())

    def of(self, kind: int) -> Iterator[tuple[HtmlElement, list[str]]]:
        """The elements of a kind, with their pieces of text."""
        wanted = (
            (element, pieces)
            for element, kinds in self._each_marked()
            if kinds & kind
            and (kind != SIGNED or _may_be_signed(element))
            and (pieces := _pieces(element))
        )
        return islice(wanted, MAX_CANDIDATES)

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
    """The elements of which something is said, each with the kinds that it may be."""
    wanted = BYLINE | SIGNED | DATELINE
    for tag in TAGS:
        for element in islice(elements(tag), MAX_ELEMENTS):
            kinds = 0
            names = element.keys()
            for name in names:
                if name in _ROLES:
                    kinds |= _kinds(element.get(name))
            if kinds & _ELSE:
                kinds = _ELSE | _ELSE_DATE if kinds & DATELINE else _ELSE
            is_own = not kinds & _ELSE
            if tag == "a" and is_own and _AUTHOR_PAGE.search(element.get("href", "")):
                kinds |= BYLINE
            text = element.text
            if text and (begin := text.lstrip())[:2].lower() in _BEGINNINGS:
                said = _kinds_by_text(begin[:MAX_BEGIN])
                if is_own:
                    kinds |= said & SIGNED
                if not kinds & _ELSE_DATE:
                    kinds |= said & DATELINE
            if kinds & wanted:
                yield element, kinds


def _may_be_signed(element: HtmlElement) -> bool:
    """Whether an element is outside menus and forms."""
    return not any(above.tag in _TAGS_WITHOUT_BYLINE for above in element.iterancestors())


@lru_cache(MAX_ROLES)
def _kinds(role: str) -> int:
    """What its classes, or another name, say an element is, and whether it is something else's."""
    role = role.lower()
    is_author = "author" in role or "writer" in role or ("by" in role and bool(_BY.search(role)))
    kinds = (BYLINE | DATELINE) if is_author else DATELINE if _DATE.search(role) else 0
    return kinds | _ELSE if _OF_SOMETHING_ELSE.search(role) else kinds


def _kinds_by_text(begin: str) -> int:
    """What the first words of a text say it is."""
    signed = SIGNED if _SIGNED.match(begin) else 0
    return signed | (DATELINE if LABELLED.match(begin) else 0)


def _pieces(element: HtmlElement) -> list[str]:
    if len(element) > MAX_CHILDREN:
        return []
    if next(islice(element.iter(), MAX_NODES, None), None) is not None:  # it has more
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
