"""Leaves a host alone for as long as it asks: `Retry-After`."""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.asyncio import call_later, sleep
from scrapy.utils.misc import build_from_crawler, load_object

from newsclean.crawl_state import CrawlState, host_of, host_paused
from newsclean.middlewares.responses import STORED_PAGE

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class HostPausedError(IgnoreRequest):
    """A request has to leave the downloader until the pause of its host is over."""


logger = logging.getLogger(__name__)

#: The answers with which a host may ask to be left alone.
_TOO_MANY_REQUESTS, _UNAVAILABLE = 429, 503


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
        self.state = CrawlState.of(crawler)
        self.pauses = self.state.pauses

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
        if header is None or response.status not in (_TOO_MANY_REQUESTS, _UNAVAILABLE):
            return
        seconds = _seconds_of(header.decode("latin-1"), time.time())
        if seconds is None or seconds <= 0:
            return
        host = host_of(request)
        self.state.count("retry_after")
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


def _seconds_of(header: str, now: float) -> float | None:
    """How long a `Retry-After` header asks to wait; None for what is neither a number nor a date.

    >>> _seconds_of("120", 0.0), _seconds_of("Thu, 01 Jan 1970 00:01:00 GMT", 0.0)
    (120.0, 60.0)
    >>> _seconds_of("soon", 0.0)
    """
    header = header.strip()
    if header.isascii() and header.isdecimal():
        return float(header[:9])
    try:
        return parsedate_to_datetime(header).timestamp() - now
    except (ValueError, OverflowError):
        return None


# Keeps back the requests to hosts that have asked for a pause.

#: The setting that holds the scheduler which has the requests.
WITHOUT_PAUSES = "SCHEDULER_WITHOUT_PAUSES"


class PausingScheduler:
    """Another scheduler, which gives out no request to a host as long as that is paused.

    The requests to other hosts go on meanwhile. The crawl is not idle before the pauses are over.
    A crawl that is stopped in a pause gives what it keeps back to the other scheduler, which may
    have a JOBDIR.
    """

    def __init__(self, scheduler: Any, crawler: Crawler) -> None:
        self._scheduler = scheduler
        self._crawler = crawler
        self._pauses = CrawlState.of(crawler).pauses
        #: by host: the requests that wait, and what ends their waiting
        self._held: defaultdict[str, list[Request]] = defaultdict(list)
        self._timers: dict[str, Any] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        inner = load_object(crawler.settings[WITHOUT_PAUSES])
        return cls(build_from_crawler(inner, crawler), crawler)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scheduler, name)

    def __len__(self) -> int:
        return sum(map(len, self._held.values())) + len(self._scheduler)

    def has_pending_requests(self) -> bool:
        return bool(self._held) or bool(self._scheduler.has_pending_requests())

    def enqueue_request(self, request: Request) -> bool:
        return bool(self._scheduler.enqueue_request(request))

    def next_request(self) -> Request | None:
        while True:
            request: Request | None = self._scheduler.next_request()
            if request is None:
                return None
            host = host_of(request)
            # A parked page is in the memory: its host is not asked.
            if STORED_PAGE in request.meta or not self._pauses.is_paused(host):
                self._pauses.scheduled.add(request)
                return request
            # It has passed the filter of duplicates.
            self._held[host].append(request.replace(dont_filter=True))
            if host not in self._timers:
                self._wait(host)

    def _wait(self, host: str) -> None:
        seconds = self._pauses.seconds_left(host)
        self._timers[host] = call_later(seconds, self._resume, host)

    def _resume(self, host: str) -> None:
        if self._pauses.is_paused(host):  # it has asked for more
            self._wait(host)
            return
        del self._timers[host]
        assert self._crawler.engine is not None
        for request in self._held.pop(host):
            self._crawler.engine.crawl(request)

    def close(self, reason: str) -> Any:
        for timer in self._timers.values():
            timer.cancel()
        for requests in self._held.values():
            for request in requests:
                self._scheduler.enqueue_request(request)
        self._timers.clear()
        self._held.clear()
        close = getattr(self._scheduler, "close", None)
        return close(reason) if close is not None else None
