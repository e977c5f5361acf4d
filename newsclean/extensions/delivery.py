"""Each article is delivered, and each state of it once, whatever kills the crawl.

The states of a page between its download and its delivery:

- *stored*: the page is in the memory, from its arrival (`NeighborhoodPipeline`) until its article
  is in the output or it turns out to have none. What a killed run has stored, the next run takes
  over.
- *parked*: it is stored and has left the pipelines, because too few neighbors are known. It comes
  back as a request that the memory answers (`ParkedPagesMiddleware`).
- *pending*: its article is new or has changed (`RevisionPipeline`) and is on its way to the output.
- *delivered*: the article's line is in the output (`DeliveryTracker`). A run that finds pending
  articles of a dead run looks for them in the output of that run: those that are there count as
  delivered, the others are new again.
- *kept*: the pages of the newest delivered articles stay in the memory, for `reextract`.

If the memory or a feed can't be written, the crawl ends: what is stored or pending is left to the
next run.
"""

from __future__ import annotations

import logging
import os
import shutil
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
from newsclean.extensions.feed_files import LineByLineStorage, check_feeds, delivered_in
from newsclean.extraction.text import counted
from newsclean.files import StorageError, file_error
from newsclean.items import BlockedPage, PageItem, ParkedPage, UnstoredPage, UnusablePage
from newsclean.memory.database import storable
from newsclean.memory.fetches import NO_FETCH
from newsclean.memory.postgresql_schema import ArticleRow
from newsclean.middlewares.responses import STORED_PAGE, fetch_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

#: What a killed run leaves in a JOBDIR: a queue that cannot be read, and a filter of requests that
#: were in it.
_LEFT_BY_KILL = ("requests.queue", "requests.seen")
#: The file that says that a run in a JOBDIR has not come to its end.
RUNNING = "newsclean.running"


class EndedPage(NamedTuple):
    """What the memory needs to know of a page that has left the pipelines."""

    #: its number in the memory, None if it is not stored
    number: int | None
    #: the name of its pending article, None if it has none
    name: str | None = None
    #: when its article was published, in seconds since 1970, if that is known
    published: float | None = None
    is_article: bool = True
    #: for `NEWSCLEAN_TABLE`
    row: ArticleRow | None = None


class DeliveryTracker:
    """Follow each page through the pipelines, and tell the memory what became of it."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        if "feeds" in crawler.settings.getlist("NEWSCLEAN_HARDEN"):
            check_feeds(crawler)
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        self.in_flight: WeakKeyDictionary[Response, PageItem] = WeakKeyDictionary()
        self.state.in_flight = self.in_flight
        #: whether the memory knows the run
        self.has_started = False
        #: pages in feeds that write their output when they are closed
        self.unconfirmed: list[EndedPage] = []
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

    def spider_opened(self, spider: Spider) -> None:
        try:
            self._start_run(spider)
        except StorageError as error:
            self.state.report_failure(error)
            raise CloseSpider(STORAGE_FAILED) from None

    def _start_run(self, spider: Spider) -> None:
        # What is in a Parquet file was in the lines before; the reverse need not be so.
        whole = [slot for slot in self._slots() if _is_whole(slot)]
        slots = whole or [slot for slot in self._slots() if _appends_lines(slot)]
        for slot in self._slots():
            if _is_whole(slot) or _appends_lines(slot):
                # Whoever has taken over the domains of this run looks for its articles, once.
                slot.storage.check = self.memory.database.check_held
            if _appends_lines(slot) and slot.store_empty:
                # It is made in any case: a file that is gone was moved.
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

    def item_scraped(self, item: Any, response: Response | None) -> None:
        is_line = all(_appends_lines(slot) for slot in self._slots())
        is_written = self._is_written(item)
        page = self._page_of(item, response)
        ended = _ended(page, response)
        with self.state.ending_on_failure():
            self._check_feeds()
            if self.memory.articles is not None:
                try:
                    row = self._row_of(page, item)
                except TypeError as error:
                    logger.error("Item not stored in the table: %s", error)
                    is_line, is_written = True, False
                else:
                    if row is not None and ended is not None:
                        ended = ended._replace(row=row)
                        is_line = is_written = True  # the table counts, whatever feeds there are
            if ended is None:
                return
            if is_written and is_line:
                self.state.confirm(partial(self._mark_delivered, ended))
            elif is_written:
                self.unconfirmed.append(ended)
            elif ended.number is not None:
                logger.error("Article not written to a feed; the next run outputs it again")
                self.memory.pages.mark_failed(ended.number)

    def item_dropped(self, item: Any, response: Response | None, exception: BaseException) -> None:
        ended = _ended(self._page_of(item, response), response)
        if isinstance(exception, ParkedPage | UnstoredPage):
            return
        with self.state.ending_on_failure():
            if isinstance(exception, BlockedPage):  # it says nothing about its URL
                if ended is not None and ended.number is not None:
                    self.memory.pages.remove(ended.number)
            elif isinstance(exception, UnusablePage) and not exception.is_known:
                number = None if ended is None else ended.number
                fetch = NO_FETCH if response is None else fetch_of(response)
                self.memory.mark_useless(fetch, number)
            elif ended is not None and ended.name is not None:  # by a pipeline of the project's own
                self._mark_delivered(ended)
            elif ended is not None and ended.number is not None:
                self.memory.mark_known(ended.number, ended.published)

    def item_error(self, item: Any, response: Response | None) -> None:
        ended = _ended(self._page_of(item, response), response)
        if ended is None or ended.number is None:
            return
        with self.state.ending_on_failure():
            if self.memory.pages.mark_failed(ended.number):
                url = "" if response is None else response.url
                logger.error("Gave up after errors in several runs: <%s>", url)
                self.state.count("dropped/failed-too-often")

    def feed_exporter_closed(self) -> None:
        failed = any(name.startswith("feedexport/failed_count") for name in self._stats.get_stats())
        with self.state.ending_on_failure():
            self._check_feeds()
            if failed:  # Scrapy has logged why
                raise StorageError(
                    "a feed could not be stored; the next run outputs its articles again"
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
                logger.warning("%s parked in the memory for the next run", counted(left, "page"))
        if damaged := len(self.memory.database.damaged):
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

    def _page_of(self, item: Any, response: Response | None) -> PageItem | None:
        """Return the page of an item that has left the pipelines, and no longer follow it."""
        page = None if response is None else self.in_flight.pop(response, None)
        return item if page is None and isinstance(item, PageItem) else page

    def _row_of(self, page: PageItem | None, item: Any) -> ArticleRow | None:
        """Return an item for the table, None without an article; TypeError if it isn't JSON."""
        article = None if page is None else page.article
        if page is None or article is None or article.id is None:
            if not self._stats.get_value("newsclean/not_in_table"):
                logger.warning("The table takes only articles; other items go to the feeds, if any")
            self.state.count("not_in_table")
            return None
        plain = storable(ItemAdapter(item).asdict())
        return ArticleRow(
            article.id,
            article.revision or 1,
            article.url,
            article.site,
            article.headline,
            article.language,
            page.published,
            ScrapyJSONEncoder(ensure_ascii=False).encode(plain),
        )

    def _mark_delivered(self, page: EndedPage) -> None:
        self.memory.mark_delivered(
            page.name,
            page.number,
            published=page.published,
            is_article=page.is_article,
            row=page.row,
        )

    def _is_written(self, item: Any) -> bool:
        """Tell whether every feed that accepts an item has written it; Scrapy only logs if not."""
        if any(slot.feed_options.get("batch_item_count") for slot in self._slots()):
            return True  # each new file counts from 0
        expected = self.written + sum(1 for slot in self._slots() if slot.filter.accepts(item))
        self.written = sum(slot.itemcount for slot in self._slots())
        return self.written >= expected

    def _check_feeds(self) -> None:
        """Raise the error of a feed that can no longer be written."""
        for slot in self._slots():
            failure: StorageError | None = getattr(slot.storage, "failure", None)
            if failure is not None:
                raise failure

    def _slots(self) -> list[Any]:
        exporter = self.crawler.get_extension(FeedExporter)
        return [] if exporter is None else exporter.slots

    @property
    def _stats(self) -> StatsCollector:
        assert self.crawler.stats is not None
        return self.crawler.stats


def _ended(page: PageItem | None, response: Response | None) -> EndedPage | None:
    """Return what the memory needs to know of a page, None if an item has none."""
    if page is not None:
        is_article = page.article is None or page.article.is_article
        return EndedPage(page.number, page.pending_name, page.published, is_article)
    # A stored page whose item has ended before the pipelines of newsclean.
    request = None if response is None else response.request
    number = None if request is None else request.meta.get(STORED_PAGE)
    return None if number is None else EndedPage(number)


def _appends_lines(slot: Any) -> bool:
    """Tell whether a feed writes line by line to the end of a local file."""
    return (
        isinstance(slot.storage, LineByLineStorage)
        and slot.storage.write_mode == "ab"
        and slot.storage.has_lines
        and not slot.feed_options.get("postprocessing")
        and not slot.feed_options.get("batch_item_count")
    )


def _is_whole(slot: Any) -> bool:
    """Tell whether a feed puts a local file in its place as a whole."""
    return (
        isinstance(slot.storage, LineByLineStorage)
        and slot.storage.is_whole
        and not slot.feed_options.get("batch_item_count")
    )


class JobFolder:
    """Scrapy's JOBDIR after a kill.

    Scrapy writes the state of its request queue when it closes. After a kill, the queue can't be
    read or written, and the filter refuses the requests that were in it. Both are moved aside.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def repair(self) -> None:
        """Move queue and filter aside if the last run did not come to its end.

        What is then fetched twice is still delivered once.
        """
        if not (self.folder / RUNNING).exists():
            return
        for name in _LEFT_BY_KILL:
            path, aside = self.folder / name, self.folder / f"{name}.damaged"
            if aside.is_dir():
                shutil.rmtree(aside, ignore_errors=True)
            if path.exists():
                path.replace(aside)
        logger.warning(
            "The last run in %s was killed or has failed: its requests are moved aside and the "
            "spider starts again",
            self.folder,
        )

    def mark_running(self) -> None:
        (self.folder / RUNNING).touch()

    def mark_finished(self) -> None:
        (self.folder / RUNNING).unlink(missing_ok=True)
