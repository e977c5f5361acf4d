"""What the addresses of a site have turned out to be, by their shapes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from newsclean.urls import site_of, url_pattern

if TYPE_CHECKING:
    from newsclean.memory.database import Database

#: Shapes of a site that are remembered, those seen last.
MAX_SHAPES = 200
#: Beyond this many pages, both counts of a shape are halved: a site may change.
MAX_COUNT = 40.0
#: At least this many pages tell what a shape is.
MIN_PAGES = 5.0
#: At least this many, if addresses of the shape are no longer requested for it.
MIN_PAGES_TO_SKIP = 10.0
#: Less than this is nothing: one page, forgotten by halves.
MIN_COUNT = 0.5


class ShapeCounts(NamedTuple):
    """How many addresses of a shape were articles, and how many were something else."""

    articles: float = 0.0
    others: float = 0.0

    @property
    def is_always_article(self) -> bool:
        return self.articles >= MIN_PAGES and self.others < MIN_COUNT

    @property
    def is_never_article(self) -> bool:
        return self.others >= MIN_PAGES and self.articles < MIN_COUNT

    @property
    def is_surely_never_article(self) -> bool:
        return self.is_never_article and self.others >= MIN_PAGES_TO_SKIP

    def with_page(self, *, is_article: bool) -> ShapeCounts:
        """With one more page; the older ones count less and less.

        >>> ShapeCounts(0, 5).with_page(is_article=True)
        ShapeCounts(articles=1, others=5)
        >>> ShapeCounts(1.0, 39.0).with_page(is_article=False)
        ShapeCounts(articles=0.5, others=20.0)
        """
        articles, others = self.articles + is_article, self.others + (not is_article)
        if articles + others > MAX_COUNT:
            return ShapeCounts(articles / 2, others / 2)
        return ShapeCounts(articles, others)


#: Of a shape that was never seen.
UNKNOWN_SHAPE = ShapeCounts()


class LearnedShapes:
    """Counts by site and shape, each address once."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, site: str) -> dict[str, ShapeCounts]:
        """The shapes of a site, the most frequent first."""
        rows = self.database.query(
            "SELECT shape, articles, others FROM address_shape WHERE site = ? "
            "ORDER BY articles + others DESC, shape",
            (site,),
        )
        return {shape: ShapeCounts(articles, others) for shape, articles, others in rows}

    def count(self, url: str, *, is_article: bool) -> None:
        """An address has turned out to be an article or something else, for the first time."""
        site, shape = site_of(url), url_pattern(url)
        if site is None or not shape:
            return
        self.database.atomically(lambda: self._count(site, shape, is_article=is_article), site)

    def _count(self, site: str, shape: str, *, is_article: bool) -> None:
        rows = self.database.query(
            "SELECT articles, others FROM address_shape WHERE site = ? AND shape = ?",
            (site, shape),
        )
        known = ShapeCounts(*rows[0]) if rows else UNKNOWN_SHAPE
        counts = known.with_page(is_article=is_article)
        self.database.execute(
            "INSERT INTO address_shape (site, shape, articles, others, seen) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (site, shape) DO UPDATE SET "
            "articles = excluded.articles, others = excluded.others, seen = excluded.seen",
            (site, shape, *counts, time.time()),
        )
        if not rows:
            self.database.execute(
                "DELETE FROM address_shape WHERE site = ? AND shape NOT IN (SELECT shape "
                "FROM address_shape WHERE site = ? ORDER BY seen DESC, shape LIMIT ?)",
                (site, site, MAX_SHAPES),
            )

    def forget(self, site: str) -> None:
        """Forget the shapes of a site."""
        self.database.execute("DELETE FROM address_shape WHERE site = ?", (site,))
