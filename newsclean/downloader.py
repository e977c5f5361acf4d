"""Scrapy's downloader, with a `CONCURRENT_REQUESTS_PER_DOMAIN` that always holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader import Downloader

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.http import Response
    from twisted.internet.defer import Deferred


class DomainLimitDownloader(Downloader):
    """Counts a request as in flight from the moment that it leaves the queue of its slot.

    From 2.14 on, Scrapy counts it when the task of its download begins to run. By then, where
    there is no delay between two requests, the whole queue may have left: with a limit of 1, 13
    requests at once were seen.
    """

    def _wait_for_download(
        self, slot: Slot, request: Request, queue_dfd: Deferred[Response]
    ) -> Coroutine[Any, Any, None]:
        slot.transferring.add(request)
        return super()._wait_for_download(slot, request, queue_dfd)
