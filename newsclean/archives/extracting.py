"""The second pass: from a saved page to its article, in any process."""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.archives.neighbors import read_lesson
from newsclean.archives.stylesheets import stylesheets_in
from newsclean.browser.rendering import Rendering
from newsclean.browser.resources import files_beside
from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods import DEFAULT_METHOD, Evidence
from newsclean.extraction.neighborhood import WINDOW
from newsclean.extraction.page import Page
from newsclean.files import MAX_PAGE_SIZE
from newsclean.memory import Memory
from newsclean.urls import saved_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.archives.neighbors import Lesson
    from newsclean.archives.saved import Position, SavedPage
    from newsclean.article import Article
    from newsclean.browser.snapshot import Snapshot
    from newsclean.memory.sites import LearnedSites


#: The memory that this process has open, by its file and window.
_opened: dict[tuple[str, int], Memory] = {}

#: Neighbors of a category with which those of the whole site are not asked.
MIN_NEIGHBORS = 5


@dataclass(frozen=True)
class Recipe:
    """How pages are extracted: all that another process needs to do it alike."""

    method: str = DEFAULT_METHOD
    model: str | None = None
    images: bool = True
    #: whether articles have the field `markdown`
    markdown: bool = False
    #: whether each page is rendered before
    render: bool = False
    #: the memory with what was learned of the sites, None to go without
    neighbors: str | None = None
    #: the site whose pages are the neighbors of all pages, None for the site of each
    site: str | None = None
    window: int = WINDOW
    min_neighbors: int = MIN_NEIGHBORS
    #: the file with the corrections of the site, None to go without
    corrections: str | None = None
    #: bytes; a larger page is left out
    max_page_size: int = MAX_PAGE_SIZE


def extract_saved(saved: SavedPage, recipe: Recipe) -> Article:
    """The article of a saved page; `PageError` if the page cannot be used."""
    extractor = extractor_of(recipe.method, recipe.model, recipe.images, recipe.corrections)
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
    rendering = Rendering.of(page, _snapshot_of(saved)) if recipe.render else None
    extraction = extractor(page, Evidence(scores, neighbors, rendering))
    article = extraction.article(markdown=recipe.markdown)
    if article.id is None:
        article.id = saved_id(saved.path, saved.body)
    article.category = saved.category if saved.url else None
    article.fetched_at = saved.fetched_at
    return article


def read_lessons(positions: Sequence[Position], recipe: Recipe) -> list[Lesson | None]:
    """What the pages at these positions teach."""
    extractor = extractor_of(recipe.method, recipe.model, recipe.images, recipe.corrections)
    return [read_lesson(position, extractor.method, recipe.max_page_size) for position in positions]


def _snapshot_of(saved: SavedPage) -> Snapshot:
    """How a page looks, with what was saved with it; `SavedPageError` if Chromium fails on it."""
    resources = None
    if saved.position.offset is not None:
        resources = stylesheets_in(saved.position.file)
    elif not saved.position.file.startswith(("http:", "https:")):
        folder = Path(saved.position.folder) if saved.position.folder else None
        resources = files_beside(Path(saved.position.file), saved.url, folder)
    return _renderer().render(saved.body, saved.url, saved.content_type, resources)


@lru_cache(maxsize=1)
def _renderer() -> SavedPageRenderer:
    """The browser of this process; it ends with it."""
    renderer = SavedPageRenderer()
    atexit.register(renderer.close)
    return renderer


@lru_cache(maxsize=1)
def extractor_of(
    method: str, model: str | None, images: bool, corrections: str | None = None
) -> Extractor:
    """The extractor of this process, which has a network to load."""
    read = None if corrections is None else Corrections.of_site(corrections)
    return Extractor(method, model=model, images=images, corrections=read)


def _sites_in(path: str, window: int) -> LearnedSites:
    """What was learned of the sites; the memory stays open until another one is asked for."""
    memory = _opened.get((path, window))
    if memory is None:
        close_neighbors()
        memory = _opened[path, window] = Memory(path, window=window)
    return memory.sites


def close_neighbors() -> None:
    """Close the memory with the neighbors, if one is open in this process."""
    while _opened:
        _opened.popitem()[1].close()
