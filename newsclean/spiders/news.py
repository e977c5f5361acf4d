"""The spider `news`: from section pages, and what they declare, to their articles."""

from __future__ import annotations

from dataclasses import replace
from logging import ERROR, INFO
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import run_in_thread

from newsclean.discovery.link_choice import LinkChoice, LinkShapes, SiteCrawl
from newsclean.discovery.links import RankedLink, is_surely_article, rank_links, section_match
from newsclean.discovery.paging import next_page
from newsclean.discovery.site_files import Section, section_at, site_files
from newsclean.discovery.site_survey import Discovery, Source
from newsclean.extraction.page import PageError
from newsclean.items import PageItem
from newsclean.middlewares.refusals import SAME_SITE
from newsclean.middlewares.responses import page_of
from newsclean.middlewares.robots import SITEMAPS_WANTED
from newsclean.spiders.article_spider import (
    SOURCE_PRIORITY,
    ArticleSpider,
    DroppedPage,
    dropped_page,
    unreadable_source,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsclean.extraction.page import Page

#: The reason for which the spider is closed when all sections have failed.
ALL_FAILED = "all_sections_failed"


class NewsSpider(ArticleSpider):
    """Crawls sections of news sites, and the feeds and news sitemaps that they declare.

    -a url=URL[,URL…]    home or section pages to start from
    -a site=NAME[,NAME…] or site files: NAME.toml in NEWSCLEAN_SITES, or paths
    -a pages=N           how many pages of each section to read
    and since, until, limit.
    """

    name = "news"
    arguments = ("url", "site", "pages")
    section_pages: int
    link_choice: LinkChoice

    def __init__(
        self, url: str | None = None, site: str | None = None, pages: str | None = None, **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.url, self.site, self.pages = url, site, pages
        #: the sections of the crawl, and the site of each
        self.sections: dict[Section, SiteCrawl] = {}
        self.discovery = Discovery()
        #: for each article's link, the category of the section that matches it best, and how well
        self.categories: dict[str, tuple[int, str]] = {}
        #: sections that have led to articles, and those that have ended without any
        self.productive_sections: set[Section] = set()
        self.failed_sections: set[Section] = set()
        #: sections without links to articles, whose feeds and sitemaps may still name some
        self.unresolved: dict[Section, DroppedPage] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.spider_idle, signals.spider_idle)
        return spider

    def prepare(self) -> None:
        files = site_files(self.url, self.site, self.setting("NEWSCLEAN_SITES"))
        for file in files:
            sections = file.sections or (section_at(file.home),)
            if self.pages:  # an argument overrules the site file
                sections = tuple(replace(section, pages=None) for section in sections)
            site = SiteCrawl(file, sections)
            self.sections |= dict.fromkeys(sections, site)
            self.keep_delay(file)
        self.start_addresses = [url for file in files for url in file.addresses]
        self.section_pages = self._section_pages()

    def _section_pages(self) -> int:
        name = "NEWSCLEAN_SECTION_PAGES" if self.pages is None else "pages"
        pages = str(self.setting(name) if self.pages is None else self.pages)
        if not pages.isdecimal() or int(pages) < 1:
            raise ValueError(f"{name}={pages}: it takes a number of pages, 1 or more")
        return int(pages)

    async def start(self) -> AsyncIterator[Request]:
        self.link_choice = LinkChoice(
            self.sections,
            self.window,
            LinkShapes(self.crawler),
            skip_links=self.settings.getbool("NEWSCLEAN_SKIP_LINKS"),
        )
        # All are counted before the first one can be read.
        for request in list(self._start_requests()):
            yield request

    def _start_requests(self) -> Iterator[Request]:
        for section, site in self.sections.items():
            if site.file.sections:
                yield self._section_request(section, section.url, 1)
            for source in self.discovery.of_site(site.file, section):
                yield self._source_request(source, section)

    def _section_request(self, section: Section, url: str, number: int) -> Request:
        return self._request(url, self.parse_section, section, number=number)

    def _source_request(self, source: Source, section: Section) -> Request:
        return self._request(source.url, self.parse_source, section, source=source)

    def _request(self, url: str, callback: Any, section: Section, **kw: Any) -> Request:
        self.sections[section].pending_sources += 1
        is_robots_txt = "source" in kw and kw["source"].kind == "robots"
        return Request(
            url,
            callback,
            errback=self.source_failed,
            cb_kwargs={"section": section, **kw},
            meta={SAME_SITE: True, SITEMAPS_WANTED: is_robots_txt},
            priority=SOURCE_PRIORITY,
            dont_filter=True,  # each request must succeed or fail: they are counted
        )

    async def parse_section(
        self, response: Response, section: Section, number: int
    ) -> AsyncIterator[Request]:
        """Follow what looks like an article, the section's next page, and what it declares."""
        url, site = response.url, self.sections[section]
        file = site.file
        try:
            page = await run_in_thread(page_of, response)
        except PageError as error:
            self.drop_section(DroppedPage(url, f"section-{error.reason}", str(error)), section)
        else:
            shapes = self.link_choice.link_shapes
            shapes.load()
            links = await run_in_thread(rank_links, page, url, file.links, shapes.counts)
            site.menu_links.add_page(url, links)
            wanted = [ranked for ranked in links if self.link_choice.wants(ranked, file)]
            is_article = number == 1 and await run_in_thread(is_surely_article, page, url)
            next_url = None if is_article else await self._next_page(page, url, section, number)
            sources = self.discovery.on_page(page, file) if number == 1 and self._discovers else []
            if wanted:
                self._mark_productive(section)
            elif not next_url:
                self.unresolved[section] = DroppedPage(
                    url, "section-no-links", "no link looks like an article"
                )
            if is_article:
                self.logger.warning(
                    "The start page is an article, and is read as a section: `newsclean extract` "
                    "takes a single article <%s>",
                    url,
                )
            for source in sources:
                yield self._source_request(source, section)
            for ranked in wanted:
                if request := self._link_request(ranked, section):
                    yield request
            if next_url:
                yield self._section_request(section, next_url, number + 1)
        for request in self._source_done(section):
            yield request

    def _mark_productive(self, section: Section) -> None:
        if section not in self.productive_sections:
            self.productive_sections.add(section)
            self.site_counts(section.url).sources += 1

    @property
    def _discovers(self) -> bool:
        return self.settings.getbool("NEWSCLEAN_DISCOVER")

    async def parse_source(
        self, response: Response, section: Section, source: Source
    ) -> AsyncIterator[Request]:
        """Keep the articles that a feed or a sitemap names, and read the sitemaps that it names."""
        try:
            found = await run_in_thread(source.read, response.body, response.url)
        except Exception as error:  # whatever it is, the site has lost a source
            self.drop_source(unreadable_source(response.url, source.kind, error), source)
        else:
            self.count_unreadable(found.unreadable, response.url)
            site = self.sections[section]
            entries = [e for e in found.pages if site.file.wants(e) and self.window.wants(e)]
            if entries:
                self._mark_productive(section)
            site.announce(entries, section)
            if found.elsewhere:
                self.count("links/not_followed/other-site", found.elsewhere)
            for nested in self.discovery.new(found.sources):
                yield self._source_request(nested, section)
        for request in self._source_done(section):
            yield request

    async def _next_page(self, page: Page, url: str, section: Section, number: int) -> str | None:
        """The section's next page, if it is to be read and no other section has it."""
        if number >= (section.pages or self.section_pages):
            return None
        next_url = await run_in_thread(next_page, page, url)
        if next_url is None or next_url in self.requested:
            return None
        self.requested.add(next_url)
        return next_url

    def _link_request(self, ranked: RankedLink, section: Section) -> Request | None:
        """The request for a link, or None if it is deferred until all sources of its site are read.

        Until then, a section that matches it better may still turn up, or it may turn out to be an
        entry of the site's menu. With a limit all are deferred: the newest are known at the end.
        """
        link, site = ranked.link, self.sections[section]
        section = site.section_of(link.url, section)
        match = section_match(link, section.url)
        if match > self.categories.get(link.url, (-1, ""))[0]:
            self.categories[link.url] = match, section.category
        if not match or ranked.is_doubtful or self.window.limit is not None:
            site.defer(ranked, section)
            return None
        return self.article_request(link.entry, section.category, ranked.priority)

    def _source_done(self, section: Section) -> list[Request]:
        """The requests after a section page or source: the deferred ones after the site's last."""
        site = self.sections[section]
        site.pending_sources -= 1
        return [] if site.pending_sources > 0 else self._deferred_requests(site)

    def _deferred_requests(self, site: SiteCrawl) -> list[Request]:
        """The requests for what waited until all sources of a site were read, the newest first."""
        if self.link_choice.skip_links:
            self.link_choice.skip_menu(site.take_links_of_menu())
        requests = (self.article_request(*found) for found in site.take_candidates(self.window))
        return [request for request in requests if request is not None]

    def spider_idle(self) -> None:
        """Follow the deferred links, if a source was lost without a response or an error.

        If all sections have failed, the reason for which the spider is closed says so.
        """
        sites = dict.fromkeys(self.sections.values())
        requests = [request for site in sites for request in self._deferred_requests(site)]
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider
        for section, page in self.unresolved.items():
            self.drop_section(page, section)
        self.unresolved.clear()
        if self.failed_sections.issuperset(self.sections):
            raise CloseSpider(ALL_FAILED)

    def closed(self, reason: str) -> None:
        """Count the links that no section page has given a reason to follow, and what was left."""
        if self.discovery.not_read:
            self.count("sources/not_read", self.discovery.not_read)
        if not hasattr(self, "link_choice"):  # before it has started
            return
        for url, why in self.link_choice.not_followed(self.requested):
            self.count(f"links/not_followed/{why}")
            self.logger.debug("Not followed [%s] <%s>", why, url)

    def source_failed(self, failure: Failure) -> list[Request]:
        arguments = failure.request.cb_kwargs  # type: ignore[attr-defined]
        if "source" in arguments:
            self.drop_source(dropped_page(failure), arguments["source"])
        else:
            self.drop_section(dropped_page(failure), arguments["section"])
        return self._source_done(arguments["section"])

    def parse_article(self, response: Response, link: str, category: str) -> Iterator[PageItem]:
        _, category = self.categories.get(link, (0, category))
        yield from super().parse_article(response, link, category)

    def drop_source(self, page: DroppedPage, source: Source) -> None:
        """Count and log a feed or sitemap that is of no use; a site need not have a robots.txt."""
        if source.kind == "robots":
            return
        self.count("sources/failed")
        self.logger.log(ERROR if source.is_named else INFO, "Not read: %s", page)
        counts = self.site_counts(source.url)
        counts.failed_sources += 1
        counts.useless_sources += page.reason.endswith("-unreadable")

    def drop_section(self, page: DroppedPage, section: Section) -> None:
        """Count and log the last page of a section, which has failed if no page led to articles."""
        if section in self.productive_sections:
            self.drop(page)
            return
        self.failed_sections.add(section)
        self.count_dropped(page)
        self.count("sections/failed")
        counts = self.site_counts(section.url)
        counts.failed_sources += 1
        counts.useless_sources += page.reason.startswith("section-")
        self.logger.error("Section %s has failed: %s", section.category, page)
