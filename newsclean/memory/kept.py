"""Pages that are kept after their articles were delivered: the newest of each site, compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.pages import PackedPage, unpack_page
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.memory.database import Database
    from newsclean.memory.records import StoredPage

#: Compressed bytes: of the pages of a site, and of all sites. The oldest go first.
MAX_SITE_BYTES = 3_000_000
MAX_BYTES = 500_000_000
#: After how many pages the sum over all sites is looked at.
CHECK_EVERY = 100


class KeptCount(NamedTuple):
    pages: int
    size: int


class KeptPages:
    """The page of the last delivered state of each article, as long as there is room."""

    def __init__(self, database: Database, keep: int) -> None:
        self.database = database
        self.keep = keep
        self._added = 0

    def add(self, number: int, name: str) -> None:
        """Keep a stored page, as the page of an article."""
        if not self.keep:
            return
        self.database.atomically(lambda: self._add(number, name), site_of(name))
        self._added += 1
        if self._added % CHECK_EVERY == 1:
            self.delete_oldest()

    def _add(self, number: int, name: str) -> None:
        self.database.execute("DELETE FROM kept_page WHERE name = ?", (name,))
        rows = self.database.query(
            "INSERT INTO kept_page (name, url, site, category, content_type, fetched_at, body, "
            "size) SELECT ?, url, site, category, content_type, fetched_at, body, length(body) "
            "FROM stored_page WHERE number = ? RETURNING site",
            (name, number),
        )
        for (site,) in rows:
            self._delete_oldest_of_site(site)

    def _delete_oldest_of_site(self, site: str) -> None:
        rows = self.database.query(
            "SELECT number, size FROM kept_page WHERE site = ? ORDER BY number DESC", (site,)
        )
        self._delete(rows[self.keep :])
        self._delete(_beyond(rows[: self.keep], MAX_SITE_BYTES))

    def delete_oldest(self) -> None:
        """Make room, if the pages of all sites together are too large."""
        ((size,),) = self.database.query(
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM kept_page"
        )
        if size > MAX_BYTES:
            rows = self.database.query("SELECT number, size FROM kept_page ORDER BY number DESC")
            self._delete(_beyond(rows, MAX_BYTES))

    def _delete(self, rows: Iterable[tuple[int, int]]) -> None:
        self.database.execute_many(
            "DELETE FROM kept_page WHERE number = ?", [(number,) for number, _ in rows]
        )

    def numbers(self, sites: Iterable[str]) -> list[tuple[int, str, str]]:
        """Number, URL and time of the kept pages of these sites and their hosts, newest first."""
        domains = {registered_domain(site) for site in sites}
        rows = self.database.query(
            "SELECT number, url, fetched_at, site FROM kept_page ORDER BY number DESC"
        )
        return [
            (number, url, fetched_at)
            for number, url, fetched_at, site in rows
            if registered_domain(site) in domains
        ]

    def get(self, number: int) -> tuple[str, StoredPage] | None:
        """The name of an article and its page, None if it is no longer kept.

        Raises ValueError if it is damaged.
        """
        rows = self.database.query(
            "SELECT name, url, site, category, content_type, fetched_at, body FROM kept_page "
            "WHERE number = ?",
            (number,),
        )
        if not rows:
            return None
        name, url, site, category, content_type, fetched_at, body = rows[0]
        packed = PackedPage(url, site, category, content_type, fetched_at, body, None)
        try:
            return name, unpack_page(packed)
        except ValueError:
            self.database.damaged.note("kept_page", number)
            raise

    def counts(self) -> dict[tuple[str, str], KeptCount]:
        """How many pages are kept, and their bytes, by site and category."""
        rows = self.database.query(
            "SELECT site, category, count(*), CAST(sum(size) AS BIGINT) FROM kept_page "
            "GROUP BY site, category"
        )
        return {(site, group): KeptCount(n, size) for site, group, n, size in rows}

    def forget(self, site: str) -> None:
        self.database.execute("DELETE FROM kept_page WHERE site = ?", (site,))


def _beyond(rows: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """The rows, the newest first, from which on they are larger than this together."""
    total = 0
    for place, (_, row_size) in enumerate(rows):
        total += row_size
        if total > size:
            return rows[place:]
    return []
