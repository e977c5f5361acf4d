"""Learns each page and asks its neighbors; a page with too few of them waits in the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem

from newsclean.downloadermiddlewares.waiting import WaitingPages
from newsclean.items import PageItem
from newsclean.methods import method_named
from newsclean.neighborhood.keys import page_keys
from newsclean.neighborhood.memory import WaitingPage, memory_of
from newsclean.pipelines.stage import PageStage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Waiting(DropItem):
    """A page leaves the flow until it has neighbors; it comes back."""

    def __init__(self, item: PageItem, neighbors: int) -> None:
        message = f"waits for neighbors, has {neighbors}: <{item.url}>"
        super().__init__(message, log_level="DEBUG")


class NeighborhoodPipeline(PageStage):
    """Never holds an item back in `process_item`: Scrapy would count its response as active and
    stop downloading, and the neighbors would never come."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = memory_of(crawler)
        self.keying = method_named(self.settings["NEWSCLEAN_METHOD"]).keying
        self.enough = self.settings.getint("NEWSCLEAN_MIN_NEIGHBORS")

    async def process_item(self, item: Any) -> Any:
        item = await super().process_item(item)
        if not isinstance(item, PageItem):
            return item
        assert item.known is not None
        returns = self.crawler.get_downloader_middleware(WaitingPages)
        if item.known.neighbors >= self.enough:
            if returns is not None:
                returns.release(item.article.site)
        elif not item.waited and returns is not None:
            self.memory.wait(self._waiting_page(item))
            self.count("waited")
            raise Waiting(item, item.known.neighbors)
        return item

    def work(self, item: PageItem) -> None:
        assert item.page is not None
        keys = page_keys(item.page, self.keying)
        site, category = item.article.site or "", item.article.category or ""
        if not item.waited:
            self.memory.learn(site, category, item.url, keys)
        item.known = self.memory.ask(site, category, item.url, keys, self.enough)

    def _waiting_page(self, item: PageItem) -> WaitingPage:
        return WaitingPage(
            url=item.url,
            site=item.article.site or "",
            category=item.article.category or "",
            content_type=(item.response.headers.get("Content-Type") or b"").decode("latin-1"),
            fetched_at=item.fetched_at,
            body=item.response.body,
            origin=item.origin,
        )
