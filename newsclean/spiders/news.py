"""The spider `news`: from section pages, and the feeds and sitemaps they declare, to articles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.asyncio import run_in_thread

from newsclean.crawl_state import CrawlState
from newsclean.discovery.link_choice import LinkChoice, LinkPatterns, SiteCrawl
from newsclean.discovery.links import RankedLink, is_surely_article, rank_links, section_match
from newsclean.discovery.paging import next_page
from newsclean.discovery.site_files import Section, section_at, site_files
from newsclean.extraction.is_article.walls import BLOCKED
from newsclean.extraction.page import PageError
from newsclean.items import PageItem
from newsclean.memory.fetches import RecheckSchedule
from newsclean.middlewares.blocked import unblocked_page_of
from newsclean.spiders.article_spider import DroppedPage, dropped_page
from newsclean.spiders.source_spiders import SourceSpider

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from newsclean.discovery.entries import Entry
    from newsclean.extraction.page import Page

#: The reason why the spider is closed when all sections have failed.
ALL_FAILED = "all_sections_failed"


class NewsSpider(SourceSpider):
    """Crawls sections of news sites, and the feeds and news sitemaps that they declare.

    -a url=URL[,URL…]    home or section pages to start from
    -a site=NAME[,NAME…] or site files: NAME.toml in NEWSCLEAN_SITES, or paths
    -a pages=N           how many pages of each section to read
    and since, until, limit, recheck.
    """

    name = "news"
    arguments = ("url", "site", "pages")
    all_failed = ALL_FAILED
    section_pages: int
    link_choice: LinkChoice

    def __init__(self, pages: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.pages = pages
        #: for each article's URL, the category of the section that matches it best, and how well
        self.categories: dict[str, tuple[int, str]] = {}
        #: sections that have led to articles, and those that have ended without any
        self.productive_sections: set[Section] = set()
        self.failed_sections: set[Section] = set()
        #: sections without links to articles, whose feeds and sitemaps may still list some
        self.unresolved: dict[Section, DroppedPage] = {}

    def prepare(self) -> None:
        for file in site_files(self.url, self.site, self.setting("NEWSCLEAN_SITES")):
            sections = file.sections or (section_at(file.home),)
            if self.pages:  # the argument overrides the site file
                sections = tuple(replace(section, pages=None) for section in sections)
            self.sections |= dict.fromkeys(sections, SiteCrawl(file, sections))
            self.start_urls += file.urls
            self.use_site(file)
        self.section_pages = self._section_pages()

    def _section_pages(self) -> int:
        name = "NEWSCLEAN_SECTION_PAGES" if self.pages is None else "pages"
        pages = str(self.setting(name) if self.pages is None else self.pages)
        if not pages.isdecimal() or int(pages) < 1:
            raise ValueError(f"{name}={pages}: it takes a number of pages, 1 or more")
        return int(pages)

    def first_requests(self) -> Iterator[Request]:
        schedule = RecheckSchedule.of(self.crawler.settings)
        self.link_choice = LinkChoice(
            self.sections,
            self.window,
            LinkPatterns(CrawlState.of(self.crawler).memory, schedule),
            skip_links=self.settings.getbool("NEWSCLEAN_SKIP_LINKS"),
        )
        for section, site in self.sections.items():
            if site.file.sections:
                yield self.section_request(section, section.url, 1)
        yield from super().first_requests()

    def section_request(self, section: Section, url: str, number: int) -> Request:
        return self.counted_request(url, self.parse_section, section, number=number)

    async def parse_section(
        self, response: Response, section: Section, number: int
    ) -> AsyncIterator[Request]:
        """Follow links to articles, the section's next page, and the sources that it declares."""
        url, site = response.url, self.sections[section]
        try:
            page = await run_in_thread(unblocked_page_of, response)
        except PageError as error:
            reason = error.reason
            reason = reason if reason.startswith(BLOCKED) else f"section-{reason}"
            self.drop_section(DroppedPage(url, reason, str(error)), section)
        else:
            wanted = await self._wanted_links(page, url, site)
            is_article = number == 1 and await run_in_thread(is_surely_article, page, url)
            next_url = None if is_article else await self._next_page(page, url, section, number)
            if is_article:
                self.logger.warning(
                    "The start page is an article, and is read as a section: `newsclean extract` "
                    "takes a single article <%s>",
                    url,
                )
            if wanted:
                self._mark_productive(section)
            elif not next_url:
                self.unresolved[section] = DroppedPage(
                    url, "section-no-links", "no link looks like an article"
                )
            if number == 1 and self.settings.getbool("NEWSCLEAN_DISCOVER"):
                for source in self.sources.declared(page):
                    yield self.source_request(source, section)
            for ranked in wanted:
                if request := self._link_request(ranked, section):
                    yield request
            if next_url:
                yield self.section_request(section, next_url, number + 1)
        for request in self.source_done(section):
            yield request

    async def _wanted_links(self, page: Page, url: str, site: SiteCrawl) -> list[RankedLink]:
        patterns = self.link_choice.patterns
        patterns.reload()
        links = await run_in_thread(rank_links, page, url, site.file.links, patterns.counts)
        site.menu_links.add_page(url, links)
        with CrawlState.of(self.crawler).ending_on_failure():
            return [ranked for ranked in links if self.link_choice.wants(ranked, site.file)]
        return []

    async def _next_page(self, page: Page, url: str, section: Section, number: int) -> str | None:
        """Return the section's next page, if it is to be read and no other section has it."""
        if number >= (section.pages or self.section_pages):
            return None
        next_url = await run_in_thread(next_page, page, url)
        if next_url is None or next_url in self.requested:
            return None
        self.requested.add(next_url)
        return next_url

    def _link_request(self, ranked: RankedLink, section: Section) -> Request | None:
        """Return the request for a link, or None if it waits until all sources are read.

        Until then, a section that matches it better may turn up, or it may turn out to belong to
        the site's menu. With a limit all links wait: only then it is known which are the newest.
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

    def site_requests(self, site: SiteCrawl) -> list[Request]:
        """Request what has waited until all sources of a site were read, the newest first."""
        if self.link_choice.skip_links:
            self.link_choice.skip_menu(site.take_links_of_menu())
        requests = (self.article_request(*found) for found in site.take_candidates(self.window))
        return [request for request in requests if request is not None]

    async def parse_article(
        self, response: Response, link: str, category: str
    ) -> AsyncIterator[PageItem]:
        _, category = self.categories.get(link, (0, category))
        async for item in super().parse_article(response, link, category):
            yield item

    def source_failed(self, failure: Failure) -> list[Request]:
        arguments = failure.request.cb_kwargs  # type: ignore[attr-defined]
        if "source" in arguments:
            return super().source_failed(failure)
        self.drop_section(dropped_page(failure), arguments["section"])
        return self.source_done(arguments["section"])

    def source_read(self, url: str, section: Section, wanted: list[Entry]) -> None:
        if wanted:
            self._mark_productive(section)

    def _mark_productive(self, section: Section) -> None:
        if section not in self.productive_sections:
            self.productive_sections.add(section)
            self.site_counts(section.url).sources += 1

    def drop_section(self, page: DroppedPage, section: Section) -> None:
        """Count and log a page of a section, which has failed if no page led to articles."""
        if section in self.productive_sections:
            self.drop(page)
            return
        self.failed_sections.add(section)
        self.count_dropped(page)
        self.count("sections/failed")
        is_useless = page.reason.startswith("section-")
        self.site_counts(section.url).count_failed_source(page.reason, is_useless=is_useless)
        self.logger.error("Section %s has failed: %s", section.category, page)

    def has_failed(self) -> bool:
        for section, page in self.unresolved.items():
            self.drop_section(page, section)
        self.unresolved.clear()
        return self.failed_sections.issuperset(self.sections)

    def closed(self, reason: str) -> None:
        """Count the links that were not followed."""
        super().closed(reason)
        if not hasattr(self, "link_choice"):  # closed before it has started
            return
        for url, why in self.link_choice.not_followed(self.requested):
            self.count(f"links/not_followed/{why}")
            self.logger.debug("Not followed [%s] <%s>", why, url)
