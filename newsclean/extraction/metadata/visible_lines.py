"""Bylines and dates that appear only on the page itself: by the classes of small elements.

This is for pages whose head says nothing, so it may cost a look at many elements, but never
the text of a large one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from lxml.html import HtmlElement

from newsclean.extraction.metadata.bylines import looks_like_name, looks_like_signature, names_in
from newsclean.extraction.metadata.dates import (
    count_years,
    date_in_text,
    find_date,
    is_day_first,
    may_have_date,
)

# Dates as lines of the page show them, with what they are called: published, or updated.

#: Words of a line before its date, and in all: with more it is running text.
_MAX_OTHER_WORDS = 12
_MAX_WORDS = 20
#: Characters of a line that may name the date of the line after it.
_MAX_LABEL = 40
#: Characters of a line, anywhere on the page, that says when the page was published.
_MAX_LABELLED = 90

#: Characters of a sentence that says when the article was first published.
_MAX_SENTENCE = 250

# What the text calls a date, in the languages of `months`.
_PUBLISHED = (
    r"publish|posted|post time|post date|veröffentlicht|erschienen|publi[ée]|publicad|pubblicat|"
    r"gepubliceerd|publicer|publisert|udgivet|julkaistu|opublikow|publikov|zveřejn|vydáno|опубл|"
    r"yayın|δημοσι|发布|發布|公開|입력|등록"
)
_UPDATED = (
    r"updat|modif|reviewed|revised|edited|aktualis|mis à jour|actuali[sz]|atualiz|aggiornat|"
    r"bijgewerkt|uppdater|oppdater|opdater|päivitetty|aktualiz|обновлен|оновлен|güncelle|"
    r"ενημέρωσ|更新|수정"
)
LABEL = re.compile(rf"(?P<updated>{_UPDATED})|{_PUBLISHED}", re.I)
_BEFORE_LABEL = "first|last|originally|page|article|zuletzt|última|dernière"
_LABELLED = re.compile(rf"\s*+(?:(?:{_BEFORE_LABEL}) )?(?:{_PUBLISHED}|{_UPDATED})", re.I)
#: What a line that is labelled begins with, in lower case; two letters of each are no pattern.
_LABEL_BEGINNINGS = tuple(f"{_BEFORE_LABEL}|{_PUBLISHED}|{_UPDATED}".split("|"))
_TWO_LETTERS = frozenset(begin[:2] for begin in _LABEL_BEGINNINGS)
# Of the article itself, not of a book that it tells of.
_ORIGINALLY = re.compile(
    r"(?:\W*(?:editor['’]s )?note\W+)?\W*"
    r"(?:(?:this|the) (?:\w+ ){0,2}(?:article|post|story|piece|page|guide|review) (?:was |had )?)?"
    r"(?:originally|first) (?:published|posted|appeared)\b",
    re.I,
)
_TODAY = re.compile(r"\b(?:today|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag|idag)\b", re.I)
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w+")
_NUMERIC = re.compile(r"(?<![\w.,/-])\d{1,2}[/-]\d{1,2}[/-]\d{4}(?!\d)")


@dataclass(frozen=True)
class ShownDates:
    """When the article was published, and updated, as the page shows it."""

    published: str | None = None
    updated: str | None = None
    #: whether the first is called the date of publication
    is_labelled: bool = False


def dates_in(text: str, day_first: bool | None = None) -> ShownDates:
    """The dates of publication and of update in one line.

    >>> dates_in("Updated: 6 Jan 2026 | Published: 5 Jan 2026")
    ShownDates(published='2026-01-05', updated='2026-01-06', is_labelled=True)
    """
    labels = list(LABEL.finditer(text))
    published = date_in_text(text[: labels[0].start()] if labels else text, day_first)
    updated = None
    is_labelled = False
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=False):
        day = date_in_text(text[label.end() : end], day_first)
        if label["updated"]:
            updated = updated or day
        elif day and not is_labelled:
            published, is_labelled = day, True
    return ShownDates(published, updated, is_labelled)


def dates_beside(lines: Iterable[str], day_first: bool | None = None) -> ShownDates:
    """The dates in the lines beside a headline; the first line with one decides.

    An update's date is taken from a later line, too. A line that only names a date belongs to the
    line after it.
    """
    published = updated = None
    is_labelled = False
    before = ""  # a line without digits
    for line in lines:
        if not may_have_date(line):
            before = "" if _DIGIT.search(line) else line
            continue
        is_label = before and len(before) <= _MAX_LABEL and LABEL.search(before)
        text = f"{before} {line}" if is_label else line
        before = ""
        if not _is_dateline(text, day_first):
            continue
        found = dates_in(text, day_first)
        if found.published and (published is None or (found.is_labelled and not is_labelled)):
            published, is_labelled = found.published, found.is_labelled
        updated = updated or found.updated
    return ShownDates(published, updated, is_labelled)


def may_show_earlier(lines: Iterable[str], date: str) -> bool:
    """Whether lines may show a date before this one; a look that costs little.

    >>> may_show_earlier(["Rain", "1 March 2024"], "2024-03-02")
    True
    >>> may_show_earlier(["Rain", "Updated 3 March 2024"], "2024-03-02")
    False
    """
    for line in lines:
        if years := count_years(line):
            found = find_date(line)[1]
            if years > 1 or found is None or found[:10] < date[:10]:
                return True
    return False


def labelled_dates(lines: Iterable[str], day_first: bool | None = None) -> ShownDates:
    """The dates in the first short line, anywhere, that says that it is one of the page."""
    for line in lines:
        if (
            len(line) <= _MAX_LABELLED
            and line[:2].lower() in _TWO_LETTERS
            and may_have_date(line)
            and _LABELLED.match(line)
        ):
            found = dates_in(line, day_first)
            if found.published or found.updated:
                return found
    return ShownDates()


def only_date(lines: Iterable[str], day_first: bool | None = None) -> str | None:
    """The date in the short lines of a page, wherever they are, if all have the same.

    What such a line, or the one before it, calls an update's is not the date of publication, and
    what it calls today is the day of the visit.

    >>> only_date(["Blog | 1 March 2024", "Rain again", "It rains."])
    '2024-03-01'
    """
    only = None
    before = ""
    for line in lines:
        is_short = len(line) <= _MAX_LABEL
        if is_short and may_have_date(line) and (day := date_in_text(line, day_first)):
            labels = LABEL.finditer(f"{before} {line}")
            if _TODAY.search(line) or any(label["updated"] for label in labels):
                return None
            if only is not None and only[:10] != day[:10]:
                return None
            only = only or day
        before = line if is_short else ""
    return only


def originally_published(lines: Iterable[str], day_first: bool | None = None) -> str | None:
    """The date in a sentence, anywhere, that says when the article was first published.

    >>> originally_published(["Rain", "This article was originally published on 1 March 2019."])
    '2019-03-01'
    """
    for line in lines:
        if len(line) <= _MAX_SENTENCE and (found := _ORIGINALLY.match(line)):
            text = line[found.end() :]
            start, date = find_date(text, day_first)
            if date is not None and start <= _MAX_LABEL:
                return date
    return None


def _is_dateline(text: str, day_first: bool | None) -> bool:
    start, date = find_date(text, day_first)
    if date is None:
        return False
    before = len(_WORD.findall(text[:start]))
    return before <= _MAX_OTHER_WORDS and len(_WORD.findall(text)) <= _MAX_WORDS


def day_first_in(lines: Sequence[str], date: str | None) -> bool | None:
    """Whether the page writes dates day first, as far as its lines show it.

    >>> day_first_in(["Rain again", "1/2/2024", "13/1/2024"], None)
    True
    """
    short = [line for line in lines if "/" in line and len(line) <= _MAX_LABELLED]
    written = _NUMERIC.findall("\n".join(short)) if short else []
    votes = {is_day_first(text) for text in written} - {None}
    if not votes and date is not None:
        votes = {is_day_first(text, date) for text in written} - {None}
    return votes.pop() if len(votes) == 1 else None


TAGS = ("a", "span", "address", "p", "div", "small", "h3", "h4", "h5", "cite", "aside")
_MICRODATA_TAGS = ("time", "span", "p", "div", "li", "abbr")
MAX_ELEMENTS = 3000  # of one tag
_MAX_CHILDREN = 12
_MAX_NODES = 500  # below it, at any depth
_MAX_TEXT = 120
_MAX_CANDIDATES = 20
_MAX_BEGIN = 200  # characters of a text that may say what it is
_MAX_ROLES = 5000  # that are remembered: a site's pages repeat them

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
_BEGINNINGS = frozenset(["by", *(word[:2] for word in _LABEL_BEGINNINGS)])
#: The attributes that say what an element is.
_ROLES = frozenset(["class", "itemprop", "rel", "id"])
_TAGS_WITHOUT_BYLINE = frozenset(["nav", "li", "form", "footer", "button", "label"])
_CONNECTS = re.compile(r"(?:^|\s)(?:,|;|&|and|und|et|y|with)$", re.I)

#: What an element may be.
BYLINE, SIGNED, _DATELINE = 1, 2, 4
#: It is of something else than the article, or even a date of that.
_ELSE, _ELSE_DATE = 8, 16

_Elements = Callable[[str], Sequence[HtmlElement]]


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
    for element, pieces in elements.of(_DATELINE):
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

    def __init__(self, elements: _Elements) -> None:
        self.elements = elements
        self._seen: list[tuple[HtmlElement, int]] = []
        self._unseen = _marked(elements)

    @cached_property
    def _microdata(self) -> list[tuple[HtmlElement, str]]:
        """The elements, other than meta, with microdata, each with the names that it gives."""
        return [
            (element, names.lower())
            for tag in _MICRODATA_TAGS
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


def _marked(elements: _Elements) -> Iterator[tuple[HtmlElement, int]]:
    """The elements of which something is said, each with the kinds that it may be."""
    wanted = BYLINE | SIGNED | _DATELINE
    for tag in TAGS:
        for element in islice(elements(tag), MAX_ELEMENTS):
            kinds = 0
            names = element.keys()
            for name in names:
                if name in _ROLES:
                    kinds |= _kinds(element.get(name))
            if kinds & _ELSE:
                kinds = _ELSE | _ELSE_DATE if kinds & _DATELINE else _ELSE
            is_own = not kinds & _ELSE
            if tag == "a" and is_own and _AUTHOR_PAGE.search(element.get("href", "")):
                kinds |= BYLINE
            text = element.text
            if text and (begin := text.lstrip())[:2].lower() in _BEGINNINGS:
                said = _kinds_by_text(begin[:_MAX_BEGIN])
                if is_own:
                    kinds |= said & SIGNED
                if not kinds & _ELSE_DATE:
                    kinds |= said & _DATELINE
            if kinds & wanted:
                yield element, kinds


def _may_be_signed(element: HtmlElement) -> bool:
    """Whether an element is outside menus and forms."""
    return not any(above.tag in _TAGS_WITHOUT_BYLINE for above in element.iterancestors())


@lru_cache(_MAX_ROLES)
def _kinds(role: str) -> int:
    """What its classes, or another name, say an element is, and whether it is something else's."""
    role = role.lower()
    is_author = "author" in role or "writer" in role or ("by" in role and bool(_BY.search(role)))
    kinds = (BYLINE | _DATELINE) if is_author else _DATELINE if _DATE.search(role) else 0
    return kinds | _ELSE if _OF_SOMETHING_ELSE.search(role) else kinds


def _kinds_by_text(begin: str) -> int:
    """What the first words of a text say it is."""
    signed = SIGNED if _SIGNED.match(begin) else 0
    return signed | (_DATELINE if _LABELLED.match(begin) else 0)


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
