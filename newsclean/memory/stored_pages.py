"""Pages that are stored until their articles are delivered, and those kept after that.

The states of a page are defined in `newsclean/extensions/delivery.py`.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.memory.database import DamagedRowError
from newsclean.memory.fetches import NO_FETCH, Fetch
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from newsclean.memory.database import Database
    from newsclean.memory.deliveries import Runs

#: Failed runs after which a page is given up.
_MAX_FAILURES = 3
#: Compressed bytes of the kept pages of a site, and of all sites; the oldest are deleted first.
MAX_SITE_BYTES = 3_000_000
MAX_BYTES = 500_000_000
#: Kept pages between two checks of the size of all sites.
_CHECK_EVERY = 100

_NOT_PENDING = (
    " AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = stored_page.run "
    "AND pending_delivery.url = stored_page.url)"
)


@dataclass(frozen=True)
class StoredPage:
    """A downloaded page, with all that is needed to continue with it later."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes = field(repr=False)
    #: the third-party item to which the page belongs
    origin: Any = None
    #: the requests that led to it
    fetch: Fetch = NO_FETCH


class PackedPage(NamedTuple):
    """The columns of a stored page."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes
    origin: bytes | None
    fetch: str = ""


class StoredPages:
    """The stored pages by number; parked ones wait for neighbors."""

    def __init__(self, database: Database, runs: Runs) -> None:
        self.database = database
        self.runs = runs

    def add(self, page: PackedPage) -> int:
        """Store a page of this run, and return its number."""
        rows = self.database.atomically(
            lambda: self.database.query(
                "INSERT INTO stored_page (run, parked, url, site, category, content_type, "
                'fetched_at, body, origin, "fetch") VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?) '
                "RETURNING number",
                (self.runs.current, *page),
            ),
            page.site,
        )
        return int(rows[0][0])

    def get(self, number: int) -> StoredPage | None:
        """Return a page, None if it is no longer stored.

        Raises ValueError if it is damaged, or if its third-party item can't be restored.
        """
        rows = self.database.query(
            'SELECT url, site, category, content_type, fetched_at, body, origin, "fetch" '
            "FROM stored_page WHERE number = ?",
            (number,),
        )
        try:
            return _unpack_page(PackedPage(*rows[0])) if rows else None
        except DamagedRowError:
            self.database.damaged.note("stored_page", number)
            raise

    def fetch_of(self, number: int) -> Fetch:
        """Return the requests that led to a page."""
        rows = self.database.query('SELECT "fetch" FROM stored_page WHERE number = ?', (number,))
        return Fetch.unpack(rows[0][0]) if rows else Fetch()

    def remove(self, number: int) -> None:
        self.database.execute("DELETE FROM stored_page WHERE number = ?", (number,))

    def park(self, number: int) -> None:
        self.database.execute("UPDATE stored_page SET parked = 1 WHERE number = ?", (number,))

    def unpark(self, number: int) -> None:
        self.database.execute("UPDATE stored_page SET parked = 0 WHERE number = ?", (number,))

    def parked(self, site: str | None = None) -> dict[int, str]:
        """Return number and URL of the parked pages of this run, of one site or all."""
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        rows = self.database.query(
            f"SELECT number, url FROM stored_page WHERE run = ? AND parked = 1{where} "
            "ORDER BY number",
            (self.runs.current, *values),
        )
        return dict(rows)

    def take_over(
        self,
        dead: int,
        run: int,
        is_ours: Callable[[str], bool] | None = None,
        *,
        with_pending: bool = True,
    ) -> None:
        """Move the pages of a dead run to another run, and park them.

        With `is_ours`, move only pages of those sites, and none with third-party items. Without
        `with_pending`, leave pages whose articles are pending: it is not known yet whether those
        have reached the output.
        """
        others = "" if with_pending else _NOT_PENDING
        if is_ours is None:
            self.database.execute(
                f"UPDATE stored_page SET run = ?, parked = 1 WHERE run = ?{others}", (run, dead)
            )
            return
        found = self.database.query("SELECT DISTINCT site FROM stored_page WHERE run = ?", (dead,))
        self.database.execute_many(
            "UPDATE stored_page SET run = ?, parked = 1 "
            f"WHERE run = ? AND site = ? AND origin IS NULL{others}",
            [(run, dead, site) for (site,) in found if is_ours(site)],
        )

    def mark_failed(self, number: int) -> bool:
        """Count an error of a page, which the next run tries again; return True if given up."""

        def count() -> bool:
            rows = self.database.query(
                "UPDATE stored_page SET failures = failures + 1 WHERE number = ? "
                "RETURNING failures",
                (number,),
            )
            if not rows or rows[0][0] < _MAX_FAILURES:
                return False
            self.remove(number)
            return True

        return self.database.atomically(count)

    def mark_damaged(self, number: int) -> None:
        """Count an error of a parked page whose row is damaged."""
        self.database.damaged.note("stored_page", number)
        self.unpark(number)
        self.mark_failed(number)

    def counts(self) -> dict[tuple[str, str], int]:
        """Count the stored pages of all runs by site and category."""
        rows = self.database.query(
            "SELECT site, category, count(*) FROM stored_page GROUP BY site, category"
        )
        return {(site, category): n for site, category, n in rows}


def pack_page(page: StoredPage) -> PackedPage | None:
    """Pack a page, None if its third-party item is more than plain data."""
    try:
        origin = pack(page.origin)
    except (TypeError, ValueError):
        return None
    return PackedPage(
        page.url,
        page.site,
        page.category,
        page.content_type,
        page.fetched_at,
        zlib.compress(page.body, 1),
        origin,
        page.fetch.pack(),
    )


def _unpack_page(packed: PackedPage) -> StoredPage:
    """Restore a page; raises ValueError if that is not possible."""
    url, site, category, content_type, fetched_at, compressed, packed_origin, fetch = packed
    try:
        body = zlib.decompress(compressed)
    except zlib.error as error:
        raise DamagedRowError(f"its body is damaged: {error}") from None
    try:
        origin = unpack(packed_origin)
    except DamagedRowError:
        raise
    except Exception as error:  # the class of its item has changed
        raise ValueError(str(error)) from None
    return StoredPage(
        url, site, category, content_type, fetched_at, body, origin, Fetch.unpack(fetch)
    )


def pack(origin: Any) -> bytes | None:
    """Pack a third-party item; raises TypeError unless JSON can hold all of it, never pickle."""
    if origin is None:
        return None
    from itemadapter import ItemAdapter  # imports Scrapy; only crawls have such items

    kind = type(origin)
    name = None if kind is dict else f"{kind.__module__}.{kind.__qualname__}"
    fields = ItemAdapter(origin).asdict()
    text = json.dumps([name, fields])
    if json.loads(text)[1] != fields:
        raise TypeError(f"{kind.__qualname__} holds values that JSON would change")
    packed = zlib.compress(text.encode(), 1)
    try:
        again = ItemAdapter(unpack(packed))
    except Exception as error:
        raise TypeError(f"{kind.__qualname__} cannot be restored: {error}") from None
    # `asdict` turns nested items into dicts, so compare the fields themselves as well.
    if again.asdict() != fields or dict(again) != dict(ItemAdapter(origin)):
        raise TypeError(f"{kind.__qualname__} is not the same after it is restored")
    return packed


def unpack(packed: bytes | None) -> Any:
    if packed is None:
        return None
    try:
        name, fields = json.loads(zlib.decompress(packed))
    except (ValueError, zlib.error) as error:
        raise DamagedRowError(f"its item is damaged: {error}") from None
    if name is None:
        return fields
    from scrapy.utils.misc import load_object  # only crawls have such items

    return load_object(name)(**fields)


class KeptCount(NamedTuple):
    pages: int
    size: int


class KeptPages:
    """The pages of the newest delivered articles of each site, for `reextract`."""

    def __init__(self, database: Database, keep: int) -> None:
        self.database = database
        self.keep = keep
        self._added = 0

    def add(self, number: int, name: str) -> None:
        """Keep a stored page as the page of the article with this name."""
        if not self.keep:
            return
        self.database.atomically(lambda: self._add(number, name), site_of(name))
        self._added += 1
        if self._added % _CHECK_EVERY == 1:
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
        """Delete the oldest pages if all sites together exceed `MAX_BYTES`."""
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
        """Return number, URL and time of the kept pages of these sites, newest first.

        Pages of all hosts of the same registered domain are included.
        """
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
        """Return the name of an article and its page, None if it is no longer kept.

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
            return name, _unpack_page(packed)
        except ValueError:
            self.database.damaged.note("kept_page", number)
            raise

    def counts(self) -> dict[tuple[str, str], KeptCount]:
        """Count the kept pages and their bytes by site and category."""
        rows = self.database.query(
            "SELECT site, category, count(*), CAST(sum(size) AS BIGINT) FROM kept_page "
            "GROUP BY site, category"
        )
        return {(site, group): KeptCount(n, size) for site, group, n, size in rows}

    def forget(self, site: str) -> None:
        self.database.execute("DELETE FROM kept_page WHERE site = ?", (site,))


def _beyond(rows: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """Return the rows (newest first) that exceed a total size."""
    total = 0
    for place, (_, row_size) in enumerate(rows):
        total += row_size
        if total > size:
            return rows[place:]
    return []
