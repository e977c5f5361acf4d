"""Leaves a host alone for as long as it asks: `Retry-After`."""

from __future__ import annotations

import logging
import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.asyncio import sleep

from newsclean.downloadermiddlewares.host_pauses import (
    HostPausedError,
    host_of,
    host_paused,
    pauses_of,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: The answers with which a host may ask to be left alone.
TOO_MANY_REQUESTS, UNAVAILABLE = 429, 503


class RetryAfterMiddleware:
    """For the spiders of newsclean: no request to a host before the time that it has named.

    Scrapy's own middleware retries at once, whatever the header says; it still decides what is
    retried, and how often. What is on its way to the host in the downloader goes back to the
    scheduler (`PausingScheduler`), which has it wait and goes on with other hosts. A host that asks
    for more than `NEWSCLEAN_MAX_RETRY_AFTER` seconds is left alone for the rest of the run.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not getattr(crawler.spider, "obeys_retry_after", False):  # somebody else's spider
            raise NotConfigured
        self.crawler = crawler
        self.max_seconds = crawler.settings.getfloat("NEWSCLEAN_MAX_RETRY_AFTER")
        self.pauses = pauses_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        # Not `process_response`: the next request to the host is sent before that.
        crawler.signals.connect(middleware.response_downloaded, signals.response_downloaded)
        return middleware

    async def process_request(self, request: Request) -> Request | None:
        host = host_of(request)
        while (seconds := self.pauses.seconds_left(host)) > 0:
            if math.isinf(seconds):
                raise IgnoreRequest(f"{host} has asked to be left alone, by Retry-After")
            if self.pauses.goes_back(request):
                return request.replace(dont_filter=True)
            # Not of the scheduler: a robots.txt, a script of a page. There are few of them.
            await sleep(seconds)
        return None

    def response_downloaded(self, response: Response, request: Request) -> None:
        header = response.headers.get("Retry-After")
        if header is None or response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
            return
        seconds = seconds_of(header.decode("latin-1"), time.time())
        if seconds is None or seconds <= 0:
            return
        host = host_of(request)
        self._count("retry_after")
        if seconds > self.max_seconds:
            logger.warning(
                "%s asks to be left alone for %.0f seconds, more than NEWSCLEAN_MAX_RETRY_AFTER: "
                "nothing more is requested from it in this run",
                host,
                seconds,
            )
            seconds = math.inf
            request.meta["dont_retry"] = True
        self.pauses.pause(host, seconds)
        self.crawler.signals.send_catch_log(host_paused, host=host)
        self._empty_queues(host)

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        is_paused = isinstance(exception, HostPausedError)
        return request.replace(dont_filter=True) if is_paused else None

    def _empty_queues(self, host: str) -> None:
        """Have no request to a host sent that waits in the downloader for its turn."""
        assert self.crawler.engine is not None
        waiting = []
        for slot in self.crawler.engine.downloader.slots.values():
            waiting += [entry for entry in slot.queue if host_of(entry[0]) == host]
            others = [entry for entry in slot.queue if host_of(entry[0]) != host]
            slot.queue.clear()
            slot.queue.extend(others)
        for request, download in waiting:
            download.errback(HostPausedError(f"<{request.url}> waits, by Retry-After"))

    def _count(self, name: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}")


def seconds_of(header: str, now: float) -> float | None:
    """How long a `Retry-After` header asks to wait; None for what is neither a number nor a date.

    >>> seconds_of("120", 0.0), seconds_of("Thu, 01 Jan 1970 00:01:00 GMT", 0.0)
    (120.0, 60.0)
    >>> seconds_of("soon", 0.0)
    """
    header = header.strip()
    if header.isascii() and header.isdecimal():
        return float(header[:9])
    try:
        return parsedate_to_datetime(header).timestamp() - now
    except (ValueError, OverflowError):
        return None
