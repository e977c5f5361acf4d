"""The pages of an index site by site, each read once and with neighbors before and after it.

In: a `PageIndex`. Out: its wanted pages, parsed and scored, with what their neighbors know. Some
pages are read ahead: they are learned before the page in front of them is returned, and keep what
was computed for them until it is their turn.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import OUT_OF_MEMORY, TOO_LITTLE_MEMORY, SavedPageError
from newsclean.extraction.neighborhood import KeyWindow
from newsclean.extraction.page import Page, PageError
from newsclean.files import MAX_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.archives.archive_index import PageIndex
    from newsclean.archives.saved import Position, SavedPage
    from newsclean.extraction.methods.chain import Method
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Hashes, NeighborSupport, PageKeys

#: Rows of all pages that are read ahead, about a kilobyte each: 20 pages of a large site.
MAX_ROWS_AHEAD = 40_000
#: Pages that are read ahead whatever their size: somewhat more than the neighbors that are needed.
MIN_PAGES_AHEAD = 10
#: Categories of a site whose pages are remembered at a time.
_MAX_CATEGORIES = 16


@dataclass(frozen=True, eq=False)
class PreparedPage:
    """A saved page, parsed and scored, with its neighbors."""

    saved: SavedPage
    page: Page
    scores: BlockScores | None
    keys: PageKeys
    neighbors: SiteNeighbors

    def support(self, category: str, enough: int) -> NeighborSupport:
        return self.neighbors.support_for(category, self.saved.name, self.keys, enough)


@dataclass(frozen=True)
class UnusableSavedPage:
    """A saved page that cannot be read, and why."""

    position: Position
    reason: str
    message: str


def prepared_pages(
    index: PageIndex, method: Method, max_size: int = MAX_PAGE_SIZE
) -> Iterator[PreparedPage | UnusableSavedPage]:
    """Yield all wanted pages, site by site, in the order of the input."""
    for rows in index.sites():
        neighbors = SiteNeighbors(index.window)
        ahead: deque[PreparedPage] = deque()
        rows_ahead = 0
        for row, is_wanted in rows:
            position = index.position(row)
            try:
                prepared = _prepare(position, method, neighbors, max_size)
            except (SavedPageError, PageError) as error:
                if is_wanted:
                    yield UnusableSavedPage(position, error.reason, str(error))
                continue
            except MemoryError:
                if is_wanted:
                    yield UnusableSavedPage(position, OUT_OF_MEMORY, TOO_LITTLE_MEMORY)
                continue
            if not is_wanted:
                continue
            ahead.append(prepared)
            rows_ahead += len(prepared.page)
            while rows_ahead > MAX_ROWS_AHEAD and len(ahead) > MIN_PAGES_AHEAD:
                rows_ahead -= len(ahead[0].page)
                yield ahead.popleft()
        while ahead:
            yield ahead.popleft()


def _prepare(
    position: Position, method: Method, neighbors: SiteNeighbors, max_size: int
) -> PreparedPage:
    """Read a page, and let its neighbors learn from it."""
    saved = read_page(position, max_size)
    page = Page.from_html(saved.body, saved.url, saved.content_type)
    scores = method.score_blocks(page)
    keys = method.keys(page, scores)
    neighbors.learn(saved.category, saved.name, keys)
    return PreparedPage(saved, page, scores, keys, neighbors)


class SiteNeighbors:
    """The last pages of one site, in all and by category."""

    def __init__(self, window: int) -> None:
        self.window = window
        self._site = KeyWindow(window)
        #: keys and facts of pages that `site` has not counted yet: for most sites nobody asks
        self._uncounted: OrderedDict[str, tuple[Hashes, Hashes]] = OrderedDict()
        self.categories: OrderedDict[str, KeyWindow] = OrderedDict()

    def learn(self, category: str, name: str, keys: PageKeys) -> None:
        own = self.categories.setdefault(category, KeyWindow(self.window))
        self.categories.move_to_end(category)
        if len(self.categories) > _MAX_CATEGORIES:
            self.categories.popitem(last=False)
        own.restore(name, keys.remembered, keys.facts)  # nobody reads its samples
        self._uncounted[name] = keys.remembered, keys.facts
        self._uncounted.move_to_end(name)
        if len(self._uncounted) > self.window:
            self._uncounted.popitem(last=False)

    @property
    def site(self) -> KeyWindow:
        """The last pages of all categories."""
        for name, (keys, facts) in self._uncounted.items():
            self._site.restore(name, keys, facts)
        self._uncounted.clear()
        return self._site

    def support_for(self, category: str, name: str, keys: PageKeys, enough: int) -> NeighborSupport:
        """Return what the neighbors know about a page: the category's, or the site's if too few."""
        own = self.categories.get(category)
        support = None if own is None else own.support_for(keys, name)
        if support is not None and support.count >= enough:
            return support
        wider = self.site.support_for(keys, name, scope="site")
        return wider if support is None or wider.count > support.count else support
