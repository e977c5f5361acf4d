"""Which articles of a source are wanted: by their age, and how many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from newsclean.sources import newest_first
from newsclean.text import moment_of
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.sources import Entry

_AGE = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

#: In this much time, a site that is well publishes something.
MIN_SPAN = timedelta(days=2)


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
        """From the arguments of a spider; ValueError for what is not a time or a number.

        >>> Window.of(since="2026-03-14", limit="20").limit
        20
        """
        if limit is not None and (not limit.isdecimal() or int(limit) < 1):
            raise ValueError(f"limit={limit}: it takes a number of articles, 1 or more")
        window = cls(
            _moment("since", since), _moment("until", until), None if limit is None else int(limit)
        )
        if window.since and window.until and window.since >= window.until:
            raise ValueError(f"since={since} is not before until={until}")
        return window

    @property
    def is_narrow(self) -> bool:
        """Whether a site that is well may have no article in it."""
        if self.limit is not None or self.until is not None:
            return True
        return self.since is not None and self.since > datetime.now(UTC) - MIN_SPAN

    def has(self, moment: datetime | None) -> bool:
        """Whether an article of this time may be wanted; one without a time may be."""
        if moment is None:
            return True
        return (self.since is None or moment >= self.since) and (
            self.until is None or moment < self.until
        )

    def wants(self, entry: Entry) -> bool:
        """Whether an article may be wanted: of a day alone, if any time of it is."""
        moment, latest = entry.moment, entry.latest_moment
        if moment is None or latest is None:
            return True
        return (self.since is None or latest >= self.since) and (
            self.until is None or moment < self.until
        )

    def choose(self, entries: Iterable[Entry]) -> list[Entry]:
        """The wanted entries, the newest first."""
        found = [entry for entry in newest_first(entries) if self.wants(entry)]
        return found[: self.limit]


def main_site(entries: Iterable[Entry]) -> str | None:
    """An address of the site to which most entries lead."""
    by_site = entries_by_site(entries)
    return max(by_site.values(), key=len)[0].url if by_site else None


def entries_by_site(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries by the registered domain to which they lead."""
    by_site: dict[str, list[Entry]] = {}
    for entry in entries:
        by_site.setdefault(registered_domain(site_of(entry.url) or ""), []).append(entry)
    return by_site


def _moment(name: str, value: str | None) -> datetime | None:
    """The time of an argument: a date, or an age as in `36h` and `7d`."""
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
