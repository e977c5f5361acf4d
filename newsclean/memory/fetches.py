"""When addresses were last fetched, and by which validators a server recognises that state."""

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


#: Longer validators are not kept.
_MAX_VALIDATOR = 200
#: Addresses of a site that are remembered, those seen last: as many as a sitemap may have.
MAX_FETCHES = 50_000
#: Seconds after which an address that is seen again is written anew.
SEEN_EVERY = 24 * 3600.0


class Fetch(NamedTuple):
    """How a page was fetched."""

    #: the address that was requested, and those to which it was redirected; empty if the page is
    #: not from a request of ours
    addresses: tuple[str, ...] = ()
    #: the validators of the response of the last address, empty if it has none
    etag: str = ""
    last_modified: str = ""
    #: when the response came, in seconds since 1970; None is now
    fetched: float | None = None

    def pack(self) -> str:
        """As a text, empty if there is nothing to remember."""
        return json.dumps(self) if self.addresses else ""

    @classmethod
    def unpack(cls, packed: str) -> Fetch:
        """From a text; nothing if it is damaged."""
        try:
            addresses, etag, last_modified, fetched = json.loads(packed)
        except ValueError:
            return cls()
        return cls(tuple(addresses), etag, last_modified, fetched)


#: Of a page that is not from a request of ours.
NO_FETCH = Fetch()


class LastFetch(NamedTuple):
    """The last time that an address was fetched and what was there came to its end."""

    etag: str
    last_modified: str
    #: seconds since 1970: of the publication, or when the address was seen first
    published: float
    fetched: float
    #: whether what was there is in the output
    is_delivered: bool = True
    #: when the address was last found, as precise as SEEN_EVERY
    seen: float = 0.0


class Fetches:
    """The addresses whose pages came to their end: delivered, or of no use.

    A page that is parked, or whose article is not in the output, leaves no trace here: the next
    run requests it as if for the first time.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def get(self, url: str) -> LastFetch | None:
        """The last fetch of an address, None if there was none."""
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
        """A page has come to its end.

        The validators are kept if its article is delivered: the server need not send that state
        again. What was not delivered is to be sent in full, whenever it is requested.
        """
        now = time.time()
        # A page may have been parked for days, and have changed meanwhile.
        fetched = now if fetch.fetched is None else min(fetch.fetched, now)
        *others, last = fetch.addresses
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

    def mark_unchanged(self, addresses: Iterable[str]) -> None:
        """A server has said that what was fetched last has not changed."""
        now = time.time()
        self.database.execute_many(
            'UPDATE "fetch" SET fetched = ?, seen = ? WHERE url = ?',
            [(now, now, url) for url in addresses],
        )

    def mark_seen(self, url: str, last: LastFetch) -> None:
        """An address was found again and is not due: it is not among those that are forgotten."""
        now = time.time()
        if abs(now - last.seen) >= SEEN_EVERY:
            self.database.execute('UPDATE "fetch" SET seen = ? WHERE url = ?', (now, url))

    def prune(self) -> None:
        """Forget addresses of sites that have too many, those first that were not seen lately."""

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
        """Forget when the addresses of a site were fetched."""
        self.database.execute('DELETE FROM "fetch" WHERE site = ?', (site,))


def _short(validator: str) -> str:
    return validator if len(validator) <= _MAX_VALIDATOR else ""


# When an address that was fetched before is due again: the older its article, the later.


@dataclass(frozen=True)
class RecheckSchedule:
    """All times in seconds."""

    #: the time between two fetches, as a share of the article's age
    share: float
    #: but never less than this
    min_interval: float
    #: nor more than this
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
        """Whether an address is to be fetched again.

        What has `changed` since is due at any age, as soon as the least time between two fetches
        has passed: some sites call everything changed whenever they are asked. A change that is
        yet to come counts when it has come.

        >>> from newsclean.memory.fetches import LastFetch
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
        # A clock that was set back must not put off the next fetch for ever.
        passed = abs(now - last.fetched)
        if changed is not None and last.fetched < changed <= now and passed >= self.min_interval:
            return True
        age = max(0.0, now - last.published)
        if age > self.max_age:
            return False
        return passed >= min(max(age * self.share, self.min_interval), self.max_interval)
