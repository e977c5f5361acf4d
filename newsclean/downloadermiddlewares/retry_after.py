"""Leaves a host alone for as long as it asks: `Retry-After`."""

from __future__ import annotations

import logging
import math
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.httpobj import urlparse_cached

from newsclean.scrapy_versions import sleep

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
    retried, and how often. A host that asks for more than `NEWSCLEAN_MAX_RETRY_AFTER` seconds is
    left alone for the rest of the run.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not getattr(crawler.spider, "obeys_retry_after", False):  # somebody else's spider
            raise NotConfigured
        self.crawler = crawler
        self.max_seconds = crawler.settings.getfloat("NEWSCLEAN_MAX_RETRY_AFTER")
        #: when each host may be asked again, on the monotonic clock
        self.resume: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        host = urlparse_cached(request).netloc
        while (seconds := self.resume.get(host, 0.0) - time.monotonic()) > 0:
            if math.isinf(seconds):
                raise IgnoreRequest(f"{host} has asked to be left alone, by Retry-After")
            await sleep(seconds)

    def process_response(
        self, request: Request, response: Response, spider: Any = None
    ) -> Response:
        header = response.headers.get("Retry-After")
        if header is None or response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
            return response
        seconds = seconds_of(header.decode("latin-1"), time.time())
        if seconds is None or seconds <= 0:
            return response
        host = urlparse_cached(request).netloc
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
        self.resume[host] = max(self.resume.get(host, 0.0), time.monotonic() + seconds)
        return response

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
