"""Keeps back the requests to hosts that have asked for a pause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Self

from scrapy.utils.asyncio import call_later
from scrapy.utils.misc import build_from_crawler, load_object

from newsclean.downloadermiddlewares.host_pauses import host_of, pauses_of
from newsclean.responses import STORED_PAGE

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

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
        self._pauses = pauses_of(crawler)
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
