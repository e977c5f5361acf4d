"""Dates as pages write them, in many languages and some calendars, converted to ISO 8601.

The names of months and weekdays are in `date_words`, which `benchmarks/date_words.py` writes: to
add a language, add it there. The forms rarely change. Digits may be those of any script.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from typing import NamedTuple

from newsclean.extraction.metadata.date_words import (
    CROATIAN_MONTHS,
    DAY_PERIODS,
    MONTHS,
    PERSIAN_MONTHS,
    TODAY,
    WEEKDAYS,
    YESTERDAY,
)

#: Spellings of months that the CLDR does not have.
_OTHER_SPELLINGS = {"maerz": 3, "setiembre": 9}
#: Hours from UTC.
_ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 1, "cet": 1, "cest": 2, "jst": 9}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
#: Words between a day and a time.
_AT = r"at|um|à|às|kl\.?|klo|ore|godz\.?|в|saat|เวลา|ساعت|الساعة|-"
_AFTERNOON = ("下午", "午後", "오후")
_LABEL = re.compile(r"^(?:(?:first |last )?(?:published|posted|updated|date|on)\b[:\s]*)+", re.I)

#: Letters of an abbreviation that is not in the table, and of a word that may name a day.
_MIN_MONTH_ABBREVIATION = 4
_MIN_NAME = 3
_MIN_WEEKDAY_ABBREVIATION = 2
_MIN_YEAR = 1800  # newspapers put their archives online
_MAX_FUTURE = timedelta(days=2 * 366)
MAX_TRUSTED_FUTURE = timedelta(days=1)  # clocks and zones differ
_MAX_LENGTH = 100

#: Years of other calendars that news of the last two centuries may have.
_PERSIAN_YEARS = range(1200, 1500)
_BUDDHIST_YEARS = range(2400, 2700)
_BUDDHIST_YEAR = 543
_BUDDHIST_CENTURY = 2500
#: The year before the first one of each era of Japan, and of the Republic of China.
_ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "民國": 1911,
    "民国": 1911,
}
_FIRST_YEAR = "元"
_PERSIAN_FOR_MONTH = "ماه"
#: Added to the numbers of Persian months.
_PERSIAN = 100
#: The day before the first one of the Persian calendar.
_PERSIAN_EPOCH = date(622, 3, 22).toordinal() - 1

# Letters with the vowel signs of Thai and Indian scripts; a second word as in Levantine Arabic, or
# the Persian word for "month". Arabic news writes both names: "1 مارس/آذار 2024".
_MONTH = (
    r"(?P<name>[^\W\d_][^\s\d,،()|/:–-]{1,19}(?:\s(?:الأول|الثاني|ماه))?)"
    r"(?:\s?/\s?[\u0621-\u064a]{3,10}(?:\s(?:الأول|الثاني))?)?"
)
# Thai is also written without spaces.
_GAP = r"(?:[\s-]+|(?=[฀-๿])|(?<=[฀-๿.]))"
_CLOCK = (
    r"(?:\s?[(（]\w{1,3}[)）])?"  # the day of the week in China, Japan and Korea
    rf"(?:(?:\s*[T,،|@]\s*|\s+(?:(?:{_AT})\s+)?|(?<=[)）日])\s?)"
    r"(?P<half_before>上午|下午|午前|午後|오전|오후)?\s?"
    r"(?P<hour>\d{1,2})(?:[:h]|[時时点點시]\s?)(?P<minute>\d\d)"
    r"(?:[:分](?P<second>\d\d)(?:[.,:]\d{1,9})?)?\s*(?P<half>[ap]\.?m\b\.?|[صم](?!\w))?"
    r"\s*(?P<zone>(?:GMT|UTC)?\s?[+-]\d\d(?::?\d\d)?|[A-Z]{1,4}\b)?)?"
)
_WEEKDAY = r"(?:[^\W\d_][^\s\d]{1,19}\s+)?"
_FORMS = (
    r"(?P<year>\d{4})(?P<mark>[-/]|\.\s?)(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
    r"(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]",
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<year>\d{{1,3}}|{_FIRST_YEAR})\s?年\s?(?P<month>\d{{1,2}})\s?月"
    r"\s?(?P<day>\d{1,2})\s?日",
    r"(?P<year>(?:18|19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)(?!\d)",
    # 1 March 2024 · Fri, 01 Mar 2024 · 01-Mar-2024 · 1. März 2024 · 1 de marzo de 2024
    _WEEKDAY
    + r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|(?P<dot>\.))?"
    + _GAP
    + r"(?:(?:of|de)\s+|d['’])?"
    + _MONTH
    + r"[,،]?"
    + _GAP
    + r"(?:del?\s+|[คพ]\.ศ\.\s?)?(?P<year>\d{4})(?!\d)",
    # 12 ก.ย. 67: the last two digits of a Buddhist year
    r"(?P<day>\d{1,2})"
    + _GAP
    + r"(?P<name>[ก-๎][ก-๎.]{1,19})\s?(?:[คพ]\.ศ\.\s?)?(?P<year>[4-9]\d)(?![\d:.])",
    # March 1, 2024 · Fri Mar 01 2024
    _WEEKDAY + _MONTH + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?[,،]?\s+(?P<year>\d{4})(?![\d:])",
    # 2024. gada 1. marts · 2024 ж. 1 наурыз
    r"(?P<year>(?:18|19|20)\d\d)\.?\s+[^\W\d_]{1,4}\.?\s+(?P<day>\d{1,2})\.?\s+" + _MONTH,
    # 2024 Mar 1 · 2024. március 1. · 2024 m. kovo 1
    r"(?P<year>(?:1[348]|19|20)\d\d)[.,]?\s+(?:m\.\s+)?" + _MONTH + r"\s+(?P<day>\d{1,2})(?![\d:])",
    # ngày 1 tháng 3 năm 2024
    r"(?:ngày\s+)?(?P<day>\d{1,2})\s+(?:tháng|thg)\s+(?P<month>\d{1,2})(?:,|\s+năm)?\s+(?P<year>\d{4})(?!\d)",
    # dots are written day first
    r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)",
    r"(?P<day>\d\d)\.(?P<month>\d\d)\.(?P<year>\d\d)(?![\d.])",
)
# Slashes come day first and month first: see `_with_slashes`.
_SLASHES = re.compile(r"(?P<a>\d{1,2})([/-])(?P<b>\d{1,2})\2(?P<year>\d{4})(?!\d)" + _CLOCK)
# "Fri Mar 01 09:30:00 +0100 2024", "Fri Mar  1 09:30:00 CET 2024": the year comes last
_WITH_YEAR_LAST = re.compile(
    rf"[a-z]{{3}},?\s+{_MONTH}\s+(?P<day>\d{{1,2}})\s+(?P<hour>\d\d):(?P<minute>\d\d)"
    r":(?P<second>\d\d)\s+(?P<zone>[+-]\d{4}|[A-Z]{1,4})\s+(?P<year>\d{4})(?P<half>)",
    re.I,
)
# 20240301T093000Z
_COMPACT = re.compile(
    r"(?P<year>(?:18|19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)T?(?P<hour>\d\d)(?P<minute>\d\d)"
    r"(?P<second>\d\d)?(?P<half>)(?P<zone>Z|[+-]\d\d:?\d\d)?$"
)
_EPOCH = re.compile(r"(?P<seconds>\d{9,10})(?:\d{3})?(?:\.\d+)?$")
#: 3/4/2024 as the first date of a text.
_EITHER_ORDER = re.compile(r"(?<![\w.,/-])(?P<a>\d{1,2})([/-])(?P<b>\d{1,2})\2\d{4}(?!\d)")
_START = re.compile(
    r"(?<![\w.,/-])(?=\d{1,4}\D|(?P<word>[^\W\d_][^\s\d,،()|/:–-]{1,19})\s+\d)"
    rf"|(?<!\d)(?=\d{{4}}\s?[年년])|(?={'|'.join(_ERAS)})"
)
#: What every form contains, so that most texts need only one search.
_THAI_MONTH_END = r"(?:[ก-๎]\.|คม|ยน|ธ์)"
_YEAR = re.compile(
    rf"\d\d(?:\d\d|\.\d\d\.\d\d|(?!\d)(?:(?<={_THAI_MONTH_END}\d\d)|(?<={_THAI_MONTH_END}\s\d\d)))"
    r"|[治正和成國国]\s?[\d元]{1,3}\s?年"
)
#: Of right-to-left scripts, also within numbers.
_DIRECTION_MARKS = dict.fromkeys(
    [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_NOT_LETTERS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0640\u200b-\u200f\\s\\d_.,:;'’\"״׳()/|-]+"
)
_LAST_WORD = re.compile(r"(?<![\w-])[^\W\d_][^\s\d.,،]{1,19}(?=[.,،]{0,2}\s{0,3}$)")
_IN_URL = re.compile(
    r"/(?:[^/]*?[-_])?(?P<year>(?:19|20)\d\d)(?P<mark>[-/_.]?)"
    r"(?P<month>\d\d|(?P<name>[a-z]{3,9}))(?P=mark)"
    r"(?P<day>\d\d)(?=[/._-]|$)",
    re.I,
)

_IN_URL_YEAR_LAST = re.compile(
    r"/(?P<a>\d\d)(?P<mark>[-_.])(?P<b>\d\d)(?P=mark)(?P<year>(?:19|20)\d\d)(?=[/._-]|$)"
)
_MONTH_IN_URL = re.compile(r"/(?P<year>(?:19|20)\d\d)[-/](?P<month>0[1-9]|1[0-2])(?=[/-])")
_FIRST_ZONE, _LAST_ZONE = timedelta(hours=-12), timedelta(hours=14)


class SourcedDate(NamedTuple):
    """An ISO 8601 date and where it was found."""

    date: str
    source: str


def iso_date(value: object, day_first: bool | None = None) -> str | None:
    """Return a date in ISO 8601, as precise as it is written, or None if the value is not a date.

    `day_first` tells what 3/4/2024 means; if it is None, such a value is not a date.

    >>> iso_date("Fri, 01 Mar 2024 09:30:00 +0100")
    '2024-03-01T09:30:00+01:00'
    >>> iso_date("March 1, 2024")
    '2024-03-01'
    >>> iso_date("yesterday") is None
    True
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    value = value[: _MAX_LENGTH * 4]
    if not value.isascii():
        value = value.translate(_DIRECTION_MARKS)
        value = _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), value)
    text = _LABEL.sub("", " ".join(value.split())[:_MAX_LENGTH])
    if found := _COMPACT.match(text):
        return _from_parts(found, found["day"], _month(found))
    if epoch := _EPOCH.match(text):
        return _plausible(datetime.fromtimestamp(int(epoch["seconds"]), UTC))
    for form in _forms():
        if found := form.match(text):
            return _from_parts(found, found["day"], _month(found))
    if found := _WITH_YEAR_LAST.match(text):
        return _from_parts(found, found["day"], _month(found))
    if found := _SLASHES.match(text):
        return _with_slashes(found, day_first)
    return None


@cache
def _forms() -> list[re.Pattern[str]]:
    """Compile the forms late: it takes longer than importing the rest."""
    return [re.compile(form + _CLOCK, re.I) for form in _FORMS]


def date_in_text(text: str, day_first: bool | None = None) -> str | None:
    """Return the first date in a short text, or None.

    >>> date_in_text("Ann Lee, March 1, 2024")
    '2024-03-01'
    """
    return find_date(text, day_first)[1]


def find_date(text: str, day_first: bool | None = None) -> tuple[int, str | None]:
    """Return where the first date in a short text begins, and the date; or its length and None.

    >>> find_date("Ann Lee, March 1, 2024")
    (9, '2024-03-01')
    >>> find_date("Ann Lee Fri, 1 March 2024")
    (8, '2024-03-01')
    """
    text = text[: _MAX_LENGTH * 4]
    if not may_have_date(text):
        return len(text), None
    for found in _START.finditer(text):
        if (word := found["word"]) and not month_named(word):
            continue
        if day := iso_date(text[found.start() :], day_first):
            return _start_with_weekday(text, found.start(), day), day
    return len(text), None


def may_have_date(text: str) -> bool:
    """Whether a text has the digits of a date with its year."""
    return _YEAR.search(text) is not None


def count_years(text: str) -> int:
    """Return how many dates a text has at most."""
    return len(_YEAR.findall(text))


def _start_with_weekday(text: str, start: int, day: str) -> int:
    """Return where a date begins, including the right day of the week before it."""
    before = text[max(start - 20, 0) : start]
    found = _LAST_WORD.search(before)
    if found and _is_weekday(found[0], date.fromisoformat(day[:10]).weekday()):
        return start - len(before) + found.start()
    return start


def date_in_url(url: str | None) -> str | None:
    """Return the day in a URL such as `/2024/03/14/rain` or `/14-03-2024-rain`, or None."""
    path = (url or "")[:2048].partition("?")[0]
    for found in _IN_URL.finditer(path):
        if day := _past_day(found["year"], _month(found), found["day"]):
            return day
    if last := _IN_URL_YEAR_LAST.search(path):
        a, b = int(last["a"]), int(last["b"])
        if a == b or max(a, b) > 12:  # else day and month may be either
            return _past_day(last["year"], min(a, b), str(max(a, b)))
    return None


def _past_day(year: str, month: int, day: str) -> str | None:
    try:
        found = date(int(year), month, int(day))
    except ValueError:
        return None
    is_past = found <= datetime.now(UTC).date() + MAX_TRUSTED_FUTURE
    return found.isoformat() if is_past else None


def month_in_url(url: str | None) -> str | None:
    """Return the year and month in a URL such as `/2024/03/rain`, or None.

    >>> month_in_url("https://example.org/2024/03/rain")
    '2024-03'
    """
    found = _MONTH_IN_URL.search((url or "")[:2048].partition("?")[0])
    return f"{found['year']}-{found['month']}" if found else None


def in_local_time(stated: str, shown: str) -> str | None:
    """Return a moment in UTC as the page shows it, or None if it shows another moment.

    Both have a time of day, and the hours between them are those of a zone.

    >>> in_local_time("2024-03-01T22:04:31+00:00", "2024-03-02T00:04:00")
    '2024-03-02T00:04:31+02:00'
    """
    if not stated.endswith("+00:00") or "T" not in shown:
        return None
    moment, local = datetime.fromisoformat(stated), datetime.fromisoformat(shown)
    if local.tzinfo is not None:
        return None
    offset = local - moment.replace(tzinfo=None, second=0, microsecond=0)
    is_zone = _FIRST_ZONE <= offset <= _LAST_ZONE and not offset % timedelta(minutes=15)
    return moment.astimezone(timezone(offset)).isoformat() if is_zone else None


def first_trusted(values: Iterable[tuple[str, object]]) -> SourcedDate | None:
    """Return the first date that is not in the future, else the first date, with its source."""
    distrusted = None
    limit = (datetime.now(UTC) + MAX_TRUSTED_FUTURE).date().isoformat()
    for source, value in values:
        found = iso_date(value)
        if found is None:
            continue
        if found[:10] <= limit:
            return SourcedDate(found, source)
        distrusted = distrusted or SourcedDate(found, source)
    return distrusted


def is_day_first(text: str, date: str | None = None) -> bool | None:
    """Whether a text writes its date day first, or None if it does not show.

    `date` is the date that is meant, if known.

    >>> is_day_first("13/4/2024"), is_day_first("4/13/2024"), is_day_first("3/4/2024")
    (True, False, None)
    >>> is_day_first("3/4/2024", "2024-04-03")
    True
    """
    found = _EITHER_ORDER.search(text[: _MAX_LENGTH * 4])
    if found is None:
        return None
    a, b = int(found["a"]), int(found["b"])
    if a == b:
        return None
    if date is not None and min(a, b) <= 12:
        month_and_day = int(date[5:7]), int(date[8:10])
        return {(b, a): True, (a, b): False}.get(month_and_day)
    return None if max(a, b) <= 12 else a > 12


def _with_slashes(found: re.Match[str], day_first: bool | None) -> str | None:
    a, b = int(found["a"]), int(found["b"])
    if int(found["year"]) in _BUDDHIST_YEARS:
        day_first = True
    if a <= 12 and b <= 12 and a != b:
        if day_first is None:
            return None  # 3/4/2024: April in London, March in New York
        return _from_parts(found, str(a if day_first else b), b if day_first else a)
    return _from_parts(found, str(max(a, b)), min(a, b))


def _from_parts(found: re.Match[str], day: str, month: int) -> str | None:
    try:
        whole_day = _whole_day(found, month, int(day))
        if not found["hour"]:
            return _plausible(whole_day)
        hour = int(found["hour"])
        if half := found["half"] or found.groupdict().get("half_before"):
            hour = hour % 12 + (12 if half[0] in "pPم" or half in _AFTERNOON else 0)
        moment = datetime(
            whole_day.year, whole_day.month, whole_day.day, hour, int(found["minute"]),
            min(int(found["second"] or 0), 59), tzinfo=_zone(found["zone"]),
        )  # fmt: skip
    except ValueError:
        return None
    return _plausible(moment)


def _whole_day(found: re.Match[str], month: int, day: int) -> date:
    """Return the day in the Gregorian calendar; the year tells in which one it is written."""
    names = found.groupdict()
    if era := names.get("era"):
        year = 1 if found["year"] == _FIRST_YEAR else int(found["year"])
        return date(_ERAS[era] + year, month, day)
    year = int(found["year"])
    if month > _PERSIAN or year in _PERSIAN_YEARS:
        if month < _PERSIAN and names.get("name"):
            raise ValueError("a month of another calendar")
        return from_persian(year, month % _PERSIAN, day)
    if len(found["year"]) == 2:
        year += _BUDDHIST_CENTURY if names.get("name") else 2000
    if year in _BUDDHIST_YEARS:
        year -= _BUDDHIST_YEAR
    return date(year, month, day)


def from_persian(year: int, month: int, day: int) -> date:
    """Return a day of the Persian calendar in the Gregorian one.

    >>> from_persian(1403, 1, 1), from_persian(1402, 12, 11)
    (datetime.date(2024, 3, 20), datetime.date(2024, 3, 1))
    """
    leap_days = (8 * year - 12) // 33  # eight in a cycle of 33 years
    is_leap = (8 * year - 4) // 33 > leap_days
    days = 31 if month <= 6 else 30 if month < 12 or is_leap else 29
    if year not in _PERSIAN_YEARS or not (1 <= month <= 12 and 1 <= day <= days):
        raise ValueError("not a day of the Persian calendar")
    before = 365 * (year - 1) + leap_days + 30 * (month - 1) + min(month - 1, 6) + day
    return date.fromordinal(_PERSIAN_EPOCH + before)


def _month(found: re.Match[str]) -> int:
    groups = found.groupdict()
    if not (name := groups.get("name")):
        return int(found["month"])
    month = month_named(name)
    return CROATIAN_MONTHS.get(folded(name), month) if groups.get("dot") else month


def month_named(word: str) -> int:
    """Return the number of a month by its name or abbreviation, or 0.

    >>> month_named("Sept"), month_named("MÄRZ"), month_named("января"), month_named("Market")
    (9, 3, 1, 0)
    """
    name = folded(word)
    return _months().get(name) or _months().get(name.removesuffix(_PERSIAN_FOR_MONTH), 0)


@cache
def _months() -> dict[str, int]:
    """Map the names of months to their numbers, and their beginnings that no other month has."""
    found = _OTHER_SPELLINGS | {
        name: month for month, names in enumerate(MONTHS, 1) for name in names.split()
    }
    beginnings: dict[str, int] = {}
    for name, month in found.items():
        for length in range(_MIN_MONTH_ABBREVIATION, len(name)):
            is_other = beginnings.setdefault(name[:length], month) != month
            if is_other:
                beginnings[name[:length]] = 0
    persian = {name: _PERSIAN + month for month, name in enumerate(PERSIAN_MONTHS, 1)}
    return persian | {name: month for name, month in beginnings.items() if month} | found


def is_date_word(word: str) -> bool:
    """Whether a word is the name of a month or weekday, or an abbreviation of it.

    >>> is_date_word("Sept"), is_date_word("Piątek"), is_date_word("PM"), is_date_word("Ann")
    (True, True, True, False)
    """
    name = folded(word)
    if name in _day_periods() or name in _months():
        return True
    return len(name) >= _MIN_NAME and any(name in _weekday_names(day) for day in range(7))


def is_relative_day(word: str) -> bool:
    """Whether a word means today or yesterday.

    >>> is_relative_day("Yesterday"), is_relative_day("wczoraj"), is_relative_day("Ann")
    (True, True, False)
    """
    return word.lower() in _relative_days()


@cache
def _relative_days() -> frozenset[str]:
    return frozenset(f"{TODAY} {YESTERDAY}".split())


@cache
def _day_periods() -> frozenset[str]:
    return frozenset(DAY_PERIODS.split())


def _is_weekday(word: str, weekday: int) -> bool:
    """Whether a word is the name, or an abbreviation, of this weekday (0 is Monday).

    >>> _is_weekday("Sun", 6), _is_weekday("Söndag", 6), _is_weekday("Sun", 0), _is_weekday("So", 6)
    (True, True, False, True)
    """
    return folded(word) in _weekday_names(weekday)


@cache
def _weekday_names(weekday: int) -> frozenset[str]:
    return frozenset(
        name[:length]
        for name in WEEKDAYS[weekday].split()
        for length in range(_MIN_WEEKDAY_ABBREVIATION, len(name) + 1)
    )


def folded(word: str) -> str:
    """Return the letters of a word in lower case, without accents and the dot of the Turkish i.

    The vowel signs of Thai and Indian scripts are letters; Arabic and Hebrew ones are left out.

    >>> folded("MÄRZ."), folded("Şubat"), folded("ม.ค.")
    ('marz', 'subat', 'มค')
    """
    if word.isascii():
        return "".join(filter(str.isalpha, word.casefold()))
    decomposed = unicodedata.normalize("NFKD", word.casefold()).replace("ı", "i")
    return _NOT_LETTERS.sub("", decomposed)


def _zone(written: str | None) -> timezone | None:
    if not written:
        return None
    name = written.lower()
    if name in _ZONES:
        return timezone(timedelta(hours=_ZONES[name])) if _ZONES[name] else UTC
    digits = re.sub(r"\D", "", name)
    if not digits:
        return None
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if "-" in name else offset)


def _plausible(moment: date) -> str | None:
    """Return a date in ISO 8601 if it can be true; year 1 and the epoch are placeholders."""
    day = moment.date() if isinstance(moment, datetime) else moment
    far = datetime.now(UTC).date() + _MAX_FUTURE
    if day.year < _MIN_YEAR or day > far or day == date(1970, 1, 1):
        return None
    return moment.isoformat()
