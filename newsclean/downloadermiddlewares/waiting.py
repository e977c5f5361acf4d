"""Brings pages back that waited for neighbors, without downloading them again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse

from newsclean.items import PageItem
from newsclean.memory.crawl import memory_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

META = "newsclean_waiting"
FOR_GOOD = "newsclean_for_good"

#: Before what the crawl still has to download, so that the memory does not fill up.
PRIORITY = 1_000


class WaitingPages:
    """A waiting page comes back as a request that is answered from the memory.

    It does so when its neighborhood is ready, or when the spider has nothing else to do; then it
    goes on with what is known.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.memory = memory_of(crawler)
        self.on_the_way: set[int] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.spider_idle, signals.spider_idle)
        return middleware

    def release(self, site: str | None = None, *, for_good: bool = True) -> int:
        """Send the pages of a site, or all, on their way again.

        For good: they will not wait a second time.
        """
        waiting = self.memory.waiting(site)
        pages = {n: url for n, url in waiting.items() if n not in self.on_the_way}
        for number, url in pages.items():
            if self.crawler.engine is not None:
                self.on_the_way.add(number)
                self.crawler.engine.crawl(self._request(number, url, for_good))
        return len(pages)

    def process_request(self, request: Request) -> Response | None:
        if META not in request.meta:
            return None
        number = request.meta[META]
        self.on_the_way.discard(number)
        self.memory.resume(number)
        try:
            page = self.memory.waiting_page(number)
        except Exception as error:  # the class of its item has changed since
            self.memory.failed(number)
            raise IgnoreRequest(f"<{request.url}> cannot be taken up again: {error}") from None
        if page is None:
            raise IgnoreRequest(f"<{request.url}> waits no more")
        return HtmlResponse(page.url, headers={"Content-Type": page.content_type}, body=page.body)

    def parse(self, response: Response) -> Iterator[PageItem]:
        number = response.meta[META]
        page = self.memory.waiting_page(number)
        if page is not None:
            yield PageItem(
                response,
                category=page.category,
                origin=page.origin,
                waited=response.meta[FOR_GOOD],
                number=number,
                fetched_at=page.fetched_at,
            )

    def spider_opened(self) -> None:
        """What an earlier run has left comes first, and may have to wait for neighbors still."""
        left = self.release(for_good=False)
        if left:
            logger.info("%d pages that an earlier run has left come first", left)

    def spider_idle(self) -> None:
        if self.release():
            raise DontCloseSpider

    def _request(self, number: int, url: str, for_good: bool) -> Request:
        meta: dict[str, Any] = {META: number, FOR_GOOD: for_good, "dont_cache": True}
        meta["dont_redirect"] = True  # it is a page already
        return Request(url, callback=self.parse, meta=meta, dont_filter=True, priority=PRIORITY)
