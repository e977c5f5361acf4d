"""The second pass over saved pages: learn from neighbors, then extract, in any process.

In: positions and `ExtractionOptions`, which are all that another process needs. Out: what is
learned from pages (`NeighborPage`), then one JSON line per article (`Outcome`).

What is learned does not go into the memory of a crawl: an archive may be years old, and pages of an
old template would take the places of today's there. It goes into a file for one run, so that many
sites take no more RAM than few, and other processes can read it.
"""

from __future__ import annotations

import atexit
import json
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate, groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import xxhash

from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import (
    OUT_OF_MEMORY,
    TOO_LITTLE_MEMORY,
    ArchiveError,
    Position,
    SavedPageError,
)
from newsclean.archives.warc_files import warc_stylesheets
from newsclean.browser.saved_pages import SavedPageRenderer, files_beside
from newsclean.browser.snapshot import Rendering
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.neighborhood import WINDOW, PageKeys
from newsclean.extraction.page import Page, PageError
from newsclean.files import MAX_PAGE_SIZE
from newsclean.memory import Memory
from newsclean.urls import printable_url, saved_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.archives.saved import SavedPage
    from newsclean.article import Article
    from newsclean.browser.saved_pages import Resources
    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.methods.chain import Method
    from newsclean.extraction.neighborhood import Hashes, Keying
    from newsclean.memory.learned_sites import LearnedPage, LearnedSites

#: Style sheets of one archive that are indexed: about 10 MB of offsets.
_MAX_STYLESHEETS = 100_000
#: With this many neighbors in the category, those of the whole site are not asked.
_MIN_NEIGHBORS = 5

#: The memory that this process has open, by its file and window.
_opened: dict[tuple[str, int], Memory] = {}


@dataclass(frozen=True)
class ExtractionOptions:
    """How pages are extracted: all that another process needs to do it the same way."""

    method: str = DEFAULT_METHOD
    model: str | None = None
    images: bool = True
    #: whether articles have the field `markdown`
    markdown: bool = False
    #: whether each page is rendered first
    render: bool = False
    #: the memory file with what was learned about the sites, None to go without
    neighbors: str | None = None
    #: the site whose pages are the neighbors of all pages, None for each page's own site
    site: str | None = None
    window: int = WINDOW
    min_neighbors: int = _MIN_NEIGHBORS
    #: the file with the corrections of the site, None to go without
    corrections: str | None = None
    #: bytes; larger pages are left out
    max_page_size: int = MAX_PAGE_SIZE


class NeighborPage(NamedTuple):
    """What is learned from a page, about 2 kB: neither its text nor its metadata."""

    site: str
    category: str
    name: str
    #: when it was fetched, in seconds since 1970, 0 if unknown
    seen: float
    #: the keys that a neighborhood remembers
    keys: Hashes
    facts: Hashes


class Outcome(NamedTuple):
    """The JSON line of a page, or why it has none."""

    line: bytes | None
    problem: str = ""
    reason: str = ""


def read_neighbors(
    positions: Sequence[Position], options: ExtractionOptions
) -> list[NeighborPage | None]:
    """Learn from the pages at these positions."""
    extractor = extractor_of(options.method, options.model, options.images, options.corrections)
    return [
        read_neighbor(position, extractor.method, options.max_page_size) for position in positions
    ]


def read_neighbor(
    position: Position,
    method: Method,
    max_size: int,
    read: Callable[[Position, int], SavedPage] = read_page,
) -> NeighborPage | None:
    """Learn from a page; None if it cannot be used, which `extract_line` reports."""
    try:
        saved = read(position, max_size)
        page = Page.from_html(saved.body, saved.url, saved.content_type)
        keys = method.keys(page, method.score_blocks(page))
    except (SavedPageError, PageError, MemoryError):
        return None
    seen = datetime.fromisoformat(saved.fetched_at).timestamp() if saved.fetched_at else 0.0
    return NeighborPage(
        saved.site, saved.category, saved.name, max(seen, 0.0), keys.remembered, keys.facts
    )


def make_neighborhood(
    pages: Sequence[NeighborPage], *, keying: Keying, window: int
) -> list[LearnedPage]:
    """Return the pages that the neighborhoods of a site remember, given in their order.

    They are learned as in a crawl, with template changes, so the result is the same wherever it is
    computed. A page is `seen` no earlier than those before it, because a memory that imports the
    pages sorts them by that time.
    """
    if not pages:
        return []
    (site,) = {page.site for page in pages}
    with closing(Memory(keying=keying, window=window)) as memory, memory.database.transaction():
        for page in pages:
            keys = PageKeys.of_remembered(page.keys, page.facts)
            memory.sites.learn(site, page.category, page.name, keys, page.seen)
        learned = memory.sites.learned_pages(site)
    seen = {page.name: page.seen for page in pages}
    times = accumulate((seen[page.name] for page in learned), max)
    return [page._replace(seen=time) for page, time in zip(learned, times, strict=True)]


def learn_neighbors(
    pages: Iterable[NeighborPage | None], path: str, *, keying: Keying, window: int
) -> Memory:
    """Store what was learned from pages, sorted by site, in a new memory, and return it open."""
    memory = Memory(path, keying=keying, window=window)
    usable = (page for page in pages if page is not None)
    try:
        with memory.database.transaction():
            for _, of_site in groupby(usable, attrgetter("site")):
                learned = make_neighborhood(list(of_site), keying=keying, window=window)
                memory.sites.add_pages(learned, {})
    except BaseException:
        memory.close()
        raise
    return memory


def extract_line(
    position: Position,
    options: ExtractionOptions,
    *,
    read: Callable[[Position, int], SavedPage] = read_page,
    sites: LearnedSites | None = None,
) -> Outcome:
    """Extract a page as a line; `sites` takes the place of `options.neighbors`."""
    try:
        article = extract_saved(read(position, options.max_page_size), options, sites)
        if not article.body:
            return Outcome(None, f"{position}: no article found", "no-text")
        record = {"source": position.file} | article.to_dict()
        return Outcome(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    except (SavedPageError, PageError) as error:
        return Outcome(None, f"{position}: {error}", error.reason)
    except MemoryError:
        return Outcome(None, f"{position}: {TOO_LITTLE_MEMORY}", OUT_OF_MEMORY)


def extract_saved(
    saved: SavedPage, options: ExtractionOptions, sites: LearnedSites | None = None
) -> Article:
    """Extract the article of a saved page; `PageError` if the page cannot be used.

    `sites` takes the place of `options.neighbors`.
    """
    extractor = extractor_of(options.method, options.model, options.images, options.corrections)
    method = extractor.method
    page = Page.from_html(saved.body, saved.url, saved.content_type)
    scores = method.score_blocks(page)
    neighbors = None
    site = saved.site if options.site is None else options.site
    if sites is None and options.neighbors is not None:
        sites = _sites_in(options.neighbors, options.window)
    if sites is not None and site:
        category = saved.category if options.site is None else ""
        neighbors = sites.support_for(
            site, category, saved.name, method.keys(page, scores), options.min_neighbors
        )
    rendering = Rendering.of(page, _snapshot_of(saved)) if options.render else None
    extraction = extractor(page, Evidence(scores, neighbors, rendering))
    article = extraction.article(markdown=options.markdown)
    if article.id is None:
        article.id = saved_id(saved.path, saved.body)
    article.category = saved.category if saved.url else None
    article.fetched_at = saved.fetched_at
    return article


@lru_cache(maxsize=1)
def extractor_of(
    method: str, model: str | None, images: bool, corrections: str | None = None
) -> Extractor:
    """Return the extractor of this process; loading its network takes a while."""
    read = None if corrections is None else Corrections.of_site(corrections)
    return Extractor(method, model=model, images=images, corrections=read)


def _sites_in(path: str, window: int) -> LearnedSites:
    """Return what was learned about the sites; the memory stays open until another is needed."""
    memory = _opened.get((path, window))
    if memory is None:
        close_neighbors()
        memory = _opened[path, window] = Memory(path, window=window)
    return memory.sites


def close_neighbors() -> None:
    """Close the memory with the neighbors, if one is open in this process."""
    while _opened:
        _opened.popitem()[1].close()


def _snapshot_of(saved: SavedPage) -> Snapshot:
    """Render a page with what was saved with it; `SavedPageError` if Chromium fails on it."""
    resources = None
    if saved.position.offset is not None:
        resources = stylesheets_in(saved.position.file)
    elif not saved.position.file.startswith(("http:", "https:")):
        folder = Path(saved.position.folder) if saved.position.folder else None
        resources = files_beside(Path(saved.position.file), saved.url, folder)
    return _renderer().render(saved.body, saved.url, saved.content_type, resources)


@lru_cache(maxsize=1)
def _renderer() -> SavedPageRenderer:
    """Return the browser of this process, which is closed when the process ends."""
    renderer = SavedPageRenderer()
    atexit.register(renderer.close)
    return renderer


@lru_cache(maxsize=2)
def stylesheets_in(file: str) -> Resources:
    """Return a function from a URL to the style sheet that a WARC or WACZ file has of it.

    Each process that renders pages of the file reads it once. Of several versions of a style sheet
    the last one counts.
    """
    places: dict[int, int] = {}
    try:
        for url, offset in islice(warc_stylesheets(file), _MAX_STYLESHEETS):
            places[_key(url)] = offset
    except ArchiveError:  # the rest cannot be read, which is reported for its pages
        pass

    def saved(url: str) -> bytes | None:
        offset = places.get(_key(url))
        if offset is None:
            return None
        try:
            return read_page(Position(file, offset)).body
        except (SavedPageError, OSError):
            return None

    return saved


def _key(url: str) -> int:
    return xxhash.xxh3_64_intdigest(printable_url(url).encode("utf-8", "surrogatepass"))
