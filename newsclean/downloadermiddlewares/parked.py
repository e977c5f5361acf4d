"""Brings parked pages back, without downloading them again."""

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

#: Keys of a request's meta: the number of the page, and whether it may not be parked again.
NUMBER = "newsclean_parked"
FINAL_ATTEMPT = "newsclean_final_attempt"

#: Before what the crawl still has to download, so that the memory does not fill up.
PRIORITY = 1_000


class ParkedPagesMiddleware:
    """A parked page comes back as a request that is answered from the memory.

    It does so when its neighborhood is ready, or when the spider is idle; then it goes on with
    what is known.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.memory = memory_of(crawler)
        #: numbers of the pages whose requests are scheduled
        self.scheduled: set[int] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.spider_idle, signals.spider_idle)
        return middleware

    def release(self, site: str | None = None, *, final_attempt: bool = True) -> int:
        """Schedule the parked pages of a site, or all of them; how many.

        In their final attempt, they are not parked again.
        """
        parked = self.memory.pages.parked(site)
        pages = {number: url for number, url in parked.items() if number not in self.scheduled}
        for number, url in pages.items():
            if self.crawler.engine is not None:
                self.scheduled.add(number)
                self.crawler.engine.crawl(self._request(number, url, final_attempt))
        return len(pages)

    def process_request(self, request: Request) -> Response | None:
        if NUMBER not in request.meta:
            return None
        number = request.meta[NUMBER]
        self.scheduled.discard(number)
        self.memory.pages.unpark(number)
        try:
            page = self.memory.pages.get(number)
        except Exception as error:  # the class of its item has changed since
            self.memory.pages.mark_failed(number)
            raise IgnoreRequest(
                f"<{request.url}> cannot be read from the memory: {error}"
            ) from None
        if page is None:
            raise IgnoreRequest(f"<{request.url}> is no longer in the memory")
        return HtmlResponse(page.url, headers={"Content-Type": page.content_type}, body=page.body)

    def parse(self, response: Response) -> Iterator[PageItem]:
        number = response.meta[NUMBER]
        page = self.memory.pages.get(number)
        if page is not None:
            yield PageItem(
                response,
                category=page.category,
                origin=page.origin,
                final_attempt=response.meta[FINAL_ATTEMPT],
                number=number,
                fetched_at=page.fetched_at,
            )

    def spider_opened(self) -> None:
        """Pages that an earlier run has left come first, and may be parked again."""
        left = self.release(final_attempt=False)
        if left:
            logger.info("%d parked pages of an earlier run come first", left)

    def spider_idle(self) -> None:
        if self.release():
            raise DontCloseSpider

    def _request(self, number: int, url: str, final_attempt: bool) -> Request:
        meta: dict[str, Any] = {NUMBER: number, FINAL_ATTEMPT: final_attempt, "dont_cache": True}
        meta["dont_redirect"] = True  # it is a page already
        return Request(url, callback=self.parse, meta=meta, dont_filter=True, priority=PRIORITY)
