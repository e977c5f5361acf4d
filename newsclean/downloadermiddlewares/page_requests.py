"""What a page that is shown in a browser may ask for, and how it is downloaded."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from newsclean.browser.shown_page import Answer, BrowserRequest
from newsclean.downloadermiddlewares.refusals import RefusedRequest
from newsclean.downloadermiddlewares.same_site import SAME_SITE
from newsclean.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: What is downloaded for a page, and what of it is the same for all pages of a site.
KINDS = frozenset({"script", "stylesheet", "xhr", "fetch"})
SHARED_KINDS = frozenset({"script", "stylesheet"})
METHODS = frozenset({"GET", "HEAD", "POST"})
#: Requests of one page in all, and at a time.
MAX_REQUESTS, MAX_AT_A_TIME = 100, 6
#: Bytes of scripts and styles that a crawl keeps, those used last.
MAX_KEPT = 50_000_000

#: Headers that are the crawl's own, not the page's.
OWN_HEADERS = frozenset(
    "host connection content-length user-agent cookie accept-encoding accept-language".split()
)
#: Headers that are true of the transfer and not of what the page gets, or that lead away from it.
TRANSFER_HEADERS = frozenset(
    "content-encoding content-length transfer-encoding connection keep-alive set-cookie refresh "
    "alt-svc link".split()
)
#: In place of every picture: a page that gets none may take its element away.
PICTURE = Answer(
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,"
    b"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
    {"content-type": "image/gif", "access-control-allow-origin": "*"},
)


class SharedFiles:
    """Scripts and styles that were downloaded for one page and serve the next ones, too."""

    def __init__(self, max_size: int = MAX_KEPT) -> None:
        self.max_size = max_size
        self.size = 0
        self.files: OrderedDict[str, Answer] = OrderedDict()

    def get(self, url: str) -> Answer | None:
        if found := self.files.get(url):
            self.files.move_to_end(url)
        return found

    def add(self, url: str, answer: Answer) -> None:
        if url in self.files:
            self.size -= len(self.files.pop(url).body)
        self.files[url] = answer
        self.size += len(answer.body)
        while self.size > self.max_size:
            _, oldest = self.files.popitem(last=False)
            self.size -= len(oldest.body)


class PageRequests:
    """Answers what one page asks for.

    Scripts, styles and data of the page's own site go the way of all requests of the crawl: the
    same middlewares, so robots.txt and the check of addresses; the same delays; counted. Nothing
    else is requested.
    """

    def __init__(self, crawler: Crawler, page_url: str, shared: SharedFiles) -> None:
        self.crawler = crawler
        self.page_url = page_url
        self.shared = shared
        self.made = 0
        #: those that did not come, but were not refused either
        self.failed = 0
        self.is_over = False
        self._places = asyncio.Semaphore(MAX_AT_A_TIME)

    async def answer(self, wanted: BrowserRequest) -> Answer | None:
        """What a page gets for its request, None if it is refused or fails."""
        if wanted.kind == "image":
            return PICTURE
        if reason := self._refusal(wanted):
            self._refuse(wanted, reason)
            return None
        self.made += 1
        async with self._places:
            if self.is_over:
                return None
            is_shared = wanted.kind in SHARED_KINDS and wanted.method == "GET"
            if is_shared and (known := self.shared.get(wanted.url)):
                self._count("requests/kept")
                return known
            answer = await self._download(wanted)
        if is_shared and answer is not None and answer.status == 200:
            self.shared.add(wanted.url, answer)
        return answer

    def _refusal(self, wanted: BrowserRequest) -> str | None:
        if not wanted.url.startswith(("http:", "https:")) or wanted.kind not in KINDS:
            return "kind"
        if wanted.method not in METHODS:
            return "method"
        if not same_site(self.page_url, wanted.url):
            return "other-site"
        return "too-many" if self.made >= MAX_REQUESTS else None

    def _refuse(self, wanted: BrowserRequest, reason: str) -> None:
        self._count("refused")
        self._count(f"refused/{reason}")
        logger.debug("Not for a page [%s]: <%s> of <%s>", reason, wanted.url, self.page_url)

    async def _download(self, wanted: BrowserRequest) -> Answer | None:
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(_scrapy_request(wanted))
        except RefusedRequest as error:
            self._refuse(wanted, error.reason)
            return None
        except IgnoreRequest as error:
            self._refuse(wanted, "robots-txt" if "robots.txt" in str(error) else "ignored")
            return None
        except Exception as error:  # whatever a download can end with
            self._count("requests")
            self._fail()
            logger.info("Not had for a page: <%s> of <%s>: %s", wanted.url, self.page_url, error)
            return None
        self._count("requests")
        if response.status >= 500:
            self._fail()
        return answer_of(response)

    def _fail(self) -> None:
        self.failed += 1
        self._count("requests/failed")

    def _count(self, name: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/rendering/{name}")


def _scrapy_request(wanted: BrowserRequest) -> Request:
    return Request(
        wanted.url,
        method=wanted.method,
        headers=_own(wanted.headers),
        body=wanted.body,
        meta={SAME_SITE: True},
        callback=NO_CALLBACK,
        dont_filter=True,
    )


def _own(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that a page has set itself."""
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in OWN_HEADERS and not name.lower().startswith(("sec-", "proxy-", ":"))
    }


def answer_of(response: Response) -> Answer:
    """A response as a browser gets it."""
    headers = {
        name.decode("latin-1"): b", ".join(response.headers.getlist(name)).decode("latin-1")
        for name in response.headers
        if name.decode("latin-1").lower() not in TRANSFER_HEADERS
    }
    return Answer(response.body, headers, response.status)
