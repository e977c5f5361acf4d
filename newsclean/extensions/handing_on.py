"""Sees to it that every article is handed on, and each state of it once, whatever kills the crawl.

A page is kept in the memory from its arrival until its article stands in the output. An article
that is about to be handed on counts as leaving; it has left when its line is in the file. A run
that finds articles leaving whose run is dead looks into the output for them.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter
from scrapy.utils.job import job_dir

from newsclean.extensions.job_folder import JobFolder
from newsclean.feeds import LineByLineStorage, handed_on_in
from newsclean.items import PageItem
from newsclean.memory.crawl import job_of, memory_of
from newsclean.pipelines.stage import Waiting

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)


class OnItsWay(NamedTuple):
    """A page between its arrival and the output."""

    #: its number in the memory, None if it is not kept there
    number: int | None
    #: the name of its article, once that is leaving
    name: str | None = None


class HandingOn:
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.memory = memory_of(crawler)
        self.on_its_way: WeakKeyDictionary[Response, OnItsWay] = WeakKeyDictionary()
        #: what has been handed on to feeds that are not safe before they are closed
        self.in_feeds: list[OnItsWay] = []
        #: how many items all feeds together have written
        self.written = 0
        folder = job_dir(crawler.settings)
        self.job_folder = JobFolder(Path(folder)) if folder else None
        if self.job_folder is not None:
            self.job_folder.mend()

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

    def arrived(self, response: Response, number: int | None) -> None:
        self.on_its_way[response] = OnItsWay(number)

    def leaves(self, response: Response, name: str) -> None:
        page = self.on_its_way.get(response, OnItsWay(None))
        self.on_its_way[response] = page._replace(name=name)

    def spider_opened(self, spider: Spider) -> None:
        if self.job_folder is not None:
            self.job_folder.mark()
        files = self._line_files()
        self.memory.begin(job_of(spider), lambda leaving: handed_on_in(files, leaving))

    def item_scraped(self, item: Any, response: Response | None) -> None:
        safe = all(is_safe(slot) for slot in self._slots())
        arrived = self._arrived_in_feeds(item) if safe else False
        page = self._ended(item, response)
        if page is None:
            return
        if not safe:
            self.in_feeds.append(page)
        elif arrived:
            self.memory.handed_on(page.name, page.number)
        elif page.number is not None:
            logger.error("a feed has not taken an article: it comes again in the next run")
            self.memory.failed(page.number)

    def item_dropped(self, item: Any, response: Response | None, exception: BaseException) -> None:
        page = self._ended(item, response)
        if page is not None and not isinstance(exception, Waiting):
            self.memory.handed_on(page.name, page.number)

    def item_error(self, item: Any, response: Response | None) -> None:
        page = self._ended(item, response)
        if page is None or page.number is None:
            return
        if self.memory.failed(page.number):
            where = "" if response is None else response.url
            logger.error("given up after errors in several runs: <%s>", where)
            self._stats.inc_value("newsclean/dropped/failed-too-often")

    def _ended(self, item: Any, response: Response | None) -> OnItsWay | None:
        """The page of an item that has come to its end."""
        page = None if response is None else self.on_its_way.pop(response, None)
        if page is None and isinstance(item, PageItem) and item.number is not None:
            return OnItsWay(item.number)  # it ended before it was announced
        return page

    def _arrived_in_feeds(self, item: Any) -> bool:
        """Whether every feed that takes this item has written it; Scrapy only logs if not."""
        wanted = self.written + sum(1 for slot in self._slots() if slot.filter.accepts(item))
        self.written = sum(slot.itemcount for slot in self._slots())
        return self.written >= wanted

    def feed_exporter_closed(self) -> None:
        failed = any(name.startswith("feedexport/failed_count") for name in self._stats.get_stats())
        if failed and self.in_feeds:
            logger.error("a feed could not be stored: its articles come again in the next run")
            self.in_feeds.clear()
        for page in self.in_feeds:
            self.memory.handed_on(page.name, page.number)
        self.in_feeds.clear()

    def spider_closed(self) -> None:
        left = len(self.memory.waiting())
        if left:
            self._stats.set_value("newsclean/waiting/left", left)
            logger.warning("%d pages wait in the memory for the next run", left)

    def engine_stopped(self) -> None:
        self.memory.close()
        if self.job_folder is not None:
            self.job_folder.unmark()

    @property
    def _stats(self) -> StatsCollector:
        assert self.crawler.stats is not None
        return self.crawler.stats

    def _slots(self) -> list[Any]:
        exporter = self.crawler.get_extension(FeedExporter)
        return [] if exporter is None else exporter.slots

    def _line_files(self) -> list[Path]:
        return [Path(slot.storage.path) for slot in self._slots() if is_safe(slot)]


def is_safe(slot: Any) -> bool:
    """Whether a feed writes line by line to the end of a local file."""
    return (
        isinstance(slot.storage, LineByLineStorage)
        and slot.storage.write_mode == "ab"
        and slot.storage.has_lines
        and not slot.feed_options.get("postprocessing")
        and not slot.feed_options.get("batch_item_count")
    )
