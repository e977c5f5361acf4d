"""Articles as feeds, sitemaps and lists name them, and which of them a crawl wants.

In: the lines of a list of URLs, the entries of a source, the arguments `since`, `until` and
`limit`. Out: entries, each URL once, the newest first.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from newsclean.extraction.metadata.dates import date_in_url, iso_date
from newsclean.urls import registered_domain, resolve_url, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ALMOST_A_DAY = timedelta(days=1, microseconds=-1)
_OLDEST = datetime.min.replace(tzinfo=UTC)

_AGE = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

#: A healthy site publishes something within this time.
_MIN_SPAN = timedelta(days=2)


@dataclass(frozen=True)
class Entry:
    """The URL of an article, and what the source says about it."""

    url: str
    #: ISO 8601, of the publication or, if only that is given, of the last change
    date: str | None = None
    category: str | None = None
    title: str = ""
    #: ISO 8601, of the last change, if the source gives it
    date_changed: str | None = None

    @property
    def moment(self) -> datetime | None:
        """The date as a point in time; the one in the URL if the source gives none."""
        return moment_of(self.date) or moment_of(date_in_url(self.url))

    @property
    def latest_moment(self) -> datetime | None:
        """The latest point in time that the date can mean: the end of the day for a day alone."""
        date = self.date if moment_of(self.date) else date_in_url(self.url)
        moment = moment_of(date)
        if moment is None or date is None or len(date) > len("2026-03-14"):
            return moment
        return moment + _ALMOST_A_DAY

    @property
    def changed(self) -> datetime | None:
        """When the article last changed, by the dates of the source; may be its publication."""
        moments = map(moment_of, (self.date, self.date_changed))
        return max((moment for moment in moments if moment is not None), default=None)

    def merged_with(self, other: Entry) -> Entry:
        """Fill what is missing from another entry of the same URL, and keep the later change."""
        later = max((self, other), key=lambda entry: entry.changed or _OLDEST)
        return replace(
            self,
            date=self.date or other.date,
            category=self.category or other.category,
            title=self.title or other.title,
            date_changed=later.changed.isoformat() if later.changed else None,
        )


def moment_of(date: str | None) -> datetime | None:
    """Return the point in time of an ISO 8601 date: midnight for a day, UTC without a zone.

    >>> moment_of("2026-03-14").isoformat()
    '2026-03-14T00:00:00+00:00'
    """
    if not date:
        return None
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """Return each URL once, the newest first; those without a date come last, in their order.

    >>> found = newest_first([Entry("a"), Entry("b", "2026-03-01"), Entry("c", "2026-03-02")])
    >>> [entry.url for entry in found]
    ['c', 'b', 'a']
    """
    by_url: dict[str, Entry] = {}
    for entry in entries:
        known = by_url.get(entry.url)
        by_url[entry.url] = entry if known is None else known.merged_with(entry)
    return sorted(by_url.values(), key=lambda entry: entry.moment or _OLDEST, reverse=True)


def entries_by_site(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Group entries by the registered domain of their URLs."""
    by_site: dict[str, list[Entry]] = {}
    for entry in entries:
        by_site.setdefault(registered_domain(site_of(entry.url) or ""), []).append(entry)
    return by_site


@dataclass(frozen=True)
class Window:
    """The newest articles between two points in time."""

    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None

    @classmethod
    def of(
        cls, since: str | None = None, until: str | None = None, limit: str | None = None
    ) -> Window:
        """Read the arguments of a spider; ValueError for what is not a time or a number.

        >>> Window.of(since="2026-03-14", limit="20").limit
        20
        """
        if limit is not None and (not limit.isdecimal() or int(limit) < 1):
            raise ValueError(f"limit={limit}: it takes a number of articles, 1 or more")
        window = cls(
            _argument_moment("since", since),
            _argument_moment("until", until),
            None if limit is None else int(limit),
        )
        if window.since and window.until and window.since >= window.until:
            raise ValueError(f"since={since} is not before until={until}")
        return window

    @property
    def is_narrow(self) -> bool:
        """Whether even a healthy site may have no article in it."""
        if self.limit is not None or self.until is not None:
            return True
        return self.since is not None and self.since > datetime.now(UTC) - _MIN_SPAN

    def has(self, moment: datetime | None) -> bool:
        """Tell whether an article of this time may be wanted; one without a time may be."""
        return self._overlaps(moment, moment)

    def wants(self, entry: Entry) -> bool:
        """Tell whether an article may be wanted; of a day alone, any time of it counts."""
        return self._overlaps(entry.moment, entry.latest_moment)

    def _overlaps(self, first: datetime | None, last: datetime | None) -> bool:
        if first is None or last is None:
            return True
        return (self.since is None or last >= self.since) and (
            self.until is None or first < self.until
        )

    def choose(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return the wanted entries, the newest first."""
        found = [entry for entry in newest_first(entries) if self.wants(entry)]
        return found[: self.limit]


def _argument_moment(name: str, value: str | None) -> datetime | None:
    """Return the time of an argument: a date, or an age like `36h` or `7d`."""
    if value is None:
        return None
    if age := _AGE.fullmatch(value.strip()):
        try:
            return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
        except OverflowError:
            raise ValueError(f"{name}={value}: there was no such time") from None
    moment = moment_of(value.strip())
    if moment is None:
        raise ValueError(f"{name}={value}: it takes a date as 2026-03-14, or an age as 36h or 7d")
    return moment


def read_url_list(
    lines: Iterable[str], refused: Callable[[int, str], object] = lambda number, why: None
) -> Iterator[Entry]:
    """Read a list of URLs, each URL once; `refused` is called with the number of a bad line.

    A line is a URL, a row of CSV below a header with a column `url`, or a JSON object; the latter
    two may have `category` and `date`. Empty lines and lines that start with # are skipped.

    >>> [entry.category for entry in read_url_list(["url,category", "https://a.org/1,sport"])]
    ['sport']
    """
    columns: list[str] | None = None
    is_first = True
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        line = line.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        if is_first:
            is_first = False
            header = [name.strip(' "').lower() for name in line.split(",")]
            if "url" in header:
                columns = header
                continue
        try:
            fields = _fields(line, columns)
        except ValueError as error:
            refused(number, str(error))
            continue
        url = resolve_url(fields.get("url"), None)
        if url is None or site_of(url) is None:
            refused(number, f"{fields.get('url')!r} is not a URL of a web page")
        elif url not in seen:
            seen.add(url)
            yield Entry(url, iso_date(fields.get("date")), fields.get("category") or None)


def _fields(line: str, columns: list[str] | None) -> dict[str, str]:
    if columns is not None:
        try:
            return dict(zip(columns, next(csv.reader([line], strict=True)), strict=False))
        except csv.Error as error:
            raise ValueError(f"not a line of CSV: {error}") from None
    if not line.startswith("{"):
        return {"url": line}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    return {name: value for name, value in record.items() if isinstance(value, str)}
