"""Refuses connections to private addresses that nobody asked for."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CannotResolveHostError, NotConfigured
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object

from newsclean.addresses import AddressPolicy, host_name, literal_address
from newsclean.downloadermiddlewares.refusals import RefusedRequest
from newsclean.downloadermiddlewares.resolver import checking_resolver
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

REASON = "private-address"

#: Scrapy's download handlers that connect through the reactor.
CHECKED_HANDLERS = {"HTTP11DownloadHandler", "H2DownloadHandler"}


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
            if not kinds & CHECKED_HANDLERS:
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
        checking_resolver().policies -= {self.policy, self.proxies}

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
        checking_resolver().policies |= {self.policy, self.proxies}

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Report an answer without a usable address as a refusal; it is not tried again."""
        host = urlparse_cached(request).hostname or ""
        refused = checking_resolver().refused.get(host_name(host))
        if refused and isinstance(exception, CannotResolveHostError):
            raise self._refusal(host, refused)

    def _refusal(self, host: str, addresses: Iterable[object]) -> RefusedRequest:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/refused/{REASON}")
        named = ", ".join(sorted(map(str, addresses))) or "the proxy's own"
        return RefusedRequest(
            REASON,
            f"{host} ({named}) is not a public address, and nobody asked for it; "
            "NEWSCLEAN_ALLOWED_HOSTS may allow it",
        )
