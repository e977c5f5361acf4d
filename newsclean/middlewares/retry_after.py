"""`Retry-After`: a host that asks for a pause gets no requests until the pause is over.

`RetryAfterMiddleware` reads the header and sends requests back from the downloader,
`PausingScheduler` holds them; both share the `HostPauses` of the crawl.
"""

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


logger = logging.getLogger(__name__)

#: The statuses with which a host may ask for a pause.
_TOO_MANY_REQUESTS, _UNAVAILABLE = 429, 503

#: The setting with the scheduler that `PausingScheduler` replaces.
WITHOUT_PAUSES = "SCHEDULER_WITHOUT_PAUSES"


class HostPausedError(IgnoreRequest):
    """A request has to leave the downloader until the pause of its host is over."""


class RetryAfterMiddleware:
    """Send no request to a host before the time that its `Retry-After` names.

    For newsclean's own spiders. Scrapy's retry middleware ignores the header; it still decides what
    is retried, and how often. Requests to the host that are in the downloader go back to the
    scheduler. A host that asks for more than `NEWSCLEAN_MAX_RETRY_AFTER` seconds gets no more
    requests in this run.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not getattr(crawler.spider, "obeys_retry_after", False):  # a third-party spider
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
                raise IgnoreRequest(f"{host} has asked for a long pause (Retry-After)")
            if self.pauses.goes_back(request):
                return request.replace(dont_filter=True)
            # It was not scheduled: a robots.txt, or a script of a rendered page. These are few.
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
                "%s asks for a pause of %.0f seconds, more than NEWSCLEAN_MAX_RETRY_AFTER: no more "
                "requests to it in this run",
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
        """Send the requests to a host that wait in the downloader back to the scheduler."""
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
    """Return how long a `Retry-After` header asks to wait; None if it is no number and no date.

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


class PausingScheduler:
    """A scheduler before another one: it holds the requests to hosts that are paused.

    Requests to other hosts go on. The crawl is not idle before the pauses are over. If it is
    stopped in a pause, the other scheduler, which may have a JOBDIR, gets the held requests back.
    """

    def __init__(self, scheduler: Any, crawler: Crawler) -> None:
        self._scheduler = scheduler
        self._crawler = crawler
        self._pauses = CrawlState.of(crawler).pauses
        #: by host: the held requests, and the timer that releases them
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
            # A parked page is in the memory: its host gets no request.
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
