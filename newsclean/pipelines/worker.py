"""The base class of the pipelines that work on a page, and the check of `ITEM_PIPELINES`."""

from __future__ import annotations

import logging
from itertools import takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scrapy.exceptions import DropItem
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from newsclean.crawl_state import CrawlState, usage_error
from newsclean.files import StorageError
from newsclean.items import DropPolicy, PageItem, UnstoredPage, UnusablePage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: What the last pipeline of a page gives: the item that the feeds get.
EXPORTED = "exported item"
#: The pipeline of newsclean's that gives each of the values.
_GIVEN_BY = {
    "page": "PagePipeline",
    "evidence": "PagePipeline",
    "choice": "PagePipeline",
    "content": "ContentPipeline",
    "extraction": "ArticlePipeline",
    "article": "ArticlePipeline",
    EXPORTED: "ExportPipeline",
}
#: The values of a `PageItem` that take memory.
_LARGE = ("page", "evidence", "choice", "content", "extraction")


class WorkerPipeline:
    """Base class of the pipelines that work on a page in a worker thread.

    A subclass implements `process_page`, which runs in the worker thread and may raise `DropItem`,
    and, if it has something to do in the reactor's thread afterwards, `page_done`.

    Pipelines that follow each other in `ITEM_PIPELINES` share one hop into the worker thread: the
    first one takes the page through all of them. Each of them still raises its own drops and
    errors, in its own turn. Any other pipeline between two of them splits the hop in two.
    """

    #: The attributes of `PageItem` that it reads: an earlier pipeline has to give them.
    needs: ClassVar[tuple[str, ...]] = ()
    #: And those that it sets or changes.
    gives: ClassVar[tuple[str, ...]] = ()
    #: Whether it writes to the memory, so that the pages of an archive share a transaction.
    writes: ClassVar[bool] = False

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.policy = DropPolicy(crawler.settings)
        #: this pipeline and those that share its hop
        self.run: Sequence[WorkerPipeline] = (self,)
        #: what pipelines after the run need
        self.needed_later: frozenset[str] = frozenset()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        check_order(crawler)
        return cls(crawler)

    def process_page(self, item: PageItem) -> None:
        """Do the work on a page, in a worker thread."""
        raise NotImplementedError

    def page_done(self, item: PageItem) -> None:
        """Do what has to be done in the reactor's thread, whether the page was dropped or not."""

    def open_spider(self) -> None:
        assert self.crawler.engine is not None
        self.join(self.crawler.engine.scraper.itemproc.middlewares)

    def join(self, pipelines: Sequence[Any]) -> None:
        """Find out which of the crawl's pipelines share a hop with this one."""
        following = pipelines[pipelines.index(self) :]
        self.run = tuple(takewhile(lambda each: isinstance(each, WorkerPipeline), following))
        later = following[len(self.run) :]
        self.needed_later = frozenset(name for each in later for name in _declared(each, "needs"))

    async def process_item(self, item: Any) -> Any:
        page = item if isinstance(item, PageItem) else self.state.claim(item)
        if page is None:
            return item
        if self.state.has_failed:
            raise UnstoredPage(page.url)
        self.state.follow(page)
        if self not in page.worked_by and page.failure is None:
            await run_in_thread(self.work, page)
        self.page_done(page)
        if page.failure is None or page.failure[0] is not self:
            return page
        error, page.failure = page.failure[1], None
        try:
            return self._end(page, error)
        finally:
            del error  # its traceback refers to this frame

    def work(self, item: PageItem) -> None:
        """Take a page through the pipelines of this run."""
        _work(self.run, item)
        self._free(item)

    def _free(self, item: PageItem) -> None:
        """Drop what nobody needs any more, in the worker: a large page would stall the reactor."""
        for name in _LARGE:
            if item.failure is not None or name not in self.needed_later:
                setattr(item, name, None)

    def work_ahead(self, items: Iterable[PageItem]) -> None:
        """Take several pages of an archive through the run: in one hop and one transaction.

        A page that fails is left to `process_item`, and so are all pages from the second one of
        the same article on: two states of it can't be pending at once.
        """
        writing = next((n for n, each in enumerate(self.run) if each.writes), len(self.run))
        names: set[str] = set()
        ahead: list[PageItem] = []
        for item in items:
            _work(self.run[:writing], item)
            article = item.article
            own = {item.url, (article and article.canonical_url) or item.url}
            if _is_error(item) or names & own:
                _reset(item)
                break
            names |= own if article is not None else set()
            ahead.append(item)

        def write() -> None:
            for item in ahead:
                if item.failure is None:
                    _work(self.run[writing:], item)
                    if _is_error(item):
                        raise StorageError  # roll back

        try:
            self.state.memory.database.atomically(write)
        except Exception:  # nothing is pending: each page meets it again by itself
            for item in ahead:
                _reset(item)
        else:
            for item in ahead:
                self._free(item)

    def _end(self, item: PageItem, error: Exception) -> Any:
        """Raise the error of a page, or let a third-party item pass without its article."""
        if isinstance(error, StorageError):
            self.state.end(error)
            raise UnstoredPage(item.url) from None
        if isinstance(error, UnusablePage):
            if not self.policy.drops(error.reason, is_third_party=item.is_third_party):
                self.state.count(f"not_cleaned/{error.reason}")
                self.state.counts.of(item.url).count_passed(is_known=error.is_known)
                logger.info("Page not usable, item passed through unchanged: %s", error)
                return item.third_party_item
            self.state.count(f"dropped/{error.reason}")
        raise error


class PipelineError(Exception):
    """A pipeline does not do what it declares."""


def _work(pipelines: Sequence[WorkerPipeline], item: PageItem) -> None:
    """Take a page through some pipelines, up to the first that drops it or fails."""
    for pipeline in pipelines:
        try:
            pipeline.process_page(item)
            for name in pipeline.gives:
                if getattr(item, name) is None:
                    raise PipelineError(
                        f"{type(pipeline).__qualname__} declares that it gives {name!r}, "
                        f"but has not set it: {item!r}"
                    )
        except Exception as error:
            if isinstance(error, DropItem):
                error.__traceback__ = None  # it refers to this frame, and so to the page
            item.failure = (pipeline, error)
            return
        item.worked_by.append(pipeline)


def _is_error(item: PageItem) -> bool:
    """Tell whether a pipeline has failed on a page, rather than dropped it."""
    return item.failure is not None and not isinstance(item.failure[1], DropItem)


def _reset(item: PageItem) -> None:
    """Forget what pipelines have done with a page."""
    item.failure = None
    item.worked_by.clear()


def _declared(pipeline: Any, what: str) -> tuple[str, ...]:
    """Return what a pipeline declares to need or to give; any class may."""
    return tuple(getattr(pipeline, what, ()))


def check_order(crawler: Crawler) -> None:
    """Refuse `ITEM_PIPELINES` in which a pipeline of a page misses what it needs."""
    orders = crawler.settings.get_component_priority_dict_with_base("ITEM_PIPELINES")
    found = [(load_object(name), orders[name]) for name in build_component_list(orders)]
    if problem := _problem_of(found):
        raise usage_error(f"ITEM_PIPELINES: {problem}", crawler)


def _problem_of(pipelines: Sequence[tuple[Any, float]]) -> str | None:
    """Return what is wrong with the order of these pipelines, None if nothing is."""

    def name_of(number: int) -> str:
        kind, order = pipelines[number]
        return f"{getattr(kind, '__qualname__', kind)} ({order})"

    def givers(name: str) -> list[int]:
        return [n for n, (kind, _) in enumerate(pipelines) if name in _declared(kind, "gives")]

    for number, (kind, _) in enumerate(pipelines):
        for need in _declared(kind, "needs"):
            given_by = givers(need)
            if not given_by:
                return (
                    f"{name_of(number)} needs {need!r}, which no pipeline gives: "
                    f"{_giver_hint(need)}"
                )
            # A pipeline that changes a value may read what an earlier one has given.
            late = [n for n in given_by if n > number]
            if min(given_by) >= number or (late and number not in given_by):
                return (
                    f"{name_of(number)} needs {need!r}, which {name_of((late or given_by)[-1])} "
                    "gives: it must have a lower number"
                )
    exports = givers(EXPORTED)
    if not exports:
        return f"no pipeline turns pages into items for the feeds: {_giver_hint(EXPORTED)}"
    for number in range(exports[0] + 1, len(pipelines)):
        kind = pipelines[number][0]
        if isinstance(kind, type) and issubclass(kind, WorkerPipeline):
            return f"{name_of(number)} works on pages: it must come before {name_of(exports[0])}"
    return None


def _giver_hint(name: str) -> str:
    """Return which pipeline to add for a missing value."""
    ours = f"newsclean.pipelines.{_GIVEN_BY[name]} does" if name in _GIVEN_BY else "see its docs"
    return f"{ours}, and a pipeline of your own declares it with gives = ({name!r},)"
