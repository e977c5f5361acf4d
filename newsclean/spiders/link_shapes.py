"""Which links are left out because addresses of their shape were never articles."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from newsclean.memory.crawl import memory_of
from newsclean.memory.schedule import RecheckSchedule
from newsclean.memory.shapes import UNKNOWN_SHAPE, ShapeCounts
from newsclean.storage import StorageError, ending_crawl
from newsclean.urls import site_of, url_pattern

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

#: Of the addresses of a shape that was never an article's, the first of a run is requested, and
#: every so many after it: what turns out to be an article speaks for the others.
PROBE_EVERY = 10


class LinkShapes:
    """What the memory knows of the addresses of each site, and what this run has tried."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.memory = memory_of(crawler)
        self.schedule = RecheckSchedule.of(crawler.settings)
        self._counts: dict[str, dict[str, ShapeCounts]] = {}
        #: the decision on each address, and how many candidates each shape of a site had
        self._skipped: dict[str, bool] = {}
        self._candidates: dict[tuple[str, str], int] = {}

    def load(self) -> None:
        """Let what was learned since the last time count from now on."""
        self._counts.clear()

    def counts(self, url: str) -> ShapeCounts:
        """What addresses of the same shape have turned out to be."""
        site = site_of(url) or ""
        if site not in self._counts:
            try:
                self._counts[site] = self.memory.shapes.of(site)
            except StorageError:  # in a worker thread: the next page ends the crawl
                return UNKNOWN_SHAPE
        return self._counts[site].get(url_pattern(url), UNKNOWN_SHAPE)

    def is_skipped(self, url: str, counts: ShapeCounts) -> bool:
        """Whether an address is left out: its shape never was an article's, and it is no probe.

        A probe is an address that would be requested but for its shape.
        """
        if url not in self._skipped:
            self._skipped[url] = counts.is_surely_never_article and not self._is_probe(url)
        return self._skipped[url]

    def _is_probe(self, url: str) -> bool:
        last = None
        with ending_crawl(self.crawler):
            last = self.memory.fetches.get(url)
        if last is not None and not self.schedule.is_due(last, time.time()):
            return False
        shape = site_of(url) or "", url_pattern(url)
        number = self._candidates.get(shape, 0)
        self._candidates[shape] = number + 1
        return number % PROBE_EVERY == 0
