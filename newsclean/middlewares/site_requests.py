"""Headers, cookies, proxies and user agents of site files, for the requests to their sites.

Nothing of it reaches another site: each hop of a redirect is looked at by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from w3lib.http import basic_auth_header

from newsclean.discovery.site_settings import SettingsOfSites

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

#: Key of a request's meta: its user agent is that of a site file.
_OF_SITE_FILE = "newsclean_site_agent"


class _OfSiteFiles:
    """Base class of both middlewares: only spiders with site files need them."""

    def __init__(self, sites: SettingsOfSites) -> None:
        self.sites = sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        sites = getattr(crawler.spider, "site_settings", None)
        if not isinstance(sites, SettingsOfSites) or not any(map(cls.is_needed, sites)):
            raise NotConfigured
        return cls(sites)

    @staticmethod
    def is_needed(settings: Any) -> bool:
        raise NotImplementedError


class SiteUserAgentMiddleware(_OfSiteFiles):
    """Set the user agent of a site, before robots.txt is asked what it may request."""

    @staticmethod
    def is_needed(settings: Any) -> bool:
        return bool(settings.user_agent)

    def process_request(self, request: Request) -> None:
        if request.meta.pop(_OF_SITE_FILE, False):  # of the hop before
            request.headers.pop("User-Agent", None)
        if agent := self.sites.of(request.url).user_agent:
            request.headers["User-Agent"] = agent
            request.meta[_OF_SITE_FILE] = True


class SiteSecretsMiddleware(_OfSiteFiles):
    """Set headers, cookies and proxy of a site for the time of a download.

    The last middleware before the downloader but one: no other middleware, cache or queue on a disk
    sees them, and none is copied into the request of a redirect or a retry.
    """

    def __init__(self, sites: SettingsOfSites) -> None:
        super().__init__(sites)
        #: the headers before, by name, and the proxy before
        self._before: WeakKeyDictionary[Request, tuple[dict[str, Any], Any]] = WeakKeyDictionary()

    @staticmethod
    def is_needed(settings: Any) -> bool:
        return bool(settings.headers or settings.cookies or settings.proxy)

    def process_request(self, request: Request) -> None:
        proxy = self.sites.of(request.url).proxy_parts
        secrets = self.sites.secrets_for(request.url)
        headers: dict[str, str | None] = {**secrets.headers}
        if secrets.cookies:
            pairs = [f"{name}={value}" for name, value in secrets.cookies.items()]
            given = (request.headers.get("Cookie") or b"").decode("latin-1")
            headers["Cookie"] = "; ".join(filter(None, (given, *pairs)))
        if proxy is not None and proxy.user:
            login = basic_auth_header(proxy.user, proxy.password, "utf-8")
            headers["Proxy-Authorization"] = login.decode("ascii")
        if not headers and proxy is None:
            return
        if proxy is not None:  # the login of another proxy is not for this one
            headers.setdefault("Proxy-Authorization", None)
        before = {name: request.headers.getlist(name) for name in headers}
        self._before[request] = before, request.meta.get("proxy")
        for name, value in headers.items():
            request.headers.pop(name, None)
            if value is not None:
                request.headers[name] = value
        if proxy is not None:
            request.meta["proxy"] = proxy.url

    def process_response(self, request: Request, response: Response) -> Response:
        self._restore(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        self._restore(request)

    def _restore(self, request: Request) -> None:
        headers, proxy = self._before.pop(request, ({}, request.meta.get("proxy")))
        for name, values in headers.items():
            request.headers.pop(name, None)
            if values:
                request.headers.setlist(name, values)
        if proxy is None:
            request.meta.pop("proxy", None)
        else:
            request.meta["proxy"] = proxy
