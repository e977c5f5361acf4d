"""Requests that are refused: to other sites, and to hosts with private addresses."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest, NotConfigured, StopDownload
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

from newsclean.crawl_state import CrawlState, usage_error
from newsclean.discovery.public_addresses import AddressPolicy, host_name, literal_address
from newsclean.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.discovery.public_addresses import Address


# Requests that are not made, or not to their end, and why.


class RefusedRequest(IgnoreRequest):
    """A request that newsclean refuses, with a name for the stats and words for the log."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


# Keeps requests on their site: a redirect to another one is not read.

#: Keys of a request's meta: it may not leave its site, and only its headers are read.
SAME_SITE = "newsclean_same_site"
_HEADERS_ONLY = "newsclean_headers_only"


class SameSiteMiddleware:
    """Requests with `SAME_SITE` in their meta lead to pages of their own site, or to nothing.

    A redirect to another host is followed, at most REDIRECT_MAX_TIMES hops, only to see whether it
    leads back: nothing but its headers is read. A meta refresh needs a body to go on from, and so
    the other site is not asked at all.
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
        """Refuse the end of a chain of redirects; a hop never comes here."""
        if _has_left_site(request):
            raise _other_site(request)
        return response


def _has_left_site(request: Request) -> bool:
    """Whether a request was redirected from the site on which it is to stay."""
    if not request.meta.get(SAME_SITE) or not request.meta.get("redirect_urls"):
        return False
    return not same_site(request.meta["redirect_urls"][0], request.url)


def _other_site(request: Request) -> RefusedRequest:
    start = request.meta["redirect_urls"][0]
    return RefusedRequest("other-site", f"<{start}> leads to another site")


# The reactor's name resolver, with a check on what it answers.


@implementer(IHostnameResolver)
class CheckingResolver:
    """Passes on the addresses that at least one policy does not refuse; all if there is none.

    Twisted gives it every host, also one that is written as an address, and connects to what it
    passes on. A host without such an address counts as one that cannot be resolved.
    """

    def __init__(self, resolver: Any) -> None:
        self.resolver = resolver
        #: those of the crawls that run
        self.policies: set[AddressPolicy] = set()
        #: the addresses of each host that has no others
        self.refused: dict[str, set[Address]] = {}

    def resolveHostName(self, receiver: Any, host: str, *args: Any, **kw: Any) -> Any:  # noqa: N802
        checked = CheckedResolution(self, receiver, host)
        return self.resolver.resolveHostName(checked, host, *args, **kw)

    def may_connect(self, host: str, addresses: set[Address]) -> set[Address]:
        """Which of a host's addresses may be connected to."""
        refused = set(addresses) if self.policies else set()
        for policy in self.policies:
            refused &= policy.refused(host, addresses)
        self.refused.pop(host_name(host), None)
        if refused and refused == addresses:
            self.refused[host_name(host)] = refused
        return addresses - refused


@implementer(IResolutionReceiver)
class CheckedResolution:
    """Keeps the answers for a host until all are known."""

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
    """The reactor's resolver; from the first call on, one that checks."""
    from twisted.internet import reactor

    current = reactor.nameResolver
    if not isinstance(current, CheckingResolver):
        current = CheckingResolver(current)
        reactor.installNameResolver(current)
    return current


# Refuses connections to private addresses that nobody asked for.

logger = logging.getLogger(__name__)

_REASON = "private-address"

#: Scrapy's download handlers that connect through the reactor.
_CHECKED_HANDLERS = {"HTTP11DownloadHandler", "H2DownloadHandler"}


class PrivateAddressMiddleware:
    """Checks where each request of a crawl would connect to, robots.txt and images included.

    Asked for are the hosts of the start requests and of NEWSCLEAN_ALLOWED_HOSTS. All others must
    have public addresses. The check is made on what the reactor's resolver answers, and the
    connection is made to those addresses: no second look-up comes between.

    What is not checked: a host behind a proxy, which the proxy resolves, unless the URL names its
    address; a download handler that does not connect through Twisted, likewise. Crawls that run in
    one process share the reactor: a host that one of them asked for, all may connect to, and
    those without this middleware are checked as well, as long as one with it runs.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES"):
            raise NotConfigured
        if not settings.getbool("TWISTED_REACTOR_ENABLED", True):
            raise usage_error("NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES needs TWISTED_REACTOR_ENABLED")
        self.crawler = crawler
        self.policy = AddressPolicy(settings.getlist("NEWSCLEAN_ALLOWED_HOSTS"))
        #: hosts that are connected to as proxies only
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
        handlers = self.crawler.settings.getwithbase("DOWNLOAD_HANDLERS")
        for scheme in ("http", "https"):
            kinds = {kind.__name__ for kind in load_object(handlers[scheme]).__mro__}
            if not kinds & _CHECKED_HANDLERS:
                logger.warning(
                    "DOWNLOAD_HANDLERS has %s for %s, which does not connect through Twisted: "
                    "only addresses that a URL names itself are checked",
                    handlers[scheme],
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
        """Report an answer without a usable address as a refusal; it is not tried again."""
        host = urlparse_cached(request).hostname or ""
        refused = _checking_resolver().refused.get(host_name(host))
        if refused and isinstance(exception, CannotResolveHostError):
            raise self._refusal(host, refused)

    def _refusal(self, host: str, addresses: Iterable[object]) -> RefusedRequest:
        CrawlState.of(self.crawler).count(f"refused/{_REASON}")
        named = ", ".join(sorted(map(str, addresses))) or "the proxy's own"
        return RefusedRequest(
            _REASON,
            f"{host} ({named}) is not a public address, and nobody asked for it; "
            "NEWSCLEAN_ALLOWED_HOSTS may allow it",
        )
