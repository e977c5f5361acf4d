"""The state of a crawl: what its spider, pipelines, middlewares and extensions share.

`CrawlState.of(crawler)` is the same object for all components of a crawl. It has the memory, the
counts of each site, the hosts that have asked for a pause, and whether the storage has failed.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary, WeakSet

from scrapy.exceptions import NotConfigured, UsageError
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.project import data_path

from newsclean.discovery.site_settings import NO_SETTINGS
from newsclean.extraction.methods.registry import method_named
from newsclean.files import DomainBusyError, StorageError
from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.database import RAM, is_database_url
from newsclean.memory.postgresql_schema import ArticleTable
from newsclean.memory.site_health import RunCounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from newsclean.discovery.site_settings import SettingsOfSites, SiteSettings
    from newsclean.extraction.methods.chain import Method
    from newsclean.items import PageItem
    from newsclean.memory.site_report import SiteReport

logger = logging.getLogger(__name__)

#: The reason for which the spider is closed when the memory or a feed can't be written.
STORAGE_FAILED = "storage_failed"

#: The memory's default place, in Scrapy's data folder.
_MEMORY_FILE = "newsclean/memory.sqlite"

#: The stats of a crawl, all under `newsclean/`, and what each counts, in Markdown: docs/stats.md is
#: made from it. Capitals are a placeholder.
STATS = {
    "articles": "articles that were exported",
    "dropped/REASON": "pages that were dropped: `unchanged`, `duplicate`, `too-large`, "
    "`http-404` …",
    "dropped/no-article/REASON": "pages that are not articles, and why",
    "dropped/blocked/KIND": "[walls](blocked.md): `challenge`, `denied`, `consent`, `login`, "
    "`payment`, `same-page`; and `not-requested`",
    "dropped/failed-too-often": "pages that led to an error in three runs",
    "dropped/entry-unreadable": "entries of a feed or sitemap that cannot be read",
    "dropped/rendering-REASON": "pages without text that could not be rendered; the next run "
    "requests them again",
    "not_cleaned/REASON": "third-party items that passed unchanged, because their page cannot be "
    "used",
    "not_pages/REASON": "records of an archive that are not pages, such as pictures",
    "not_due": "articles that were not requested again, because it is too soon",
    "not_modified": "articles that were not downloaded again, because the server says that they "
    "have not changed",
    "links/not_followed/REASON": "links that were not requested: `other-site`, `file`, `section` "
    "(a front page, or a page of a list), `not-allowed` (by the site file), `url` (its words "
    "say gallery, log-in, tag …), `label` (neither URL nor text of an article), `menu` (on every "
    "section page), `url-pattern` (no URL of its pattern was an article)",
    "sections/failed": "sections that could not be read or led to no article; each is an ERROR in "
    "the log",
    "sources/failed": "feeds and sitemaps that could not be read or led to no article",
    "sources/not_read": "feeds and sitemaps that were not read, because a site names too many",
    "joined": "articles [on several pages](pages.md) that were joined",
    "joined/pages": "their pages, without the first ones",
    "joined/failed": "articles that were output without their further pages, because of an error",
    "parked": "how often a page was parked",
    "parked/left": "pages that stay parked for the next run",
    "relearned": "how often the template of a site or category was replaced by a new one",
    "static_noise/chars": "characters that were marked as static noise",
    "dynamic_noise/chars": "characters that were marked as dynamic noise",
    "corrections/pages": "pages that [corrections](teach.md) changed",
    "corrections/words": "words on these pages that corrections changed",
    "corrections/held_back": "corrections that would have changed far more of a page than of the "
    "labelled pages",
    "corrections/unreadable": "files of corrections that cannot be read and are ignored",
    "retry_after": "answers that asked for a pause (`Retry-After`)",
    "refused/private-address": "requests that were refused, because the address is not public",
    "rendering/pages": "rendered pages",
    "rendering/failed": "pages that could not be rendered",
    "rendering/failed/REASON": "the same by reason: `timeout`, `crashed`, `incomplete` (its "
    "requests failed, and it shows no text), `too-large`, `left`, `no-browser`",
    "rendering/requests": "requests of rendered pages that were downloaded",
    "rendering/requests/failed": "requests of rendered pages that failed",
    "rendering/requests/kept": "requests answered with a script or style sheet that had been "
    "downloaded before",
    "rendering/refused": "refused requests of rendered pages",
    "rendering/refused/REASON": "the same by reason: `other-site`, `robots-txt`, "
    "`private-address`, `kind`, `method`, `too-many`",
    "rendering/seconds": "total rendering time, without waiting for the requests of the pages",
    "rendering/browsers": "starts of the browser",
    "rendering/snapshots": "snapshots for a method that reads rendered pages",
    "rendering/snapshots/failed": "pages without a snapshot",
    "index/RESULT": "articles for the index of [`NEWSCLEAN_INDEX`](search.md): `new`, `changed`, "
    "`same`, `older`, `refused`, `without_id`, or `left` for the next run; `failed_tries` counts "
    "the failed attempts",
    "copies": "articles that are near copies of another site's (`--copies`)",
    "archived_pages": "pages written to the WARC file (`--warc`)",
    "poet/REASON": "responses for which scrapy-poet got an empty article",
    "not_in_table": "items that [`NEWSCLEAN_TABLE`](cluster.md#where-articles-go) does not take, "
    "because they are not articles",
    "sites": "sites of the run",
    "sites/trouble": "sites of the run that are in trouble ([reports.md](reports.md))",
    "memory/damaged_rows": "rows of the memory that were damaged and left out",
    "storage_failed": "1 if the memory or the output could not be written",
    "domain_busy": "1 if another crawl was crawling one of the domains",
}

#: Signals of newsclean's own. `host_paused` is sent with the `host` that has asked for a pause,
#: `neighborhood_ready` with a `site` of which enough neighbors are known.
host_paused = object()
neighborhood_ready = object()


def site_method(name: str, model: str | None) -> Method:
    """Return the method that a site file names; the model of the crawl is for `hybrid` alone."""
    return method_named(name, model if "hybrid" in name else None)


class CrawlState:
    """What the components of one crawl share.

    The memory is opened when a component first asks for it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.counts = RunCounts()
        self.pauses = HostPauses()
        #: the methods that site files name
        self._methods: dict[str, Method] = {}
        #: whether the memory or a feed can no longer be written or read
        self.has_failed = False
        #: the report on each site, once the run has ended
        self.reports: list[SiteReport] = []
        #: the pages of third-party items that no pipeline has claimed, by the ids of the items
        self.unclaimed: dict[int, PageItem] = {}
        #: the pages in the pipelines, if an extension follows them; a page refers to its response,
        #: and so has to be taken out again
        self.in_flight: WeakKeyDictionary[Response, PageItem] | None = None
        #: what the memory is to be told of deliveries, inside `one_confirmation`
        self.deferred: list[Callable[[], None]] | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the state of a crawl, the same one each time."""
        state: Self | None = vars(crawler).get("newsclean_state")
        if state is None:
            state = cls(crawler)
            vars(crawler)["newsclean_state"] = state
        return state

    def count(self, name: str, value: float = 1) -> None:
        """Add to the stat `newsclean/<name>`; `STATS` lists them."""
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}", value)  # type: ignore[arg-type]

    @cached_property
    def method(self) -> Method:
        """The method of `NEWSCLEAN_METHOD`, with the model of `NEWSCLEAN_MODEL`."""
        settings = self.crawler.settings
        return method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])

    def settings_of(self, url: str) -> SiteSettings:
        """Return what the site file of a URL says; third-party spiders have no site files."""
        sites: SettingsOfSites | None = getattr(self.crawler.spider, "site_settings", None)
        return NO_SETTINGS if sites is None else sites.of(url)

    def method_of(self, url: str) -> Method:
        """Return the method for a page: that of its site file, or that of all sites."""
        name = self.settings_of(url).method
        if name is None:
            return self.method
        if name not in self._methods:
            self._methods[name] = site_method(name, self.crawler.settings["NEWSCLEAN_MODEL"])
        return self._methods[name]

    @cached_property
    def memory(self) -> Memory:
        """The memory that `NEWSCLEAN_MEMORY` names, and in it the table of `NEWSCLEAN_TABLE`."""
        settings = self.crawler.settings
        try:
            memory = Memory(
                memory_path(settings),
                keying=self.method.keying,
                model=self.method.model,
                window=settings.getint("NEWSCLEAN_WINDOW"),
                keep_pages=settings.getint("NEWSCLEAN_KEEP_PAGES"),
                host=settings["NEWSCLEAN_HOST"],
            )
            memory.database.check_writable()
            memory.articles = self._article_table(memory, settings["NEWSCLEAN_TABLE"])
        except (MemoryFileError, StorageError, OSError) as error:
            raise usage_error(f"NEWSCLEAN_MEMORY: {error}", self.crawler) from None
        return memory

    def _article_table(self, memory: Memory, name: str | None) -> ArticleTable | None:
        if not name:
            return None
        try:
            if memory.database.host is None:
                raise ValueError(
                    "it needs a memory in PostgreSQL: NEWSCLEAN_MEMORY = postgresql://…"
                )
            table = ArticleTable(memory.database, name)
            table.make()
        except Exception as error:
            memory.close()
            if isinstance(error, StorageError):
                raise
            raise usage_error(f"NEWSCLEAN_TABLE={name}: {error}", self.crawler) from None
        return table

    # The pages of a crawl.

    def claim(self, item: Any) -> PageItem | None:
        """Return the page of a third-party item, once; None if it has none."""
        return self.unclaimed.pop(id(item), None)

    def follow(self, page: PageItem) -> None:
        """Let the extension that confirms deliveries find a page by its response."""
        if self.in_flight is not None:
            self.in_flight[page.arrived] = page

    def confirm(self, delivery: Callable[[], None]) -> None:
        """Tell the memory of a delivery, now or at the end of `one_confirmation`."""
        if self.deferred is None:
            delivery()
        else:
            self.deferred.append(delivery)

    @contextmanager
    def one_confirmation(self) -> Iterator[None]:
        """Confirm the deliveries of this block in one transaction.

        The lines of a run that is killed inside it are in the output, where the next run finds
        them.
        """
        self.deferred = []
        try:
            yield
        finally:
            self.confirm_deferred()
            self.deferred = None

    def confirm_deferred(self) -> None:
        """Confirm the deliveries so far inside `one_confirmation`."""
        if not self.deferred:
            return
        deliveries, self.deferred = self.deferred, []

        def confirm() -> None:
            for delivery in deliveries:
                delivery()

        with self.ending_on_failure():
            self.memory.database.atomically(confirm)

    # Failures. One error in the log says which file can't be used, why, and what to do. The spider
    # is closed with the reason `storage_failed`, nothing further is downloaded or written, and the
    # process ends with a code other than 0. What was stored is whole: the next run completes it.

    def report_failure(self, error: StorageError) -> None:
        """Log and count the first failure of the storage; later ones follow from it."""
        if not self.has_failed:
            self.has_failed = True
            logger.error("%s", error)
            self.count("storage_failed")
            if isinstance(error, DomainBusyError):
                self.count("domain_busy")

    def end(self, error: StorageError) -> None:
        """Report a failure of the storage and close the spider."""
        is_first = not self.has_failed
        self.report_failure(error)
        engine = self.crawler.engine
        if is_first and engine is not None and engine.spider is not None:
            deferred_from_coro(engine.close_spider_async(reason=STORAGE_FAILED))

    @contextmanager
    def ending_on_failure(self) -> Iterator[None]:
        """End the crawl if its storage fails inside this block."""
        try:
            yield
        except StorageError as error:
            self.end(error)

    def exit_with_error(self) -> None:
        """Let the process end with a code other than 0; call it when all else is done.

        Whatever runs crawlers (`scrapy crawl`, `CrawlerProcess`, `CrawlerRunner`) counts a crawler
        that ends without a spider as failed (`bootstrap_failed`); `scrapy crawl` then exits with 1.
        """
        self.crawler.spider = None


class HostPauses:
    """How long each host is to be left alone, because it has asked for it (`Retry-After`).

    A request that waits inside the downloader is one of its `CONCURRENT_REQUESTS`, and delays
    other hosts. So requests to a paused host go back to the scheduler and wait there.
    """

    def __init__(self) -> None:
        #: when each host may be asked again, on the monotonic clock
        self._resume: dict[str, float] = {}
        #: requests that the scheduler has given out, and takes back
        self.scheduled: WeakSet[Request] = WeakSet()

    def pause(self, host: str, seconds: float) -> None:
        """Leave a host alone for some seconds; for the rest of the run if they are infinite."""
        self._resume[host] = max(self._resume.get(host, 0.0), time.monotonic() + seconds)

    def seconds_left(self, host: str) -> float:
        return max(self._resume.get(host, 0.0) - time.monotonic(), 0.0)

    def is_paused(self, host: str) -> bool:
        """Tell whether a host is left alone now, and will be asked again in this run."""
        return 0 < self.seconds_left(host) < math.inf

    def goes_back(self, request: Request) -> bool:
        """Tell whether a request has to wait, and can wait in the scheduler."""
        return request in self.scheduled and self.is_paused(host_of(request))


def host_of(request: Request) -> str:
    """Return what may ask for a pause and has a robots.txt: a host with its port."""
    return urlparse_cached(request).netloc


def memory_path(settings: BaseSettings) -> str:
    """Return where the memory is: `NEWSCLEAN_MEMORY`, or a file in Scrapy's data folder."""
    path: str | None = settings.get("NEWSCLEAN_MEMORY")
    if path == RAM or (path and is_database_url(path)):
        return path
    if path:
        return str(Path(path).expanduser())
    try:
        return data_path(_MEMORY_FILE)
    except NotConfigured:  # SCRAPY_SETTINGS_MODULE names the settings, there is no scrapy.cfg
        return str(Path(".scrapy", _MEMORY_FILE))


def usage_error(message: str, crawler: Crawler | None = None) -> UsageError:
    """Return the error to raise for a wrong argument or setting; it is logged in one line.

    `scrapy crawl` leaves what a crawl raises at its start to asyncio, which would log it with a
    traceback. With a `crawler`, the process also ends with a code other than 0.
    """
    if crawler is not None:
        CrawlState.of(crawler).exit_with_error()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # not in a crawl
        return UsageError(message)
    others = loop.get_exception_handler()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), UsageError):
            logger.error("%s", context["exception"])
        elif others is not None:
            others(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)
    return UsageError(message)
