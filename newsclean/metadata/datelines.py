"""Dates as lines of the page show them, with what they are called: published, or updated."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from newsclean.metadata.dates import (
    count_years,
    date_in_text,
    find_date,
    is_day_first,
    may_have_date,
)

#: Words of a line before its date, and in all: with more it is running text.
MAX_OTHER_WORDS = 12
MAX_WORDS = 20
#: Characters of a line that may name the date of the line after it.
MAX_LABEL = 40
#: Characters of a line, anywhere on the page, that says when the page was published.
MAX_LABELLED = 90

#: Characters of a sentence that says when the article was first published.
MAX_SENTENCE = 250

# What the text calls a date, in the languages of `months`.
PUBLISHED = (
    r"publish|posted|post time|post date|veröffentlicht|erschienen|publi[ée]|publicad|pubblicat|"
    r"gepubliceerd|publicer|publisert|udgivet|julkaistu|opublikow|publikov|zveřejn|vydáno|опубл|"
    r"yayın|δημοσι|发布|發布|公開|입력|등록"
)
UPDATED = (
    r"updat|modif|reviewed|revised|edited|aktualis|mis à jour|actuali[sz]|atualiz|aggiornat|"
    r"bijgewerkt|uppdater|oppdater|opdater|päivitetty|aktualiz|обновлен|оновлен|güncelle|"
    r"ενημέρωσ|更新|수정"
)
LABEL = re.compile(rf"(?P<updated>{UPDATED})|{PUBLISHED}", re.I)
_BEFORE_LABEL = "first|last|originally|page|article|zuletzt|última|dernière"
LABELLED = re.compile(rf"\s*+(?:(?:{_BEFORE_LABEL}) )?(?:{PUBLISHED}|{UPDATED})", re.I)
#: What a line that is labelled begins with, in lower case; two letters of each are no pattern.
LABEL_BEGINNINGS = tuple(f"{_BEFORE_LABEL}|{PUBLISHED}|{UPDATED}".split("|"))
_TWO_LETTERS = frozenset(begin[:2] for begin in LABEL_BEGINNINGS)
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
        is_label = before and len(before) <= MAX_LABEL and LABEL.search(before)
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
            len(line) <= MAX_LABELLED
            and line[:2].lower() in _TWO_LETTERS
            and may_have_date(line)
            and LABELLED.match(line)
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
        is_short = len(line) <= MAX_LABEL
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
        if len(line) <= MAX_SENTENCE and (found := _ORIGINALLY.match(line)):
            text = line[found.end() :]
            start, date = find_date(text, day_first)
            if date is not None and start <= MAX_LABEL:
                return date
    return None


def _is_dateline(text: str, day_first: bool | None) -> bool:
    start, date = find_date(text, day_first)
    if date is None:
        return False
    before = len(_WORD.findall(text[:start]))
    return before <= MAX_OTHER_WORDS and len(_WORD.findall(text)) <= MAX_WORDS


def day_first_in(lines: Sequence[str], date: str | None) -> bool | None:
    """Whether the page writes dates day first, as far as its lines show it.

    >>> day_first_in(["Rain again", "1/2/2024", "13/1/2024"], None)
    True
    """
    short = [line for line in lines if "/" in line and len(line) <= MAX_LABELLED]
    written = _NUMERIC.findall("\n".join(short)) if short else []
    votes = {is_day_first(text) for text in written} - {None}
    if not votes and date is not None:
        votes = {is_day_first(text, date) for text in written} - {None}
    return votes.pop() if len(votes) == 1 else None
