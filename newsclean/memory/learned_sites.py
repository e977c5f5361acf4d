"""What a memory has learned about sites: their neighborhoods, and which URL patterns are articles.

`LearnedSites` keeps the keys of a window of recent pages per site and category. `UrlPatterns`
counts, for each URL pattern of a site, how many pages were articles.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.neighborhood import MIN_MISSED_PAGES, KeyWindow, are_missed
from newsclean.memory.database import MemoryFileError, from_blob, from_signed, to_blob, to_signed
from newsclean.urls import site_of, url_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray

    from newsclean.extraction.neighborhood import Keying, NeighborSupport, PageKeys
    from newsclean.memory.database import Database

logger = logging.getLogger(__name__)

#: Neighborhoods that a process keeps loaded.
_MAX_LOADED = 64
#: Maximum pages of a site in all categories together, in windows.
MAX_SITE_WINDOWS = 10
#: Learned pages between two saves of a site's sample texts.
_SAMPLES_EVERY = 50
#: Sample texts of a site, for people to read.
_MAX_SAMPLES = 1_000
#: The kind of keys that a memory learns if none was asked for.
DEFAULT_KEYING: Keying = "block"
#: URL patterns stored per site, those seen last.
MAX_PATTERNS = 200
#: Beyond this many pages, both counts of a URL pattern are halved: a site may change.
_MAX_COUNT = 40.0
#: Minimum pages of a URL pattern to tell whether it leads to articles.
_MIN_PAGES = 5.0
#: Minimum pages of a URL pattern before its URLs are skipped.
_MIN_PAGES_TO_SKIP = 10.0
#: A count below this is zero: a single page, halved twice.
_MIN_COUNT = 0.5

_COLUMNS = "id, site, category, name, seen, keys, facts"


#: Seconds since 1970 in the year 9999; a page that was seen later is damaged.
_MAX_SEEN = 253_370_764_800


class LearnedPage(NamedTuple):
    """A page of a neighborhood."""

    site: str
    category: str
    name: str
    seen: float
    keys: NDArray[np.uint64]
    #: what its metadata says about the site
    facts: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)


def learned_page(
    site: str, category: str, name: str, seen: float, keys: bytes, facts: bytes
) -> LearnedPage:
    """Read a page from its columns; raises ValueError if they are damaged."""
    if not 0 <= seen < _MAX_SEEN:
        raise ValueError("not a time")
    return LearnedPage(site, category, name, seen, from_blob(keys), from_blob(facts))


class LearnedSites:
    """The pages of the neighborhoods, by site and category."""

    def __init__(self, database: Database, *, window: int) -> None:
        self.database = database
        self.window = window
        #: the kind of keys, None if nothing is learned yet
        self.keying = _stored_keying(database)
        self._neighborhoods: OrderedDict[tuple[str, str | None], KeyWindow] = OrderedDict()
        #: how many pages of each site this process has learned
        self._learned: dict[str, int] = {}
        #: when this process learned its first page of each site: all its pages get that time
        self._started: dict[str, float] = {}
        #: the newest page of each site that this process knows, if other machines learn as well
        self._newest: dict[str, int | None] = {}

    def require_keying(self, keying: Keying) -> None:
        """Refuse a memory with another kind of keys; an empty memory gets this kind."""

        def require() -> None:
            stored = _stored_keying(self.database)
            if stored is None:
                _write_fact(self.database, "keying", keying)
            elif stored != keying:
                raise MemoryFileError(
                    f"{self.database.path} was learned with {stored!r} keys and this method needs "
                    f"{keying!r} keys: use a separate memory for it"
                )

        self.database.atomically(require)
        self.keying = keying

    def learn(
        self, site: str, category: str, name: str, keys: PageKeys, seen: float | None = None
    ) -> str:
        """Learn from a page; return `site` or `category` if that has a new template, else "".

        Without `seen`, the page is one of this run.
        """
        if self.keying is None:
            self.require_keying(DEFAULT_KEYING)
        if seen is None:
            seen = self._started.setdefault(site, time.time())
        return self.database.atomically(lambda: self._learn(site, category, name, keys, seen), site)

    def _learn(self, site: str, category: str, name: str, keys: PageKeys, seen: float) -> str:
        self._see_others(site)
        self._count(site, category, name, keys)
        self.database.execute("DELETE FROM page WHERE site = ? AND name = ?", (site, name))
        ((newest,),) = self.database.query(
            "INSERT INTO page (site, category, name, seen, keys, facts) "
            "VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (site, category, name, seen, to_blob(keys.remembered), to_blob(keys.facts)),
        )
        self._newest[site] = newest
        self._delete_outside_window(site, category)
        relearned = self._forget_ended_template(site, category)
        self._learned[site] = self._learned.get(site, 0) + 1
        if self._learned[site] % _SAMPLES_EVERY == 0:
            self._save_samples(site)
        return relearned

    def _see_others(self, site: str) -> None:
        """Reload a site if another machine has learned pages of it, or a page was not written.

        Processes that share a file never learn the same site at the same time.
        """
        if self.database.host is None:
            return
        ((newest,),) = self.database.query("SELECT max(id) FROM page WHERE site = ?", (site,))
        if self._newest.get(site, newest) != newest:
            samples = {
                key: text
                for (other, _), neighborhood in self._neighborhoods.items()
                if other == site
                for key, text in neighborhood.samples.items()
            }
            self._unload(site)
            neighborhood = self.neighborhood(site)
            for key, text in samples.items():
                if neighborhood.count(key) > 1:
                    neighborhood.samples.setdefault(key, text)
        self._newest[site] = newest

    def _count(self, site: str, category: str, name: str, keys: PageKeys) -> None:
        for (other, group), neighborhood in self._neighborhoods.items():
            if other == site and group not in (None, category):
                neighborhood.remove(name)
        self.neighborhood(site, category).add(name, keys)
        self.neighborhood(site).add(name, keys)

    def _forget_ended_template(self, site: str, category: str) -> str:
        """Forget a template that is no longer used; return `site`, `category` or ""."""
        ended, scope = self._ended_on_site(site), "site"
        if not ended:
            ended, scope = self._ended(site, category), "category"
        if not ended:
            return ""
        self.database.execute_many(
            "DELETE FROM page WHERE site = ? AND name = ?", [(site, name) for name in ended]
        )
        self._save_samples(site)
        self._unload(site)
        return scope

    def _ended_on_site(self, site: str) -> list[str]:
        """Return the pages of a template that is gone from all its categories.

        Only newer pages of the same categories count: a crawl may just have reached a category with
        another template.
        """
        ended = self._ended(site)
        if not ended:
            return []
        neighborhood = self.neighborhood(site)
        category_of = dict(
            self.database.query("SELECT name, category FROM page WHERE site = ?", (site,))
        )
        categories = {category_of.get(name) for name in ended}
        names = neighborhood.names
        since = names[names.index(ended[-1]) + 1 :]
        if sum(category_of.get(name) in categories for name in since) < MIN_MISSED_PAGES:
            return []
        return [
            page.name
            for page in self.learned_pages(site)
            if neighborhood.has_template(page.keys, ended)
        ]

    def _ended(self, site: str, category: str | None = None) -> list[str]:
        """Return the pages of a template that later runs no longer found.

        Pages of the run that saw it last do not count: a crawl may reach the pages of one template
        first and then those of another.
        """
        neighborhood = self.neighborhood(site, category)
        ended = neighborhood.ended_template()
        if not ended:
            return []
        seen = dict(self.database.query("SELECT name, seen FROM page WHERE site = ?", (site,)))
        names = neighborhood.names
        since = names[names.index(ended[-1]) + 1 :]
        later = sum(seen.get(name) != seen.get(ended[-1]) for name in since)
        return ended if are_missed(len(ended), later, len(names)) else []

    def _delete_outside_window(self, site: str, category: str) -> None:
        self.database.execute(
            "DELETE FROM page WHERE site = ? AND category = ? AND id <= (SELECT id FROM page "
            "WHERE site = ? AND category = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (site, category, site, category, self.window),
        )
        self.database.execute(
            "DELETE FROM page WHERE site = ? AND id <= (SELECT id FROM page "
            "WHERE site = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (site, site, MAX_SITE_WINDOWS * self.window),
        )

    def support_for(
        self, site: str, category: str, name: str, keys: PageKeys, enough: int
    ) -> NeighborSupport:
        """Compare a page with its category, or with the site if that has more neighbors.

        The site is only asked if the category has fewer than `enough` neighbors.
        """
        with self.database.lock:
            self._see_others(site)
            support = self.neighborhood(site, category).support_for(keys, name)
            if support.count >= enough:
                return support
            wider = self.neighborhood(site).support_for(keys, name, scope="site")
            return wider if wider.count > support.count else support

    def neighborhood(self, site: str, category: str | None = None) -> KeyWindow:
        """Return the neighborhood of a category or the whole site."""
        with self.database.lock:
            loaded = self._neighborhoods.get((site, category))
            if loaded is None:
                loaded = self._neighborhoods[site, category] = self._read(site, category)
                while len(self._neighborhoods) > _MAX_LOADED:
                    self._neighborhoods.popitem(last=False)
            else:
                self._neighborhoods.move_to_end((site, category))
            return loaded

    def _read(self, site: str, category: str | None) -> KeyWindow:
        if self.database.host is not None and site not in self._newest:
            rows = self.database.query("SELECT max(id) FROM page WHERE site = ?", (site,))
            self._newest[site] = rows[0][0]
        neighborhood = KeyWindow(self.window)
        where = "site = ?" if category is None else "site = ? AND category = ?"
        values = (site, self.window) if category is None else (site, category, self.window)
        rows = self.database.query(
            f"SELECT {_COLUMNS} FROM page WHERE {where} ORDER BY id DESC LIMIT ?", values
        )
        for page in self._pages(reversed(rows)):
            neighborhood.restore(page.name, page.keys, page.facts)
        for key, text in self.database.query(
            "SELECT key, text FROM sample WHERE site = ?", (site,)
        ):
            neighborhood.samples[from_signed(key)] = text
        return neighborhood

    def _pages(self, rows: Iterable[tuple[Any, ...]]) -> Iterable[LearnedPage]:
        """Read pages from rows; skip and count damaged ones."""
        for number, *columns in rows:
            try:
                yield learned_page(*columns)
            except ValueError:
                self.database.damaged.note("page", number)

    def _unload(self, site: str) -> None:
        self._newest.pop(site, None)
        for key in [key for key in self._neighborhoods if key[0] == site]:
            del self._neighborhoods[key]

    def save_samples(self) -> None:
        """Save the sample texts of all sites of which this process has learned pages."""
        for site in self._learned:
            self._save_samples(site)

    def _save_samples(self, site: str) -> None:
        def save() -> None:
            neighborhood = self.neighborhood(site)
            samples = neighborhood.samples.items()
            most_frequent = sorted(samples, key=lambda pair: -neighborhood.count(pair[0]))
            self.database.execute("DELETE FROM sample WHERE site = ?", (site,))
            self.database.execute_many(
                "INSERT INTO sample (site, key, text) VALUES (?, ?, ?)",
                [(site, to_signed(key), text) for key, text in most_frequent[:_MAX_SAMPLES]],
            )

        self.database.atomically(save, site)

    def learned_pages(self, site: str | None = None) -> list[LearnedPage]:
        """Return all learned pages, or those of a site, oldest first."""
        where, values = ("", ()) if site is None else ("WHERE site = ?", (site,))
        rows = self.database.query(f"SELECT {_COLUMNS} FROM page {where} ORDER BY id", values)
        return list(self._pages(rows))

    def add_pages(self, pages: Iterable[LearnedPage], samples: dict[str, dict[int, str]]) -> None:
        """Add pages of another memory, except those of which a newer state is known."""
        by_age = sorted(pages, key=lambda page: page.seen)

        def add() -> None:
            for page in by_age:
                # The page gets a new id: ids tell which pages are the newest.
                self.database.execute(
                    "DELETE FROM page WHERE site = ? AND name = ? AND seen < ?",
                    (page.site, page.name, page.seen),
                )
                self.database.execute(
                    "INSERT INTO page (site, category, name, seen, keys, facts) "
                    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (site, name) DO NOTHING",
                    (*page[:4], to_blob(page.keys), to_blob(page.facts)),
                )
                self._delete_outside_window(page.site, page.category)
            for site, texts in samples.items():
                self.database.execute_many(
                    "INSERT INTO sample (site, key, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    [(site, to_signed(key), text) for key, text in texts.items()],
                )
            self._neighborhoods.clear()
            self._newest.clear()

        self.database.atomically(add)

    def forget(self, site: str) -> int:
        """Forget the pages of a site, and return their number."""

        def delete() -> int:
            count = self.database.execute("DELETE FROM page WHERE site = ?", (site,))
            self.database.execute("DELETE FROM sample WHERE site = ?", (site,))
            self._unload(site)
            self._learned.pop(site, None)
            return count

        return self.database.atomically(delete, site)

    def names(self) -> list[str]:
        """Return the sites with learned pages."""
        rows = self.database.query("SELECT DISTINCT site FROM page ORDER BY site")
        return [site for (site,) in rows]


def _stored_keying(database: Database) -> Keying | None:
    """Return the kind of keys in a memory, None if it has learned nothing."""
    return _fact(database, "keying")  # type: ignore[return-value]


def note_model(database: Database, model: str) -> None:
    """Store the fingerprint of the model, and warn if it has changed."""

    def note() -> str | None:
        stored = _fact(database, "model")
        if stored != model:
            _write_fact(database, "model", model)
        return stored

    stored = database.atomically(note)
    if stored not in (None, model):
        logger.warning(
            "%s was learned with another model: its predictions about template slots are not "
            "used, and are learned again",
            database.path,
        )


def _fact(database: Database, name: str) -> str | None:
    rows = database.query("SELECT value FROM fact WHERE name = ?", (name,))
    return rows[0][0] if rows else None


def _write_fact(database: Database, name: str, value: str) -> None:
    database.execute(
        "INSERT INTO fact (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


class PatternCounts(NamedTuple):
    """How many URLs of a pattern were articles, and how many were not."""

    articles: float = 0.0
    others: float = 0.0

    @property
    def is_always_article(self) -> bool:
        return self.articles >= _MIN_PAGES and self.others < _MIN_COUNT

    @property
    def is_never_article(self) -> bool:
        return self.others >= _MIN_PAGES and self.articles < _MIN_COUNT

    @property
    def is_surely_never_article(self) -> bool:
        return self.is_never_article and self.others >= _MIN_PAGES_TO_SKIP

    def with_page(self, *, is_article: bool) -> PatternCounts:
        """Count one more page; older pages count less and less.

        >>> PatternCounts(0, 5).with_page(is_article=True)
        PatternCounts(articles=1, others=5)
        >>> PatternCounts(1.0, 39.0).with_page(is_article=False)
        PatternCounts(articles=0.5, others=20.0)
        """
        articles, others = self.articles + is_article, self.others + (not is_article)
        if articles + others > _MAX_COUNT:
            return PatternCounts(articles / 2, others / 2)
        return PatternCounts(articles, others)


#: The counts of a URL pattern that was never seen.
UNKNOWN_PATTERN = PatternCounts()


class UrlPatterns:
    """Counts by site and URL pattern, each URL once."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, site: str) -> dict[str, PatternCounts]:
        """Return the URL patterns of a site, the most frequent first."""
        rows = self.database.query(
            "SELECT pattern, articles, others FROM url_pattern WHERE site = ? "
            "ORDER BY articles + others DESC, pattern",
            (site,),
        )
        return {pattern: PatternCounts(articles, others) for pattern, articles, others in rows}

    def count(self, url: str, *, is_article: bool) -> None:
        """Count a URL that is known for the first time to be an article or not."""
        site, pattern = site_of(url), url_pattern(url)
        if site is None or not pattern:
            return
        self.database.atomically(lambda: self._count(site, pattern, is_article=is_article), site)

    def _count(self, site: str, pattern: str, *, is_article: bool) -> None:
        rows = self.database.query(
            "SELECT articles, others FROM url_pattern WHERE site = ? AND pattern = ?",
            (site, pattern),
        )
        known = PatternCounts(*rows[0]) if rows else UNKNOWN_PATTERN
        counts = known.with_page(is_article=is_article)
        self.database.execute(
            "INSERT INTO url_pattern (site, pattern, articles, others, seen) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (site, pattern) DO UPDATE SET "
            "articles = excluded.articles, others = excluded.others, seen = excluded.seen",
            (site, pattern, *counts, time.time()),
        )
        if not rows:
            self.database.execute(
                "DELETE FROM url_pattern WHERE site = ? AND pattern NOT IN (SELECT pattern "
                "FROM url_pattern WHERE site = ? ORDER BY seen DESC, pattern LIMIT ?)",
                (site, site, MAX_PATTERNS),
            )

    def forget(self, site: str) -> None:
        self.database.execute("DELETE FROM url_pattern WHERE site = ?", (site,))
