"""Articles that go out, each state of them once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from newsclean.memory.database import Database, blob_of, hashes_in
from newsclean.memory.records import Outgo, Revision, Texts, is_another, next_revision

if TYPE_CHECKING:
    from sqlite3 import Connection


class Outgoing(Database):
    """The last state of every article; one that is on its way to the output is leaving."""

    def revise(self, name: str, url: str, content_hash: str, texts: Texts) -> Outgo | None:
        """The revision that is about to be handed on; None if nothing is new.

        It counts as leaving until `handed_on`.
        """
        with self._writing() as database:
            last = self._last(database, name)
            if last is not None and is_another(last, name, url, texts):
                name, last = url, self._last(database, url)
            revision = next_revision(last, name, url, content_hash, texts)
            if revision is None:
                return None
            database.execute(
                "INSERT OR REPLACE INTO leaving VALUES (?, ?, ?, ?, ?, ?)",
                (name, self.run, revision.number, url, content_hash,
                 blob_of(revision.body)),
            )  # fmt: skip
            return Outgo(name, revision.number)

    def _last(self, database: Connection, name: str) -> Revision | None:
        for table in ("leaving", "article"):
            row = database.execute(
                f"SELECT number, url, content_hash, body FROM {table} WHERE name = ?", (name,)
            ).fetchone()
            if row is not None:
                number, url, content_hash, body = row
                return Revision(number, url, content_hash, hashes_in(body))
        return None

    def handed_on(self, name: str | None, number: int | None) -> None:
        """An article has reached the output, and its page need not be kept."""
        with self._writing() as database:
            if name is not None:
                self._confirm(database, name)
            if number is not None:
                database.execute("DELETE FROM waiting WHERE number = ?", (number,))

    def _confirm(self, database: Connection, name: str) -> None:
        database.execute(
            "INSERT OR REPLACE INTO article SELECT name, number, url, content_hash, body, ? "
            "FROM leaving WHERE name = ?",
            (time.time(), name),
        )
        database.execute("DELETE FROM leaving WHERE name = ?", (name,))
