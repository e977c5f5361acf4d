"""The hosts of a crawl that have asked for a pause."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from scrapy.exceptions import IgnoreRequest
from scrapy.utils.httpobj import urlparse_cached

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

#: A signal of ours, sent with the `host` that asks for a pause.
host_paused = object()


class HostPausedError(IgnoreRequest):
    """A request has to leave the downloader until the pause of its host is over."""


class HostPauses:
    """How long each host is to be left alone.

    A request that waits inside the downloader is one of its `CONCURRENT_REQUESTS`, and keeps other
    hosts from their turn. So requests to a host that has asked for a pause go back to the scheduler
    and wait there.
    """

    def __init__(self) -> None:
        #: when each host may be asked again, on the monotonic clock
        self._resume: dict[str, float] = {}
        #: requests that the scheduler has given out, and takes back
        self.scheduled: WeakSet[Request] = WeakSet()

    def pause(self, host: str, seconds: float) -> None:
        """Leave a host alone for so long; for the rest of the run if that is infinite."""
        self._resume[host] = max(self._resume.get(host, 0.0), time.monotonic() + seconds)

    def seconds_left(self, host: str) -> float:
        """How long a host is still to be left alone, 0 if it is not."""
        return max(self._resume.get(host, 0.0) - time.monotonic(), 0.0)

    def is_paused(self, host: str) -> bool:
        """Whether a host is left alone now, and will be asked again in this run."""
        return 0 < self.seconds_left(host) < math.inf

    def goes_back(self, request: Request) -> bool:
        """Whether a request has to wait, and the scheduler is where it can."""
        return request in self.scheduled and self.is_paused(host_of(request))


def host_of(request: Request) -> str:
    """What may ask for a pause: a host with its port, as robots.txt has it."""
    return urlparse_cached(request).netloc


_pauses: WeakKeyDictionary[Crawler, HostPauses] = WeakKeyDictionary()


def pauses_of(crawler: Crawler) -> HostPauses:
    """The pauses that all components of a crawl share."""
    return _pauses.setdefault(crawler, HostPauses())
