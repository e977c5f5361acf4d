"""Keeps requests on their site: a redirect to another one is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.exceptions import StopDownload

from newsclean.downloadermiddlewares.refusals import RefusedRequest
from newsclean.urls import same_site

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

#: Keys of a request's meta: it may not leave its site, and only its headers are read.
SAME_SITE = "newsclean_same_site"
HEADERS_ONLY = "newsclean_headers_only"


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
        if request.meta.pop(HEADERS_ONLY, False):  # of the hop before
            request.meta.pop("dont_cache")
        if not has_left_site(request):
            return
        if request.meta["redirect_reasons"][-1] == "meta refresh":
            raise other_site(request)
        # What has no body is of no use to later crawls.
        request.meta.update({HEADERS_ONLY: True, "dont_cache": True})

    def headers_received(self, request: Request, **_: Any) -> None:
        if request.meta.get(HEADERS_ONLY):
            raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        """Refuse the end of a chain of redirects; a hop never comes here."""
        if has_left_site(request):
            raise other_site(request)
        return response


def has_left_site(request: Request) -> bool:
    """Whether a request was redirected from the site on which it is to stay."""
    if not request.meta.get(SAME_SITE) or not request.meta.get("redirect_urls"):
        return False
    return not same_site(request.meta["redirect_urls"][0], request.url)


def other_site(request: Request) -> RefusedRequest:
    start = request.meta["redirect_urls"][0]
    return RefusedRequest("other-site", f"<{start}> leads to another site")
