"""Asks again for articles only when they are due, and then only for what has changed."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import IgnoreRequest

from newsclean.crawl_state import CrawlState
from newsclean.files import StorageError
from newsclean.memory.schedule import RecheckSchedule
from newsclean.middlewares.responses import (
    ARTICLE_REQUEST,
    CHANGED,
    RECHECK_ALL,
    NotDue,
    SettledRequest,
    addresses_of,
)

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.memory.fetches import LastFetch


logger = logging.getLogger(__name__)

_NOT_MODIFIED = 304


class RechecksMiddleware:
    """Acts on the requests that our spiders have marked; all others pass untouched.

    An article that is not due is not requested; one of which a feed or sitemap says that it has
    changed since is due. One that is due is requested with the validators
    of the state that was delivered, if the server has given some. A redirect is one more request,
    with the validators of its own address.
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
        # A redirected request has those of the address from which it was redirected.
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
            self.memory.fetches.mark_unchanged(addresses_of(request))
        self._count("not_modified", request, is_known=True)
        raise SettledRequest(f"not modified: <{request.url}>")

    def _last_fetch(self, url: str) -> LastFetch | None:
        try:
            return self.memory.fetches.get(url)
        except StorageError as error:
            self.state.end(error)
            raise IgnoreRequest(f"<{url}> is left for the next run") from None

    def _count(self, reason: str, request: Request, *, is_known: bool) -> None:
        """Count a request that need not go on."""
        self.state.counts.of(request.url).unchanged += is_known
        self.state.count(reason)
        logger.debug("%s: <%s>", reason.replace("_", " ").capitalize(), request.url)
