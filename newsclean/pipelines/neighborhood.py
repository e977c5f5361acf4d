"""Learns each page and asks its neighbors; a page with too few of them waits in the memory."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from newsclean.downloadermiddlewares.waiting import WaitingPages
from newsclean.extensions.handing_on import HandingOn
from newsclean.items import PageItem
from newsclean.memory import WaitingPage
from newsclean.memory.crawl import memory_of
from newsclean.methods import method_named
from newsclean.neighborhood.keys import page_keys
from newsclean.pipelines.stage import PageStage, Waiting

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class NeighborhoodPipeline(PageStage):
    """Never holds an item back in `process_item`: Scrapy would count its response as active and
    stop downloading, and the neighbors would never come."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = memory_of(crawler)
        self.method = method_named(self.settings["NEWSCLEAN_METHOD"])
        self.enough = self.settings.getint("NEWSCLEAN_MIN_NEIGHBORS")
        self.told: set[str] = set()

    async def process_item(self, item: Any) -> Any:
        item = await super().process_item(item)
        if isinstance(item, PageItem):
            assert item.known is not None
            handing_on = self.crawler.get_extension(HandingOn)
            if handing_on is not None:
                handing_on.arrived(item.response, item.number)
            self._go_on_or_wait(item, item.known.neighbors)
        return item

    def _go_on_or_wait(self, item: PageItem, neighbors: int) -> None:
        waiting_pages = self.crawler.get_downloader_middleware(WaitingPages)
        if waiting_pages is None:
            return
        if neighbors >= self.enough:
            waiting_pages.release(item.article.site)
        elif not item.waited and item.number is not None:
            self.memory.wait(item.number)
            self.count("waited")
            raise Waiting(item, neighbors)

    def work(self, item: PageItem) -> None:
        assert item.page is not None
        keys = page_keys(item.page, self.method.keying, profile=self.method.profile)
        site, category = item.article.site or "", item.article.category or ""
        if item.number is None:  # it has not come out of the memory
            item.number, relearned = self.memory.arrive(self._kept(item), item.url, keys)
            if relearned:
                self._tell(site, category, relearned)
        item.known = self.memory.ask(site, category, item.url, keys, self.enough)

    def _kept(self, item: PageItem) -> WaitingPage:
        return WaitingPage(
            url=item.url,
            site=item.article.site or "",
            category=item.article.category or "",
            content_type=(item.response.headers.get("Content-Type") or b"").decode("latin-1"),
            fetched_at=item.fetched_at,
            body=item.response.body,
            origin=item.origin,
        )

    def _tell(self, site: str, category: str, relearned: str) -> None:
        """Say once for each site that its template has changed."""
        self.count("relearned")
        if site not in self.told:
            self.told.add(site)
            where = site if relearned == "site" else f"{site}, category {category}"
            logger.warning(
                "%s has a new template: what was known of the old one is forgotten", where
            )
