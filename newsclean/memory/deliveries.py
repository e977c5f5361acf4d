"""Deliver each state of each article once.

An article that is new or has changed is *pending* while it goes to the output. It is *delivered*
when the output has it (`confirm`) and new again if the output doesn't (`discard`). Only a state
that is neither pending nor delivered becomes pending (`add_pending`), so no state goes out twice.
Each pending article belongs to a run: if that run dies, a later one looks into its output
(`reconcile_pending`). `newsclean/extensions/delivery.py` defines all states of a page, and
`newsclean/memory/store.py` lists the steps from one to the next (exceptions: `Memory.start_run`).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from newsclean.memory.database import from_blob, to_blob
from newsclean.memory.revisions import (
    Revision,
    Texts,
    has_own_article,
    is_copy,
    next_revision,
    pack_shown,
    shown_of,
    unpack_shown,
)
from newsclean.urls import article_name, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.memory.database import Database

    #: The URL, content hash and number of a revision.
    State = tuple[str, str, int]
    #: Takes output files and pending states, and returns the states that are in the files.
    FindDelivered = Callable[[Sequence[str], set[State]], set[State]]

_COLUMNS = "revision, url, content_hash, body, shown, blocks"
_REPLACE_ARTICLE = (
    "ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, url = excluded.url, "
    "content_hash = excluded.content_hash, body = excluded.body, shown = excluded.shown, "
    "blocks = excluded.blocks, seen = excluded.seen"
)


class PendingDelivery(NamedTuple):
    """An article on its way to the output: its name, and the number of its revision."""

    name: str
    revision: int


class Duplicate(NamedTuple):
    """An article that is pending or delivered under another URL of the site."""

    url: str


class Deliveries:
    """The last state of each article, pending (`pending_delivery`) or delivered (`article`)."""

    def __init__(self, database: Database, runs: Runs) -> None:
        self.database = database
        self.runs = runs

    def add_pending(
        self, canonical_url: str | None, url: str, content_hash: str, texts: Texts
    ) -> PendingDelivery | Duplicate | None:
        """Make a new or changed article pending; return None if nothing has changed.

        An article with the same content as another one of the site is a duplicate: the first URL
        counts. Pages of other sites never make an article a copy or a duplicate.
        """
        name = article_name(url, canonical_url)
        return self.database.atomically(
            lambda: self._add_pending(name, url, content_hash, texts), site_of(url)
        )

    def _add_pending(
        self, name: str, url: str, content_hash: str, texts: Texts
    ) -> PendingDelivery | Duplicate | None:
        last = self._last(name)
        if last is not None and has_own_article(last, name, url, texts):
            name, last = url, self._last(url)
        revision = next_revision(last, name, url, content_hash, texts)
        if revision is None:
            if last is not None and not is_copy(last, name, url):
                self._refresh(name, last, texts)
            return None
        first = self._first_url(name, url, content_hash) if len(texts.body.texts) else None
        if first is not None:
            self._write_duplicate(name, revision)
            return Duplicate(first)
        self.database.execute(
            "INSERT INTO pending_delivery (name, run, revision, url, content_hash, body, "
            "shown, blocks) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
            "run = excluded.run, revision = excluded.revision, url = excluded.url, "
            "content_hash = excluded.content_hash, body = excluded.body, "
            "shown = excluded.shown, blocks = excluded.blocks",
            (name, self.runs.current, *_columns(revision)),
        )
        return PendingDelivery(name, revision.number)

    def last_revision(self, canonical_url: str | None, url: str) -> tuple[str, int]:
        """Return the name of an article and its last revision, 0 if it was never delivered."""
        name = article_name(url, canonical_url)
        with self.database.lock:
            if (own := self._last(url)) is not None:
                return url, own.number
            last = self._last(name)
        return name, 0 if last is None else last.number

    def confirm(self, name: str) -> None:
        """Record that a pending article has reached the output."""

        def move() -> None:
            self.database.execute(
                f"INSERT INTO article (name, {_COLUMNS}, seen) SELECT name, {_COLUMNS}, ? "
                "FROM pending_delivery WHERE name = ? " + _REPLACE_ARTICLE,
                (time.time(), name),
            )
            self.discard(name)

        self.database.atomically(move, site_of(name))

    def discard(self, name: str) -> None:
        """Drop a pending article that has not reached the output: it is new again."""
        self.database.execute("DELETE FROM pending_delivery WHERE name = ?", (name,))

    def reconcile_pending(
        self,
        run: int,
        outputs: Sequence[str],
        find_delivered: FindDelivered,
        is_ours: Callable[[str | None], bool] | None = None,
    ) -> None:
        """Confirm the pending articles of a dead run that are in its outputs, discard the others.

        With `is_ours`, leave articles of other sites pending.
        """

        def reconcile() -> None:
            rows = self.database.query(
                "SELECT name, url, content_hash, revision FROM pending_delivery WHERE run = ?",
                (run,),
            )
            if is_ours is not None:
                rows = [row for row in rows if is_ours(site_of(row[1]))]
            pending = {(url, digest, n) for _, url, digest, n in rows}
            delivered = find_delivered(outputs, pending) if pending else set()
            for name, url, content_hash, number in rows:
                if (url, content_hash, number) in delivered:
                    self.confirm(name)
                else:
                    self.discard(name)

        self.database.atomically(reconcile)

    def revision_of(self, name: str) -> int:
        """Return the number of the last revision of an article, at least 1."""
        last = self._last(name)
        return 1 if last is None else max(last.number, 1)

    def counts(self) -> dict[str, int]:
        """Count the pending articles of all runs by site."""
        rows = self.database.query("SELECT url FROM pending_delivery")
        return dict(Counter(site_of(url) or "" for (url,) in rows))

    def count_of(self, run: int) -> int:
        """Count the pending articles of a run."""
        rows = self.database.query("SELECT count(*) FROM pending_delivery WHERE run = ?", (run,))
        return int(rows[0][0])

    def forget(self, site: str) -> None:
        """Forget which articles of a site were delivered."""
        names = [name for (name,) in self.database.query("SELECT name FROM article")]
        self.database.execute_many(
            "DELETE FROM article WHERE name = ?",
            [(name,) for name in names if site_of(name) == site],
        )

    def _last(self, name: str) -> Revision | None:
        """Return the pending state of an article, else the delivered one."""
        for table in ("pending_delivery", "article"):
            rows = self.database.query(f"SELECT {_COLUMNS} FROM {table} WHERE name = ?", (name,))
            if rows:
                return self._revision(table, name, *rows[0])
        return None

    def _revision(self, table: str, name: str, *columns: Any) -> Revision:
        """Read a state from a row; a damaged row keeps only the hash of its content."""
        number, url, content_hash, body, shown, packed = columns
        try:
            texts = from_blob(body)
            known = unpack_shown(shown, packed, texts)
        except ValueError:
            self.database.damaged.note(table, name)
            return Revision(number, url, content_hash, np.empty(0, dtype=np.uint64))
        return Revision(number, url, content_hash, texts, known)

    def _refresh(self, name: str, last: Revision, texts: Texts) -> None:
        """Store what the page of an unchanged article shows around it now."""
        shown = shown_of(texts)
        if last.shown is None or last.shown.page != shown.page:
            self.database.execute(
                "UPDATE article SET body = ?, shown = ?, blocks = ? WHERE name = ? AND NOT EXISTS "
                "(SELECT 1 FROM pending_delivery WHERE pending_delivery.name = article.name)",
                (to_blob(texts.body.texts), *pack_shown(shown), name),
            )

    def _first_url(self, name: str, url: str, content_hash: str) -> str | None:
        """Return the URL of another article of the site with the same content.

        Only deliveries after the article's own last state count: an article may return to an
        earlier wording.
        """
        rows = self.database.query(
            "SELECT 0, name, url FROM pending_delivery WHERE content_hash = ? UNION ALL "
            "SELECT 1, name, url FROM article WHERE content_hash = ? AND seen > "
            "coalesce((SELECT seen FROM article WHERE name = ?), 0)",
            (content_hash, content_hash, name),
        )
        others = (row for row in rows if row[1] != name)
        urls = (first for _, _, first in sorted(others))  # the same order in every database
        return next((first for first in urls if site_of(first) == site_of(url)), None)

    def _write_duplicate(self, name: str, revision: Revision) -> None:
        """Store the state of a duplicate, which is not delivered and gets no number."""
        self.database.execute(
            f"INSERT INTO article (name, {_COLUMNS}, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            + _REPLACE_ARTICLE,
            (name, *_columns(revision._replace(number=revision.number - 1)), time.time()),
        )


def _columns(revision: Revision) -> tuple[Any, ...]:
    number, url, content_hash, body, shown = revision
    assert shown is not None  # only damaged rows have none
    return (number, url, content_hash, to_blob(body), *pack_shown(shown))


class Run(NamedTuple):
    """One run of a job; runs of the same job take over each other's pages."""

    id: int
    job: str
    #: the files to which it appends lines, empty if its output can't be searched
    outputs: tuple[str, ...] = ()
    #: the machine that has these files, None if it is this one
    host: str | None = None
    #: the table of the memory's own database to which it writes, empty if none
    table: str = ""
    #: the registered domains that it crawls
    domains: frozenset[str] = frozenset()


class Runs:
    """The runs that are alive or have left pages or pending articles."""

    def __init__(self, database: Database) -> None:
        self.database = database
        #: the run of this process, 0 before it has started
        self.current = 0

    def add(
        self, job: str, outputs: Sequence[str] = (), table: str = "", domains: Iterable[str] = ()
    ) -> int:
        """Add a run, which is alive as long as this process has the memory open."""
        packed = {
            "files": list(outputs),
            "host": self.database.host,
            "table": table,
            "domains": sorted(domains),
        }
        ((run,),) = self.database.query(
            "INSERT INTO run (job, started, outputs) VALUES (?, ?, ?) RETURNING id",
            (job, time.time(), json.dumps(packed)),
        )
        self.database.lock_run(run)
        return int(run)

    def all(self) -> list[Run]:
        """Return all runs, oldest first."""
        rows = self.database.query("SELECT id, job, outputs FROM run ORDER BY id")
        return [self._run(*row) for row in rows]

    def dead(self, matters: Callable[[Run], bool] = lambda run: True) -> list[Run]:
        """Return the runs whose processes have ended.

        If it takes time to find out, wait for each run that `matters`; others count as alive.
        """
        runs = [run for run in self.all() if not self.database.is_run_alive(run.id)]
        return [run for run in runs if self.database.is_run_gone(run.id, wait=matters(run))]

    def sites_of(self, run: int) -> set[str]:
        """Return the sites of the stored pages and pending articles of a run."""
        pages = self.database.query("SELECT DISTINCT site FROM stored_page WHERE run = ?", (run,))
        pending = self.database.query("SELECT url FROM pending_delivery WHERE run = ?", (run,))
        sites = {site for (site,) in pages} | {site_of(url) for (url,) in pending}
        return {site for site in sites if site is not None}

    def _run(self, run: int, job: str, outputs: str) -> Run:
        """Read a run from a row; a damaged row has neither a job nor outputs."""
        try:
            packed = json.loads(outputs)
        except ValueError:
            self.database.damaged.note("run", run)
            return Run(run, "")
        host = None if packed["host"] == self.database.host else packed["host"]
        domains = frozenset(packed.get("domains", ()))
        return Run(run, job, tuple(packed["files"]), host, packed["table"], domains)

    def remove_if_empty(self, run: int) -> None:
        """Remove a run that has neither stored pages nor pending articles."""
        self.database.execute(
            "DELETE FROM run WHERE id = ? "
            "AND NOT EXISTS (SELECT 1 FROM stored_page WHERE stored_page.run = run.id) "
            "AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = run.id)",
            (run,),
        )
