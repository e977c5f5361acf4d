"""The second pass: from a saved page to its article, in any process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from newsclean.archives.neighbors import read_lesson
from newsclean.extraction import Extractor
from newsclean.memory import Memory
from newsclean.methods import DEFAULT_METHOD, Evidence
from newsclean.neighborhood import WINDOW
from newsclean.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.archives.neighbors import Lesson
    from newsclean.archives.saved import Position, SavedPage
    from newsclean.article import Article
    from newsclean.memory.sites import LearnedSites


#: Neighbors of a category with which those of the whole site are not asked.
MIN_NEIGHBORS = 5


@dataclass(frozen=True)
class Recipe:
    """How pages are extracted: all that another process needs to do it alike."""

    method: str = DEFAULT_METHOD
    model: str | None = None
    images: bool = True
    #: the memory with what was learned of the sites, None to go without
    neighbors: str | None = None
    #: the site whose pages are the neighbors of all pages, None for the site of each
    site: str | None = None
    window: int = WINDOW
    min_neighbors: int = MIN_NEIGHBORS


def extract_saved(saved: SavedPage, recipe: Recipe) -> Article:
    """The article of a saved page; `PageError` if the page cannot be used."""
    extractor = extractor_of(recipe.method, recipe.model, recipe.images)
    method = extractor.method
    page = Page.from_html(saved.body, saved.url, saved.content_type)
    scores = method.score_blocks(page)
    neighbors = None
    site = saved.site if recipe.site is None else recipe.site
    if recipe.neighbors is not None and site:
        category = saved.category if recipe.site is None else ""
        neighbors = _sites_in(recipe.neighbors, recipe.window).support_for(
            site, category, saved.name, method.keys(page, scores), recipe.min_neighbors
        )
    article = extractor(page, Evidence(scores, neighbors)).article()
    article.category = saved.category if saved.url else None
    article.fetched_at = saved.fetched_at
    return article


def read_lessons(positions: Sequence[Position], recipe: Recipe) -> list[Lesson | None]:
    """What the pages at these positions teach."""
    method = extractor_of(recipe.method, recipe.model, recipe.images).method
    return [read_lesson(position, method) for position in positions]


@lru_cache(maxsize=1)
def extractor_of(method: str, model: str | None, images: bool) -> Extractor:
    """The extractor of this process, which has a network to load."""
    return Extractor(method, model=model, images=images)


@lru_cache(maxsize=1)
def _sites_in(path: str, window: int) -> LearnedSites:
    return Memory(path, window=window).sites
