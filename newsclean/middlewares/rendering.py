"""Rendering of pages in Chromium: `NEWSCLEAN_RENDER`.

`RenderingMiddleware` replaces the body of a response by the page after its scripts have run, and
takes the snapshots that some methods need. `PageRequests` answers what a page asks for meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Self, TypeGuard

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.asyncio import run_in_thread

from newsclean.browser.chromium import Answer, BrowserRequest, ShownPage, find_chromium
from newsclean.browser.renderer import Renderer, RenderingError
from newsclean.crawl_state import CrawlState
from newsclean.extraction.page import PageError
from newsclean.extraction.page.decode import as_utf8, other_contents
from newsclean.extraction.page.stated import is_app_shell
from newsclean.extraction.text import counted
from newsclean.middlewares.blocked import wall_of_response
from newsclean.middlewares.refusals import SAME_SITE, RefusedRequest
from newsclean.middlewares.responses import ARTICLE_REQUEST, STORED_PAGE, ShownResponse, page_of
from newsclean.urls import same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response


logger = logging.getLogger(__name__)

#: The values of `NEWSCLEAN_RENDER`.
NEVER, EMPTY, ALWAYS = "never", "empty", "always"

#: Flag of a response that was rendered here, and of one that scrapy-playwright has rendered.
_RENDERED, _BY_SCRAPY_PLAYWRIGHT = "newsclean-rendered", "playwright"
#: Headers that belong to the page as downloaded, not to what its scripts have made of it.
_VALIDATORS = ("ETag", "Last-Modified")
UTF8 = {"content-type": "text/html; charset=utf-8"}

#: What is downloaded for a page, and what of it is the same for all pages of a site.
KINDS = frozenset({"script", "stylesheet", "xhr", "fetch"})
_SHARED_KINDS = frozenset({"script", "stylesheet"})
METHODS = frozenset({"GET", "HEAD", "POST"})
#: Maximum requests of one page, in all and at a time.
MAX_REQUESTS, MAX_AT_A_TIME = 100, 6
#: Maximum bytes of scripts and styles that a crawl keeps; those used last stay.
_MAX_KEPT = 50_000_000

#: Request headers that the crawl sets, not the page.
_OWN_HEADERS = frozenset(
    "host connection content-length user-agent cookie accept-encoding accept-language".split()
)
#: Response headers that describe the transfer, or lead away from the page.
_TRANSFER_HEADERS = frozenset(
    "content-encoding content-length transfer-encoding connection keep-alive set-cookie refresh "
    "alt-svc link".split()
)
#: The answer for every picture: without one, a page may remove the element.
PICTURE = Answer(
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,"
    b"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
    {"content-type": "image/gif", "access-control-allow-origin": "*"},
)


class SharedFiles:
    """Scripts and styles that were downloaded for one page and are used for the next ones."""

    def __init__(self, max_size: int = _MAX_KEPT) -> None:
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
    """The requests of one page in the browser.

    Scripts, styles and data of the page's own site are downloaded as any request of the crawl, with
    the same middlewares (robots.txt, private addresses) and delays. All else is refused.
    """

    def __init__(self, crawler: Crawler, page_url: str, shared: SharedFiles) -> None:
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.page_url = page_url
        self.shared = shared
        self.made = 0
        #: requests that have failed, without those that were refused
        self.failed = 0
        self.is_over = False
        self._places = asyncio.Semaphore(MAX_AT_A_TIME)

    async def answer(self, wanted: BrowserRequest) -> Answer | None:
        """Return the answer to a request of the page, None if it is refused or fails."""
        if wanted.kind == "image":
            return PICTURE
        if reason := self._refusal(wanted):
            self._refuse(wanted, reason)
            return None
        self.made += 1
        async with self._places:
            if self.is_over:
                return None
            is_shared = wanted.kind in _SHARED_KINDS and wanted.method == "GET"
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
        logger.debug("Refused [%s]: <%s> for page <%s>", reason, wanted.url, self.page_url)

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
            logger.info("Could not fetch <%s> for page <%s>: %s", wanted.url, self.page_url, error)
            return None
        self._count("requests")
        if response.status >= 500:
            self._fail()
        return _answer_of(response)

    def _fail(self) -> None:
        self.failed += 1
        self._count("requests/failed")

    def _count(self, name: str) -> None:
        self.state.count(f"rendering/{name}")


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
    """Return the headers that a page has set itself."""
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in _OWN_HEADERS and not name.lower().startswith(("sec-", "proxy-", ":"))
    }


def _answer_of(response: Response) -> Answer:
    """Return a response as the browser gets it."""
    headers = {
        name.decode("latin-1"): b", ".join(response.headers.getlist(name)).decode("latin-1")
        for name in response.headers
        if name.decode("latin-1").lower() not in _TRANSFER_HEADERS
    }
    return Answer(response.body, headers, response.status)


class RenderingMiddleware:
    """Replace the body of a page by what its scripts make of it.

    `empty` renders pages that show hardly any text without their scripts, `always` renders all. The
    browser gets the page as downloaded; all else that it asks for is downloaded by the crawl. A
    page that can't be rendered goes on as downloaded if it shows text or belongs to a third-party
    spider. Otherwise it is dropped, and the next run requests it again.

    If the method needs a snapshot, a page that may be an article is then loaded once more, without
    scripts. So is a parked page that comes back: the memory stores its rendered body, but not its
    snapshot.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.mode = settings["NEWSCLEAN_RENDER"]
        sites = getattr(crawler.spider, "site_settings", ())
        if self.mode == NEVER and not any(site.render not in (None, NEVER) for site in sites):
            raise NotConfigured
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.takes_snapshots = self.state.method.needs_rendering
        self.max_size = settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")
        self.renderer = Renderer(
            find_chromium(settings["NEWSCLEAN_CHROMIUM"]),
            user_agent=settings["USER_AGENT"],
            wait=settings.getfloat("NEWSCLEAN_RENDER_WAIT"),
            timeout=settings.getfloat("NEWSCLEAN_RENDER_TIMEOUT"),
            max_size=self.max_size or settings.getint("DOWNLOAD_MAXSIZE"),
        )
        self.shared = SharedFiles()
        #: how many pages of each site were rendered
        self.rendered: Counter[str] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        crawler.signals.connect(middleware.spider_closed, signals.spider_closed)
        return middleware

    async def spider_closed(self) -> None:
        await self.renderer.close()
        for site, number in self.rendered.most_common():
            logger.info("Rendered %s of %s", counted(number, "page"), site)

    def process_request(self, request: Request) -> None:
        """Remove the validators of an article that is rendered in any case.

        With `empty` they stay: only pages that were not rendered have some.
        """
        if self._mode_of(request.url) == ALWAYS and request.meta.get(ARTICLE_REQUEST):
            request.headers.pop("If-None-Match", None)
            request.headers.pop("If-Modified-Since", None)

    async def process_response(self, request: Request, response: Response) -> Response:
        if request.callback is NO_CALLBACK or not self._is_html(response):
            return response
        if _is_unrendered(request, response):
            response = await self._after_scripts(request, response)
        if self.takes_snapshots and self._is_html(response) and _may_be_article(request):
            page = PageRequests(self.crawler, response.url, self.shared)
            try:
                response = await self.with_snapshot(response, page.answer)
            finally:
                page.is_over = True
        return response

    async def with_snapshot(
        self,
        response: HtmlResponse,
        answer: Callable[[BrowserRequest], Awaitable[Answer | None]] | None = None,
    ) -> HtmlResponse:
        """Return a response with a snapshot of its page; the same response if that fails.

        `answer` gives the style sheets; without it the page gets none.
        """
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
        # The characters that `Page` reads, whatever the page says of its encoding.
        source = await run_in_thread(as_utf8, response.body, content_type)
        document = Answer(source.replace(b"\x00", b""), UTF8)
        shown = ShownPage(response.url, document, answer or _pictures_only)
        try:
            snapshot = await self.renderer.snapshot(shown)
        except RenderingError as error:
            self._count("snapshots/failed")
            logger.warning("No snapshot [%s] of <%s>: %s", error.reason, response.url, error)
            return response
        finally:
            self._count("seconds", round(shown.seconds, 3))
        self._count("snapshots")
        return response.replace(cls=ShownResponse, snapshot=snapshot)

    async def _after_scripts(self, request: Request, response: HtmlResponse) -> Response:
        """Return a page after its scripts have run, if it is to be rendered."""
        mode = self._mode_of(request.url)
        if mode == NEVER or (mode == EMPTY and not await run_in_thread(shows_no_text, response)):
            return response
        if wall := await run_in_thread(wall_of_response, response):
            if SAME_SITE in request.meta:
                raise RefusedRequest(wall.reason, f"blocked by {wall}")
            return response  # the scripts of a browser check are not run
        page = PageRequests(self.crawler, response.url, self.shared)
        try:
            rendered = await self._rendered(response, page)
        except RenderingError as error:
            return await self._after_failure(request, response, error)
        if page.failed and await run_in_thread(shows_no_text, rendered):
            failed = f"{page.failed} of its requests have failed, and it shows no text"
            incomplete = RenderingError("incomplete", failed)
            return await self._after_failure(request, response, incomplete)
        self.rendered[site_of(response.url) or ""] += 1
        self._count("pages")
        return rendered

    def _mode_of(self, url: str) -> str:
        """Return which pages of a site are rendered: as its site file says, or as for all."""
        mode: str = self.state.settings_of(url).render or self.mode
        return mode

    def _is_html(self, response: Response) -> TypeGuard[HtmlResponse]:
        """Tell whether a response is a page that the pipelines would read."""
        return (
            isinstance(response, HtmlResponse)
            and response.status == 200
            and not (self.max_size and len(response.body) > self.max_size)
            and not other_contents(response.body)
        )

    async def _rendered(self, response: HtmlResponse, page: PageRequests) -> HtmlResponse:
        shown = ShownPage(response.url, _answer_of(response), page.answer)
        try:
            html = await self.renderer.render(shown)
        finally:
            page.is_over = True
            self._count("seconds", round(shown.seconds, 3))
            assert self.crawler.stats is not None
            self.crawler.stats.set_value("newsclean/rendering/browsers", self.renderer.starts)
        headers = response.headers.copy()
        for name in (*_VALIDATORS, "Content-Length"):
            headers.pop(name, None)
        headers["Content-Type"] = UTF8["content-type"]
        return response.replace(
            headers=headers,
            body=html.encode("utf-8", "replace"),
            encoding="utf-8",
            flags=[*response.flags, _RENDERED],
        )

    async def _after_failure(
        self, request: Request, response: HtmlResponse, error: RenderingError
    ) -> Response:
        """Return the page as downloaded if it is of use; refuse it otherwise."""
        self._count("failed")
        self._count(f"failed/{error.reason}")
        is_ours = SAME_SITE in request.meta
        is_lost = is_ours and await run_in_thread(shows_no_text, response)
        instead = "left for the next run" if is_lost else "using it as downloaded"
        logger.warning("Not rendered [%s] <%s>: %s; %s", error.reason, response.url, error, instead)
        if is_lost:
            raise RefusedRequest(f"rendering-{error.reason}", f"not rendered: {error}")
        return response

    def _count(self, name: str, value: float = 1) -> None:
        if value:
            self.state.count(f"rendering/{name}", value)


def _is_unrendered(request: Request, response: Response) -> bool:
    """Tell whether a page has to be rendered yet; a parked page was rendered before."""
    return (
        request.method == "GET"
        and request.url.startswith(("http:", "https:"))
        and STORED_PAGE not in request.meta
        and not {_RENDERED, _BY_SCRAPY_PLAYWRIGHT} & set(response.flags)
    )


def _may_be_article(request: Request) -> bool:
    """Tell whether the page of a request may go to the pipelines: not that of a section."""
    return bool({ARTICLE_REQUEST, STORED_PAGE} & set(request.meta)) or SAME_SITE not in request.meta


async def _pictures_only(wanted: BrowserRequest) -> Answer | None:
    return PICTURE if wanted.kind == "image" else None


def shows_no_text(response: HtmlResponse) -> bool:
    """Tell whether a page shows hardly any text without its scripts."""
    if b"<script" not in response.body.lower():
        return False
    try:
        return is_app_shell(page_of(response))
    except PageError:
        return False
