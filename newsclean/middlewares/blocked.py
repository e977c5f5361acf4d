"""Answers that are walls: browser checks, refusals, consent and log-in walls."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Self

from newsclean.crawl_state import host_of
from newsclean.extraction.is_article.walls import (
    BLOCKED,
    CHALLENGE,
    NOT_REQUESTED,
    Wall,
    redirected_to,
    wall_of_answer,
    wall_of_page,
)
from newsclean.extraction.page import PageError
from newsclean.middlewares.refusals import SAME_SITE, RefusedRequest
from newsclean.middlewares.responses import page_of
from newsclean.urls import same_site

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.extraction.page import Page


logger = logging.getLogger(__name__)

#: A host that has sent this many challenges since its last page gets no more requests.
_MAX_CHALLENGES = 10


class BlockedMiddleware:
    """Refuse answers that are walls, before Scrapy retries them or follows a meta refresh.

    The request fails with the reason `blocked/…`: there is no page to export or to learn from, and
    the next run requests it again. Only requests of newsclean's own spiders are touched. A wall
    that looks like a page (status 200, no header of its own) is recognised where pages are read.
    """

    def __init__(self) -> None:
        #: how many challenges each host has sent since its last page
        self.challenges: Counter[str] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls()

    def process_request(self, request: Request) -> None:
        host = host_of(request)
        if SAME_SITE in request.meta and self.challenges[host] >= _MAX_CHALLENGES:
            raise RefusedRequest(
                f"{BLOCKED}/{NOT_REQUESTED}",
                f"not requested: {host} has answered {_MAX_CHALLENGES} times with a browser check",
            )

    def process_response(self, request: Request, response: Response) -> Response:
        if SAME_SITE not in request.meta:
            return response
        wall = wall_of(request, response)
        if wall is None:
            self.challenges.pop(host_of(request), None)
            return response
        if wall.kind == CHALLENGE:
            self._count_challenge(host_of(request))
        raise RefusedRequest(wall.reason, f"blocked by {wall}")

    def _count_challenge(self, host: str) -> None:
        self.challenges[host] += 1
        if self.challenges[host] == _MAX_CHALLENGES:
            logger.warning(
                "%s keeps answering with browser checks: no more requests to it in this run", host
            )


def wall_of(request: Request, response: Response) -> Wall | None:
    """Return the wall that an answer is, by its status, headers and address."""
    start = start_of(request)
    if start and not same_site(start, response.url):
        # Another site's page is not read; its address may say what it wants.
        kind = redirected_to(start, response.url)
        return Wall(kind, "a redirect") if kind else None
    headers = {
        name.decode("latin-1").lower(): (response.headers.get(name) or b"").decode("latin-1")
        for name in response.headers
    }
    return wall_of_answer(response.status, headers, response.body, response.url, start)


def unblocked_page_of(response: Response) -> Page:
    """Return the page of a response; `PageError` if there is none, or if it is a wall."""
    page = page_of(response)
    if wall := wall_of_page(page, start_of(response.request)):
        raise PageError(wall.reason, f"blocked by {wall}")
    return page


def wall_of_response(response: Response) -> Wall | None:
    """Return the wall that a response of any status is, by its page."""
    try:
        return wall_of_page(page_of(response), start_of(response.request))
    except PageError:
        return None


def start_of(request: Request | None) -> str | None:
    """Return the URL that was requested if it was redirected, else None."""
    redirects: list[str] = [] if request is None else request.meta.get("redirect_urls", [])
    return redirects[0] if redirects else None
