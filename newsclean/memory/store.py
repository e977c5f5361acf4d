"""A memory in an SQLite file, or in RAM (`:memory:`)."""

from __future__ import annotations

import time
import zlib
from collections import OrderedDict
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.memory.origin import pack, unpack
from newsclean.memory.records import (
    LearnedPage,
    Revision,
    Texts,
    WaitingPage,
    next_revision,
)
from newsclean.memory.runs import RunLock, is_alive
from newsclean.memory.schema import MemoryFileError, connect
from newsclean.neighborhood.window import WINDOW, Known, Neighborhood
from newsclean.site import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from sqlite3 import Connection

    from numpy.typing import NDArray

    from newsclean.neighborhood.keys import Keying, PageKeys

RAM = ":memory:"

#: Neighborhoods that are kept ready in the process; the others are read again when asked for.
READY = 64
#: Pages of a site in all its categories together, in windows.
SITE_WINDOWS = 10
#: After how many pages the samples of a site's texts are written down.
SAMPLES_EVERY = 50
#: Texts of a site that are kept for people to read.
MOST_SAMPLES = 1_000
#: In how many runs a page is tried that leads to an error each time.
MOST_TRIES = 3


class Arrival(NamedTuple):
    """What became of a page that has arrived."""

    #: the number under which the page is kept, None if it could not be
    number: int | None
    #: `site` or `category` if that has a new template, else empty
    relearned: str


class Memory:
    """All that is remembered of all sites. Safe to use from several threads and processes."""

    def __init__(self, path: str = RAM, *, keying: Keying = "block", window: int = WINDOW) -> None:
        self.path = path
        self.keying = keying
        self.window = window
        self.run = 0
        self._lock = RLock()
        self._database = connect(path)
        self._run_lock: RunLock | None = None
        self._hoods: OrderedDict[tuple[str, str | None], Neighborhood] = OrderedDict()
        self._learned: dict[str, int] = {}
        self._closed = False
        self._check_keying()

    def _check_keying(self) -> None:
        with self._writing() as database:
            database.execute("INSERT OR IGNORE INTO fact VALUES ('keying', ?)", (self.keying,))
        query = "SELECT value FROM fact WHERE name = 'keying'"
        (keying,) = self._database.execute(query).fetchone()
        if keying != self.keying:
            self._database.close()
            raise MemoryFileError(
                f"{self.path} was learned with {keying!r} keys and this method needs "
                f"{self.keying!r} keys: give it a memory file of its own"
            )

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction: all of it or nothing."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    # Runs

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

    # Neighborhoods

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

    def learn(self, site: str, category: str, name: str, keys: PageKeys) -> str:
        """Count a page; `site` or `category` if that has a new template, else an empty string."""
        with self._writing() as database:
            return self._learn(database, site, category, name, keys)

    def _learn(
        self, database: Connection, site: str, category: str, name: str, keys: PageKeys
    ) -> str:
        for (other, group), hood in self._hoods.items():
            if other == site and group not in (None, category):
                hood.remove(name)
        own, wider = self.neighborhood(site, category), self.neighborhood(site)
        relearned = "category" if own.add(name, keys) else ""
        if wider.add(name, keys):
            relearned = "site"
        blob = keys.remembered.astype("<u8").tobytes()
        database.execute(
            "INSERT OR REPLACE INTO page (site, category, name, seen, keys) VALUES (?,?,?,?,?)",
            (site, category, name, time.time(), blob),
        )
        self._forget_old(database, site, category, relearned)
        self._learned[site] = self._learned.get(site, 0) + 1
        if self._learned[site] % SAMPLES_EVERY == 0:
            self._write_samples(database, site)
        return relearned

    def _forget_old(self, database: Connection, site: str, category: str, relearned: str) -> None:
        """Delete the pages that have left their window, and those of an old template."""
        if relearned == "site":
            kept = self.neighborhood(site).names
            self._delete_others(database, "site = ?", (site,), kept)
            for key in [key for key in self._hoods if key[0] == site and key[1] is not None]:
                del self._hoods[key]
        elif relearned:
            kept = self.neighborhood(site, category).names
            self._delete_others(database, "site = ? AND category = ?", (site, category), kept)
        database.execute(
            "DELETE FROM page WHERE site = ? AND category = ? AND id <= (SELECT id FROM page "
            "WHERE site = ? AND category = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (site, category, site, category, self.window),
        )
        database.execute(
            "DELETE FROM page WHERE site = ? AND id <= (SELECT id FROM page "
            "WHERE site = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (site, site, SITE_WINDOWS * self.window),
        )

    @staticmethod
    def _delete_others(
        database: Connection, where: str, values: tuple[str, ...], kept: list[str]
    ) -> None:
        marks = ", ".join("?" * len(kept))
        database.execute(
            f"DELETE FROM page WHERE {where} AND name NOT IN ({marks})", (*values, *kept)
        )

    def ask(self, site: str, category: str, name: str, keys: PageKeys, enough: int) -> Known:
        """What the neighbors know of a page: the category's, or the site's if those are few."""
        with self._lock:
            known = self.neighborhood(site, category).support(keys, name)
            if known.neighbors >= enough:
                return known
            wider = self.neighborhood(site).support(keys, name, scope="site")
            return wider if wider.neighbors > known.neighbors else known

    def neighborhood(self, site: str, category: str | None = None) -> Neighborhood:
        """The pages of a category, or of the whole site."""
        with self._lock:
            hood = self._hoods.get((site, category))
            if hood is None:
                hood = self._hoods[site, category] = self._read(site, category)
                while len(self._hoods) > READY:
                    self._hoods.popitem(last=False)
            else:
                self._hoods.move_to_end((site, category))
            return hood

    def _read(self, site: str, category: str | None) -> Neighborhood:
        hood = Neighborhood(keying=self.keying, window=self.window)
        where = "site = ?" if category is None else "site = ? AND category = ?"
        values = (site, self.window) if category is None else (site, category, self.window)
        rows = self._database.execute(
            f"SELECT name, keys FROM page WHERE {where} ORDER BY id DESC LIMIT ?", values
        ).fetchall()
        for name, keys in reversed(rows):
            hood.restore(name, _hashes(keys))
        query = "SELECT key, text FROM sample WHERE site = ?"
        for key, text in self._database.execute(query, (site,)):
            hood.samples[key % (1 << 64)] = text
        return hood

    def _save_samples(self, site: str) -> None:
        with self._writing() as database:
            self._write_samples(database, site)

    def _write_samples(self, database: Connection, site: str) -> None:
        hood = self.neighborhood(site)
        texts = sorted(hood.samples.items(), key=lambda pair: -hood.count(pair[0]))
        database.execute("DELETE FROM sample WHERE site = ?", (site,))
        database.executemany(
            "INSERT INTO sample VALUES (?, ?, ?)",
            [(site, _signed(key), text) for key, text in texts[:MOST_SAMPLES]],
        )

    def pages(self) -> list[LearnedPage]:
        """All pages that are remembered, oldest first."""
        with self._lock:
            rows = self._database.execute(
                "SELECT site, category, name, seen, keys FROM page ORDER BY id"
            ).fetchall()
        return [
            LearnedPage(site, category, name, seen, _hashes(keys))
            for site, category, name, seen, keys in rows
        ]

    def add_pages(self, pages: Iterable[LearnedPage], samples: dict[str, dict[int, str]]) -> None:
        """Add pages that another memory has learned, unless a newer state of them is known."""
        with self._writing() as database:
            for page in sorted(pages, key=lambda page: page.seen):
                blob = page.keys.astype("<u8").tobytes()
                database.execute(
                    "INSERT INTO page (site, category, name, seen, keys) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET category = excluded.category, seen = excluded.seen, "
                    "keys = excluded.keys WHERE excluded.seen > seen",
                    (page.site, page.category, page.name, page.seen, blob),
                )
                self._forget_old(database, page.site, page.category, "")
            for site, texts in samples.items():
                database.executemany(
                    "INSERT OR IGNORE INTO sample VALUES (?, ?, ?)",
                    [(site, _signed(key), text) for key, text in texts.items()],
                )
            self._hoods.clear()

    def forget(self, site: str, *, articles: bool = False) -> int:
        """Forget what was learned of a site; the number of pages.

        With `articles`, also what has been handed on: the next crawl hands on everything anew.
        """
        with self._writing() as database:
            count = database.execute("DELETE FROM page WHERE site = ?", (site,)).rowcount
            database.execute("DELETE FROM sample WHERE site = ?", (site,))
            if articles:
                rows = database.execute("SELECT name FROM article").fetchall()
                names = [(name,) for (name,) in rows if site_of(name) == site]
                database.executemany("DELETE FROM article WHERE name = ?", names)
            for key in [key for key in self._hoods if key[0] == site]:
                del self._hoods[key]
            self._learned.pop(site, None)
        return count

    # Waiting pages

    def count_waiting(self) -> dict[tuple[str, str], int]:
        """How many pages wait, of any run, by site and category."""
        with self._lock:
            rows = self._database.execute(
                "SELECT site, category, count(*) FROM waiting GROUP BY site, category"
            ).fetchall()
        return {(site, category): count for site, category, count in rows}

    def sites(self) -> list[str]:
        """The sites that it knows."""
        with self._lock:
            rows = self._database.execute("SELECT DISTINCT site FROM page ORDER BY site").fetchall()
        return [site for (site,) in rows]

    def wait(self, number: int) -> None:
        """Let a page wait for neighbors."""
        with self._writing() as database:
            database.execute("UPDATE waiting SET cold = 1 WHERE number = ?", (number,))

    def waiting(self, site: str | None = None) -> list[int]:
        """The numbers of the pages of this run that wait, of one site or of all."""
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        with self._lock:
            rows = self._database.execute(
                f"SELECT number FROM waiting WHERE run = ? AND cold = 1{where} ORDER BY number",
                (self.run, *values),
            ).fetchall()
        return [number for (number,) in rows]

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

    # Articles that go out

    def revise(self, name: str, url: str, content_hash: str, texts: Texts) -> int | None:
        """The number of the revision that is about to be handed on; None if nothing is new.

        It counts as leaving until `handed_on`.
        """
        with self._writing() as database:
            revision = next_revision(self._last(database, name), name, url, content_hash, texts)
            if revision is None:
                return None
            database.execute(
                "INSERT OR REPLACE INTO leaving VALUES (?, ?, ?, ?, ?, ?)",
                (name, self.run, revision.number, url, content_hash,
                 revision.body.astype("<u8").tobytes()),
            )  # fmt: skip
            return revision.number

    def _last(self, database: Connection, name: str) -> Revision | None:
        for table in ("leaving", "article"):
            row = database.execute(
                f"SELECT number, url, content_hash, body FROM {table} WHERE name = ?", (name,)
            ).fetchone()
            if row is not None:
                number, url, content_hash, body = row
                return Revision(number, url, content_hash, _hashes(body))
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


def _signed(key: int) -> int:
    """A key as SQLite holds it."""
    return key - (1 << 64) if key >> 63 else key


def _hashes(blob: bytes) -> NDArray[np.uint64]:
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)
