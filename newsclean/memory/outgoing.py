"""Articles that go out, each state of them once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from newsclean.memory.database import Database, blob_of, hashes_in
from newsclean.memory.records import (
    Duplicate,
    Outgo,
    Revision,
    Texts,
    is_another,
    next_revision,
)
from newsclean.site import site_of

if TYPE_CHECKING:
    from sqlite3 import Connection


class Outgoing(Database):
    """The last state of every article; one that is on its way to the output is leaving."""

    def revise(
        self, name: str, url: str, content_hash: str, texts: Texts
    ) -> Outgo | Duplicate | None:
        """The revision that is about to be handed on; None if nothing is new.

        It counts as leaving until `handed_on`. What another article of the site says word for word
        is a duplicate: the first URL under which it was found stands.
        """
        with self._writing() as database:
            last = self._last(database, name)
            if last is not None and is_another(last, name, url, texts):
                name, last = url, self._last(database, url)
            revision = next_revision(last, name, url, content_hash, texts)
            if revision is None:
                return None
            first = self._first(database, name, url, content_hash) if len(texts.body) else None
            if first is not None:
                self._note(database, name, revision)
                return Duplicate(first)
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

    def _first(self, database: Connection, name: str, url: str, content_hash: str) -> str | None:
        """The URL of another article of the site that has gone out with the same content.

        What went out before the article's own last state does not count: that one has come back to
        what it once said.
        """
        rows = database.execute(
            "SELECT name, url FROM leaving WHERE content_hash = :hash UNION ALL "
            "SELECT name, url FROM article WHERE content_hash = :hash AND seen > "
            "coalesce((SELECT seen FROM article WHERE name = :name), 0)",
            {"hash": content_hash, "name": name},
        ).fetchall()
        urls = (first for other, first in rows if other != name)
        return next((first for first in urls if site_of(first) == site_of(url)), None)

    def _note(self, database: Connection, name: str, revision: Revision) -> None:
        """Remember a duplicate's state, which does not go out and has no number of its own."""
        state = (name, revision.number - 1, revision.url, revision.content_hash)
        database.execute(
            "INSERT OR REPLACE INTO article VALUES (?, ?, ?, ?, ?, ?)",
            (*state, blob_of(revision.body), time.time()),
        )

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
