"""The spider `news`: from section pages to their articles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.asyncio import run_in_thread

from newsclean.defaults import DEFAULTS
from newsclean.items import PageItem
from newsclean.page import PageError
from newsclean.pipelines.page import page_of
from newsclean.site import same_site, site_of
from newsclean.spiders.links import Link, article_links, belonging, is_inside, next_page
from newsclean.spiders.sites import Section, read_site, section_at
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure


#: Scrapy does not say why it ignores a request but in words.
IGNORED = (("robots.txt", "robots-txt"), ("redirections", "redirect-loop"))

SECTIONS_FIRST = 10  # priority


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
        super().__init__(**kw)
        self.url = url
        self.site = site
        self.pages = pages
        #: for each article's link, the section to which it belongs most surely
        self.categories: dict[str, tuple[int, str]] = {}
        #: section pages that have been asked for and not been read yet
        self.unread = 0
        #: addresses that this run has asked for
        self.followed: set[str] = set()
        #: requests for links that stand beside a section only
        self.mentioned: list[Request] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> NewsSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        try:
            spider.sections = list(spider._sections())
            spider.section_pages = spider._section_pages()
        except ValueError as error:
            raise usage_error(f"news: {error}") from None
        crawler.signals.connect(spider.follow_mentioned, signals.spider_idle)
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
        self.unread = len(self.sections)
        for section in self.sections:
            yield self._section_request(section, section.url, 1)

    def _section_request(self, section: Section, url: str, number: int) -> Request:
        return Request(
            url,
            self.parse_section,
            errback=self.section_failed,
            cb_kwargs={"section": section, "number": number},
            priority=SECTIONS_FIRST,
            dont_filter=True,  # each one that is asked for must come or fail: they are counted
        )

    async def parse_section(
        self, response: Response, section: Section, number: int
    ) -> AsyncIterator[Request]:
        """Follow what looks like an article, and the section's next page."""
        try:
            page = await run_in_thread(page_of, response)
        except PageError as error:
            self.drop(response.url, f"section-{error.reason}", str(error))
        else:
            links = await run_in_thread(article_links, page, response.url)
            if not links:
                self.drop(response.url, "section-no-links", "no link looks like an article")
            for link in links:
                request = self._article_request(link, section)
                if request is not None:
                    yield request
            following = next_page(page, response.url)
            more = number < (section.pages or self.section_pages)
            if following and more and following not in self.followed:
                self.followed.add(following)
                self.unread += 1
                yield self._section_request(section, following, number + 1)
        for request in self._section_read():
            yield request

    def _article_request(self, link: Link, section: Section) -> Request | None:
        """The request for a link, or None if it has to wait."""
        section = next((s for s in self.sections if is_inside(link.url, s.url)), section)
        sure = belonging(link, section.url)
        if sure > self.categories.get(link.url, (-1, ""))[0]:
            self.categories[link.url] = sure, section.category
        request = Request(
            link.url,
            self.parse_article,
            errback=self.failed,
            cb_kwargs={"link": link.url, "category": section.category},
            priority=sure,
            dont_filter=True,
        )
        if not sure:
            self.mentioned.append(request)
            return None
        return self._once(request)

    def _once(self, request: Request) -> Request | None:
        """A request that this run has not made yet.

        Scrapy's own filter remembers requests over all runs of a JOBDIR: what a killed run had
        asked for would never come, and no run would see that an article has changed.
        """
        if request.url in self.followed:
            return None
        self.followed.add(request.url)
        return request

    def _section_read(self) -> list[Request]:
        """What is only mentioned beside a section is followed when all sections are read.

        Until then, the section to which it belongs may still turn up.
        """
        self.unread -= 1
        if self.unread > 0:
            return []
        mentioned, self.mentioned = self.mentioned, []
        return [request for request in mentioned if self._once(request)]

    def follow_mentioned(self) -> None:
        """Some section never came, and nobody said so: follow what stands beside the others."""
        mentioned, self.mentioned = self.mentioned, []
        requests = [request for request in mentioned if self._once(request)]
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider

    def section_failed(self, failure: Failure) -> list[Request]:
        self.failed(failure)
        return self._section_read()

    def parse_article(self, response: Response, link: str, category: str) -> Iterator[PageItem]:
        if same_site(link, response.url):
            _, category = self.categories.get(link, (0, category))
            yield PageItem(response, category=category)
        else:
            self.drop(response.url, "offsite", f"<{link}> leads to another site")

    def failed(self, failure: Failure) -> None:
        """A page that did not come: say so, and go on."""
        request: Request = failure.request  # type: ignore[attr-defined]
        if isinstance(failure.value, HttpError):
            response: Response = failure.value.response
            self.drop(response.url, f"http-{response.status}", "error status")
            return
        message = failure.getErrorMessage()
        reason = f"download/{type(failure.value).__name__}"
        if isinstance(failure.value, IgnoreRequest):
            reason = next((name for words, name in IGNORED if words in message), "ignored")
        self.drop(request.url, reason, message)

    def drop(self, url: str, reason: str, message: str) -> None:
        """Count and log a page that is of no use."""
        self.logger.info("Dropped: %s [%s] <%s>", message, reason, url)
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/dropped/{reason}")
