"""When each URL was last fetched, with which validators, and when to fetch it again.

The older an article, the later it is fetched again (`RecheckSchedule`).
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from newsclean.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

    from newsclean.memory.database import Database

#: Longer validators are not stored.
_MAX_VALIDATOR = 200
#: URLs stored per site, those seen last: as many as a sitemap may have.
MAX_FETCHES = 50_000
#: Minimum seconds between two updates of when a URL was seen.
SEEN_EVERY = 24 * 3600.0


class Fetch(NamedTuple):
    """How a page was fetched."""

    #: the requested URL and those to which it was redirected; empty if the page is not from a
    #: request of ours
    urls: tuple[str, ...] = ()
    #: the validators of the response to the last URL, empty if it has none
    etag: str = ""
    last_modified: str = ""
    #: when the response came, in seconds since 1970; None is now
    fetched: float | None = None

    def pack(self) -> str:
        """Pack as a text, empty if there are no URLs."""
        return json.dumps(self) if self.urls else ""

    @classmethod
    def unpack(cls, packed: str) -> Fetch:
        """Unpack a text; a damaged one gives an empty fetch."""
        try:
            urls, etag, last_modified, fetched = json.loads(packed)
        except ValueError:
            return cls()
        return cls(tuple(urls), etag, last_modified, fetched)


#: The fetch of a page that is not from a request of ours.
NO_FETCH = Fetch()


class LastFetch(NamedTuple):
    """The last fetch of a URL whose page was delivered or had no article."""

    etag: str
    last_modified: str
    #: when the article was published, or the URL first seen, in seconds since 1970
    published: float
    fetched: float
    #: whether the article of the page is in the output
    is_delivered: bool = True
    #: when a link to the URL was last found, at most SEEN_EVERY too early
    seen: float = 0.0


class Fetches:
    """The URLs whose pages were delivered or had no article.

    The URL of a parked or pending page is not here: the next run requests it as if for the first
    time.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def get(self, url: str) -> LastFetch | None:
        """Return the last fetch of a URL, None if there was none."""
        rows = self.database.query(
            'SELECT etag, last_modified, published, fetched, delivered, seen FROM "fetch" '
            "WHERE url = ?",
            (url,),
        )
        if not rows:
            return None
        etag, last_modified, published, fetched, delivered, seen = rows[0]
        return LastFetch(etag, last_modified, published, fetched, bool(delivered), seen)

    def record(
        self, fetch: Fetch, published: float | None = None, *, is_delivered: bool = True
    ) -> None:
        """Record the fetch of a page that was delivered or had no article.

        Store the validators only if the article is delivered: then the server need not send the
        same state again. Other pages are always sent in full.
        """
        now = time.time()
        # A page may have been parked for days, and have changed since.
        fetched = now if fetch.fetched is None else min(fetch.fetched, now)
        *others, last = fetch.urls
        validators = ("", "")
        if is_delivered:
            validators = _short(fetch.etag), _short(fetch.last_modified)
        first_seen = fetched if published is None else min(published, now)
        known = '"fetch".published' if published is None else "excluded.published"
        self.database.execute_many(
            'INSERT INTO "fetch" (url, site, etag, last_modified, published, fetched, seen, '
            "delivered) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET "
            "etag = excluded.etag, last_modified = excluded.last_modified, "
            f"published = {known}, fetched = excluded.fetched, seen = excluded.seen, "
            "delivered = excluded.delivered",
            [
                (url, site_of(url) or "", *kept, first_seen, fetched, now, int(is_delivered))
                for url, kept in {**dict.fromkeys(others, ("", "")), last: validators}.items()
            ],
        )

    def mark_unchanged(self, urls: Iterable[str]) -> None:
        """Record that a server has answered 304 Not Modified."""
        now = time.time()
        self.database.execute_many(
            'UPDATE "fetch" SET fetched = ?, seen = ? WHERE url = ?',
            [(now, now, url) for url in urls],
        )

    def mark_seen(self, url: str, last: LastFetch) -> None:
        """Record that a URL was found again and is not due, so that `prune` keeps it."""
        now = time.time()
        if abs(now - last.seen) >= SEEN_EVERY:
            self.database.execute('UPDATE "fetch" SET seen = ? WHERE url = ?', (now, url))

    def prune(self) -> None:
        """Forget the URLs seen longest ago of each site that has more than `MAX_FETCHES`."""

        def delete() -> None:
            rows = self.database.query(
                'SELECT site, count(*) FROM "fetch" GROUP BY site HAVING count(*) > ?',
                (MAX_FETCHES,),
            )
            for site, count in rows:
                self.database.execute(
                    'DELETE FROM "fetch" WHERE url IN '
                    '(SELECT url FROM "fetch" WHERE site = ? ORDER BY seen LIMIT ?)',
                    (site, count - MAX_FETCHES),
                )

        self.database.atomically(delete)

    def forget(self, site: str) -> None:
        self.database.execute('DELETE FROM "fetch" WHERE site = ?', (site,))


def _short(validator: str) -> str:
    return validator if len(validator) <= _MAX_VALIDATOR else ""


@dataclass(frozen=True)
class RecheckSchedule:
    """When to fetch a URL again; all times in seconds."""

    #: the time between two fetches as a share of the article's age, within the next two limits
    share: float
    min_interval: float
    max_interval: float
    #: an article older than this is not fetched again
    max_age: float

    @classmethod
    def of(cls, settings: BaseSettings) -> Self:
        return cls(
            settings.getfloat("NEWSCLEAN_RECHECK_SHARE"),
            settings.getfloat("NEWSCLEAN_RECHECK_MIN"),
            settings.getfloat("NEWSCLEAN_RECHECK_MAX"),
            settings.getfloat("NEWSCLEAN_RECHECK_MAX_AGE"),
        )

    def is_due(self, last: LastFetch, now: float, changed: float | None = None) -> bool:
        """Tell whether to fetch a URL again.

        If the site says that it has `changed` since the last fetch, it is due at any age, after
        `min_interval`: some sites always say so. A change in the future does not count yet.

        >>> hourly = RecheckSchedule(0.5, min_interval=900, max_interval=86400, max_age=864000)
        >>> fetched_at_once = LastFetch("", "", published=0.0, fetched=0.0)
        >>> [hourly.is_due(fetched_at_once, now) for now in (600, 900, 1_000_000)]
        [False, True, False]
        >>> fetched_after_an_hour = LastFetch("", "", published=0.0, fetched=3600.0)
        >>> [hourly.is_due(fetched_after_an_hour, now) for now in (5400, 7200)]
        [False, True]
        >>> [hourly.is_due(fetched_at_once, 1_000_000, changed) for changed in (0.0, 5.0, 2e6)]
        [False, True, False]
        """
        # A clock that was set back must not delay the next fetch forever.
        passed = abs(now - last.fetched)
        if changed is not None and last.fetched < changed <= now and passed >= self.min_interval:
            return True
        age = max(0.0, now - last.published)
        if age > self.max_age:
            return False
        return passed >= min(max(age * self.share, self.min_interval), self.max_interval)
