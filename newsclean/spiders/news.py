"""The spider `news`: from section pages to their articles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import run_in_thread

from newsclean.defaults import DEFAULTS
from newsclean.downloadermiddlewares.same_site import SAME_SITE
from newsclean.items import PageItem
from newsclean.page import PageError
from newsclean.responses import page_of
from newsclean.site import site_of
from newsclean.spiders.failures import DroppedPage, dropped_page
from newsclean.spiders.link_ranking import (
    MENU,
    NEVER_FOLLOWED,
    MenuLinks,
    RankedLink,
    is_surely_article,
    rank_links,
)
from newsclean.spiders.links import is_inside, page_key, section_match
from newsclean.spiders.paging import next_page
from newsclean.spiders.sites import Section, read_site, section_at
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsclean.page import Page

SECTION_PRIORITY = 500  # before all articles

#: The reason for which the spider is closed when all sections have failed.
ALL_FAILED = "all_sections_failed"


class NewsSpider(Spider):
    """Crawls sections of news sites.

    -a url=URL[,URL…]   section pages to start from
    -a site=NAME        or a site file: NAME.toml in NEWSCLEAN_SITES, or a path
    -a pages=N          how many pages of each section to read
    """

    name = "news"
    sections: list[Section]
    section_pages: int

    def __init__(
        self, url: str | None = None, site: str | None = None, pages: str | None = None, **kw: Any
    ) -> None:
        # What runs spiders for others, like Scrapyd, has arguments of its own: _job.
        unknown = [name for name in kw if name != "name" and not name.startswith("_")]
        if unknown:
            raise ValueError(f"unknown argument: {', '.join(unknown)}; there are url, site, pages")
        super().__init__(**kw)
        self.url, self.site, self.pages = url, site, pages
        #: for each article's link, the category of the section that matches it best, and how well
        self.categories: dict[str, tuple[int, str]] = {}
        #: how many section pages have been requested and not been read yet
        self.pending_section_pages = 0
        #: sections that have led to articles, and those that have ended without any
        self.productive_sections: set[Section] = set()
        self.failed_sections: set[Section] = set()
        #: the first pages of all sections
        self.section_fronts: set[str] = set()
        #: addresses that this run has requested
        self.requested: set[str] = set()
        #: whether links that are surely not articles are left out
        self.skip_links = True
        #: links that wait until all sections are read, with the section on whose page they appear
        self.deferred: list[tuple[RankedLink, Section]] = []
        #: what appears on all section pages of a site
        self.menu_links = MenuLinks()
        #: addresses that are surely not articles, and why
        self.skipped: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> NewsSpider:
        try:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.sections = list(spider._sections())
            spider.start_urls = [section.url for section in spider.sections]
            spider.section_pages = spider._section_pages()
        except ValueError as error:
            raise usage_error(f"news: {error}") from None
        crawler.signals.connect(spider.spider_idle, signals.spider_idle)
        return spider

    def _sections(self) -> Iterator[Section]:
        urls = [url for url in (self.url or "").split(",") if url.strip()]
        if bool(urls) == bool(self.site):
            raise ValueError("say where to start: -a url=https://… or -a site=NAME, one of them")
        if self.site:
            yield from read_site(self.site, self._setting("NEWSCLEAN_SITES"))
        yield from (section_at(url) for url in urls)

    def _section_pages(self) -> int:
        name = "NEWSCLEAN_SECTION_PAGES" if self.pages is None else "pages"
        pages = str(self._setting(name) if self.pages is None else self.pages)
        if not pages.isdecimal() or int(pages) < 1:
            raise ValueError(f"{name}={pages}: it takes a number of pages, 1 or more")
        if self.pages is not None:  # it overrules the site file
            self.sections = [replace(section, pages=None) for section in self.sections]
        return int(pages)

    @property
    def newsclean_job(self) -> str:
        """A run takes over what killed runs on the same sites have left."""
        sites = sorted({site_of(section.url) or "" for section in self.sections})
        return f"{self.name} {' '.join(sites)}"

    def _setting(self, name: str) -> Any:
        # A spider is made before the addon has set its defaults.
        return self.settings.get(name, DEFAULTS[name])

    async def start(self) -> AsyncIterator[Request]:
        self.skip_links = self.settings.getbool("NEWSCLEAN_SKIP_LINKS")
        self.section_fronts = {page_key(section.url) for section in self.sections}
        self.pending_section_pages = len(self.sections)
        for section in self.sections:
            yield self._section_request(section, section.url, 1)

    def _section_request(self, section: Section, url: str, number: int) -> Request:
        return Request(
            url,
            self.parse_section,
            errback=self.section_failed,
            cb_kwargs={"section": section, "number": number},
            meta={SAME_SITE: True},
            priority=SECTION_PRIORITY,
            dont_filter=True,  # each request must succeed or fail: they are counted
        )

    async def parse_section(
        self, response: Response, section: Section, number: int
    ) -> AsyncIterator[Request]:
        """Follow what looks like an article, and the section's next page."""
        url = response.url
        try:
            page = await run_in_thread(page_of, response)
        except PageError as error:
            self.drop_section(DroppedPage(url, f"section-{error.reason}", str(error)), section)
        else:
            links = await run_in_thread(rank_links, page, url)
            self.menu_links.add_page(url, links)
            wanted = [ranked for ranked in links if self._is_wanted(ranked)]
            next_url = self._next_page(page, url, section, number)
            if wanted:
                self.productive_sections.add(section)
            else:
                dropped = DroppedPage(url, "section-no-links", "no link looks like an article")
                self.drop(dropped) if next_url else self.drop_section(dropped, section)
            if number == 1 and await run_in_thread(is_surely_article, page, url):
                self.logger.warning(
                    "The start page is an article, and is read as a section: `newsclean extract` "
                    "takes a single article <%s>",
                    url,
                )
            for ranked in wanted:
                if request := self._article_request(ranked, section):
                    yield request
            if next_url:
                yield self._section_request(section, next_url, number + 1)
        for request in self._section_page_done():
            yield request

    def _next_page(self, page: Page, url: str, section: Section, number: int) -> str | None:
        """The section's next page, if it is to be read and no other section has it."""
        more = number < (section.pages or self.section_pages)
        next_url = next_page(page, url) if more else None
        if next_url is None or next_url in self.requested:
            return None
        self.requested.add(next_url)
        self.pending_section_pages += 1
        return next_url

    def _is_wanted(self, ranked: RankedLink) -> bool:
        """Whether a link is worth a download; what is not is remembered with the reason."""
        url, reason = ranked.link.url, ranked.reason
        if page_key(url) in self.section_fronts:  # read as a section
            return False
        if not reason or (not self.skip_links and reason not in NEVER_FOLLOWED):
            return True
        self.skipped[url] = reason
        return False

    def _article_request(self, ranked: RankedLink, section: Section) -> Request | None:
        """The request for a link, or None if it is deferred until all sections are read.

        Until then, a section that matches it better may still turn up, or it may turn out to be an
        entry of the site's menu.
        """
        link = ranked.link
        section = next((s for s in self.sections if is_inside(link.url, s.url)), section)
        match = section_match(link, section.url)
        if match > self.categories.get(link.url, (-1, ""))[0]:
            self.categories[link.url] = match, section.category
        if not match or ranked.is_doubtful:
            self.deferred.append((ranked, section))
            return None
        return self._new_request(ranked, section)

    def _new_request(self, ranked: RankedLink, section: Section) -> Request | None:
        """The request for a link, or None if this run has made it already.

        Scrapy's own filter remembers requests over all runs of a JOBDIR: what a killed run had
        requested would never arrive, and no run would see that an article has changed.
        """
        url = ranked.link.url
        if url in self.requested:
            return None
        self.requested.add(url)
        return Request(
            url,
            self.parse_article,
            errback=self.article_failed,
            cb_kwargs={"link": url, "category": section.category},
            meta={SAME_SITE: True},
            priority=ranked.priority,
            dont_filter=True,
        )

    def _section_page_done(self) -> list[Request]:
        """The requests to make after a section page: the deferred ones after the last."""
        self.pending_section_pages -= 1
        return [] if self.pending_section_pages > 0 else self._deferred_requests()

    def _deferred_requests(self) -> list[Request]:
        deferred, self.deferred = self.deferred, []
        requests = []
        for ranked, section in deferred:
            if self.skip_links and self.menu_links.has(ranked, section.url):
                self.skipped[ranked.link.url] = MENU
            elif request := self._new_request(ranked, section):
                requests.append(request)
        return requests

    def spider_idle(self) -> None:
        """Follow the deferred links, if a section page was lost without a response or an error.

        If all sections have failed, the reason for which the spider is closed says so.
        """
        requests = self._deferred_requests()
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider
        if self.failed_sections.issuperset(self.sections):
            raise CloseSpider(ALL_FAILED)

    def closed(self, reason: str) -> None:
        """Count the links that no section page has given a reason to follow."""
        for url, why in self.skipped.items():
            if url not in self.requested:
                self.count(f"links/not_followed/{why}")
                self.logger.debug("Not followed [%s] <%s>", why, url)

    def section_failed(self, failure: Failure) -> list[Request]:
        section = failure.request.cb_kwargs["section"]  # type: ignore[attr-defined]
        self.drop_section(dropped_page(failure), section)
        return self._section_page_done()

    def parse_article(self, response: Response, link: str, category: str) -> Iterator[PageItem]:
        _, category = self.categories.get(link, (0, category))
        yield PageItem(response, category=category)

    def article_failed(self, failure: Failure) -> None:
        self.drop(dropped_page(failure))

    def drop(self, page: DroppedPage) -> None:
        """Count and log a page that is of no use."""
        self.logger.info("Dropped: %s", page)
        self.count(f"dropped/{page.reason}")

    def drop_section(self, page: DroppedPage, section: Section) -> None:
        """Count and log the last page of a section, which has failed if no page led to articles."""
        if section in self.productive_sections:
            self.drop(page)
            return
        self.failed_sections.add(section)
        self.count(f"dropped/{page.reason}")
        self.count("sections/failed")
        self.logger.error("Section %s has failed: %s", section.category, page)

    def count(self, name: str) -> None:
        """Add one to a stat of ours."""
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}")
