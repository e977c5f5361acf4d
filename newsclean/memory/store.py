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

    #: Of articles by URL and content hash, those that are in the output.
    HandedOn = Callable[[set[tuple[str, str]]], set[tuple[str, str]]]

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

    def begin(self, job: str, find_handed_on: HandedOn = lambda leaving: set()) -> None:
        """Begin a run, and take over what runs have left that are no more.

        Pages are taken over from runs of the same job. Articles that were leaving when any run
        ended are settled: `find_handed_on` tells which of them (URL and content hash) have reached
        the output.
        """
        with self._writing() as database:
            run = database.execute(
                "INSERT INTO run (job, started) VALUES (?, ?)", (job, time.time())
            ).lastrowid
            assert run is not None
            if self.path != RAM:
                self._run_lock = RunLock(self.path, run)
                self._run_lock.take()
            rows = database.execute("SELECT id, job FROM run WHERE id != ?", (run,)).fetchall()
            dead = [(other, its) for other, its in rows if not is_alive(self.path, other)]
            self._settle(database, [other for other, _ in dead], find_handed_on)
            for other, its in dead:
                if its == job:
                    database.execute(
                        "UPDATE waiting SET run = ?, cold = 1 WHERE run = ?", (run, other)
                    )
            database.execute(
                "DELETE FROM run WHERE id IN (SELECT id FROM run WHERE id != ? AND NOT EXISTS "
                "(SELECT 1 FROM waiting WHERE waiting.run = run.id) AND NOT EXISTS "
                "(SELECT 1 FROM leaving WHERE leaving.run = run.id)) AND id IN "
                f"({', '.join(str(other) for other, _ in dead)})",
                (run,),
            )
        self.run = run

    def _settle(self, database: Connection, runs: list[int], find_handed_on: HandedOn) -> None:
        """Find out what became of the articles that were leaving in these runs."""
        marks = ", ".join(map(str, runs))
        rows = database.execute(
            f"SELECT name, url, content_hash FROM leaving WHERE run IN ({marks})"
        ).fetchall()
        out = find_handed_on({(url, digest) for _, url, digest in rows}) if rows else set()
        for name, url, digest in rows:
            if (url, digest) in out:
                self._confirm(database, name)
            else:
                database.execute("DELETE FROM leaving WHERE name = ?", (name,))

    def close(self) -> None:
        """End the run and let go of the file; once is enough."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                for site in self._learned:
                    self._save_samples(site)
                with self._writing() as database:
                    database.execute(
                        "DELETE FROM run WHERE id = ? AND NOT EXISTS "
                        "(SELECT 1 FROM waiting WHERE run = id) AND NOT EXISTS "
                        "(SELECT 1 FROM leaving WHERE run = id)",
                        (self.run,),
                    )
            finally:
                if self._run_lock is not None:
                    self._run_lock.release()
                self._database.close()
