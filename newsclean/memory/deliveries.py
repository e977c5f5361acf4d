"""Articles that are delivered, each state of them once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.memory.damage import are_texts
from newsclean.memory.hashes import from_blob, to_blob
from newsclean.memory.records import Duplicate, PendingDelivery, Revision, Texts
from newsclean.memory.revisions import article_name, has_own_article, next_revision
from newsclean.site import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsclean.memory.database import Database
    from newsclean.memory.runs import Runs

    #: Of articles by URL and content hash, those that are in these files.
    FindDelivered = Callable[[Sequence[str], set[tuple[str, str]]], set[tuple[str, str]]]


class Deliveries:
    """The last state of every article; one that is on its way to the output is pending."""

    def __init__(self, database: Database, runs: Runs) -> None:
        self.database = database
        self.runs = runs

    def add_pending(
        self, canonical_url: str | None, url: str, content_hash: str, texts: Texts
    ) -> PendingDelivery | Duplicate | None:
        """The revision that is to be delivered now; None if nothing is new.

        It is pending until it is confirmed. What another article of the site says word for word is
        a duplicate: the first URL under which it was found counts. Nothing that another site says
        or claims makes an article a copy or a duplicate.
        """
        name = article_name(url, canonical_url)
        with self.database.transaction():
            last = self._last(name)
            if last is not None and has_own_article(last, name, url, texts):
                name, last = url, self._last(url)
            revision = next_revision(last, name, url, content_hash, texts)
            if revision is None:
                return None
            first = self._first_url(name, url, content_hash) if len(texts.body) else None
            if first is not None:
                self._write_duplicate(name, revision)
                return Duplicate(first)
            self.database.execute(
                "INSERT INTO pending_delivery (name, run, revision, url, content_hash, body) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET run = excluded.run, "
                "revision = excluded.revision, url = excluded.url, "
                "content_hash = excluded.content_hash, body = excluded.body",
                (name, self.runs.current, revision.number, url, content_hash,
                 to_blob(revision.body)),
            )  # fmt: skip
            return PendingDelivery(name, revision.number)

    def confirm(self, name: str) -> None:
        """A pending article has reached the output."""
        with self.database.transaction():
            self.database.execute(
                "INSERT INTO article (name, revision, url, content_hash, body, seen) "
                "SELECT name, revision, url, content_hash, body, ? "
                "FROM pending_delivery WHERE name = ? " + _REPLACE_ARTICLE,
                (time.time(), name),
            )
            self.discard(name)

    def discard(self, name: str) -> None:
        """A pending article has not reached the output: its state is new as before."""
        self.database.execute("DELETE FROM pending_delivery WHERE name = ?", (name,))

    def reconcile_pending(
        self, run: int, outputs: Sequence[str], find_delivered: FindDelivered
    ) -> None:
        """Confirm what was pending when a run ended and is in these outputs; discard the rest."""
        with self.database.transaction():
            rows = self.database.query(
                "SELECT name, url, content_hash FROM pending_delivery WHERE run = ?", (run,)
            )
            pending = {(url, digest) for _, url, digest in rows if are_texts(url, digest)}
            delivered = find_delivered(outputs, pending) if pending else set()
            for name, url, content_hash in rows:
                if not are_texts(url, content_hash):
                    self.database.damaged.note("pending_delivery", name)
                if (url, content_hash) in delivered:
                    self.confirm(name)
                else:
                    self.discard(name)

    def forget(self, site: str) -> None:
        """Forget what has been delivered of a site."""
        with self.database.transaction():
            names = [name for (name,) in self.database.query("SELECT name FROM article")]
            self.database.execute_many(
                "DELETE FROM article WHERE name = ?",
                [(name,) for name in names if are_texts(name) and site_of(name) == site],
            )

    def _last(self, name: str) -> Revision | None:
        """The last state of an article, pending or delivered.

        One that came from another site does not count: old memories believed such claims.
        """
        for table in ("pending_delivery", "article"):
            rows = self.database.query(
                f"SELECT revision, url, content_hash, body FROM {table} WHERE name = ?", (name,)
            )
            revision = self._revision(table, name, *rows[0]) if rows else None
            # A claim of another site, as earlier versions took it for the article's own state.
            if revision is not None and article_name(revision.url, name) == name:
                return revision
        return None

    def _revision(
        self, table: str, name: str, number: Any, url: Any, content_hash: Any, body: Any
    ) -> Revision | None:
        """A state as it is stored; None if its row is damaged.

        If only the blocks of its body are, the state is still known by its hash.
        """
        if not isinstance(number, int) or not are_texts(url, content_hash):
            self.database.damaged.note(table, name)
            return None
        try:
            return Revision(number, url, content_hash, from_blob(body))
        except ValueError:
            self.database.damaged.note(table, name)
            return Revision(number, url, content_hash, np.empty(0, dtype=np.uint64))

    def _first_url(self, name: str, url: str, content_hash: str) -> str | None:
        """The URL of another article of the site that was delivered with the same content.

        What was delivered before the article's own last state does not count: the article has
        come back to what it once said.
        """
        rows = self.database.query(
            "SELECT name, url FROM pending_delivery WHERE content_hash = ? UNION ALL "
            "SELECT name, url FROM article WHERE content_hash = ? AND seen > "
            "coalesce((SELECT seen FROM article WHERE name = ?), 0)",
            (content_hash, content_hash, name),
        )
        urls = (first for other, first in rows if other != name and are_texts(first))
        return next((first for first in urls if site_of(first) == site_of(url)), None)

    def _write_duplicate(self, name: str, revision: Revision) -> None:
        """Remember a duplicate's state, which is not delivered and has no number of its own."""
        self.database.execute(
            "INSERT INTO article (name, revision, url, content_hash, body, seen) "
            "VALUES (?, ?, ?, ?, ?, ?) " + _REPLACE_ARTICLE,
            (name, revision.number - 1, revision.url, revision.content_hash,
             to_blob(revision.body), time.time()),
        )  # fmt: skip


_REPLACE_ARTICLE = (
    "ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, url = excluded.url, "
    "content_hash = excluded.content_hash, body = excluded.body, seen = excluded.seen"
)
