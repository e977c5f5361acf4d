"""Requests that are not sent: to hosts that nobody asked for, for articles that are not due, and
while the crawl does not hold its domains.
"""

from __future__ import annotations

import inspect
import logging
import time
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest, NotConfigured, StopDownload
from scrapy.settings import get_settings_priority
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler, load_object
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from newsclean.crawl_state import CrawlState, usage_error
from newsclean.discovery.public_addresses import AddressPolicy, host_name, literal_address
from newsclean.files import StorageError
from newsclean.memory.fetches import RecheckSchedule
from newsclean.middlewares.responses import (
    ARTICLE_REQUEST,
    CHANGED,
    RECHECK_ALL,
    NotDue,
    SettledRequest,
    urls_of,
)
from newsclean.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from newsclean.discovery.public_addresses import Address
    from newsclean.memory.fetches import LastFetch

logger = logging.getLogger(__name__)

#: Keys of a request's meta: it may not leave its site, and only its headers are read.
SAME_SITE = "newsclean_same_site"
_HEADERS_ONLY = "newsclean_headers_only"

_PRIVATE_ADDRESS = "private-address"
#: Scrapy's download handlers that connect through the reactor.
_CHECKED_HANDLERS = {"HTTP11DownloadHandler", "H2DownloadHandler"}


#: The setting that holds the handlers before these, by scheme.
FORMER = "DOWNLOAD_HANDLERS_BEFORE_NEWSCLEAN"
_NOT_MODIFIED = 304


class RefusedRequest(IgnoreRequest):
    """A request that newsclean refuses, with a reason for the stats and a message for the log."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SameSiteMiddleware:
    """Refuse responses of another site for requests with `SAME_SITE` in their meta.

    A redirect to another site is followed, for at most REDIRECT_MAX_TIMES hops, to see whether it
    leads back; only its headers are read. A meta refresh to another site is not followed: the next
    hop would need the body.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls()
        crawler.signals.connect(middleware.headers_received, signals.headers_received)
        return middleware

    def process_request(self, request: Request) -> None:
        if request.meta.pop(_HEADERS_ONLY, False):  # of the hop before
            request.meta.pop("dont_cache")
        if not _has_left_site(request):
            return
        if request.meta["redirect_reasons"][-1] == "meta refresh":
            raise _other_site(request)
        # What has no body is of no use to later crawls.
        request.meta.update({_HEADERS_ONLY: True, "dont_cache": True})

    def headers_received(self, request: Request, **_: Any) -> None:
        if request.meta.get(_HEADERS_ONLY):
            raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        """Refuse a chain of redirects that ends on another site; a hop never comes here."""
        if _has_left_site(request):
            raise _other_site(request)
        return response


def _has_left_site(request: Request) -> bool:
    """Tell whether a request was redirected from the site on which it is to stay."""
    if not request.meta.get(SAME_SITE) or not request.meta.get("redirect_urls"):
        return False
    return not same_site(request.meta["redirect_urls"][0], request.url)


def _other_site(request: Request) -> RefusedRequest:
    start = request.meta["redirect_urls"][0]
    return RefusedRequest("other-site", f"<{start}> leads to another site")


@implementer(IHostnameResolver)
class CheckingResolver:
    """A resolver that returns the addresses that a policy allows; all if there is no policy.

    Twisted asks it for every host, also for one that is written as an address, and connects to what
    it returns. A host without an allowed address can't be resolved.
    """

    def __init__(self, resolver: Any) -> None:
        self.resolver = resolver
        #: those of the running crawls
        self.policies: set[AddressPolicy] = set()
        #: the addresses of each host all of whose addresses are refused
        self.refused: dict[str, set[Address]] = {}

    def resolveHostName(self, receiver: Any, host: str, *args: Any, **kw: Any) -> Any:  # noqa: N802
        checked = CheckedResolution(self, receiver, host)
        return self.resolver.resolveHostName(checked, host, *args, **kw)

    def may_connect(self, host: str, addresses: set[Address]) -> set[Address]:
        """Return the addresses of a host that may be connected to."""
        refused = set(addresses) if self.policies else set()
        for policy in self.policies:
            refused &= policy.refused(host, addresses)
        self.refused.pop(host_name(host), None)
        if refused and refused == addresses:
            self.refused[host_name(host)] = refused
        return addresses - refused


@implementer(IResolutionReceiver)
class CheckedResolution:
    """The addresses of a host, collected until all are known."""

    def __init__(self, resolver: CheckingResolver, receiver: Any, host: str) -> None:
        self.resolver, self.receiver, self.host = resolver, receiver, host
        self.answers: list[Any] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.answers.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        addresses = {ip_address(answer.host) for answer in self.answers}
        allowed = self.resolver.may_connect(self.host, addresses)
        for answer in self.answers:
            if ip_address(answer.host) in allowed:
                self.receiver.addressResolved(answer)
        self.receiver.resolutionComplete()


def _checking_resolver() -> CheckingResolver:
    """Return the reactor's resolver; the first call replaces it by one that checks."""
    from twisted.internet import reactor

    current = reactor.nameResolver
    if not isinstance(current, CheckingResolver):
        current = CheckingResolver(current)
        reactor.installNameResolver(current)
    return current


class PrivateAddressMiddleware:
    """Refuse connections to private addresses, also for robots.txt and images.

    The hosts of the start requests and of NEWSCLEAN_ALLOWED_HOSTS may have any address, all others
    need public ones. The addresses that the reactor's resolver returns are checked, and the
    connection is made to the same addresses, without a second look-up.

    Not checked, unless the URL itself names an address: a host behind a proxy, which the proxy
    resolves, and a download handler that does not connect through Twisted. Crawls in one process
    share the reactor: a host that one of them may connect to, all may, and crawls without this
    middleware are checked, too, as long as one with it runs.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES"):
            raise NotConfigured
        if not settings.getbool("TWISTED_REACTOR_ENABLED", True):
            raise usage_error("NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES needs TWISTED_REACTOR_ENABLED")
        self.crawler = crawler
        self.policy = AddressPolicy(settings.getlist("NEWSCLEAN_ALLOWED_HOSTS"))
        #: hosts that are used as proxies
        self.proxies = AddressPolicy()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_opened, signals.spider_opened)
        crawler.signals.connect(middleware.request_scheduled, signals.request_scheduled)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    def spider_opened(self, spider: Spider) -> None:
        for url in spider.start_urls:
            self.policy.ask_for(urlsplit(url).hostname or "")
        for scheme in ("http", "https"):
            handler = handler_of(self.crawler.settings, scheme)
            kinds = {kind.__name__ for kind in load_object(handler).__mro__}
            if not kinds & _CHECKED_HANDLERS:
                logger.warning(
                    "DOWNLOAD_HANDLERS: %s for %s does not connect through Twisted: private "
                    "addresses are refused only where a URL names them",
                    handler,
                    scheme,
                )

    def request_scheduled(self, request: Request) -> None:
        if request.meta.get("is_start_request") and "redirect_times" not in request.meta:
            self.policy.ask_for(urlparse_cached(request).hostname or "")

    def spider_closed(self) -> None:
        _checking_resolver().policies -= {self.policy, self.proxies}

    def process_request(self, request: Request) -> None:
        host = urlparse_cached(request).hostname or ""
        literal = literal_address(host)
        if literal is not None and self.policy.refused(host, [literal]):
            raise self._refusal(host, [literal])
        if proxy := request.meta.get("proxy"):
            self.proxies.ask_for(urlsplit(proxy if "://" in proxy else f"//{proxy}").hostname or "")
        elif self.proxies.is_asked_for(host) and not self.policy.is_asked_for(host):
            raise self._refusal(host, [])
        # A process may install its own resolver after the spider was opened.
        _checking_resolver().policies |= {self.policy, self.proxies}

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Turn a host without an allowed address into a refusal, which is not retried."""
        host = urlparse_cached(request).hostname or ""
        refused = _checking_resolver().refused.get(host_name(host))
        if refused and isinstance(exception, CannotResolveHostError):
            raise self._refusal(host, refused)

    def _refusal(self, host: str, addresses: Iterable[object]) -> RefusedRequest:
        CrawlState.of(self.crawler).count(f"refused/{_PRIVATE_ADDRESS}")
        named = ", ".join(sorted(map(str, addresses))) or "the proxy's own"
        return RefusedRequest(
            _PRIVATE_ADDRESS,
            f"{host} ({named}) is not a public address, and nobody asked for it; "
            "NEWSCLEAN_ALLOWED_HOSTS can allow it",
        )


class _HeldDomainsHandler:
    """The handler of a scheme, behind a look whether the domains are still held.

    Requests wait in Scrapy's downloader for the delay of their host, behind all middlewares. A
    process that was stopped and woken would send those first.
    """

    lazy: ClassVar[bool] = False  # the handler behind it may not be
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        handler = crawler.settings[FORMER][self.scheme]
        self.handler: Any = build_from_crawler(load_object(handler), crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> _HeldDomainsHandler:
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        state = CrawlState.of(self.crawler)
        if not state.has_failed:
            with state.ending_on_failure():
                state.memory.database.check_held()
        if state.has_failed:
            raise IgnoreRequest("the crawl has ended: nothing more is sent")
        if inspect.iscoroutinefunction(self.handler.download_request):
            response: Response = await self.handler.download_request(request)
            return response
        # As Scrapy does with handlers of the old kind.
        spider = self.crawler.spider
        return await maybe_deferred_to_future(self.handler.download_request(request, spider))

    async def close(self) -> None:
        if inspect.isawaitable(closed := self.handler.close()):
            await closed


class HeldHttpHandler(_HeldDomainsHandler):
    scheme = "http"


class HeldHttpsHandler(_HeldDomainsHandler):
    scheme = "https"


def hold_domains(settings: BaseSettings) -> None:
    """Put the handlers above before those of the project."""
    former = settings.getwithbase("DOWNLOAD_HANDLERS").copy_to_dict()
    settings.set(FORMER, former, priority="addon")
    ours = {kind.scheme: kind for kind in (HeldHttpHandler, HeldHttpsHandler)}
    given = {scheme: kind for scheme, kind in ours.items() if former.get(scheme)}
    priority = max(settings.getpriority("DOWNLOAD_HANDLERS") or 0, get_settings_priority("addon"))
    settings.set("DOWNLOAD_HANDLERS", settings.getdict("DOWNLOAD_HANDLERS") | given, priority)


def handler_of(settings: BaseSettings, scheme: str) -> str:
    """The handler that connects, which may be behind one of ours."""
    former: dict[str, str] = settings.get(FORMER) or {}
    return former.get(scheme) or settings.getwithbase("DOWNLOAD_HANDLERS")[scheme]


class RechecksMiddleware:
    """Skip requests for articles that are not due; make those that are due conditional.

    An article is also due if a feed or sitemap says that it has changed. If the server has sent
    validators (ETag, Last-Modified) for the delivered state, the request has them. A redirect is
    another request, with the validators of its own URL. Only requests that newsclean's own spiders
    have marked are touched.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        self.schedule = RecheckSchedule.of(crawler.settings)
        self.recheck_all = crawler.settings.getbool("NEWSCLEAN_RECHECK_ALL")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        if not request.meta.get(ARTICLE_REQUEST):
            return
        # A redirected request has those of the URL from which it was redirected.
        request.headers.pop("If-None-Match", None)
        request.headers.pop("If-Modified-Since", None)
        last = self._last_fetch(request.url)
        if last is None:
            return
        everything = self.recheck_all or request.meta.get(RECHECK_ALL)
        changed = request.meta.get(CHANGED)
        if not everything and not self.schedule.is_due(last, time.time(), changed):
            self._count("not_due", request, is_known=last.is_delivered)
            with self.state.ending_on_failure():
                self.memory.fetches.mark_seen(request.url, last)
            raise NotDue(f"not due: <{request.url}>", last.fetched)
        if last.is_delivered and last.etag:
            request.headers["If-None-Match"] = last.etag
        if last.is_delivered and last.last_modified:
            request.headers["If-Modified-Since"] = last.last_modified

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status != _NOT_MODIFIED or not request.meta.get(ARTICLE_REQUEST):
            return response
        with self.state.ending_on_failure():
            self.memory.fetches.mark_unchanged(urls_of(request))
        self._count("not_modified", request, is_known=True)
        raise SettledRequest(f"not modified: <{request.url}>")

    def _last_fetch(self, url: str) -> LastFetch | None:
        try:
            return self.memory.fetches.get(url)
        except StorageError as error:
            self.state.end(error)
            raise IgnoreRequest(f"left for the next run: <{url}>") from None

    def _count(self, reason: str, request: Request, *, is_known: bool) -> None:
        """Count an article that need not be downloaded."""
        self.state.counts.of(request.url).unchanged += is_known
        self.state.count(reason)
        logger.debug("%s: <%s>", reason.replace("_", " ").capitalize(), request.url)
