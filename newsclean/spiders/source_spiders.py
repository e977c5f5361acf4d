"""The spiders `feed`, `sitemap` and `urls`: they crawl what a source lists."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.sitemap import sitemap_urls_from_robots

from newsclean.discovery.site_files import SiteFile, main_site, source_file
from newsclean.discovery.sources import (
    Entry,
    Listing,
    newest_first,
    parse_feed,
    parse_sitemap,
    read_url_list,
)
from newsclean.extraction.is_article import SURELY_NOT, article_likelihood
from newsclean.middlewares.refusals import SAME_SITE
from newsclean.spiders.article_spider import (
    SOURCE_PRIORITY,
    ArticleSpider,
    DroppedPage,
    dropped_page,
    unreadable_source,
)
from newsclean.urls import registered_domain, same_site, site_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure


# Spiders that first read sources, and then request the newest of the articles they name.

#: The reason for which the spider is closed when no source could be read.
_ALL_FAILED = "all_sources_failed"


class SourceSpider(ArticleSpider):
    """Collects the entries of all sources of a site: only then it is known which are the newest.

    No site waits for another, but with a limit: sources of other hosts may name its articles.
    """

    def __init__(self, **kw: Any) -> None:
        super().__init__(**kw)
        #: the sources, and what of them is wanted
        self.file = SiteFile()
        #: what the sources have named, by their sites
        self.entries: dict[str, list[Entry]] = {}
        #: how many sources of each site have been requested and not been read yet
        self.pending_sources: Counter[str] = Counter()
        self.read_sources = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> SourceSpider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.spider_idle, signals.spider_idle)
        return spider

    @abstractmethod
    def read(self, body: bytes, url: str) -> Listing:
        """What a source says; `SourceError` if it cannot be read."""

    @abstractmethod
    def take(self, found: Listing, url: str) -> Iterable[Request]:
        """Keep the entries of a source; the requests for further sources that it names."""

    async def start(self) -> AsyncIterator[Request]:
        # All are counted before the first one can be read.
        for request in [self.source_request(url) for url in self.start_addresses]:
            yield request

    def source_request(self, url: str) -> Request:
        self.pending_sources[_site_key(url)] += 1
        return Request(
            url,
            self.parse_source,
            errback=self.source_failed,
            meta={SAME_SITE: True},
            priority=SOURCE_PRIORITY,
            dont_filter=True,  # each request must succeed or fail: they are counted
        )

    async def parse_source(self, response: Response) -> AsyncIterator[Request]:
        try:
            found = await run_in_thread(self.read, response.body, response.url)
        except Exception as error:  # whatever it is, the site has lost a source
            self.drop_source(unreadable_source(response.url, "source", error))
        else:
            self.count_unreadable(found.unreadable, response.url)
            self.read_sources += 1
            self.site_counts(response.url).sources += 1
            for request in self.take(found, response.url):
                yield request
        for request in self._source_done(response.url):
            yield request

    def source_failed(self, failure: Failure) -> list[Request]:
        self.drop_source(dropped_page(failure))
        return self._source_done(failure.request.url)  # type: ignore[attr-defined]

    def drop_source(self, page: DroppedPage) -> None:
        self.count_dropped(page)
        self.count("sources/failed")
        counts = self.site_counts(page.url)
        counts.failed_sources += 1
        counts.useless_sources += page.reason == "source-unreadable"
        self.logger.error("%s: %s", self.name.capitalize(), page)

    def of_the_site(self, entries: Iterable[Entry], source: str) -> list[Entry]:
        """The entries that lead to the site of a source; the others are counted."""
        kept, other = [], 0
        for entry in entries:
            if same_site(entry.url, source):
                kept.append(entry)
            else:
                other += 1
        if other:
            self.count("links/not_followed/other-site", other)
        return kept

    def keep(self, entries: Iterable[Entry], source: str) -> None:
        """Keep what a source names until the others of its site are read."""
        self.entries.setdefault(_site_key(source), []).extend(entries)

    def _source_done(self, source: str) -> list[Request]:
        """The requests to make after a source: those for the articles after the last one."""
        site = _site_key(source)
        self.pending_sources[site] -= 1
        waits_for = self.pending_sources.values() if self.window.limit is not None else ()
        if self.pending_sources[site] > 0 or any(number > 0 for number in waits_for):
            return []
        return self._requests(*(self.entries if self.window.limit is not None else (site,)))

    def _requests(self, *sites: str) -> list[Request]:
        entries = [entry for site in sites for entry in self.entries.pop(site, ())]
        return list(self.entry_requests(filter(self.file.wants, entries)))

    def spider_idle(self) -> None:
        """Request what was found, if a source was lost without a response or an error."""
        requests = self._requests(*self.entries)
        for request in requests:
            assert self.crawler.engine is not None
            self.crawler.engine.crawl(request)
        if requests:
            raise DontCloseSpider
        if not self.read_sources:
            raise CloseSpider(_ALL_FAILED)


def _site_key(url: str) -> str:
    return registered_domain(site_of(url) or "")


# The spider `feed`: from RSS, Atom, RDF and JSON feeds to their articles.


class FeedSpider(SourceSpider):
    """Crawls the articles that feeds announce.

    -a url=URL[,URL…]   feeds
    -a site=NAME        or the feeds of a site file
    -a category=NAME    of all articles; else the first segment of their addresses
    and since, until, limit.

    A feed may be kept at another host than its articles: followed are the entries that lead to the
    feed's own site, or, if there are none, to the site to which most of them lead.
    """

    name = "feed"
    arguments = ("url", "site", "category")

    def __init__(
        self, url: str | None = None, site: str | None = None, category: str = "", **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.url, self.site, self.category = url, site, category

    def prepare(self) -> None:
        folder = self.setting("NEWSCLEAN_SITES")
        self.file = source_file(self.url, self.site, folder, "feeds")
        self.start_addresses = list(self.file.feeds)
        self.keep_delay(self.file)

    def read(self, body: bytes, url: str) -> Listing:
        return parse_feed(body, url)

    def take(self, found: Listing, url: str) -> Iterable[Request]:
        pages = found.pages
        own = self.of_the_site(pages, url) or self.of_the_site(pages, main_site(pages) or url)
        self.keep((replace(entry, category=self.category) for entry in own), url)
        return ()


# The spider `sitemap`: from sitemaps, and robots.txt, to the articles of a site.

#: Of an index that names more sitemaps, the newest ones are read.
_MAX_SITEMAPS = 100

_ROBOTS_TXT = "/robots.txt"


class SitemapSpider(SourceSpider):
    """Crawls the articles that sitemaps name.

    -a url=URL[,URL…]   sitemaps, or robots.txt files that name some
    -a site=NAME        or the sitemaps of a site file
    -a category=NAME    of all articles; else the first segment of their addresses
    and since, until, limit.

    A news sitemap names articles alone. Of others, addresses that surely lead to no article are
    left out.
    """

    name = "sitemap"
    arguments = ("url", "site", "category")

    def __init__(
        self, url: str | None = None, site: str | None = None, category: str = "", **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.url, self.site, self.category = url, site, category
        self.sitemaps: set[str] = set()

    def prepare(self) -> None:
        folder = self.setting("NEWSCLEAN_SITES")
        self.file = source_file(self.url, self.site, folder, "sitemaps")
        self.start_addresses = list(self.file.sitemaps)
        self.keep_delay(self.file)

    def read(self, body: bytes, url: str) -> Listing:
        if urlsplit(url).path == _ROBOTS_TXT:
            return Listing(sitemaps=[Entry(found) for found in sitemap_urls_from_robots(body, url)])
        return parse_sitemap(body, url)

    def take(self, found: Listing, url: str) -> Iterator[Request]:
        for page in self.of_the_site(found.pages, url):
            if found.is_news or article_likelihood(page.url) >= SURELY_NOT:
                self.keep([replace(page, category=self.category)], url)
            else:
                self.count("links/not_followed/address")
        for sitemap in newest_first(self.of_the_site(found.sitemaps, url)):
            if sitemap.url in self.sitemaps or not self._may_be_wanted(sitemap):
                continue
            if len(self.sitemaps) >= _MAX_SITEMAPS:
                self.count("sources/not_read")
                continue
            self.sitemaps.add(sitemap.url)
            yield self.source_request(sitemap.url)

    def _may_be_wanted(self, sitemap: Entry) -> bool:
        """Whether a sitemap may hold wanted articles: not if it last changed before them."""
        since, changed = self.window.since, sitemap.moment
        return since is None or changed is None or changed >= since


# The spider `urls`: the articles of a list of addresses.


class UrlsSpider(ArticleSpider):
    """Crawls the addresses of a list.

    -a file=PATH        a line each, CSV with a column url, or JSON lines; - is standard input
    -a category=NAME    of those without one; else the first segment of their addresses
    and since, until, limit.
    """

    name = "urls"
    arguments = ("file", "category")
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "NEWSCLEAN_REPORTS": False,  # a list of addresses does not say how a site is
    }

    def __init__(self, file: str | None = None, category: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.file, self.category = file, category
        self.entries: list[Entry] = []

    def prepare(self) -> None:
        if not self.file:
            raise ValueError("say which list: -a file=PATH, or -a file=- for standard input")
        self.entries = list(read_url_list(self._lines(self.file), self._refused))
        self.start_addresses = [entry.url for entry in self.entries]
        if not self.entries:
            raise ValueError(f"{self.file} names no address")

    def _lines(self, file: str) -> list[str]:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8", "replace")
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from None
        return text.splitlines()

    def _refused(self, number: int, why: str) -> None:
        self.drop(DroppedPage(f"{self.file}:{number}", "bad-line", why))

    async def start(self) -> AsyncIterator[Request]:
        for request in self.entry_requests(self.entries, self.category):
            yield request
