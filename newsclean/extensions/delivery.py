"""Delivers every article, and each state of it once, whatever kills the crawl.

A page is stored in the memory from its arrival until its article is in the output. An article that
is about to be delivered is pending; it is delivered when its line is in the file. A run that finds
pending articles of a dead run looks into that run's output for them.

If the memory or a feed can no longer be written, the crawl ends: what is pending or stored then is
left to the next run.
"""

from __future__ import annotations

import logging
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import CloseSpider
from scrapy.extensions.feedexport import FeedExporter
from scrapy.utils.job import job_dir
from scrapy.utils.serialize import ScrapyJSONEncoder

from newsclean.crawl_state import STORAGE_FAILED, CrawlState
from newsclean.extensions.feed_files import JobFolder, LineByLineStorage, check_feeds, delivered_in
from newsclean.files import StorageError, file_error
from newsclean.items import PageItem, ParkedPage, UnstoredPage, UnusablePage
from newsclean.memory.article_table import ArticleRow
from newsclean.memory.fetches import NO_FETCH
from newsclean.memory.storable import storable
from newsclean.middlewares.responses import STORED_PAGE, fetch_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from newsclean.article import Article


# A page between its extraction and its output.


class InFlight(NamedTuple):
    """A page on its way to the output."""

    #: its number in the memory, None if it is not stored there
    number: int | None
    #: the name of its pending article, None if it has none
    name: str | None = None
    #: when its article was published, in seconds since 1970, if that is known
    published: float | None = None
    is_article: bool = True
    #: its article, None if it has none
    article: Article | None = None
    #: and what a table takes of it
    row: ArticleRow | None = None

    @classmethod
    def of(cls, item: PageItem) -> Self:
        article = item.article
        is_article = article is None or article.is_article
        return cls(item.number, item.pending_name, item.published, is_article, article)

    def with_row(self, item: Any) -> Self:
        """With the item that came out of the pipelines, as a table takes it.

        Raises TypeError if the item holds what JSON cannot.
        """
        article = self.article
        if article is None or article.id is None:
            return self
        plain = storable(ItemAdapter(item).asdict())
        row = ArticleRow(
            article.id,
            article.revision or 1,
            article.url,
            article.site,
            article.headline,
            article.language,
            self.published,
            ScrapyJSONEncoder(ensure_ascii=False).encode(plain),
        )
        return self._replace(row=row)


logger = logging.getLogger(__name__)


class DeliveryTracker:
    """Follows each page through the pipelines and reports to the memory what became of it."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        if "feeds" in crawler.settings.getlist("NEWSCLEAN_HARDEN"):
            check_feeds(crawler)
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        #: whether the run is known to the memory
        self.has_started = False
        self.in_flight: WeakKeyDictionary[Response, PageItem] = WeakKeyDictionary()
        self.state.in_flight = self.in_flight
        #: what feeds have taken that are not in the output before they are closed
        self.unconfirmed: list[InFlight] = []
        #: how many items all feeds together have written
        self.written = 0
        folder = job_dir(crawler.settings)
        self.job_folder = JobFolder(Path(folder)) if folder else None
        if self.job_folder is not None:
            self.job_folder.repair()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        for handler, signal in (
            (extension.spider_opened, signals.spider_opened),
            (extension.item_scraped, signals.item_scraped),
            (extension.item_dropped, signals.item_dropped),
            (extension.item_error, signals.item_error),
            (extension.feed_exporter_closed, signals.feed_exporter_closed),
            (extension.spider_closed, signals.spider_closed),
            # The feeds are closed while the spider is.
            (extension.engine_stopped, signals.engine_stopped),
        ):
            crawler.signals.connect(handler, signal)
        return extension

    def untrack(self, item: Any, response: Response | None) -> InFlight | None:
        """Return the page of an item that has come to its end, None if the item has no page."""
        page = None if response is None else self.in_flight.pop(response, None)
        if page is None and isinstance(item, PageItem):
            page = item
        if page is not None:
            return InFlight.of(page)
        # A stored page whose item ended before the pipelines of newsclean.
        request = None if response is None else response.request
        number = None if request is None else request.meta.get(STORED_PAGE)
        return None if number is None else InFlight(number)

    def spider_opened(self, spider: Spider) -> None:
        try:
            self._start_run(spider)
        except StorageError as error:
            self.state.report_failure(error)
            raise CloseSpider(STORAGE_FAILED) from None

    def _start_run(self, spider: Spider) -> None:
        slots = [slot for slot in self._slots() if _appends_lines(slot)]
        for slot in slots:
            if slot.store_empty:  # it is made in any case: a file that is gone was moved
                slot.storage.open(spider).close()
        self._check_feeds()
        try:
            if self.job_folder is not None:
                self.job_folder.mark_running()
            paths = [os.path.realpath(slot.storage.path) for slot in slots]
            # Nobody can look into a pipe or another device.
            files = [path for path in paths if os.path.isfile(path) or not os.path.exists(path)]
            # A run takes over what ended runs of the same job have left, and what runs of any job
            # have left of its sites.
            job = str(getattr(spider, "newsclean_job", spider.name))
            sites = list(getattr(spider, "newsclean_sites", ()))
            self.memory.start_run(job, files, delivered_in, sites)
        except OSError as error:
            raise file_error("the file", str(error.filename), error) from error
        self.has_started = True

    def _check_feeds(self) -> None:
        """Raise the error of a feed that can no longer be written."""
        for slot in self._slots():
            failure: StorageError | None = getattr(slot.storage, "failure", None)
            if failure is not None:
                raise failure

    def item_scraped(self, item: Any, response: Response | None) -> None:
        is_line = all(_appends_lines(slot) for slot in self._slots())
        is_written = is_line and self._is_written(item)
        page = self.untrack(item, response)
        with self.state.ending_on_failure():
            self._check_feeds()
            if self.memory.articles is not None:
                try:
                    page = self._with_row(page, item)
                except TypeError as error:
                    logger.error("the table does not take an item: %s", error)
                    is_line, is_written = True, False
            if page is None:
                return
            if page.row is not None:  # the table counts, whatever feeds there are beside it
                is_line = is_written = True
            if not is_line:
                self.unconfirmed.append(page)
            elif is_written:
                self.state.confirm(partial(self._mark_delivered, page))
            elif page.number is not None:
                logger.error("a feed has not taken an article: it comes again in the next run")
                self.memory.pages.mark_failed(page.number)

    def _with_row(self, page: InFlight | None, item: Any) -> InFlight | None:
        """A page with what the table takes; an item without an article is not for the table."""
        page = None if page is None else page.with_row(item)
        if page is None or page.row is None:
            self.state.count("not_in_table")
            if self._stats.get_value("newsclean/not_in_table") == 1:
                logger.warning("the table takes articles alone: other items go to feeds, if any")
        return page

    def _mark_delivered(self, page: InFlight) -> None:
        self.memory.mark_delivered(
            page.name,
            page.number,
            published=page.published,
            is_article=page.is_article,
            row=page.row,
        )

    def item_dropped(self, item: Any, response: Response | None, exception: BaseException) -> None:
        page = self.untrack(item, response)
        if isinstance(exception, ParkedPage | UnstoredPage):
            return
        with self.state.ending_on_failure():
            if isinstance(exception, UnusablePage) and not exception.is_known:
                number = None if page is None else page.number
                fetch = NO_FETCH if response is None else fetch_of(response)
                self.memory.mark_useless(fetch, number)
            elif page is not None and page.name is not None:  # by a pipeline of the project's own
                self._mark_delivered(page)
            elif page is not None and page.number is not None:
                self.memory.mark_known(page.number, page.published)

    def item_error(self, item: Any, response: Response | None) -> None:
        page = self.untrack(item, response)
        if page is None or page.number is None:
            return
        with self.state.ending_on_failure():
            if self.memory.pages.mark_failed(page.number):
                url = "" if response is None else response.url
                logger.error("given up after errors in several runs: <%s>", url)
                self.state.count("dropped/failed-too-often")

    def _is_written(self, item: Any) -> bool:
        """Whether every feed that takes this item has written it; Scrapy only logs if not."""
        expected = self.written + sum(1 for slot in self._slots() if slot.filter.accepts(item))
        self.written = sum(slot.itemcount for slot in self._slots())
        return self.written >= expected

    def feed_exporter_closed(self) -> None:
        failed = any(name.startswith("feedexport/failed_count") for name in self._stats.get_stats())
        with self.state.ending_on_failure():
            self._check_feeds()
            if failed:  # Scrapy has logged why
                raise StorageError(
                    "a feed could not be stored: its articles come again in the next run"
                )
            if not self.state.has_failed:
                for page in self.unconfirmed:
                    self._mark_delivered(page)
        self.unconfirmed.clear()

    def spider_closed(self) -> None:
        self.state.confirm_deferred()
        with self.state.ending_on_failure():
            left = len(self.memory.pages.parked())
            if left:
                self._stats.set_value("newsclean/parked/left", left)
                logger.warning("%d pages stay parked in the memory for the next run", left)
        if len(self.memory.database.damaged):
            damaged = len(self.memory.database.damaged)
            self._stats.set_value("newsclean/memory/damaged_rows", damaged)
        if not self.has_started:  # then the engine is not stopped
            self.engine_stopped()

    def engine_stopped(self) -> None:
        with self.state.ending_on_failure():
            self.memory.close()
            if self.job_folder is not None and not self.state.has_failed:
                self.job_folder.mark_finished()
        if self.state.has_failed:
            self.state.exit_with_error()

    @property
    def _stats(self) -> StatsCollector:
        assert self.crawler.stats is not None
        return self.crawler.stats

    def _slots(self) -> list[Any]:
        exporter = self.crawler.get_extension(FeedExporter)
        return [] if exporter is None else exporter.slots


def _appends_lines(slot: Any) -> bool:
    """Whether a feed writes line by line to the end of a local file."""
    return (
        isinstance(slot.storage, LineByLineStorage)
        and slot.storage.write_mode == "ab"
        and slot.storage.has_lines
        and not slot.feed_options.get("postprocessing")
        and not slot.feed_options.get("batch_item_count")
    )
