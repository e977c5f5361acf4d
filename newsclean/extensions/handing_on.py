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
from newsclean.memory.crawl import job_of, memory_of
from newsclean.pipelines.stage import Waiting

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

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
        job = job_of(spider)
        leaving = set(self.memory.leaving_of_dead_runs(job))
        out = handed_on_in(self._line_files(), leaving) if leaving else set()
        self.memory.begin(job, lambda url, content_hash: (url, content_hash) in out)

    def item_scraped(self, response: Response | None) -> None:
        page = None if response is None else self.on_its_way.pop(response, None)
        if page is None:
            return
        if self._feeds_are_safe():
            self.memory.handed_on(page.name, page.number)
        else:
            self.in_feeds.append(page)

    def item_dropped(self, response: Response | None, exception: BaseException) -> None:
        page = None if response is None else self.on_its_way.pop(response, None)
        if page is not None and not isinstance(exception, Waiting):
            self.memory.handed_on(page.name, page.number)

    def item_error(self, response: Response | None) -> None:
        page = None if response is None else self.on_its_way.pop(response, None)
        if response is None or page is None or page.number is None:
            return
        if self.memory.failed(page.number):
            logger.error("given up after errors in several runs: <%s>", response.url)
            assert self.crawler.stats is not None
            self.crawler.stats.inc_value("newsclean/dropped/failed-too-often")

    def feed_exporter_closed(self) -> None:
        for page in self.in_feeds:
            self.memory.handed_on(page.name, page.number)
        self.in_feeds.clear()

    def spider_closed(self) -> None:
        left = len(self.memory.waiting())
        if left:
            assert self.crawler.stats is not None
            self.crawler.stats.set_value("newsclean/waiting/left", left)
            logger.warning("%d pages wait in the memory for the next run", left)

    def engine_stopped(self) -> None:
        self.memory.close()
        if self.job_folder is not None:
            self.job_folder.unmark()

    def _slots(self) -> list[Any]:
        exporter = self.crawler.get_extension(FeedExporter)
        return [] if exporter is None else exporter.slots

    def _feeds_are_safe(self) -> bool:
        """Whether what a feed was given is in its file already, and stays there."""
        return all(is_safe(slot) for slot in self._slots())

    def _line_files(self) -> list[Path]:
        return [Path(slot.storage.path) for slot in self._slots() if is_safe(slot)]


def is_safe(slot: Any) -> bool:
    """Whether a feed writes line by line to the end of a local file."""
    return (
        isinstance(slot.storage, LineByLineStorage)
        and slot.storage.write_mode == "ab"
        and slot.storage.has_lines
        and not slot.feed_options.get("postprocessing")
    )
