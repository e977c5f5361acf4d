"""Dates as pages write them, in many languages, converted to ISO 8601.

To add a language, add its months and weekdays to the two tables; the forms rarely change.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from typing import NamedTuple

#: One entry per month: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
#: Norwegian, Danish, Indonesian, Finnish, Polish, Czech, Russian, Ukrainian, Turkish, Greek. Each
#: name once, in the forms that dates use, without accents; abbreviations follow from the names.
_MONTHS = (
    "january januar janner janvier enero gennaio janeiro januari tammikuuta stycznia ledna "
    "января январь січня ocak ιανουαριου",
    "february februar fevrier febrero febbraio fevereiro februari helmikuuta lutego unora "
    "февраля февраль лютого subat φεβρουαριου",
    "march marz maerz mrz mars marzo marco maart mrt marts maret maaliskuuta marca brezna "
    "марта марть березня mart μαρτιου",
    "april avril abril aprile huhtikuuta kwietnia dubna апреля апрель квітня nisan απριλιου",
    "may mai mayo maggio maio mei maj toukokuuta maja kvetna мая май травня mayis μαιου",
    "june juni juin junio giugno junho kesakuuta czerwca cervna cvn июня июнь червня haziran "
    "ιουνιου",
    "july juli juillet julio luglio julho heinakuuta lipca cervence cvc июля июль липня temmuz "
    "ιουλιου",
    "august aout agosto augustus augusti agustus elokuuta sierpnia srpna августа серпня agustos "
    "αυγουστου",
    "september septembre septiembre setiembre settembre setembro syyskuuta wrzesnia zari "
    "сентября сентябрь вересня eylul σεπτεμβριου",
    "october oktober octobre octubre ottobre outubro lokakuuta pazdziernika rijna октября "
    "октябрь жовтня ekim οκτωβριου",
    "november novembre noviembre novembro marraskuuta listopada листопада ноября ноябрь kasim "
    "νοεμβριου",
    "december dezember decembre diciembre dicembre dezembro desember joulukuuta grudnia prosince "
    "декабря декабрь грудня aralik δεκεμβριου",
)
#: One entry per weekday, Monday first, in the same languages.
_WEEKDAYS = (
    "monday montag lundi lunes lunedi segunda maandag mandag senin maanantai poniedzialek pondeli "
    "понедельник понеділок pazartesi δευτερα",
    "tuesday dienstag mardi martes martedi terca dinsdag tisdag tirsdag selasa tiistai wtorek "
    "utery вторник вівторок sali τριτη",
    "wednesday mittwoch mercredi miercoles mercoledi quarta woensdag onsdag rabu keskiviikko sroda "
    "streda среда середа carsamba τεταρτη",
    "thursday donnerstag jeudi jueves giovedi quinta donderdag torsdag kamis torstai czwartek "
    "ctvrtek четверг четвер persembe πεμπτη",
    "friday freitag vendredi viernes venerdi sexta vrijdag fredag jumat perjantai piatek patek "
    "пятница п'ятниця cuma παρασκευη",
    "saturday samstag sonnabend samedi sabado sabato zaterdag lordag sabtu lauantai sobota "
    "суббота субота cumartesi σαββατο",
    "sunday sonntag dimanche domingo domenica zondag sondag minggu sunnuntai niedziela nedele "
    "воскресенье неділя pazar κυριακη",
)
#: Hours from UTC.
_ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 1, "cet": 1, "cest": 2, "jst": 9}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
#: Halves of the day.
_DAY_PERIODS = frozenset({"am", "pm"})
#: Words between a day and a time.
_AT = r"at|um|à|às|kl\.?|-"
_LABEL = re.compile(r"^(?:(?:first |last )?(?:published|posted|updated|date|on)\b[:\s]*)+", re.I)

#: Letters of an abbreviation.
_MIN_MONTH_ABBREVIATION = 3
_MIN_WEEKDAY_ABBREVIATION = 2
_MIN_YEAR = 1800  # newspapers put their archives online
_MAX_FUTURE = timedelta(days=2 * 366)
MAX_TRUSTED_FUTURE = timedelta(days=1)  # clocks and zones differ
_MAX_LENGTH = 100

_MONTH = r"(?P<name>[^\W\d_]{3,13})\.?"
_CLOCK = (
    rf"(?:(?:\s*[T,|@]\s*|\s+(?:(?:{_AT})\s+)?)(?P<hour>\d{{1,2}})[:h](?P<minute>\d\d)"
    r"(?::(?P<second>\d\d)(?:[.,:]\d{1,9})?)?\s*(?P<half>[ap]\.?m\b\.?)?"
    r"\s*(?P<zone>(?:GMT|UTC)?\s?[+-]\d\d(?::?\d\d)?|[A-Z]{1,4}\b)?)?"
)
_WEEKDAY = r"(?:[^\W\d_]{2,12}\.?,?\s+)?"
_FORMS = (
    r"(?P<year>\d{4})(?P<mark>[-/]|\.\s?)(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
    r"(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]",
    r"(?P<year>(?:18|19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)(?!\d)",
    # 1 March 2024 · Fri, 01 Mar 2024 · 01-Mar-2024 · 1. März 2024 · 1 de marzo de 2024
    _WEEKDAY
    + r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|[º.])?[\s-]+(?:(?:of|de)\s+)?"
    + _MONTH
    + r",?[\s-]+(?:del?\s+)?(?P<year>\d{4})(?!\d)",
    # March 1, 2024 · Fri Mar 01 2024
    _WEEKDAY + _MONTH + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})(?![\d:])",
    # 2024 Mar 1 · 2024. március 1.
    r"(?P<year>(?:18|19|20)\d\d)[.,]?\s+" + _MONTH + r"\s+(?P<day>\d{1,2})(?![\d:])",
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
    r"(?<![\w.,/-])(?=\d{1,4}\D|(?P<word>[^\W\d_]{3,13})\.?\s+\d)|(?<!\d)(?=\d{4}\s?[年년])"
)
#: What every form contains, so that most texts need only one search.
_YEAR = re.compile(r"\d{4}|\d\d\.\d\d\.\d\d")
_LAST_WORD = re.compile(r"(?<![\w-])[^\W\d_]{2,14}(?=[.,]{0,2}\s{0,3}$)")
_IN_URL = re.compile(
    r"/(?:[^/]*?[-_])?(?P<year>(?:19|20)\d\d)(?P<mark>[-/_.]?)"
    r"(?P<month>\d\d|(?P<name>[a-z]{3,9}))(?P=mark)"
    r"(?P<day>\d\d)(?=[/._-]|$)",
    re.I,
)


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
    text = _LABEL.sub("", " ".join(value[: _MAX_LENGTH * 4].split())[:_MAX_LENGTH])
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
    """Return the day in a URL such as `/2024/03/14/rain`, or None."""
    for found in _IN_URL.finditer((url or "")[:2048].partition("?")[0]):
        try:
            day = date(int(found["year"]), _month(found), int(found["day"]))
        except ValueError:
            continue
        if timedelta() <= datetime.now(UTC).date() - day + MAX_TRUSTED_FUTURE:
            return day.isoformat()
    return None


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
    if a <= 12 and b <= 12 and a != b:
        if day_first is None:
            return None  # 3/4/2024: April in London, March in New York
        return _from_parts(found, str(a if day_first else b), b if day_first else a)
    return _from_parts(found, str(max(a, b)), min(a, b))


def _from_parts(found: re.Match[str], day: str, month: int) -> str | None:
    try:
        century = 2000 if len(found["year"]) == 2 else 0
        whole_day = date(century + int(found["year"]), month, int(day))
        if not found["hour"]:
            return _plausible(whole_day)
        hour = int(found["hour"])
        if half := found["half"]:
            hour = hour % 12 + (12 if half[0] in "pP" else 0)
        moment = datetime(
            whole_day.year, month, whole_day.day, hour, int(found["minute"]),
            min(int(found["second"] or 0), 59), tzinfo=_zone(found["zone"]),
        )  # fmt: skip
    except ValueError:
        return None
    return _plausible(moment)


def _month(found: re.Match[str]) -> int:
    name = found.groupdict().get("name")
    return month_named(name) if name else int(found["month"])


def month_named(word: str) -> int:
    """Return the number of a month by its name or abbreviation, or 0.

    >>> month_named("Sept"), month_named("MÄRZ"), month_named("января"), month_named("Market")
    (9, 3, 1, 0)
    """
    return _months().get(_without_accents(word), 0)


@cache
def _months() -> dict[str, int]:
    """Map whole names before abbreviations, in the order of the table: `mar` is March."""
    named = [
        (_without_accents(name), month)
        for month, names in enumerate(_MONTHS, 1)
        for name in names.split()
    ]
    found = dict(named)
    for name, month in named:
        for length in range(_MIN_MONTH_ABBREVIATION, len(name)):
            found.setdefault(name[:length], month)
    return found


def is_date_word(word: str) -> bool:
    """Whether a word is the name of a month or weekday, or an abbreviation of it.

    >>> is_date_word("Sept"), is_date_word("Piątek"), is_date_word("PM"), is_date_word("Ann")
    (True, True, True, False)
    """
    folded = _without_accents(word)
    if folded in _DAY_PERIODS or folded in _months():
        return True
    is_long = len(folded) >= _MIN_MONTH_ABBREVIATION
    return is_long and any(folded in _weekday_names(day) for day in range(7))


def _is_weekday(word: str, weekday: int) -> bool:
    """Whether a word is the name, or an abbreviation, of this weekday (0 is Monday).

    >>> _is_weekday("Sun", 6), _is_weekday("Söndag", 6), _is_weekday("Sun", 0), _is_weekday("So", 6)
    (True, True, False, True)
    """
    return _without_accents(word) in _weekday_names(weekday)


@cache
def _weekday_names(weekday: int) -> frozenset[str]:
    return frozenset(
        name[:length]
        for name in map(_without_accents, _WEEKDAYS[weekday].split())
        for length in range(_MIN_WEEKDAY_ABBREVIATION, len(name) + 1)
    )


def _without_accents(word: str) -> str:
    """Return the letters in lower case, without accents and the dot of the Turkish i."""
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word.casefold()).replace("ı", "i")
    return "".join(filter(str.isalpha, word.casefold()))


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
