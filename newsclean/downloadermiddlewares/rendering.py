"""Shows pages whose content is made by scripts to a browser: `NEWSCLEAN_RENDER`."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.asyncio import run_in_thread

from newsclean.browser.chromium import find_chromium
from newsclean.browser.renderer import Renderer, RenderingError
from newsclean.browser.shown_page import Answer, ShownPage
from newsclean.downloadermiddlewares.page_requests import (
    PICTURE,
    PageRequests,
    SharedFiles,
    answer_of,
)
from newsclean.downloadermiddlewares.refusals import RefusedRequest
from newsclean.downloadermiddlewares.same_site import SAME_SITE
from newsclean.extraction.methods import method_named
from newsclean.extraction.page import PageError
from newsclean.extraction.page.decode import as_utf8, other_contents
from newsclean.extraction.page.stated import is_app_shell
from newsclean.responses import ARTICLE_REQUEST, STORED_PAGE, ShownResponse, page_of
from newsclean.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.browser.shown_page import BrowserRequest

logger = logging.getLogger(__name__)

NEVER, EMPTY, ALWAYS = MODES = ("never", "empty", "always")

#: Flag of a response that was rendered here, and of one that scrapy-playwright has rendered.
RENDERED, BY_SCRAPY_PLAYWRIGHT = "newsclean-rendered", "playwright"
#: They are true of the page as downloaded, and not of what its scripts have made of it.
VALIDATORS = ("ETag", "Last-Modified")
UTF8 = {"content-type": "text/html; charset=utf-8"}


class RenderingMiddleware:
    """Replaces the body of a page by what its scripts make of it.

    `empty`: of pages that show hardly any text without their scripts. `always`: of all pages. The
    browser gets the page as it was downloaded, and all else through the downloader again
    (`PageRequests`). A page that cannot be rendered goes on as it was downloaded, if it shows text
    or belongs to somebody else's spider; else it is dropped, and the next run asks for it again.

    For a method that needs it, a page that may be an article is then shown once more, without its
    scripts, and gets a snapshot. So does a parked page that comes back: what was rendered of it is
    stored, its snapshot is not.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.mode = settings["NEWSCLEAN_RENDER"]
        if self.mode == NEVER:
            raise NotConfigured
        self.crawler = crawler
        #: whether the pipelines want to know how articles look
        self.takes_snapshots = method_named(
            settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"]
        ).needs_rendering
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
            logger.info("Rendered: %d pages of %s", number, site)

    def process_request(self, request: Request) -> None:
        """Ask for an article that is rendered in any case without validators of an earlier state.

        With `empty` they stay: only pages that were not rendered have some.
        """
        if self.mode == ALWAYS and request.meta.get(ARTICLE_REQUEST):
            request.headers.pop("If-None-Match", None)
            request.headers.pop("If-Modified-Since", None)

    async def process_response(self, request: Request, response: Response) -> Response:
        if self._is_page(request, response):
            assert isinstance(response, HtmlResponse)
            response = await self._after_scripts(request, response)
        if self.takes_snapshots and self._may_be_article(request, response):
            assert isinstance(response, HtmlResponse)
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
        """The same response with a snapshot of its page; without one, if it cannot be shown.

        `answer` is for the style sheets; without it the page gets none.
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
        """A page as its scripts have made it, if it is one that is to be rendered."""
        if self.mode == EMPTY and not await run_in_thread(shows_no_text, response):
            return response
        page = PageRequests(self.crawler, response.url, self.shared)
        try:
            rendered = await self._rendered(response, page)
        except RenderingError as error:
            return await self._after_failure(request, response, error)
        if page.failed and await run_in_thread(shows_no_text, rendered):
            words = f"{page.failed} of its requests have failed, and it shows no text"
            return await self._after_failure(request, response, RenderingError("incomplete", words))
        self.rendered[site_of(response.url) or ""] += 1
        self._count("pages")
        return rendered

    def _may_be_article(self, request: Request, response: Response) -> bool:
        """Whether a response is a page that may go to the pipelines: no section, no style sheet."""
        return (
            isinstance(response, HtmlResponse)
            and response.status == 200
            and request.callback is not NO_CALLBACK
            and not (self.max_size and len(response.body) > self.max_size)
            and not other_contents(response.body)
            and bool(
                {ARTICLE_REQUEST, STORED_PAGE} & set(request.meta) or SAME_SITE not in request.meta
            )
        )

    def _is_page(self, request: Request, response: Response) -> bool:
        """Whether a response is a page that nobody has rendered yet; a parked page has been."""
        return (
            isinstance(response, HtmlResponse)
            and response.status == 200
            and request.method == "GET"
            and request.url.startswith(("http:", "https:"))
            and request.callback is not NO_CALLBACK
            and STORED_PAGE not in request.meta
            and not {RENDERED, BY_SCRAPY_PLAYWRIGHT} & set(response.flags)
            and not (self.max_size and len(response.body) > self.max_size)
            and not other_contents(response.body)
        )

    async def _rendered(self, response: HtmlResponse, page: PageRequests) -> HtmlResponse:
        shown = ShownPage(response.url, answer_of(response), page.answer)
        try:
            html = await self.renderer.render(shown)
        finally:
            page.is_over = True
            self._count("seconds", round(shown.seconds, 3))
            assert self.crawler.stats is not None
            self.crawler.stats.set_value("newsclean/rendering/browsers", self.renderer.starts)
        headers = response.headers.copy()
        for name in (*VALIDATORS, "Content-Length"):
            headers.pop(name, None)
        headers["Content-Type"] = UTF8["content-type"]
        return response.replace(
            headers=headers,
            body=html.encode("utf-8", "replace"),
            encoding="utf-8",
            flags=[*response.flags, RENDERED],
        )

    async def _after_failure(
        self, request: Request, response: HtmlResponse, error: RenderingError
    ) -> Response:
        """The page as it was downloaded, if that is of use; else the request has failed."""
        self._count("failed")
        self._count(f"failed/{error.reason}")
        is_ours = SAME_SITE in request.meta
        is_lost = is_ours and await run_in_thread(shows_no_text, response)
        fate = "it is left for the next run" if is_lost else "it is taken as it was downloaded"
        logger.warning("Not rendered [%s] <%s>: %s; %s", error.reason, response.url, error, fate)
        if is_lost:
            raise RefusedRequest(f"rendering-{error.reason}", f"not rendered: {error}")
        return response

    def _count(self, name: str, value: float = 1) -> None:
        assert self.crawler.stats is not None
        if value:
            self.crawler.stats.inc_value(f"newsclean/rendering/{name}", value)  # type: ignore[arg-type]


async def _pictures_only(wanted: BrowserRequest) -> Answer | None:
    return PICTURE if wanted.kind == "image" else None


def shows_no_text(response: HtmlResponse) -> bool:
    """Whether a page, as it is, leaves its content to its scripts."""
    if b"<script" not in response.body.lower():
        return False
    try:
        return is_app_shell(page_of(response))
    except PageError:
        return False
