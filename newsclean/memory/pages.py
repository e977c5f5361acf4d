"""Pages that are stored until their articles are delivered."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.damage import DamagedRowError
from newsclean.memory.fetches import Fetch
from newsclean.memory.origin import pack, unpack
from newsclean.memory.records import StoredPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.memory.database import Database
    from newsclean.memory.runs import Runs

#: In how many runs a page is tried that leads to an error each time.
MAX_FAILURES = 3


class PackedPage(NamedTuple):
    """A page as the columns of the table."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes
    origin: bytes | None
    fetch: str = ""


class StoredPages:
    """Pages by number; those that are parked wait for neighbors."""

    def __init__(self, database: Database, runs: Runs) -> None:
        self.database = database
        self.runs = runs

    def add(self, page: PackedPage) -> int:
        """Store a page of this run; its number."""
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
        """A page by its number, None if it is no longer stored.

        Raises ValueError if it is damaged, or if its item cannot be made again.
        """
        rows = self.database.query(
            'SELECT url, site, category, content_type, fetched_at, body, origin, "fetch" '
            "FROM stored_page WHERE number = ?",
            (number,),
        )
        try:
            return unpack_page(PackedPage(*rows[0])) if rows else None
        except DamagedRowError:
            self.database.damaged.note("stored_page", number)
            raise

    def fetch_of(self, number: int) -> Fetch:
        """The requests that led to a page."""
        rows = self.database.query('SELECT "fetch" FROM stored_page WHERE number = ?', (number,))
        return Fetch.unpack(rows[0][0]) if rows else Fetch()

    def remove(self, number: int) -> None:
        """Let go of a page that is finished."""
        self.database.execute("DELETE FROM stored_page WHERE number = ?", (number,))

    def park(self, number: int) -> None:
        """Let a page wait for neighbors."""
        self.database.execute("UPDATE stored_page SET parked = 1 WHERE number = ?", (number,))

    def unpark(self, number: int) -> None:
        """Let a page that was parked go on."""
        self.database.execute("UPDATE stored_page SET parked = 0 WHERE number = ?", (number,))

    def parked(self, site: str | None = None) -> dict[int, str]:
        """Number and URL of the pages of this run that are parked, of one site or of all."""
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
        """Park the pages of a dead run, as pages of another.

        They are all pages, or those of the sites for which `is_ours`; then without the items of
        somebody else's spider. Without `with_pending`, a page whose article is pending stays where
        it is, until somebody can tell whether that has arrived.
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
        """Count an error to which a page has led; True if the page is given up.

        Until then, the next run tries again.
        """

        def count() -> bool:
            rows = self.database.query(
                "UPDATE stored_page SET failures = failures + 1 WHERE number = ? "
                "RETURNING failures",
                (number,),
            )
            if not rows or rows[0][0] < MAX_FAILURES:
                return False
            self.remove(number)
            return True

        return self.database.atomically(count)

    def mark_damaged(self, number: int) -> None:
        """Count a parked page that cannot come back, because its row is damaged."""
        self.database.damaged.note("stored_page", number)
        self.unpark(number)
        self.mark_failed(number)

    def counts(self) -> dict[tuple[str, str], int]:
        """The number of stored pages, of any run, by site and category."""
        rows = self.database.query(
            "SELECT site, category, count(*) FROM stored_page GROUP BY site, category"
        )
        return {(site, category): n for site, category, n in rows}


_NOT_PENDING = (
    " AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = stored_page.run "
    "AND pending_delivery.url = stored_page.url)"
)


def pack_page(page: StoredPage) -> PackedPage | None:
    """A page as it is stored, None if its origin is more than plain data."""
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


def unpack_page(packed: PackedPage) -> StoredPage:
    """A page as it was; raises ValueError if that is not possible."""
    url, site, category, content_type, fetched_at, compressed, packed_origin, fetch = packed
    try:
        body = zlib.decompress(compressed)
    except zlib.error as error:
        raise DamagedRowError(f"its body is damaged: {error}") from None
    try:
        origin = unpack(packed_origin)
    except DamagedRowError:
        raise
    except Exception as error:  # the class of its item has changed since
        raise ValueError(str(error)) from None
    return StoredPage(
        url, site, category, content_type, fetched_at, body, origin, Fetch.unpack(fetch)
    )
