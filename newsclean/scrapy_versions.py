"""What differs between the versions of Scrapy that newsclean runs with, from 2.13 on.

Everything here has the name and the behavior of the newest Scrapy. Besides: Scrapy 2.13 gives the
methods of components the spider as an argument, newer versions do not, and so all of ours have
`spider=None`.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.utils import sitemap
from scrapy.utils.defer import deferred_from_coro, deferred_to_future, maybe_deferred_to_future
from scrapy.utils.reactor import install_reactor, is_asyncio_reactor_installed
from twisted.internet.error import DNSLookupError
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.web.client import ResponseFailed
from twisted.web.http import PotentialDataLoss, _DataLoss

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser
    from scrapy.statscollectors import StatsCollector

__all__ = [
    "AsyncCrawlerProcess",
    "CannotResolveHostError",
    "ResponseDataLossError",
    "RobotsTxtMiddleware",
    "brotli",
    "call_later",
    "close_spider",
    "crawl_delay",
    "download",
    "is_data_loss",
    "process_item",
    "run_in_thread",
    "sitemap_urls_from_robots",
    "sleep",
    "zstd",
]

IS_2_13 = scrapy.version_info < (2, 14)

try:
    from scrapy.exceptions import CannotResolveHostError, ResponseDataLossError
except ImportError:  # before 2.15: Twisted's own errors
    CannotResolveHostError = DNSLookupError  # type: ignore[assignment, misc]

    class ResponseDataLossError(Exception):  # type: ignore[no-redef]
        """A response breaks off."""


try:
    from scrapy.utils._compression import brotli, zstd  # type: ignore[attr-defined]
except ImportError:  # before 2.18 they are optional, and zstd is another package
    try:
        import brotli
    except ImportError:
        brotli = None
    zstd = None  # type: ignore[assignment]

try:
    from scrapy.utils.asyncio import run_in_thread
except ImportError:  # before 2.15

    async def run_in_thread(  # type: ignore[misc]
        func: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        if is_asyncio_reactor_installed():
            return await asyncio.to_thread(func, *args, **kwargs)
        return await maybe_deferred_to_future(deferToThread(func, *args, **kwargs))


try:
    from scrapy.utils.asyncio import call_later
except ImportError:  # before 2.14

    def call_later(  # type: ignore[misc]
        delay: float, func: Callable[..., object], *args: Any
    ) -> Any:
        from twisted.internet import reactor

        timers: Any = reactor
        return timers.callLater(delay, func, *args)


try:
    from scrapy.utils.asyncio import sleep
except ImportError:  # before 2.18

    async def sleep(seconds: float) -> None:
        from twisted.internet import reactor

        if is_asyncio_reactor_installed():
            await asyncio.sleep(seconds)
        else:
            await maybe_deferred_to_future(deferLater(reactor, seconds))


try:
    from scrapy.crawler import AsyncCrawlerProcess
except ImportError:  # before 2.14

    class AsyncCrawlerProcess(CrawlerProcess):  # type: ignore[no-redef]
        """Has the reactor from its start, and crawls as futures."""

        def __init__(self, settings: Any) -> None:
            super().__init__(settings)
            install_reactor(self.settings["TWISTED_REACTOR"], self.settings["ASYNCIO_EVENT_LOOP"])
            self._initialized_reactor = True

        def crawl(self, *args: Any, **kwargs: Any) -> Any:
            return deferred_to_future(super().crawl(*args, **kwargs))


class RobotsTxtMiddleware(ScrapyRobotsTxtMiddleware):
    """Scrapy's own, with coroutines and without the argument `spider` in 2.13, too."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        assert crawler.stats is not None
        self._stats: StatsCollector = crawler.stats

    async def parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Have the rules of a host known, and all that wait for them go on."""
        parse: Any = self._parse_robots
        known = {"request": request, "spider": self.crawler.spider}
        wanted = inspect.signature(parse).parameters
        others = {name: value for name, value in known.items() if name in wanted}
        await as_coroutine(parse(response, netloc, **others))

    if IS_2_13:

        async def process_request(self, request: Request, spider: Any = None) -> None:
            if not (
                request.meta.get("dont_obey_robotstxt")
                or request.url.startswith(("data:", "file:"))
            ):
                self.process_request_2(await self.robot_parser(request), request)

        def process_request_2(
            self, rp: RobotParser | None, request: Request, spider: Any = None
        ) -> None:
            super().process_request_2(rp, request, self.crawler.spider)  # type: ignore[call-arg]

        async def robot_parser(self, request: Request, spider: Any = None) -> RobotParser | None:
            later: Any = super().robot_parser(request, self.crawler.spider)  # type: ignore[call-arg]
            found: RobotParser | None = await as_coroutine(later)
            return found


def crawl_delay(rules: RobotParser, user_agent: str) -> float:
    """The seconds between two requests for which a robots.txt asks."""
    if isinstance(rules, ProtegoRobotParser):  # the others have no such method before 2.18
        return float(rules.rp.crawl_delay(user_agent) or 0)
    asks = getattr(rules, "crawl_delay", None)
    return float((asks and asks(user_agent)) or 0)


async def as_coroutine(value: Any) -> Any:
    """What a Deferred or a coroutine results in, or else the value itself."""
    return await maybe_deferred_to_future(deferred_from_coro(value)) if _is_later(value) else value


def _is_later(value: Any) -> bool:
    return hasattr(value, "addCallback") or asyncio.iscoroutine(value)


def is_data_loss(error: BaseException | None) -> bool:
    """Whether a download has failed because the response breaks off."""
    if isinstance(error, ResponseFailed):  # before 2.15
        return any(reason.check(_DataLoss, PotentialDataLoss) for reason in error.reasons)
    return isinstance(error, ResponseDataLossError)


async def download(crawler: Crawler, request: Request) -> Response:
    """Download a request through the downloader middlewares, outside of the spider."""
    assert crawler.engine is not None
    if not IS_2_13:
        return await crawler.engine.download_async(request)
    return await maybe_deferred_to_future(crawler.engine.download(request))


def close_spider(crawler: Crawler, reason: str) -> None:
    """Have the engine close its spider."""
    assert crawler.engine is not None
    assert crawler.engine.spider is not None
    if IS_2_13:
        crawler.engine.close_spider(crawler.engine.spider, reason)
    else:
        deferred_from_coro(crawler.engine.close_spider_async(reason=reason))


def sitemap_urls_from_robots(body: bytes, url: str) -> Iterable[str]:
    """The sitemaps that a robots.txt names; before 2.15 it must be a text."""
    text: Any = body.decode("utf-8", "replace") if scrapy.version_info < (2, 15) else body
    return sitemap.sitemap_urls_from_robots(text, url)


async def process_item(crawler: Crawler, item: Any, response: Response) -> None:
    """Send an item through the pipelines, to its end."""
    assert crawler.engine is not None
    scraper: Any = crawler.engine.scraper
    process = getattr(scraper, "start_itemproc_async", scraper.start_itemproc)  # new in 2.14
    await as_coroutine(process(item, response=response))
