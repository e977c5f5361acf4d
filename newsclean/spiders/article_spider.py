"""What all spiders share: their arguments, the requests for articles, drops that are counted."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.spidermiddlewares.httperror import HttpError

from newsclean.crawl_state import CrawlState, usage_error
from newsclean.discovery.site_files import Window, entries_by_site
from newsclean.discovery.sources import Entry, SourceError
from newsclean.items import PageItem
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
    from collections.abc import Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newsclean.discovery.site_files import SiteFile
    from newsclean.memory.site_health import SiteCounts


# Why a page that a spider has requested did not arrive.

logger = logging.getLogger(__name__)

#: Scrapy says only in words why it ignores a request: a part of its message, and our reason.
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
    """A page that did not arrive, with the reason that Scrapy reports."""
    request: Request = failure.request  # type: ignore[attr-defined]
    if isinstance(failure.value, HttpError):
        response: Response = failure.value.response
        return DroppedPage(response.url, f"http-{response.status}", "error status")
    message = failure.getErrorMessage() or "the download has failed"
    reason = f"download/{type(failure.value).__name__}"
    if isinstance(failure.value, RefusedRequest):
        reason = failure.value.reason
    elif isinstance(failure.value, ResponseDataLossError):
        reason, message = "truncated", str(failure.value) or "the body breaks off"
    elif isinstance(failure.value, IgnoreRequest):
        reason = next((name for words, name in _IGNORED if words in message), "ignored")
    return DroppedPage(request.url, reason, message)


def unreadable_source(url: str, kind: str, error: Exception) -> DroppedPage:
    """A source that has arrived and cannot be read, for whatever reason."""
    if not isinstance(error, SourceError):
        logger.error("Unexpected error while reading <%s>", url, exc_info=error)
        error = SourceError(f"cannot be read: {error!r}")
    return DroppedPage(url, f"{kind}-unreadable", f"it {error}")


#: Of sections, feeds and sitemaps: before all articles.
SOURCE_PRIORITY = 500


class ArticleSpider(Spider):
    """Requests articles and hands their pages on.

    All spiders take

    -a since=DATE|AGE   only articles from this time on: 2026-03-14, or 36h, 7d
    -a until=DATE|AGE   only articles before this time
    -a limit=N          at most this many articles of each site, the newest
    -a recheck=all      ask again for all articles, whether they are due or not
    """

    #: whether a server that asks to be left alone for a while is
    obeys_retry_after: ClassVar[bool] = True
    #: the arguments of a spider beside those of all spiders
    arguments: ClassVar[tuple[str, ...]] = ()
    #: the addresses that the user has typed, of whose sites a run is
    start_addresses: list[str]

    def __init__(
        self,
        since: str | None = None,
        until: str | None = None,
        limit: str | None = None,
        recheck: str | None = None,
        **kw: Any,
    ) -> None:
        # What runs spiders for others, like Scrapyd, has arguments of its own: _job.
        unknown = [name for name in kw if name != "name" and not name.startswith("_")]
        if unknown:
            names = ", ".join((*self.arguments, "since", "until", "limit", "recheck"))
            raise ValueError(f"unknown argument: {', '.join(unknown)}; there are {names}")
        super().__init__(**kw)
        self.window = Window.of(since, until, limit)
        if recheck not in (None, "all"):
            raise ValueError(f"recheck={recheck}: it takes all, or is left out")
        self.recheck_all = recheck == "all"
        self.start_addresses = []
        #: the seconds between two requests to a host, by registered domain
        self.site_delays: dict[str, float] = {}
        #: addresses that this run has requested
        self.requested: set[str] = set()
        #: those of them that were not due, and the time from which on a change makes them due
        self.not_due: dict[str, float] = {}
        #: when articles have changed last, as sources say
        self.changed: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        try:
            spider = super().from_crawler(crawler, *args, **kwargs)
            spider.prepare()
            spider.start_urls = list(spider.start_addresses)  # their hosts are asked for
        except ValueError as error:
            raise usage_error(f"{cls.name}: {error}") from None
        return spider

    def prepare(self) -> None:
        """Read the arguments, once the settings are there; ValueError if they make no sense."""

    def keep_delay(self, file: SiteFile) -> None:
        """Take over the delay of a site file for the hosts of its site."""
        for url in file.addresses:
            domain = registered_domain(site_of(url) or "")
            self.site_delays[domain] = max(file.delay, self.site_delays.get(domain, 0.0))

    @property
    def newsclean_job(self) -> str:
        return f"{self.name} {' '.join(self.newsclean_sites)}"

    @property
    def newsclean_sites(self) -> list[str]:
        """A run finishes what killed runs have left of these sites."""
        return sorted(filter(None, {site_of(url) for url in self.start_addresses}))

    def setting(self, name: str) -> Any:
        """A setting of ours: a spider is made before the add-on has set its defaults."""
        return self.settings.get(name, defaults[name])

    def article_request(
        self, entry: Entry, category: str = "", priority: int = 0
    ) -> Request | None:
        """The request for an article, or None if this run has made it already.

        Scrapy's own filter remembers requests over all runs of a JOBDIR: what a killed run had
        requested would never arrive, and no run would see that an article has changed.

        An article that was not due is requested once more when a source says that it has changed.
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

    def entry_requests(self, entries: Iterable[Entry], category: str = "") -> Iterator[Request]:
        """The requests for the wanted entries of a source, the newest of each site first."""
        for found in entries_by_site(entries).values():
            for place, entry in enumerate(self.window.choose(found)):
                request = self.article_request(entry, entry.category or category, -place)
                if request is not None:
                    yield request

    def parse_article(self, response: Response, link: str, category: str) -> Iterator[PageItem]:
        yield PageItem(response, category=category)

    def article_failed(self, failure: Failure) -> Request | None:
        if isinstance(failure.value, NotDue):
            return self._note_not_due(failure.request, failure.value)  # type: ignore[attr-defined]
        if isinstance(failure.value, SettledRequest):  # counted
            return None
        self.drop(dropped_page(failure))
        if isinstance(failure.value, HttpError):
            self._mark_useless(failure.value.response)
        return None

    def _note_not_due(self, request: Request, not_due: NotDue) -> Request | None:
        """The request for an article that has changed, by a source that was read meanwhile."""
        link = request.cb_kwargs["link"]
        self.not_due[link] = max(not_due.fetched, request.meta.get(CHANGED) or 0.0)
        return self.article_request(Entry(link), request.cb_kwargs["category"], request.priority)

    def _mark_useless(self, response: Response) -> None:
        """Remember that there is no article at an address."""
        state = CrawlState.of(self.crawler)
        with state.ending_on_failure():
            state.memory.mark_useless(fetch_of(response))

    def drop(self, page: DroppedPage) -> None:
        """Count and log a page that is of no use."""
        self.logger.info("Dropped: %s", page)
        self.count_dropped(page)

    def count_dropped(self, page: DroppedPage) -> None:
        """Count a page that is of no use, and for its site."""
        self.count(f"dropped/{page.reason}")
        self.site_counts(page.url).dropped[page.reason] += 1

    def count_unreadable(self, entries: int, source: str) -> None:
        """Count and log entries that were left out of a source, for its site as well."""
        if entries:
            self.logger.warning("Left out: %d unreadable entries of <%s>", entries, source)
            self.count("dropped/entry-unreadable", entries)
            self.site_counts(source).dropped["entry-unreadable"] += entries

    def site_counts(self, url: str) -> SiteCounts:
        """What the run has counted for the site of an address."""
        return CrawlState.of(self.crawler).counts.of(url)

    def count(self, name: str, value: int = 1) -> None:
        """Add to a stat of ours."""
        CrawlState.of(self.crawler).count(name, value)
