"""Dates in the visible lines of a page: published or updated, and in which order day and month are.

In go lines of text, out come ISO 8601 dates.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from newsclean.extraction.metadata.date_words import TODAY
from newsclean.extraction.metadata.dates import (
    count_years,
    date_in_text,
    find_date,
    is_day_first,
    may_have_date,
)
from newsclean.extraction.metadata.label_words import MEMBER, PUBLISHED, UPDATED, pattern_of
from newsclean.extraction.metadata.language import primary_subtag

_PUBLISHED, _UPDATED = pattern_of(PUBLISHED), pattern_of(UPDATED)
#: Words before such a label.
_BEFORE_LABEL = "first|last|originally|page|article|zuletzt|letzte|última|dernière"
#: Dates with these labels are not the article's.
_OF_MEMBER = re.compile(rf"\b(?:{pattern_of(MEMBER)})\b", re.I)
_TODAY = re.compile(rf"(?<!\w)(?:{'|'.join(TODAY.split())})(?!\w)", re.I)
#: English-speaking countries that write the day first, and those that write the month first, by
#: top-level domain.
_DAY_FIRST_DOMAINS = frozenset("uk ie au nz in za pk ng ke gh sg my hk mt bd lk".split())
_MONTH_FIRST_DOMAINS = frozenset("us gov edu mil ph".split())
#: Languages whose dates begin with the year: a date that ends with it tells nothing.
_YEAR_FIRST = frozenset("zh ja ko hu lt mn".split())

#: Words of a line before its date, and in all; a line with more is running text.
_MAX_OTHER_WORDS = 12
_MAX_WORDS = 20
#: Words before a date that is called today's.
_MAX_TODAY_WORDS = 2
#: Lines of a list of teasers, and words of each with those of its date.
_MIN_ENTRIES = 3
_MIN_ENTRY_WORDS = 6
#: Characters of a line that labels the date in the next line.
_MAX_LABEL = 40
#: Characters at the start of a labelled line, anywhere on the page.
_MAX_LABELLED = 90
#: Characters of a sentence that tells when the article was first published.
_MAX_SENTENCE = 250

_LABEL = re.compile(rf"(?P<updated>{_UPDATED})|{_PUBLISHED}", re.I)
LABELLED = re.compile(rf"\s*+(?:(?:{_BEFORE_LABEL}) )?(?:{_PUBLISHED}|{_UPDATED})", re.I)
#: With which a labelled line begins, in lower case; comparing two letters is faster than a pattern.
LABEL_BEGINNINGS = frozenset(
    begin[:2] for begin in f"{_BEFORE_LABEL}|{_PUBLISHED}|{_UPDATED}".split("|")
)
# About the article itself, not about a book.
_ORIGINALLY = re.compile(
    r"(?:\W*(?:editor['’]s )?note\W+)?\W*"
    r"(?:(?:this|the) (?:\w+ ){0,2}(?:article|post|story|piece|page|guide|review) (?:was |had )?)?"
    r"(?:originally|first) (?:published|posted|appeared)\b",
    re.I,
)
#: The signature of an embedded post.
_POST = re.compile(r"\(@\w+\)")
#: What is before the date in the credit of a photo: "(Photo: A. Lee, 2024-03-01)".
_CREDIT = re.compile(r"\([^()\d]*[^\W\d_]{2}[^()]*$")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w+")
_NUMERIC = re.compile(r"(?<![\w.,/-])\d{1,2}[/-]\d{1,2}[/-]\d{4}(?!\d)")


@dataclass(frozen=True)
class VisibleDates:
    """The dates of publication and update that a page shows."""

    published: str | None = None
    updated: str | None = None
    #: whether `published` is labelled as such
    is_labelled: bool = False


def dates_in(text: str, day_first: bool | None = None) -> VisibleDates:
    """Return the dates of publication and update in one line.

    >>> dates_in("Updated: 6 Jan 2026 | Published: 5 Jan 2026")
    VisibleDates(published='2026-01-05', updated='2026-01-06', is_labelled=True)
    """
    labels = list(_LABEL.finditer(text))
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
    return VisibleDates(published, updated, is_labelled)


def dates_beside(lines: Iterable[str], day_first: bool | None = None) -> VisibleDates:
    """Return the dates in the lines beside a headline; the first line with one decides.

    The date of an update may be in a later line. A line that is only a label belongs to the next.
    """
    published = updated = None
    is_labelled = False
    before = ""  # the last line, if it has no digits
    lines = list(lines)
    entries = _entries(lines, day_first)
    for line in lines:
        if not may_have_date(line) or _POST.search(line) or line in entries:
            before = "" if _DIGIT.search(line) else line
            continue
        if _OF_MEMBER.search(f"{before[-_MAX_LABEL:]} {line}"):
            before = ""
            continue
        is_label = before and len(before) <= _MAX_LABEL and _LABEL.search(before)
        text = f"{before} {line}" if is_label else line
        before = ""
        if not _is_dateline(text, day_first):
            continue
        found = dates_in(text, day_first)
        if found.published and (published is None or (found.is_labelled and not is_labelled)):
            published, is_labelled = found.published, found.is_labelled
        updated = updated or found.updated
    return VisibleDates(published, updated, is_labelled)


def _is_dateline(text: str, day_first: bool | None) -> bool:
    start, date = find_date(text, day_first)
    if date is None:
        return False
    if _CREDIT.search(text[:start]) or _is_today(text[:start]):
        return False
    before = len(_WORD.findall(text[:start]))
    return before <= _MAX_OTHER_WORDS and len(_WORD.findall(text)) <= _MAX_WORDS


def _is_today(before: str) -> bool:
    """Whether a line calls its date today's: that of the visit.

    >>> _is_today("Today: "), _is_today("Heute ist "), _is_today("By Leo Hoy, ")
    (True, True, False)
    """
    words = _WORD.findall(before)
    return 0 < len(words) <= _MAX_TODAY_WORDS and bool(_TODAY.match(words[0]))


def _entries(lines: Sequence[str], day_first: bool | None) -> Collection[str]:
    """Return the lines of a list that begin with a date each: teasers of other articles."""
    found: dict[str, str] = {}
    for line in lines:
        if line[:1].isdigit() and may_have_date(line) and not _LABEL.search(line):
            start, date = find_date(line, day_first)
            if date is not None and not start and len(_WORD.findall(line)) >= _MIN_ENTRY_WORDS:
                found[line] = date[:10]
    return found if len({*found.values()}) >= _MIN_ENTRIES else ()


def may_show_other(lines: Iterable[str], date: str) -> bool:
    """Whether lines may show a date of another day than this one; a quick check.

    >>> may_show_other(["Rain", "1 March 2024"], "2024-03-02")
    True
    >>> may_show_other(["Rain", "2 March 2024"], "2024-03-02")
    False
    """
    for line in lines:
        if years := count_years(line):
            found = find_date(line)[1]
            if years > 1 or found is None or found[:10] != date[:10]:
                return True
    return False


def is_shown_first(lines: Iterable[str], date: str) -> bool:
    """Whether the first day that lines show is that of a date, and not labelled as an update.

    >>> is_shown_first(["2 March 2024", "Wind: 1 March 2024"], "2024-03-02")
    True
    """
    year, month, day = date[:10].split("-")
    for line in lines:
        if may_have_date(line):
            if f"{day}.{month}.{year}" in line:  # also twice, without a space
                return True
            if found := dates_in(line).published:
                return found[:10] == date[:10]
    return False


def labelled_dates(lines: Iterable[str], day_first: bool | None = None) -> VisibleDates:
    """Return those at the start of the first line, anywhere, that is labelled as dates."""
    for line in lines:
        if line[:2].lower() in LABEL_BEGINNINGS and LABELLED.match(line):
            found = dates_in(line[:_MAX_LABELLED], day_first)
            if found.published or found.updated:
                return found
    return VisibleDates()


def only_date(lines: Iterable[str], day_first: bool | None = None) -> str | None:
    """Return the date in the short lines of a page, wherever they are, if all have the same.

    A date labelled as an update, by its line or the one before, is not the date of publication, and
    a date labelled as today is the day of the visit. Nor is that of a photo or of a membership.

    >>> only_date(["Blog | 1 March 2024", "Rain again", "It rains."])
    '2024-03-01'
    """
    only = None
    before = ""
    for line in lines:
        is_short = len(line) <= _MAX_LABEL
        start, day = find_date(line, day_first) if is_short else (0, None)
        if day is not None:
            labels = _LABEL.finditer(f"{before} {line}")
            if _TODAY.search(line) or any(label["updated"] for label in labels):
                return None
            if _OF_MEMBER.search(f"{before} {line}") or _CREDIT.search(line[:start]):
                return None
            if only is not None and only[:10] != day[:10]:
                return None
            only = only or day
        before = line if is_short else ""
    return only


def originally_published(lines: Iterable[str], day_first: bool | None = None) -> str | None:
    """Return the date in a sentence, anywhere, that tells when the article was first published.

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


def day_first_by_language(tags: Iterable[object], urls: Iterable[str | None]) -> bool | None:
    """Whether language and country write dates day first, None if they do not tell.

    >>> day_first_by_language(["de"], []), day_first_by_language(["en-US"], [])
    (True, False)
    >>> day_first_by_language(["en-US"], ["https://example.co.uk/"])
    True
    """
    named = [tag for tag in tags if isinstance(tag, str) and primary_subtag(tag)]
    tag = named[0] if named else ""
    language = primary_subtag(tag)
    if language not in (None, "en"):
        return None if language in _YEAR_FIRST else True
    for url in urls:
        end = _top_level_domain(url)
        if end in _DAY_FIRST_DOMAINS:
            return True  # many sites leave the language of their system: en-US
        if end in _MONTH_FIRST_DOMAINS:
            return False
    region = tag.strip().replace("_", "-").partition("-")[2].lower()
    if not region:
        return None
    return region not in ("us", "ph")


def _top_level_domain(url: str | None) -> str:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
    return host.rpartition(".")[2]
