"""Bylines and dates that appear only on the page itself: by the classes of small elements.

This is for pages whose head says nothing, so it may cost a look at many elements, but never
the text of a large one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile

from lxml.html import HtmlElement

from newsclean.metadata.dates import date_in_text, find_date
from newsclean.metadata.names import looks_like_name, names_in

TAGS = ("a", "span", "address", "p", "div", "small")
MAX_ELEMENTS = 3000  # of one tag
MAX_CHILDREN = 12
MAX_NODES = 500  # below it, at any depth
MAX_TEXT = 120
MAX_CANDIDATES = 20
MAX_ROLES = 5000  # that are remembered: a site's pages repeat them

_BY = re.compile(r"by-?line|(?:^|[\s_-])by(?:[\s_-]|$)")
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|by|contributors?|journalists?)/\w"
)
_DATE = re.compile(r"date|publi|posted|time|by-?line|meta|author", re.I)
# What the text calls a date, in the languages of `months`.
_PUBLISHED = (
    r"published|posted|veröffentlicht|erschienen|publi[ée]|publicad|pubblicat|gepubliceerd|"
    r"publicer|publisert|udgivet|julkaistu|opublikow|publikov|zveřejn|vydáno|опубл|yayın|δημοσι|"
    r"发布|發布|公開|입력|등록"
)
_UPDATED = (
    r"updat|modif|reviewed|aktualis|mis à jour|actuali[sz]|atualiz|aggiornat|bijgewerkt|uppdater|"
    r"oppdater|opdater|päivitetty|aktualiz|обновлен|оновлен|güncelle|ενημέρωσ|更新|수정"
)
_LABEL = re.compile(rf"(?P<updated>{_UPDATED})|{_PUBLISHED}", re.I)
_LABELLED = re.compile(rf"\s*+(?:(?:first|last|originally) )?(?:{_PUBLISHED}|{_UPDATED})", re.I)
# Authors and dates of something else than the article, or of its update.
_OF_SOMETHING_ELSE = re.compile(
    r"comment|related|card|teaser|sidebar|footer|recommend|bookmark|bio\b|reviewer|avatar|role|"
    r"tag\b|updat|modif|descr",
    re.I,
)
_SIGNED = re.compile(r"\s*+(?:[Bb]y|BY)(?:\s*+:)?(?:\s*+$|\s+(?=[^\W\d_a-zß-ÿ]))")
_TAGS_WITHOUT_BYLINE = frozenset(["nav", "li", "form", "footer", "button", "label"])
_CONNECTS = re.compile(r"(?:^|\s)(?:,|;|&|and|und|et|y|with)$", re.I)

Elements = Callable[[str], Sequence[HtmlElement]]


def shown_authors(elements: Elements) -> list[str]:
    """The names in the first small element that looks like a byline, and its siblings."""
    return _authors(elements, _is_byline) or _authors(elements, _is_signed)


def shown_dates(elements: Elements) -> tuple[str | None, str | None]:
    """The first date in a small element that looks like a dateline, and that of an update.

    What a dateline calls updated is never the date of publication; after that date, an update's
    is only looked for beside it.
    """
    published = updated = parent = None
    for element, pieces in _small_elements(elements, _is_dateline):
        if published and (updated or element.getparent() is not parent):
            break
        day, update = _labelled_dates(" ".join(pieces))
        if day and not published:
            published, parent = day, element.getparent()
        updated = updated or update
    if published and updated and updated[:10] < published[:10]:
        updated = None  # of something else
    return published, updated


def _labelled_dates(text: str) -> tuple[str | None, str | None]:
    """The dates of publication and of update in one dateline.

    >>> _labelled_dates("Updated: 6 Jan 2026 | Published: 5 Jan 2026")
    ('2026-01-05', '2026-01-06')
    """
    labels = list(_LABEL.finditer(text))
    published = date_in_text(text[: labels[0].start()] if labels else text)
    updated = None
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=False):
        day = date_in_text(text[label.end() : end])
        if label["updated"]:
            updated = updated or day
        else:
            published = day or published
    return published, updated


def _authors(elements: Elements, wanted: Callable[[HtmlElement], bool]) -> list[str]:
    found: list[str] = []
    parent = None
    for element, pieces in _small_elements(elements, wanted):
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


def _small_elements(
    elements: Elements, wanted: Callable[[HtmlElement], bool]
) -> Iterator[tuple[HtmlElement, list[str]]]:
    """The wanted small elements with their pieces of text."""
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
    return bool(links or _names_author(role)) and not _OF_SOMETHING_ELSE.search(role)


def _is_signed(element: HtmlElement) -> bool:
    """Whether an element begins as bylines do, outside menus and forms."""
    text = element.text
    if not text or not _SIGNED.match(text) or _OF_SOMETHING_ELSE.search(_role(element)):
        return False
    return not any(above.tag in _TAGS_WITHOUT_BYLINE for above in element.iterancestors())


def _is_dateline(element: HtmlElement) -> bool:
    role = _role(element)
    if _names_date(role):
        return not _OF_SOMETHING_ELSE.search(role)
    text = element.text
    return bool(text) and not text.isspace() and bool(_LABELLED.match(text))


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
    return bool(_DATE.search(role)) or _names_author(role)


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
