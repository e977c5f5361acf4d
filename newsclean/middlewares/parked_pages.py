"""Parked pages come back as requests that are answered from the memory.

`newsclean.extensions.delivery` defines what a parked page is.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.utils.misc import build_from_crawler, load_object

from newsclean.crawl_state import CrawlState, neighborhood_ready
from newsclean.extraction.text import counted
from newsclean.files import StorageError
from newsclean.items import PageItem
from newsclean.middlewares.responses import STORED_PAGE

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


logger = logging.getLogger(__name__)

#: The key of a request's meta that says whether the page may not be parked again.
_FINAL_ATTEMPT = "newsclean_final_attempt"

#: Above the requests that are still to be downloaded, so that the memory does not fill up.
_PRIORITY = 1_000

#: The setting with the scheduler of the project, which `LocalParkedPages` replaces.
SHARED = "SCHEDULER_BEFORE_NEWSCLEAN"


class ParkedPagesMiddleware:
    """Schedule parked pages when their neighborhood is ready or the spider is idle.

    The requests are answered from the memory. A page that comes back goes on with the neighbors
    that are known by then.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        #: numbers of the pages whose requests are scheduled
        self.scheduled: set[int] = set()
        #: numbers of the pages that have come back because the spider was idle, each once
        self.idle_released: set[int] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.spider_idle, signals.spider_idle)
        crawler.signals.connect(middleware.release, neighborhood_ready)
        return middleware

    def release(self, site: str | None = None, *, final_attempt: bool = True) -> int:
        """Schedule the parked pages of a site, or all of them, and return how many.

        In their final attempt they are not parked again.
        """
        pages = self._parked(site)
        self._schedule(pages, final_attempt=final_attempt)
        return len(pages)

    def _parked(self, site: str | None = None) -> dict[int, str]:
        """Return the parked pages that are not scheduled; none if the memory has failed."""
        if self.state.has_failed:
            return {}
        with self.state.ending_on_failure():
            parked = self.memory.pages.parked(site)
            return {number: url for number, url in parked.items() if number not in self.scheduled}
        return {}

    def _schedule(self, pages: dict[int, str], *, final_attempt: bool) -> None:
        for number, url in pages.items():
            try:
                request = self._request(number, url, final_attempt)
            except ValueError:  # not a URL
                with self.state.ending_on_failure():
                    self.memory.pages.mark_damaged(number)
                continue
            if self.crawler.engine is not None:
                self.scheduled.add(number)
                self.crawler.engine.crawl(request)

    def process_request(self, request: Request) -> Response | None:
        if STORED_PAGE not in request.meta:
            return None
        number = request.meta[STORED_PAGE]
        self.scheduled.discard(number)
        try:
            self.memory.pages.unpark(number)
            page = self.memory.pages.get(number)
        except StorageError as error:
            self.state.end(error)
            raise IgnoreRequest(f"left for the next run: <{request.url}>") from None
        except ValueError as error:
            with self.state.ending_on_failure():
                self.memory.pages.mark_failed(number)
            raise IgnoreRequest(f"cannot read stored page <{request.url}>: {error}") from None
        if page is None:
            raise IgnoreRequest(f"page no longer stored: <{request.url}>")
        return HtmlResponse(page.url, headers={"Content-Type": page.content_type}, body=page.body)

    def parse(self, response: Response) -> Iterator[PageItem]:
        number = response.meta[STORED_PAGE]
        page = None
        with self.state.ending_on_failure():
            page = self.memory.pages.get(number)
        if page is not None:
            yield PageItem(
                response,
                category=page.category,
                third_party_item=page.origin,
                final_attempt=response.meta[_FINAL_ATTEMPT],
                number=number,
                fetched_at=page.fetched_at,
            )

    def spider_opened(self) -> None:
        """Schedule the pages that earlier runs have left; they may be parked again."""
        if left := self.release(final_attempt=False):
            logger.info("Starting with %s of earlier runs", counted(left, "parked page"))

    def spider_idle(self) -> None:
        pages = {n: url for n, url in self._parked().items() if n not in self.idle_released}
        self.idle_released.update(pages)
        self._schedule(pages, final_attempt=True)
        if pages:
            raise DontCloseSpider

    def _request(self, number: int, url: str, final_attempt: bool) -> Request:
        meta: dict[str, Any] = {
            STORED_PAGE: number,
            _FINAL_ATTEMPT: final_attempt,
            "dont_cache": True,
            "dont_redirect": True,
        }
        return Request(url, callback=self.parse, meta=meta, dont_filter=True, priority=_PRIORITY)


class LocalParkedPages:
    """A scheduler that keeps the requests of parked pages and leaves the others to the project's.

    Parked pages are answered from the memory of this process, with a callback that no other process
    has. A scheduler that shares requests between processes, as that of scrapy-redis, can't take
    them.
    """

    def __init__(self, shared: Any) -> None:
        self._shared = shared
        self._parked: deque[Request] = deque()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(build_from_crawler(load_object(crawler.settings[SHARED]), crawler))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shared, name)

    def __len__(self) -> int:
        return len(self._parked) + len(self._shared)

    def has_pending_requests(self) -> bool:
        return bool(self._parked) or bool(self._shared.has_pending_requests())

    def enqueue_request(self, request: Request) -> bool:
        if STORED_PAGE in request.meta:
            self._parked.append(request)
            return True
        return bool(self._shared.enqueue_request(request))

    def next_request(self) -> Request | None:
        if self._parked:
            return self._parked.popleft()
        request: Request | None = self._shared.next_request()
        return request
