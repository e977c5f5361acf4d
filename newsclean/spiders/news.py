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
from newsclean.spiders.choosing import FILE, MENU, SECTION, Menus, Target, targets
from newsclean.spiders.links import belonging, is_inside, page_of_url
from newsclean.spiders.paging import next_page
from newsclean.spiders.sites import Section, read_site, section_at
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure


#: Scrapy does not say why it ignores a request but in words.
IGNORED = (("robots.txt", "robots-txt"), ("redirections", "redirect-loop"))

SECTIONS_FIRST = 500  # priority


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
        #: the first pages of all sections
        self.fronts: set[str] = set()
        #: addresses that this run has asked for
        self.followed: set[str] = set()
        #: whether links that are surely no articles are left out
        self.skip = True
        #: links that wait until all sections are read, with the section on whose page they stand
        self.later: list[tuple[Target, Section]] = []
        #: what stands on all section pages of a site
        self.menus = Menus()
        #: addresses that are surely no articles, and why
        self.not_followed: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> NewsSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        try:
            spider.sections = list(spider._sections())
            spider.section_pages = spider._section_pages()
        except ValueError as error:
            raise usage_error(f"news: {error}") from None
        crawler.signals.connect(spider.follow_later, signals.spider_idle)
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
        self.skip = self.settings.getbool("NEWSCLEAN_SKIP_LINKS")
        self.fronts = {page_of_url(section.url) for section in self.sections}
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
            found = await run_in_thread(targets, page, response.url)
            self.menus.read(response.url, found)
            wanted = [target for target in found if self._is_wanted(target)]
            if not wanted:
                self.drop(response.url, "section-no-links", "no link looks like an article")
            for target in wanted:
                request = self._article_request(target, section)
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

    def _is_wanted(self, target: Target) -> bool:
        """Whether a link is worth a download; what is not is remembered with the reason."""
        url, reason = target.link.url, target.reason
        if page_of_url(url) in self.fronts:  # read as a section
            return False
        if not reason or (not self.skip and reason not in (FILE, SECTION)):
            return True
        self.not_followed[url] = reason
        return False

    def _article_request(self, target: Target, section: Section) -> Request | None:
        """The request for a link, or None if it has to wait until all sections are read.

        Until then, the section to which it belongs may still turn up, or it may turn out to be an
        entry of the site's menu.
        """
        link = target.link
        section = next((s for s in self.sections if is_inside(link.url, s.url)), section)
        sure = belonging(link, section.url)
        if sure > self.categories.get(link.url, (-1, ""))[0]:
            self.categories[link.url] = sure, section.category
        if not sure or target.is_doubtful:
            self.later.append((target, section))
            return None
        return self._request(target, section)

    def _request(self, target: Target, section: Section) -> Request | None:
        """A request that this run has not made yet.

        Scrapy's own filter remembers requests over all runs of a JOBDIR: what a killed run had
        asked for would never come, and no run would see that an article has changed.
        """
        url = target.link.url
        if url in self.followed:
            return None
        self.followed.add(url)
        return Request(
            url,
            self.parse_article,
            errback=self.failed,
            cb_kwargs={"link": url, "category": section.category},
            priority=target.priority,
            dont_filter=True,
        )

    def _section_read(self) -> list[Request]:
        """When all sections are read, what has waited for that is followed."""
        self.unread -= 1
        return [] if self.unread > 0 else self._later()

    def _later(self) -> list[Request]:
        later, self.later = self.later, []
        requests = []
        for target, section in later:
            if self.skip and self.menus.has(target, section.url):
                self.not_followed[target.link.url] = MENU
            elif request := self._request(target, section):
                requests.append(request)
        return requests

    def follow_later(self) -> None:
        """Some section never came, and nobody said so: follow what the others have left."""
        requests = self._later()
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider

    def closed(self, reason: str) -> None:
        """Count the links that no section page has given a reason to follow."""
        assert self.crawler.stats is not None
        for url, why in self.not_followed.items():
            if url not in self.followed:
                self.crawler.stats.inc_value(f"newsclean/links/not_followed/{why}")
                self.logger.debug("Not followed: surely no article [%s] <%s>", why, url)

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
