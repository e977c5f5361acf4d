"""The spider `news`: from section pages to their articles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import run_in_thread

from newsclean.defaults import DEFAULTS
from newsclean.items import PageItem
from newsclean.page import PageError
from newsclean.pipelines.page import page_of
from newsclean.site import same_site, site_of
from newsclean.spiders.choosing import MENU, NO_ARTICLES, Menus, Target, is_story, targets
from newsclean.spiders.failures import Drop, drop_of
from newsclean.spiders.links import belonging, is_inside, page_of_url
from newsclean.spiders.paging import next_page
from newsclean.spiders.sites import Section, read_site, section_at
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsclean.page import Page

SECTIONS_FIRST = 500  # priority

#: Why the spider is closed when none of the sections has led to anything.
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
            names = ", ".join(unknown)
            raise ValueError(f"unknown argument: {names}; there are url, site, pages")
        super().__init__(**kw)
        self.url = url
        self.site = site
        self.pages = pages
        #: for each article's link, the section to which it belongs most surely
        self.categories: dict[str, tuple[int, str]] = {}
        #: section pages that have been asked for and not been read yet
        self.unread = 0
        #: sections that have led to articles, and those that have not and are at their end
        self.fruitful: set[Section] = set()
        self.barren: set[Section] = set()
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
        try:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.sections = list(spider._sections())
            spider.section_pages = spider._section_pages()
        except ValueError as error:
            raise usage_error(f"news: {error}") from None
        crawler.signals.connect(spider.nothing_to_do, signals.spider_idle)
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
        url = response.url
        try:
            page = await run_in_thread(page_of, response)
        except PageError as error:
            self.drop_section(Drop(url, f"section-{error.reason}", str(error)), section)
        else:
            found = await run_in_thread(targets, page, url)
            self.menus.read(url, found)
            wanted = [target for target in found if self._is_wanted(target)]
            following = self._following(page, url, section, number)
            if wanted:
                self.fruitful.add(section)
            else:
                nothing = Drop(url, "section-no-links", "no link looks like an article")
                self.drop(nothing) if following else self.drop_section(nothing, section)
            if number == 1 and await run_in_thread(is_story, page, url):
                self.logger.warning(
                    "The start page is an article, and is read as a section: `newsclean extract` "
                    "takes a single article <%s>",
                    url,
                )
            for target in wanted:
                request = self._article_request(target, section)
                if request is not None:
                    yield request
            if following:
                yield self._section_request(section, following, number + 1)
        for request in self._section_read():
            yield request

    def _following(self, page: Page, url: str, section: Section, number: int) -> str | None:
        """The section's next page, if it is to be read and no other section has it."""
        more = number < (section.pages or self.section_pages)
        following = next_page(page, url) if more else None
        if following is None or following in self.followed:
            return None
        self.followed.add(following)
        self.unread += 1
        return following

    def _is_wanted(self, target: Target) -> bool:
        """Whether a link is worth a download; what is not is remembered with the reason."""
        url, reason = target.link.url, target.reason
        if page_of_url(url) in self.fronts:  # read as a section
            return False
        if not reason or (not self.skip and reason not in NO_ARTICLES):
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

    def nothing_to_do(self) -> None:
        """Some section never came, and nobody said so: follow what the others have left.

        If all have failed, the reason for which the spider is closed says so.
        """
        requests = self._later()
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider
        if self.barren.issuperset(self.sections):
            raise CloseSpider(ALL_FAILED)

    def closed(self, reason: str) -> None:
        """Count the links that no section page has given a reason to follow."""
        for url, why in self.not_followed.items():
            if url not in self.followed:
                self.count(f"links/not_followed/{why}")
                self.logger.debug("Not followed [%s] <%s>", why, url)

    def section_failed(self, failure: Failure) -> list[Request]:
        self.drop_section(drop_of(failure), failure.request.cb_kwargs["section"])  # type: ignore[attr-defined]
        return self._section_read()

    def parse_article(self, response: Response, link: str, category: str) -> Iterator[PageItem]:
        if same_site(link, response.url):
            _, category = self.categories.get(link, (0, category))
            yield PageItem(response, category=category)
        else:
            self.drop(Drop(response.url, "offsite", f"<{link}> leads to another site"))

    def failed(self, failure: Failure) -> None:
        """A page that did not come: say so, and go on."""
        self.drop(drop_of(failure))

    def drop(self, page: Drop) -> None:
        """Count and log a page that is of no use."""
        self.logger.info("Dropped: %s", page)
        self.count(f"dropped/{page.reason}")

    def drop_section(self, page: Drop, section: Section) -> None:
        """Count and log the last page of a section, which has failed if no page led to articles."""
        if section in self.fruitful:
            self.drop(page)
            return
        self.barren.add(section)
        self.count(f"dropped/{page.reason}")
        self.count("sections/failed")
        self.logger.error("Section %s has failed: %s", section.category, page)

    def count(self, name: str) -> None:
        """Add one to a stat of ours."""
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}")
