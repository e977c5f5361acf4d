"""Politeness: robots.txt with its delays, and hosts that ask to wait (`Retry-After`).

`RetryAfterMiddleware` reads that header and sends requests back from the downloader,
`PausingScheduler` holds them until the pause is over; both share the `HostPauses` of the crawl.
"""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.asyncio import call_later, sleep
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler, load_object
from twisted.internet.defer import Deferred

from newsclean.crawl_state import CrawlState, host_of, host_paused
from newsclean.middlewares.blocked import wall_of
from newsclean.middlewares.refusals import RefusedRequest
from newsclean.middlewares.responses import STORED_PAGE
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

#: The statuses with which a host may ask for a pause.
_TOO_MANY_REQUESTS, _UNAVAILABLE = 429, 503

#: The setting with the scheduler that `PausingScheduler` replaces.
WITHOUT_PAUSES = "SCHEDULER_WITHOUT_PAUSES"


logger = logging.getLogger(__name__)
UNREACHABLE = "robots-txt-unreachable"
#: Maximum bytes of a robots.txt that are read: RFC 9309, 2.5, asks for at least this much. Protego
#: took up to 0.12 s per request with a file of that size.
MAX_SIZE = 500 * 1024
#: Key of a request's meta: how many bytes of a robots.txt have been received.
_RECEIVED = "newsclean_robotstxt_bytes"
#: Key of a spider's request for the sitemaps that a robots.txt names.
SITEMAPS_WANTED = "newsclean_robotstxt_sitemaps"


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


class SlotDelays:
    """Minimum delays of the downloader's slots.

    Each middleware that sets delays has its own `SlotDelays`. The largest delay counts, and
    AutoThrottle may make it longer.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        #: the minimum delay of each slot
        self._delays: dict[str, float] = {}
        # After AutoThrottle, which has connected before the middlewares are made.
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)

    def raise_to(self, request: Request, delay: float) -> str | None:
        """Set the minimum delay of the request's slot; return the slot's name if that is new."""
        assert self.crawler.engine is not None
        downloader = self.crawler.engine.downloader
        key = downloader.get_slot_key(request)
        if delay <= self._delays.get(key, 0.0):
            return None
        self._delays[key] = delay
        # For a slot that the downloader creates again after a while.
        known = downloader.per_slot_settings.get(key, {})
        usual = known.get("delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))
        anew = {**known, "delay": max(usual, delay), "jitter": 0.0}
        downloader.per_slot_settings[key] = anew
        if slot := downloader.slots.get(key):
            slot.delay, slot.jitter = max(slot.delay, delay), 0.0
        return key

    def response_downloaded(self, request: Request) -> None:
        key = request.meta.get("download_slot", "")
        assert self.crawler.engine is not None
        if key in self._delays and (slot := self.crawler.engine.downloader.slots.get(key)):
            slot.delay = max(slot.delay, self._delays[key])


class ConcurrentRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Scrapy's middleware, corrected for several first requests to a host at once.

    In Scrapy they all await one Deferred. Only the first gets its result; the others get None, as
    if there were no rules. Here the others wait until the rules are known, and then ask.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        #: by host: fires when its rules are known
        self.known: dict[str, Deferred[None]] = {}

    async def robot_parser(self, request: Request) -> RobotParser | None:
        host = urlparse_cached(request).netloc
        if host in self.known:
            await maybe_deferred_to_future(self.known[host])
            return await super().robot_parser(request)
        self.known[host] = Deferred()
        try:
            return await super().robot_parser(request)
        finally:
            self.known[host].callback(None)


class NoCrawl(RobotParser):
    """The rules of a host whose robots.txt can't be read: nothing is allowed."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason, self.message = reason, message

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        raise NotImplementedError("there is no robots.txt to parse")

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        return False


class StrictRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Obey robots.txt as RFC 9309 says, and its Crawl-delay.

    After a server error or without an answer, the host is not crawled (2.3.1.4). Any other error
    status and endless redirects mean that there are no rules (2.3.1.3). Of a large file, the first
    500 KiB count (2.5). The delay between two requests is at least Crawl-delay, up to
    NEWSCLEAN_MAX_CRAWL_DELAY; AutoThrottle may make it longer.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        assert crawler.stats is not None
        self.stats = crawler.stats
        self.user_agent = crawler.settings["USER_AGENT"]
        #: for the rules alone, whatever the requests have
        self.rules_agent: str | None = crawler.settings["ROBOTSTXT_USER_AGENT"]
        self.parser = load_object(crawler.settings["ROBOTSTXT_PARSER"])
        self.max_delay = crawler.settings.getfloat("NEWSCLEAN_MAX_CRAWL_DELAY")
        self.slot_delays = SlotDelays(crawler)
        self.pauses = CrawlState.of(crawler).pauses
        crawler.signals.connect(self.host_paused, host_paused)
        #: by host: the rules, None if there are none, a Deferred while they are unknown
        self.rules: dict[str, RobotParser | Deferred[None] | None] = {}
        #: the lines of each robots.txt that name sitemaps
        self._sitemaps: dict[str, bytes] = {}
        crawler.signals.connect(self.bytes_received, signals.bytes_received)

    async def robot_parser(self, request: Request) -> RobotParser | None:
        host = urlparse_cached(request).netloc
        if host not in self.rules:
            self.rules[host] = Deferred()
            rules = await self._read(request)
            waiting, self.rules[host] = self.rules[host], rules
            assert isinstance(waiting, Deferred)
            waiting.callback(None)
            self.stats.inc_value("robotstxt/request_count")
        while isinstance(known := self.rules[host], Deferred):
            if self.pauses.goes_back(request):
                raise HostPausedError(
                    f"<{request.url}> waits for its robots.txt, whose host is paused"
                )
            await maybe_deferred_to_future(known)
        return known

    async def _read(self, request: Request) -> RobotParser | None:
        """Return the rules for a request, None if there are none."""
        url = urlparse_cached(request)
        try:
            response = await self._download(f"{url.scheme}://{url.netloc}/robots.txt")
            self.stats.inc_value("robotstxt/response_count")
            self.stats.inc_value(f"robotstxt/response_status_count/{response.status}")
            rules: RobotParser = build_from_crawler(self.parser, self.crawler, response.body)
            await self.crawler.signals.send_catch_log_async(
                signal=signals.robots_parsed, robotparser=rules, request=request
            )
        except RefusedRequest as error:
            return self._no_crawl(url.netloc, error.reason, str(error))
        except IgnoreRequest:
            return None
        except Exception as error:
            self.stats.inc_value(f"robotstxt/exception_count/{type(error)}")
            message = f"cannot fetch its robots.txt: {str(error) or type(error).__name__}"
            return self._no_crawl(url.netloc, UNREACHABLE, message)
        return rules

    def _no_crawl(self, host: str, reason: str, message: str) -> NoCrawl:
        logger.warning("Not crawling %s: %s [%s]", host, message, reason)
        return NoCrawl(reason, message)

    def host_paused(self, host: str) -> None:
        """Release the requests that wait for a robots.txt that has to wait itself."""
        waiting = self.rules.get(host)
        if isinstance(waiting, Deferred):
            self.rules[host] = Deferred()
            waiting.callback(None)

    async def process_request(  # type: ignore[override]
        self, request: Request
    ) -> Response | None:
        """Answer a spider that asks for the sitemaps, without a second request for the file."""
        if not request.meta.get(SITEMAPS_WANTED):
            await super().process_request(request)
            return None
        parser = await self.robot_parser(request)
        if isinstance(parser, NoCrawl):
            raise RefusedRequest(parser.reason, parser.message)
        lines = self._sitemaps.get(urlparse_cached(request).netloc, b"")
        return TextResponse(request.url, body=lines, request=request)

    async def _download(self, url: str) -> Response:
        request = Request(
            url,
            priority=self.DOWNLOAD_PRIORITY,
            # Any size is fine: only MAX_SIZE bytes are read.
            meta={"dont_obey_robotstxt": True, _RECEIVED: 0, "download_maxsize": 0},
            callback=NO_CALLBACK,
        )
        assert self.crawler.engine is not None
        response = await self.crawler.engine.download_async(request)
        if response.status >= 500 and (wall := wall_of(request, response)):
            raise RefusedRequest(wall.reason, f"its robots.txt is blocked by {wall}")
        if response.status >= 500:
            raise RefusedRequest(UNREACHABLE, f"its robots.txt has status {response.status}")
        body = first_lines(response.body) if response.status < 300 else b""
        named = [line for line in body.splitlines() if line.lstrip()[:8].lower() == b"sitemap:"]
        self._sitemaps[urlparse_cached(request).netloc] = b"\n".join(named)
        return response.replace(body=body)

    def bytes_received(self, data: bytes, request: Request) -> None:
        if _RECEIVED in request.meta:
            # Scrapy's limit applies again to what it is when it is decompressed.
            request.meta.pop("download_maxsize", None)
            request.meta[_RECEIVED] += len(data)
            if request.meta[_RECEIVED] > MAX_SIZE:
                raise StopDownload(fail=False)

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        if isinstance(rp, NoCrawl):
            raise RefusedRequest(rp.reason, rp.message)
        super().process_request_2(rp, request)
        if rp is not None:
            agent = self.rules_agent or request.headers.get("User-Agent") or self.user_agent
            delay = min(rp.crawl_delay(agent) or 0, self.max_delay)
            if host := self.slot_delays.raise_to(request, delay):
                logger.info("%s: waiting %g seconds between requests (Crawl-delay)", host, delay)


def first_lines(body: bytes) -> bytes:
    """Return the whole lines within the size that is read: half a rule might forbid more.

    >>> len(first_lines(b"Disallow: /private/\\n" * 30_000))
    512000
    """
    if len(body) <= MAX_SIZE:
        return body
    cut = body[:MAX_SIZE]
    return cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]


class SiteDelayMiddleware:
    """Obey the delays of site files: the spider's `site_delays`, seconds by registered domain.

    They apply to each host of the site, and to its robots.txt.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.slot_delays = SlotDelays(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        delays: dict[str, float] = getattr(self.crawler.spider, "site_delays", {})
        if delays and (site := site_of(request.url)):
            self.slot_delays.raise_to(request, delays.get(registered_domain(site), 0.0))
