"""Articles as a feed, a sitemap or a list names them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from newsclean.extraction.metadata.dates import date_in_url
from newsclean.text import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Entry:
    """The address of an article, and what the source says of it."""

    url: str
    #: ISO 8601, of the publication or, where only that is given, of the last change
    date: str | None = None
    category: str | None = None
    title: str = ""
    #: ISO 8601, of the last change, where the source gives it
    date_changed: str | None = None

    @property
    def moment(self) -> datetime | None:
        """The date as a point in time; the one in the address where the source gives none."""
        return moment_of(self.date) or moment_of(date_in_url(self.url))

    @property
    def latest_moment(self) -> datetime | None:
        """The last point in time that the date may mean: of a day alone, its end."""
        date = self.date if moment_of(self.date) else date_in_url(self.url)
        moment = moment_of(date)
        if moment is None or date is None or len(date) > len("2026-03-14"):
            return moment
        return moment + _ALMOST_A_DAY

    @property
    def changed(self) -> datetime | None:
        """When the article has changed last, by the dates of the source; it may be its first."""
        moments = map(moment_of, (self.date, self.date_changed))
        return max((moment for moment in moments if moment is not None), default=None)

    def merged_with(self, other: Entry) -> Entry:
        """With what another entry of the same address says beside, and the later change."""
        later = max((self, other), key=lambda entry: entry.changed or _OLDEST)
        return replace(
            self,
            date=self.date or other.date,
            category=self.category or other.category,
            title=self.title or other.title,
            date_changed=later.changed.isoformat() if later.changed else None,
        )


@dataclass(frozen=True)
class Listing:
    """What a feed or a sitemap names."""

    #: pages, with the date of the publication or else of the last change
    pages: list[Entry] = field(default_factory=list)
    #: other sitemaps, with the date of their last change
    sitemaps: list[Entry] = field(default_factory=list)
    #: whether it is a news sitemap, which names articles alone
    is_news: bool = False
    #: how many entries were left out because they cannot be read
    unreadable: int = 0


_ALMOST_A_DAY = timedelta(days=1, microseconds=-1)
_OLDEST = datetime.min.replace(tzinfo=UTC)


def newest_first(entries: Iterable[Entry]) -> list[Entry]:
    """Each address once, the newest first; those without a date come last, in their order.

    >>> found = newest_first([Entry("a"), Entry("b", "2026-03-01"), Entry("c", "2026-03-02")])
    >>> [entry.url for entry in found]
    ['c', 'b', 'a']
    """
    by_url: dict[str, Entry] = {}
    for entry in entries:
        known = by_url.get(entry.url)
        by_url[entry.url] = entry if known is None else known.merged_with(entry)
    return sorted(by_url.values(), key=lambda entry: entry.moment or _OLDEST, reverse=True)
