"""The spiders `feed`, `sitemap` and `urls`: they crawl the articles that a source lists."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.http import Response
from scrapy.utils.asyncio import run_in_thread

from newsclean.discovery.entries import Entry, entries_by_site, read_url_list
from newsclean.discovery.link_choice import SiteCrawl
from newsclean.discovery.site_files import Section, source_files
from newsclean.discovery.sources import KnownSources, Source, SourceError
from newsclean.middlewares.blocked import wall_of_response
from newsclean.middlewares.politeness import SITEMAPS_WANTED
from newsclean.middlewares.refusals import SAME_SITE
from newsclean.spiders.article_spider import ArticleSpider, DroppedPage, dropped_page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure

    from newsclean.discovery.site_files import SiteFile

#: Priority of sections, feeds and sitemaps: before all articles.
SOURCE_PRIORITY = 500


class SourceSpider(ArticleSpider):
    """Reads all feeds and sitemaps of a site, then requests the newest of their articles.

    No site waits for another, unless there is a limit: feeds of several hosts may list articles of
    the same site, so the newest are known only when all of them are read.
    """

    #: the kinds of sources that are read of those that a site file names
    source_kinds: ClassVar[tuple[str, ...]] = ("feed", "sitemap", "robots")
    #: the reason why the spider is closed when no source could be used
    all_failed: ClassVar[str] = "all_sources_failed"

    def __init__(self, url: str | None = None, site: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.url, self.site = url, site
        #: the sections of the crawl, and the site of each
        self.sections: dict[Section, SiteCrawl] = {}
        self.sources = KnownSources(self.window.since)
        self.read_sources = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.spider_idle, signals.spider_idle)
        return spider

    def prepare_sources(self, kind: Literal["feeds", "sitemaps"], category: str) -> None:
        """Read the arguments `url` and `site`: feeds or sitemaps, or the site file with them."""
        folder, by_site = self.setting("NEWSCLEAN_SITES"), self.window.limit is None
        for file in source_files(self.url, self.site, folder, kind, by_site=by_site):
            section = Section(file.home, category)
            self.sections[section] = SiteCrawl(file, [section])
            self.start_urls += [source.url for source in self.wanted_sources(file)]
            self.use_site(file)

    async def start(self) -> AsyncIterator[Request]:
        # All requests are counted before the first response can arrive.
        for request in list(self.first_requests()):
            yield request

    def first_requests(self) -> Iterator[Request]:
        """Request the feeds and sitemaps that the user named."""
        for section, site in self.sections.items():
            for source in self.sources.named(self.wanted_sources(site.file)):
                yield self.source_request(source, section)

    def wanted_sources(self, file: SiteFile) -> list[Source]:
        return [source for source in file.sources if source.kind in self.source_kinds]

    def source_request(self, source: Source, section: Section) -> Request:
        request = self.counted_request(source.url, self.parse_source, section, source=source)
        # The middleware that obeys robots.txt has the file already.
        request.meta[SITEMAPS_WANTED] = source.kind == "robots" and not source.is_named
        return request

    def counted_request(self, url: str, callback: Any, section: Section, **kw: Any) -> Request:
        """Request a source or section page; the deferred articles of its site wait for it."""
        self.sections[section].pending_sources += 1
        return Request(
            url,
            callback,
            errback=self.source_failed,
            cb_kwargs={"section": section, **kw},
            meta={SAME_SITE: True},
            priority=SOURCE_PRIORITY,
            dont_filter=True,  # each request must succeed or fail: they are counted
        )

    async def parse_source(
        self, response: Response, section: Section, source: Source
    ) -> AsyncIterator[Request]:
        """Keep the articles that a source lists, and request the sitemaps that it names."""
        try:
            found = await run_in_thread(source.read, response.body, response.url)
        except Exception as error:  # whatever it is, the site has lost a source
            self.drop_source(self._unreadable(response, error), source)
        else:
            if found.unreadable:
                self.logger.warning(
                    "Skipped %d unreadable entries of <%s>", found.unreadable, response.url
                )
                self.count("dropped/entry-unreadable", found.unreadable)
                self.site_counts(response.url).dropped["entry-unreadable"] += found.unreadable
            self.count("links/not_followed/other-site", found.elsewhere)
            self.count("links/not_followed/url", found.unlikely)
            site = self.sections[section]
            wanted = [e for e in found.pages if site.file.wants(e) and self.window.wants(e)]
            site.announce(wanted, section)
            self.source_read(response.url, section, wanted)
            for nested in self.sources.new(found.sources):
                yield self.source_request(nested, section)
        for request in self.source_done(section):
            yield request

    def source_failed(self, failure: Failure) -> list[Request]:
        arguments = failure.request.cb_kwargs  # type: ignore[attr-defined]
        self.drop_source(dropped_page(failure), arguments["source"])
        return self.source_done(arguments["section"])

    def _unreadable(self, response: Response, error: Exception) -> DroppedPage:
        url = response.url
        if wall := wall_of_response(response):
            return DroppedPage(url, wall.reason, f"blocked by {wall}")
        if not isinstance(error, SourceError):
            self.logger.error("Unexpected error while reading <%s>", url, exc_info=error)
            error = SourceError(f"cannot be read: {error!r}")
        return DroppedPage(url, "source-unreadable", f"it {error}")

    def source_read(self, url: str, section: Section, wanted: list[Entry]) -> None:
        """Count a source that could be read, for its site as well."""
        self.read_sources += 1
        self.site_counts(url).sources += 1

    def drop_source(self, page: DroppedPage, source: Source) -> None:
        """Count and log a feed or sitemap that is of no use.

        It is an error if the user named it; a site need not have the robots.txt that was tried.
        """
        if source.is_named:
            self.count_dropped(page)
            self.logger.error("Source failed: %s", page)
        elif source.kind == "robots":
            return
        else:
            self.logger.info("Declared source not used: %s", page)
        self.count("sources/failed")
        is_useless = page.reason == "source-unreadable"
        self.site_counts(source.url).count_failed_source(page.reason, is_useless=is_useless)

    def source_done(self, section: Section) -> list[Request]:
        """Return the requests for the articles of a site after the last of its sources."""
        site = self.sections[section]
        site.pending_sources -= 1
        return [] if site.pending_sources > 0 else self.site_requests(site)

    def site_requests(self, site: SiteCrawl) -> list[Request]:
        """Request the articles that were listed, the newest first."""
        found = site.take_candidates(self.window)
        requests = (
            self.article_request(candidate.entry, candidate.category, -place)
            for place, candidate in enumerate(found)
        )
        return [request for request in requests if request is not None]

    def spider_idle(self) -> None:
        """Request what is left, if a source was lost without a response or an error."""
        sites = dict.fromkeys(self.sections.values())
        requests = [request for site in sites for request in self.site_requests(site)]
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider
        if self.has_failed():
            raise CloseSpider(self.all_failed)

    def has_failed(self) -> bool:
        """Tell, at the end of the crawl, whether no source could be used."""
        return not self.read_sources

    def closed(self, reason: str) -> None:
        self.count("sources/not_read", self.sources.not_read)


class FeedSpider(SourceSpider):
    """Crawls the articles that feeds list: RSS, Atom, RDF and JSON Feed.

    -a url=URL[,URL…]   feeds
    -a site=NAME        or the feeds of a site file
    -a category=NAME    of all articles; default: the first segment of their URLs
    and since, until, limit, recheck.

    A feed may be hosted elsewhere than its articles. Entries that lead to the feed's own site are
    followed or, if there are none, those to the site with the most entries.
    """

    name = "feed"
    arguments = ("url", "site", "category")
    source_kinds = ("feed",)

    def __init__(self, category: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.category = category

    def prepare(self) -> None:
        self.prepare_sources("feeds", self.category)


class SitemapSpider(SourceSpider):
    """Crawls the articles that sitemaps list.

    -a url=URL[,URL…]   sitemaps, or robots.txt files that name some
    -a site=NAME        or the sitemaps of a site file
    -a category=NAME    of all articles; default: the first segment of their URLs
    and since, until, limit, recheck.

    A news sitemap lists only articles. Of others, URLs that are clearly not articles are skipped.
    """

    name = "sitemap"
    arguments = ("url", "site", "category")
    source_kinds = ("sitemap", "robots")

    def __init__(self, category: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.category = category

    def prepare(self) -> None:
        self.prepare_sources("sitemaps", self.category)


class UrlsSpider(ArticleSpider):
    """Crawls the URLs of a list.

    -a file=PATH        one URL per line, CSV with a column url, or JSON lines; - is standard input
    -a category=NAME    of those without one; default: the first segment of their URLs
    and since, until, limit, recheck.
    """

    name = "urls"
    arguments = ("file", "category")
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "NEWSCLEAN_REPORTS": False,  # a list of URLs says nothing about the state of a site
    }

    def __init__(self, file: str | None = None, category: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.file, self.category = file, category
        self.entries: list[Entry] = []

    def prepare(self) -> None:
        if not self.file:
            raise ValueError("say which list: -a file=PATH, or -a file=- for standard input")
        self.entries = list(read_url_list(self._lines(self.file), self._refused))
        self.start_urls = [entry.url for entry in self.entries]
        if not self.entries:
            raise ValueError(f"{self.file} has no URLs")

    def _lines(self, file: str) -> list[str]:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8", "replace")
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from None
        return text.splitlines()

    def _refused(self, number: int, why: str) -> None:
        self.drop(DroppedPage(f"{self.file}:{number}", "bad-line", why))

    async def start(self) -> AsyncIterator[Request]:
        for entries in entries_by_site(self.entries).values():
            for place, entry in enumerate(self.window.choose(entries)):
                request = self.article_request(entry, entry.category or self.category, -place)
                if request is not None:
                    yield request
