"""What is known of the sites: neighborhoods that last."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from newsclean.memory.database import Database, blob_of, hashes_in, signed
from newsclean.memory.records import LearnedPage
from newsclean.neighborhood.window import WINDOW, Known, Neighborhood, check_window
from newsclean.site import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from newsclean.neighborhood.keys import Keying, PageKeys

#: Neighborhoods that are kept ready in the process; the others are read again when asked for.
READY = 64
#: Pages of a site in all its categories together, in windows.
SITE_WINDOWS = 10
#: After how many pages the samples of a site's texts are written down.
SAMPLES_EVERY = 50
#: Texts of a site that are kept for people to read.
MOST_SAMPLES = 1_000


class LearnedSites(Database):
    """The pages that neighborhoods remember, by site and category."""

    def __init__(self, path: str, *, keying: Keying = "block", window: int = WINDOW) -> None:
        check_window(window)  # before a file is made
        super().__init__(path, keying)
        self.window = window
        self._hoods: OrderedDict[tuple[str, str | None], Neighborhood] = OrderedDict()
        self._learned: dict[str, int] = {}

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
        blob = blob_of(keys.remembered)
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
            hood.restore(name, hashes_in(keys))
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
            [(site, signed(key), text) for key, text in texts[:MOST_SAMPLES]],
        )

    def pages(self) -> list[LearnedPage]:
        """All pages that are remembered, oldest first."""
        with self._lock:
            rows = self._database.execute(
                "SELECT site, category, name, seen, keys FROM page ORDER BY id"
            ).fetchall()
        return [
            LearnedPage(site, category, name, seen, hashes_in(keys))
            for site, category, name, seen, keys in rows
        ]

    def add_pages(self, pages: Iterable[LearnedPage], samples: dict[str, dict[int, str]]) -> None:
        """Add pages that another memory has learned, unless a newer state of them is known."""
        with self._writing() as database:
            for page in sorted(pages, key=lambda page: page.seen):
                blob = blob_of(page.keys)
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
                    [(site, signed(key), text) for key, text in texts.items()],
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

    def sites(self) -> list[str]:
        """The sites that it knows."""
        with self._lock:
            rows = self._database.execute("SELECT DISTINCT site FROM page ORDER BY site").fetchall()
        return [site for (site,) in rows]
