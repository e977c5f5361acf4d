"""Known articles are requested again only when they are due, and with their validators."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import IgnoreRequest

from newsclean.crawl_state import CrawlState
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

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.memory.fetches import LastFetch


logger = logging.getLogger(__name__)

_NOT_MODIFIED = 304


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
