"""Learns each page and asks its neighbors; a page with too few of them is parked in the memory."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from newsclean.downloadermiddlewares.parked import ParkedPagesMiddleware
from newsclean.drops import ParkedPage
from newsclean.extraction.methods import method_named
from newsclean.memory import StoredPage
from newsclean.memory.crawl import memory_of
from newsclean.pipelines.worker import WorkerPipeline
from newsclean.reports.counts import counts_of
from newsclean.responses import fetch_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page import Page
    from newsclean.items import PageItem

logger = logging.getLogger(__name__)


class NeighborhoodPipeline(WorkerPipeline):
    """Learn what the site repeats; park the page if too few neighbors are known.

    The page is stored until its article is delivered. No item waits here for other items: Scrapy
    would count its response as active and stop downloading, and the neighbors would never come.
    Without this pipeline each page is judged by itself, and a page whose crawl is killed is
    downloaded again.
    """

    needs = ("page", "evidence")
    gives = ("evidence",)

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.memory = memory_of(crawler)
        self.method = method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])
        self.min_neighbors = settings.getint("NEWSCLEAN_MIN_NEIGHBORS")
        #: whether a third-party item may leave and come back: a pipeline of the project's own in
        #: front of newsclean's would get it twice, and a filter of duplicates drop it
        self.parks_third_party = True
        #: sites whose new template has been reported
        self.reported: set[str] = set()

    def join(self, pipelines: Sequence[Any]) -> None:
        super().join(pipelines)
        before = pipelines[: pipelines.index(self)]
        self.parks_third_party = all(isinstance(each, WorkerPipeline) for each in before)

    def process_page(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.evidence is not None
        neighbors = self.neighbors_of(item, item.page)
        item.neighbors = neighbors.count
        item.evidence = replace(item.evidence, neighbors=neighbors)

    def neighbors_of(self, item: PageItem, page: Page) -> NeighborSupport:
        """Return what the neighbors know of a page; raise `ParkedPage` if they are too few."""
        if item.prepared is not None:
            return item.prepared.support(item.category, self.min_neighbors)
        assert item.evidence is not None
        keys = self.method.keys(page, item.evidence.scores)
        if item.number is None and item.reextracted is None:  # it doesn't come from the memory
            arrival = self.memory.store_and_learn(stored(item), item.url, keys)
            item.number, item.new_template = arrival
        neighbors = self.memory.sites.support_for(
            item.site, item.category, item.url, keys, self.min_neighbors
        )
        item.neighbors = neighbors.count
        may_park = item.number and not item.final_attempt
        if item.is_third_party and not self.parks_third_party:
            may_park = False
        if may_park and neighbors.count < self.min_neighbors:
            assert item.number is not None
            self.memory.pages.park(item.number)
            raise ParkedPage(item.url, neighbors.count)
        return neighbors

    def page_done(self, item: PageItem) -> None:
        """Let the parked pages of the site return once it has enough; report a new template."""
        if item.failure is not None and isinstance(item.failure[1], ParkedPage):
            self.count("parked")
        middleware = self.crawler.get_downloader_middleware(ParkedPagesMiddleware)
        is_learned = item.prepared is None  # parked pages have other neighbors than an archive's
        if middleware is not None and is_learned and item.neighbors >= self.min_neighbors > 0:
            middleware.release(item.site)
        if item.new_template:
            self.report_template(item)

    def report_template(self, item: PageItem) -> None:
        self.count("relearned")
        counts_of(self.crawler).of(item.url).new_templates += 1
        if item.site in self.reported:
            return
        self.reported.add(item.site)
        where = item.site
        if item.new_template == "category":
            where = f"{item.site}, category {item.category}"
        logger.warning("%s has a new template: what was known of the old one is forgotten", where)


def stored(item: PageItem) -> StoredPage:
    """Return what the memory stores of a page until its article is delivered."""
    return StoredPage(
        url=item.url,
        site=item.site,
        category=item.category,
        content_type=(item.response.headers.get("Content-Type") or b"").decode("latin-1"),
        fetched_at=item.fetched_at or "",
        body=item.response.body,
        origin=item.third_party_item,
        fetch=fetch_of(item.response),
    )
