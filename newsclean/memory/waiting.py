"""Pages that are kept until their articles have been handed on."""

from __future__ import annotations

import zlib

from newsclean.memory.database import Database
from newsclean.memory.origin import unpack
from newsclean.memory.records import WaitingPage

#: In how many runs a page is tried that leads to an error each time.
MOST_TRIES = 3


class WaitingRoom(Database):
    """Pages by number; those that wait for neighbors are cold."""

    def count_waiting(self) -> dict[tuple[str, str], int]:
        """How many pages wait, of any run, by site and category."""
        with self._lock:
            rows = self._database.execute(
                "SELECT site, category, count(*) FROM waiting GROUP BY site, category"
            ).fetchall()
        return {(site, category): count for site, category, count in rows}

    def wait(self, number: int) -> None:
        """Let a page wait for neighbors."""
        with self._writing() as database:
            database.execute("UPDATE waiting SET cold = 1 WHERE number = ?", (number,))

    def waiting(self, site: str | None = None) -> dict[int, str]:
        """Number and URL of the pages of this run that wait, of one site or of all."""
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        with self._lock:
            rows = self._database.execute(
                f"SELECT number, url FROM waiting WHERE run = ? AND cold = 1{where} "
                "ORDER BY number",
                (self.run, *values),
            ).fetchall()
        return dict(rows)

    def resume(self, number: int) -> None:
        """Take up a page that has waited."""
        with self._writing() as database:
            database.execute("UPDATE waiting SET cold = 0 WHERE number = ?", (number,))

    def failed(self, number: int) -> bool:
        """Note that a page has led to an error; True if it is given up for good.

        Until then, the next run tries again.
        """
        with self._writing() as database:
            row = database.execute(
                "UPDATE waiting SET tries = tries + 1 WHERE number = ? RETURNING tries", (number,)
            ).fetchone()
            if row is None or row[0] < MOST_TRIES:
                return False
            database.execute("DELETE FROM waiting WHERE number = ?", (number,))
            return True

    def waiting_page(self, number: int) -> WaitingPage | None:
        """A page by its number."""
        with self._lock:
            row = self._database.execute(
                "SELECT url, site, category, content_type, fetched_at, body, origin "
                "FROM waiting WHERE number = ?",
                (number,),
            ).fetchone()
        if row is None:
            return None
        url, site, category, content_type, fetched_at, body, origin = row
        return WaitingPage(
            url, site, category, content_type, fetched_at, zlib.decompress(body), unpack(origin)
        )

    def done(self, number: int) -> None:
        """Let a page go that is finished."""
        with self._writing() as database:
            database.execute("DELETE FROM waiting WHERE number = ?", (number,))
