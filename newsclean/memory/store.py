"""A memory in an SQLite file, or in RAM (`:memory:`)."""

from __future__ import annotations

import time
import zlib
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.database import RAM
from newsclean.memory.origin import pack
from newsclean.memory.outgoing import Outgoing
from newsclean.memory.runs import RunLock, is_alive
from newsclean.memory.sites import LearnedSites
from newsclean.memory.waiting import WaitingRoom
from newsclean.neighborhood.window import WINDOW

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

    from newsclean.memory.records import WaitingPage
    from newsclean.neighborhood.keys import Keying, PageKeys


class Arrival(NamedTuple):
    """What became of a page that has arrived."""

    #: the number under which the page is kept, None if it could not be
    number: int | None
    #: `site` or `category` if that has a new template, else empty
    relearned: str


class Memory(LearnedSites, WaitingRoom, Outgoing):
    """All that is remembered of all sites. Safe to use from several threads and processes."""

    def __init__(self, path: str = RAM, *, keying: Keying = "block", window: int = WINDOW) -> None:
        super().__init__(path, keying=keying, window=window)
        self._run_lock: RunLock | None = None
        self._closed = False

    def arrive(self, page: WaitingPage, name: str, keys: PageKeys) -> Arrival:
        """Keep a page until its article has been handed on, and learn from it."""
        try:
            origin = pack(page.origin)
        except (TypeError, ValueError):
            storable = False
            origin = None
        else:
            storable = True
        number = None
        with self._writing() as database:
            if storable:
                number = database.execute(
                    "INSERT INTO waiting (run, cold, url, site, category, content_type, "
                    "fetched_at, body, origin) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?)",
                    (self.run, page.url, page.site, page.category, page.content_type,
                     page.fetched_at, zlib.compress(page.body, 1), origin),
                ).lastrowid  # fmt: skip
            relearned = self._learn(database, page.site, page.category, name, keys)
        return Arrival(number, relearned)

    def begin(self, job: str, was_handed_on: Callable[[str, str], bool] = lambda *_: False) -> None:
        """Begin a run, and take over what runs of the same job have left that are no more.

        `was_handed_on(url, content_hash)` tells whether an article that was leaving when its run
        ended has reached the output.
        """
        with self._writing() as database:
            cursor = database.execute(
                "INSERT INTO run (job, started) VALUES (?, ?)", (job, time.time())
            )
            self.run = cursor.lastrowid or 0
            if self.path != RAM:
                self._run_lock = RunLock(self.path, self.run)
                self._run_lock.take()
            others = database.execute(
                "SELECT id FROM run WHERE job = ? AND id != ?", (job, self.run)
            ).fetchall()
            for (run,) in others:
                if not is_alive(self.path, run):
                    self._take_over(database, run, was_handed_on)

    def _take_over(
        self, database: Connection, run: int, was_handed_on: Callable[[str, str], bool]
    ) -> None:
        rows = database.execute(
            "SELECT name, url, content_hash FROM leaving WHERE run = ?", (run,)
        ).fetchall()
        for name, url, content_hash in rows:
            if was_handed_on(url, content_hash):
                self._confirm(database, name)
            else:
                database.execute("DELETE FROM leaving WHERE name = ?", (name,))
        database.execute("UPDATE waiting SET run = ?, cold = 1 WHERE run = ?", (self.run, run))
        database.execute("DELETE FROM run WHERE id = ?", (run,))

    def leaving_of_dead_runs(self, job: str) -> list[tuple[str, str]]:
        """URL and content hash of the articles that were leaving when their run was killed."""
        with self._lock:
            rows = self._database.execute(
                "SELECT run, url, content_hash FROM leaving JOIN run ON run.id = leaving.run "
                "WHERE job = ?",
                (job,),
            ).fetchall()
        return [(url, digest) for run, url, digest in rows if not is_alive(self.path, run)]

    def close(self) -> None:
        """End the run and let go of the file; once is enough."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for site in self._learned:
                self._save_samples(site)
            if self.run:
                with self._writing() as database:
                    database.execute(
                        "DELETE FROM run WHERE id = ? AND NOT EXISTS "
                        "(SELECT 1 FROM waiting WHERE run = id) AND NOT EXISTS "
                        "(SELECT 1 FROM leaving WHERE run = id)",
                        (self.run,),
                    )
            if self._run_lock is not None:
                self._run_lock.release()
            self._database.close()
