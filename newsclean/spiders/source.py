"""Spiders that first read sources, and then request the newest of the articles they name."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import run_in_thread

from newsclean.downloadermiddlewares.same_site import SAME_SITE
from newsclean.sources import Entry, Listing
from newsclean.spiders.articles import SOURCE_PRIORITY, ArticleSpider
from newsclean.spiders.failures import DroppedPage, dropped_page, unreadable_source
from newsclean.spiders.sites import SiteFile
from newsclean.urls import registered_domain, same_site, site_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

#: The reason for which the spider is closed when no source could be read.
ALL_FAILED = "all_sources_failed"


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
            raise CloseSpider(ALL_FAILED)


def _site_key(url: str) -> str:
    return registered_domain(site_of(url) or "")
