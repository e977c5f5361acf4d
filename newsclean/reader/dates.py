"""Dates of articles: the day under which one is listed, its order, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from newsclean.text import parse_iso_date

MONTHS = (
    "January February March April May June July August September October November December".split()
)
#: The heading of what has none.
NO_DATE = "Without a date"


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as a page gave it: with a time or without, with a zone or without."""

    value: datetime
    has_time: bool = True

    @property
    def day(self) -> date:
        """The day where it was written, which is the one that its reader sees."""
        return self.value.date()

    @property
    def instant(self) -> datetime:
        """For comparing; without a zone it counts as UTC."""
        return self.value if self.value.tzinfo else self.value.replace(tzinfo=UTC)

    @property
    def iso(self) -> str:
        """For the attribute `datetime`."""
        if not self.has_time:
            return self.day.isoformat()
        return self.value.isoformat(timespec="seconds")

    @property
    def rfc3339(self) -> str:
        """As Atom wants it: with a time and a zone."""
        return self.instant.isoformat(timespec="seconds").replace("+00:00", "Z")

    @property
    def words(self) -> str:
        """
        >>> moment("2026-03-14T09:05:00+02:00").words, moment("2026-03-14").words
        ('14 March 2026, 09:05 UTC+02:00', '14 March 2026')
        """
        if not self.has_time:
            return day_words(self.day)
        zone = self.value.strftime("%Z") if self.value.tzinfo else ""
        return f"{day_words(self.day)}, {self.value:%H:%M} {zone}".rstrip()


def moment(value: object) -> Moment | None:
    """The moment that an ISO 8601 string means, None if it means none.

    >>> moment("yesterday"), moment(20260314), moment("20260314")
    (None, None, None)
    """
    if not isinstance(value, str) or not value[:4].isdecimal() or value[4:5] != "-":
        return None
    parsed = parse_iso_date(value.strip())
    if parsed is None:
        return None
    try:
        parsed.astimezone(UTC)
    except OverflowError:  # beyond the years that there are
        return None
    return Moment(parsed, has_time=len(value.strip()) > len("2026-03-14"))


def day_words(day: date) -> str:
    """
    >>> day_words(date(2026, 3, 1))
    '1 March 2026'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
