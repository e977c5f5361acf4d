"""The base class of all spiders: common arguments, requests for articles, counted drops."""

from __future__ import annotations

import math
import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.http import HtmlResponse, Response
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.asyncio import run_in_thread

from newsclean.browser.chromium import BrowserMissingError, check_browser
from newsclean.crawl_state import CrawlState, site_method, usage_error
from newsclean.discovery.entries import Entry, Window
from newsclean.discovery.joined_articles import ArticleJoiner
from newsclean.discovery.paging import may_have_pages
from newsclean.discovery.site_settings import SettingsOfSites
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import PageError
from newsclean.items import PageItem
from newsclean.middlewares.blocked import unblocked_page_of
from newsclean.middlewares.refusals import SAME_SITE, RefusedRequest
from newsclean.middlewares.responses import (
    ARTICLE_REQUEST,
    CHANGED,
    RECHECK_ALL,
    NotDue,
    SettledRequest,
    fetch_of,
)
from newsclean.settings import defaults
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure

    from newsclean.discovery.joined_articles import JoinedPage
    from newsclean.discovery.site_files import SiteFile
    from newsclean.discovery.site_settings import SiteSettings
    from newsclean.extraction.page import Page
    from newsclean.memory.site_health import SiteCounts

#: Scrapy gives the reason why it ignores a request only in words: a part of them, and our reason.
_IGNORED = (
    ("robots.txt", "robots-txt"),
    ("redirections", "redirect-loop"),
    ("Retry-After", "retry-after"),
)


class DroppedPage(NamedTuple):
    """A page that is of no use."""

    url: str
    #: a name for the stats
    reason: str
    #: words for the log
    message: str

    def __str__(self) -> str:
        return f"{self.message} [{self.reason}] <{self.url}>"


def dropped_page(failure: Failure) -> DroppedPage:
    """Return the page that did not arrive, with the reason that Scrapy reports."""
    request: Request = failure.request  # type: ignore[attr-defined]
    if isinstance(failure.value, HttpError):
        response: Response = failure.value.response
        return DroppedPage(response.url, f"http-{response.status}", "error status")
    message = failure.getErrorMessage() or "the download has failed"
    reason = f"download/{type(failure.value).__name__}"
    if isinstance(failure.value, RefusedRequest):
        reason = failure.value.reason
    elif isinstance(failure.value, ResponseDataLossError):
        reason, message = "truncated", str(failure.value) or "the body is incomplete"
    elif isinstance(failure.value, IgnoreRequest):
        reason = next((name for words, name in _IGNORED if words in message), "ignored")
    return DroppedPage(request.url, reason, message)


class ArticleSpider(Spider):
    """Requests articles and yields their pages as items.

    All spiders take

    -a since=DATE|AGE   only articles from this time on: 2026-03-14, or 36h, 7d
    -a until=DATE|AGE   only articles before this time
    -a limit=N          at most this many articles of each site, the newest
    -a recheck=all      request all articles again, whether they are due or not
    """

    #: whether the spider waits as long as a server asks it to
    obeys_retry_after: ClassVar[bool] = True
    #: the arguments of a spider in addition to those of all spiders
    arguments: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        since: str | None = None,
        until: str | None = None,
        limit: str | None = None,
        recheck: str | None = None,
        **kw: Any,
    ) -> None:
        # Programs that run spiders, like Scrapyd, pass arguments of their own: _job.
        unknown = [name for name in kw if name != "name" and not name.startswith("_")]
        if unknown:
            names = ", ".join((*self.arguments, "since", "until", "limit", "recheck"))
            raise ValueError(f"unknown argument: {', '.join(unknown)}; there are {names}")
        super().__init__(**kw)
        self.window = Window.of(since, until, limit)
        if recheck not in (None, "all"):
            raise ValueError(f"recheck={recheck}: it takes all, or is left out")
        self.recheck_all = recheck == "all"
        #: the URLs that the user named; requests to their hosts are allowed
        self.start_urls: list[str] = []
        #: the seconds between two requests to a host, by registered domain
        self.site_delays: dict[str, float] = {}
        #: what the site files say about requests and articles
        self.site_settings = SettingsOfSites()
        #: URLs that this run has requested
        self.requested: set[str] = set()
        #: those of them that were not due, and the time after which a change makes them due
        self.not_due: dict[str, float] = {}
        #: when articles last changed, according to the sources
        self.changed: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        try:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.prepare()
        except ValueError as error:
            raise usage_error(f"{cls.name}: {error}") from None
        return spider

    def prepare(self) -> None:
        """Read the arguments once the settings are there; ValueError if they are wrong."""

    def setting(self, name: str) -> Any:
        """Return a setting of newsclean, which has no default yet when a spider is created."""
        return self.settings.get(name, defaults[name])

    def use_site(self, file: SiteFile) -> None:
        """Apply the settings of a site file to its site; ValueError if that is not possible."""
        where = file.name or file.home
        try:
            settings = file.settings.resolved(os.environ)
            self._check(settings)
            self.site_settings.add(file.own_urls, settings)
        except (ValueError, BrowserMissingError) as error:
            raise ValueError(f"the site file of {where}: {error}") from None
        for url in file.urls:
            domain = registered_domain(site_of(url) or "")
            self.site_delays[domain] = max(file.delay, self.site_delays.get(domain, 0.0))

    def _check(self, settings: SiteSettings) -> None:
        if settings.method is not None or settings.render is not None:
            self._check_method(settings)
        if settings.render not in (None, "never"):
            check_browser(self.setting("NEWSCLEAN_CHROMIUM"))

    def _check_method(self, settings: SiteSettings) -> None:
        """Raise ValueError if the method of a site and the settings of the crawl do not agree."""
        model = self.setting("NEWSCLEAN_MODEL")
        usual = method_named(self.setting("NEWSCLEAN_METHOD"), model)
        if settings.method is None:
            if usual.needs_rendering and settings.render != "always":
                raise ValueError(
                    f"render: {settings.render!r}, but NEWSCLEAN_METHOD={usual.name} needs "
                    "rendered pages: leave it out, or name another method for this site"
                )
            return
        try:
            method = site_method(settings.method, model)
        except ValueError as error:
            raise ValueError(
                f"method: {settings.method} cannot use NEWSCLEAN_MODEL={model}: {error}"
            ) from None
        if method.keying != usual.keying:
            raise ValueError(
                f"method: {method.name} needs a memory of its own beside {usual.name}: set "
                "NEWSCLEAN_METHOD and NEWSCLEAN_MEMORY for a crawl with it"
            )

    @property
    def newsclean_job(self) -> str:
        return f"{self.name} {' '.join(self.newsclean_sites)}"

    @property
    def newsclean_sites(self) -> list[str]:
        """The sites of the run, which also completes what killed runs left of them."""
        return sorted(filter(None, {site_of(url) for url in self.start_urls}))

    def article_request(
        self, entry: Entry, category: str = "", priority: int = 0
    ) -> Request | None:
        """Return the request for an article, or None if this run has already made it.

        Scrapy's own filter remembers requests over all runs of a JOBDIR: what a killed run had
        requested would never arrive, and no run would see that an article has changed.

        An article that was not due is requested once more if a source says that it has changed.
        """
        url, changed = entry.url, entry.changed
        if changed is not None:
            self.changed[url] = max(changed.timestamp(), self.changed.get(url, 0.0))
        if url in self.requested and self.changed.get(url, 0.0) <= self.not_due.get(url, math.inf):
            return None
        self.not_due.pop(url, None)
        self.requested.add(url)
        meta = {SAME_SITE: True, ARTICLE_REQUEST: True, RECHECK_ALL: self.recheck_all}
        return Request(
            url,
            self.parse_article,
            errback=self.article_failed,
            cb_kwargs={"link": url, "category": category},
            meta={**meta, CHANGED: self.changed.get(url)},
            priority=priority,
            dont_filter=True,
        )

    async def parse_article(
        self, response: Response, link: str, category: str
    ) -> AsyncIterator[PageItem]:
        joined = await self._with_all_pages(response)
        if joined is not None:
            yield PageItem(joined, category=category, arrived=response)

    async def _with_all_pages(self, response: Response) -> Response | None:
        """Return the response with all pages of its article, None if the crawl ends meanwhile."""
        max_pages = self.settings.getint("NEWSCLEAN_ARTICLE_PAGES")
        max_size = self.settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")
        if (
            max_pages < 2
            or type(response) is not HtmlResponse
            or response.status != 200
            or (max_size and len(response.body) > max_size)
            or not may_have_pages(response.body, response.url)
        ):
            return response
        extractor = Extractor(CrawlState.of(self.crawler).method_of(response.url))
        try:
            joined = await self._join(response, extractor, max_pages)
        except Exception:  # whatever a page can do: its first page is an article without the others
            self.logger.exception("Pages of an article not joined <%s>", response.url)
            self.count("joined/failed")
            return response
        if not self.crawler.crawling:  # pages may be missing for that reason
            return None
        if joined is None:
            return response
        self.count("joined")
        self.count("joined/pages", len(joined.numbers))
        headers = response.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        for name in ("ETag", "Last-Modified"):  # of the first page alone: another may change
            headers.pop(name, None)
        return response.replace(body=joined.body, headers=headers, encoding="utf-8")

    async def _join(
        self, response: HtmlResponse, extractor: Extractor, max_pages: int
    ) -> JoinedPage | None:
        """Request the other pages of an article, and join those that continue it."""

        def begin() -> ArticleJoiner | None:
            try:
                return ArticleJoiner.of(unblocked_page_of(response), extractor, max_pages)
            except PageError:  # the pipelines drop and count it
                return None

        joiner = await run_in_thread(begin)
        if joiner is None:
            return None
        while joiner.wanted is not None:
            page = await self._page_at(joiner.wanted)
            await run_in_thread(joiner.add, page)
        if joiner.joined is not None:
            self.requested.update(joiner.page_urls)
        return joiner.joined

    async def _page_at(self, url: str) -> Page | None:
        """Return a further page of an article, None if it cannot be had."""
        # It is not scheduled, so that no callback is called.
        request = Request(url, self.parse_article, meta={SAME_SITE: True}, dont_filter=True)
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(request)
            if response.status != 200:
                raise PageError(f"http-{response.status}", f"status {response.status}")
            return await run_in_thread(unblocked_page_of, response)
        except Exception as error:  # whatever a download can end with
            self.logger.info("Page of an article not read: %s <%s>", error, url)
            return None

    def article_failed(self, failure: Failure) -> Request | None:
        if isinstance(failure.value, NotDue):
            return self._note_not_due(failure.request, failure.value)  # type: ignore[attr-defined]
        if isinstance(failure.value, SettledRequest):  # counted
            return None
        self.drop(dropped_page(failure))
        if isinstance(failure.value, HttpError):  # there is no article at this URL
            state = CrawlState.of(self.crawler)
            with state.ending_on_failure():
                state.memory.mark_useless(fetch_of(failure.value.response))
        return None

    def _note_not_due(self, request: Request, not_due: NotDue) -> Request | None:
        """Request an article again if a source that was read meanwhile says it has changed."""
        link = request.cb_kwargs["link"]
        self.not_due[link] = max(not_due.fetched, request.meta.get(CHANGED) or 0.0)
        return self.article_request(Entry(link), request.cb_kwargs["category"], request.priority)

    def drop(self, page: DroppedPage) -> None:
        """Log and count a page that is of no use."""
        self.logger.info("Dropped: %s", page)
        self.count_dropped(page)

    def count_dropped(self, page: DroppedPage) -> None:
        """Count a page that is of no use, in the stats and for its site."""
        self.count(f"dropped/{page.reason}")
        self.site_counts(page.url).dropped[page.reason] += 1

    def site_counts(self, url: str) -> SiteCounts:
        """Return what the run has counted for the site of a URL."""
        return CrawlState.of(self.crawler).counts.of(url)

    def count(self, name: str, value: int = 1) -> None:
        """Add to a stat of newsclean, if there is something to add."""
        if value:
            CrawlState.of(self.crawler).count(name, value)
