"""Keeps parked pages in their own process where requests are shared with others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Self

from scrapy.utils.misc import build_from_crawler, load_object

from newsclean.responses import STORED_PAGE

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

#: The setting that holds the project's own scheduler.
SHARED = "SCHEDULER_BEFORE_NEWSCLEAN"


class LocalParkedPages:
    """A project's own scheduler, but for the requests of parked pages.

    Those are answered from the memory of this process, by a callback that no other process has. A
    scheduler like that of scrapy-redis, which hands requests to any process, cannot take them.
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
