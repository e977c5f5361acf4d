"""Run a crawl in this process: progress on a terminal, a summary and an exit code at the end."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    Progress,
    for_terminal,
    note,
)
from newsclean.crawl_state import CrawlState
from newsclean.extraction.text import counted
from newsclean.memory.site_health import STATES, State
from newsclean.memory.site_report import PARTIAL, SiteReport, exit_code
from newsclean.settings import ADDONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import FrameType

    from scrapy.crawler import Crawler

    from newsclean.cli.crawl import CrawlPlan

#: Exit codes beyond those of `terminal`.
STORAGE, BUSY, INTERRUPTED = 4, 7, 130
_FEW, _BLOCKED = (STATES[state].exit_code for state in (State.FEW, State.BLOCKED))
#: The worst first.
_EXIT_ORDER = (
    *(INTERRUPTED, STORAGE, BUSY, USAGE, UNREADABLE),
    *(_BLOCKED, UNUSABLE, _FEW, PARTIAL, 0),
)
#: Maximum sites listed in the summary if none is in trouble.
_MAX_SITES_SHOWN = 5

_PREFIX = "newsclean/"
_DROPPED = "dropped/"
_SETTINGS = "newsclean.settings"
#: Pages that are parsed and extracted at a time, each with its tree and columns in memory. More
#: threads do not make a crawl faster: they share one interpreter.
_MAX_PAGES_AT_WORK = 2

#: Parameters of `mallopt`, from malloc.h of glibc.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
#: Bytes: larger blocks are returned at once.
_THRESHOLD = 128 * 1024
#: Return memory after this many pages.
_RETURN_EVERY = 10


@dataclass
class CrawlResult:
    """The result of a crawl, of one process or of several."""

    exit_code: int = 0
    seconds: float = 0.0
    #: the stats of newsclean, without their prefix
    counts: Counter[str] = field(default_factory=Counter)
    #: the state of each site, as `SiteReport.to_dict` writes it
    sites: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(
        cls, stats: Mapping[str, Any], seconds: float, sites: Iterable[SiteReport] = ()
    ) -> CrawlResult:
        """Return the result of a closed spider, from its stats and site reports."""
        ours = {
            name.removeprefix(_PREFIX): value
            for name, value in stats.items()
            if name.startswith(_PREFIX) and isinstance(value, int)
        }
        reports = [report.to_dict() for report in sites]
        return cls(_exit_code_of(stats, has_report=bool(reports)), seconds, Counter(ours), reports)

    @classmethod
    def together(cls, results: Iterable[CrawlResult], seconds: float) -> CrawlResult:
        """Return the sum of the results of several processes."""
        whole = cls(seconds=seconds)
        for result in results:
            whole.counts.update(result.counts)
            whole.sites += result.sites
            whole.exit_code = worst(whole.exit_code, result.exit_code)
        return whole

    @property
    def dropped(self) -> dict[str, int]:
        """The number of dropped pages by reason, the most frequent first."""
        return {
            name.removeprefix(_DROPPED): count
            for name, count in self.counts.most_common()
            if name.startswith(_DROPPED)
        }

    @property
    def reports(self) -> list[SiteReport]:
        """The report of each site, those in trouble first."""
        reports = map(SiteReport.from_dict, self.sites)
        return sorted(reports, key=lambda report: (not report.state.is_trouble, report.site))

    def show(
        self,
        output: str,
        *,
        sites: int = 0,
        bad_files: int = 0,
        what: tuple[str, str] = ("new or changed article", "new or changed articles"),
    ) -> int:
        """Print a summary and return the exit code of the command.

        `what` is the noun of the number of articles, and its plural.
        """
        of_sites = f" of {sites} sites" if sites > 1 else ""
        print(
            f"{counted(self.counts['articles'], *what)}{of_sites} "
            f"in {self.seconds:,.1f} s, in {for_terminal(output)}"
        )
        if self.dropped:
            number = sum(self.dropped.values())
            print(f"{counted(number, 'page')} dropped:")
        for reason, count in self.dropped.items():
            print(f"{count:8,} {for_terminal(reason)}")
        if copies := self.counts["copies"]:
            print(f"{copies:,} of them near copies of articles of other sites")
        if pages := self.counts["archived_pages"]:
            print(f"{counted(pages, 'page')} archived")
        if failed := self.counts["sections/failed"]:
            print(f"{counted(failed, 'section')} without articles")
        if left := self.counts["parked/left"]:
            print(f"{counted(left, 'page')} stored in the memory for the next crawl")
        if bad_files:
            print(f"{counted(bad_files, 'site file')} left out")
        if self.exit_code == INTERRUPTED:
            print("interrupted: run the same command again to complete the crawl")
        reports = self.reports
        for report in reports:
            if report.state.is_trouble or len(reports) <= _MAX_SITES_SHOWN or report.notes:
                print(for_terminal(report.line()))
        of_sites_code = exit_code(report.state for report in reports)
        return worst(worst(self.exit_code, of_sites_code), UNREADABLE if bad_files else 0)


def _exit_code_of(stats: Mapping[str, Any], *, has_report: bool = False) -> int:
    """Return the exit code for a closed spider; reports tell more about sites that failed."""
    from newsclean.spiders.news import ALL_FAILED
    from newsclean.spiders.saved_page_spiders import NO_PAGES

    reason = stats.get("finish_reason")
    if stats.get(f"{_PREFIX}domain_busy"):
        return BUSY
    if stats.get(f"{_PREFIX}storage_failed"):
        return STORAGE
    if reason == "start_error":  # the error is in the log
        return STORAGE
    if reason == "shutdown":
        return INTERRUPTED
    if reason == NO_PAGES:
        return UNUSABLE
    if reason == ALL_FAILED and not has_report:
        # A start page arrived, but cannot be used as a section.
        is_read = any(name.startswith(f"{_PREFIX}{_DROPPED}section-") for name in stats)
        return UNUSABLE if is_read else UNREADABLE
    return 0


def worst(code: int, other: int) -> int:
    """Return the worse of two exit codes.

    >>> worst(1, 3), worst(0, 1), worst(130, 4)
    (3, 1, 130)
    """
    return min(code, other, key=lambda c: _EXIT_ORDER.index(c) if c in _EXIT_ORDER else 1)


def _return_memory_early() -> None:
    """Keep the process small; to be called once, after the imports and before threads start.

    Without this the memory of pages is returned late: reference cycles wait for the collector,
    which runs less often the more old objects there are, and the C library keeps what a thread
    has freed for that thread.
    """
    gc.collect()
    gc.freeze()  # the collector ignores what lasts to the end
    with suppress(AttributeError, OSError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _THRESHOLD)
        library.mallopt(_M_TRIM_THRESHOLD, _THRESHOLD)


def _return_memory_now() -> None:
    """Collect finished pages, and return the memory that the C library keeps of them."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def crawl(plan: CrawlPlan, start: dict[str, str]) -> CrawlResult:
    """Crawl what the spider argument `url` or `site` in `start` says, and show the progress."""
    with Progress("articles") as progress:
        return run_spider(plan, start, lambda done: progress.update("crawling", done))


def say_that_it_stops() -> None:
    """Tell the user that the first Ctrl-C was seen: the pages under way may take a while."""
    note("stopping after the pages under way; press Ctrl-C again to stop at once")


def _announce_stop() -> None:
    """Let the first signal that ends the crawl be announced; to be called before it starts."""
    from twisted.internet import reactor

    def announce() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            stop = signal.getsignal(number)  # Scrapy's, which replaces itself for the second one

            def handle(number: int, frame: FrameType | None, stop: Any = stop) -> None:
                reactor.callFromThread(say_that_it_stops)
                stop(number, frame)

            if callable(stop):
                signal.signal(number, handle)

    reactor.callLater(0, announce)  # type: ignore[arg-type]  # Scrapy's handlers come before


def run_spider(
    plan: CrawlPlan,
    start: dict[str, str],
    report: Callable[[int], None],
    on_start: Callable[[AsyncCrawlerProcess], None] | None = None,
) -> CrawlResult:
    """Run the spider of the plan to its end.

    `report` gets the number of articles with each article and, as a sign of life, with each
    response. `on_start` gets the process before it runs; with it, signals are not handled here.
    """
    began = time.monotonic()
    _return_memory_early()
    settings = _settings_of(plan)
    try:
        # ADDONS of the user takes the place of newsclean's, and may have forgotten it.
        for path, order in ADDONS.items():
            settings.setdefault_in_component_priority_dict("ADDONS", load_object(path), order)
        process = AsyncCrawlerProcess(settings)
    except (ImportError, NameError, ValueError) as wrong:  # an add-on, or a module with spiders
        told = f"the settings name what cannot be loaded: {wrong}"
        raise CommandError(told, USAGE) from None
    asyncio.get_event_loop().set_default_executor(ThreadPoolExecutor(_MAX_PAGES_AT_WORK))
    crawler: Crawler = process.create_crawler(plan.spider)

    articles = responses = 0

    def count() -> None:
        nonlocal articles
        articles += 1
        report(articles)

    def return_memory() -> None:
        nonlocal responses
        responses += 1
        report(articles)
        if responses % _RETURN_EVERY == 0:
            _return_memory_now()

    crawler.signals.connect(count, signals.item_scraped)
    crawler.signals.connect(return_memory, signals.response_received)
    task = process.crawl(crawler, **plan.arguments, **start)
    if on_start is not None:
        on_start(process)
    else:
        _announce_stop()
    process.start(install_signal_handlers=on_start is None)
    error = task.exception() if task.done() and not task.cancelled() else None
    if isinstance(error, UsageError):
        raise CommandError(str(error), USAGE)
    if error is not None:
        raise error
    stats: dict[str, Any] = {"finish_reason": "shutdown"}  # if no spider was closed
    if crawler.stats is not None:
        stats |= crawler.stats.get_stats()
    return CrawlResult.of(stats, time.monotonic() - began, CrawlState.of(crawler).reports)


def _format_of(output: str) -> str:
    _, _, suffix = output.lower().rpartition(".")
    return suffix if suffix in ("csv", "parquet") else "jsonlines"


def _settings_of(plan: CrawlPlan) -> Settings:
    """Return the settings of newsclean with those of the command."""
    settings = Settings()
    settings.setmodule(_SETTINGS, priority="project")
    form = {"format": _format_of(plan.output), "encoding": "utf-8", "overwrite": False}
    settings.set("FEEDS", {plan.output: form}, priority="cmdline")
    settings.set("LOG_LEVEL", "INFO" if plan.is_verbose or plan.log else "WARNING", "cmdline")
    if plan.log:
        settings.set("LOG_FILE", plan.log, priority="cmdline")
    for name, value in plan.settings.items():
        try:
            settings.set(name, value, priority="cmdline")
        except ValueError as error:  # a dict is JSON
            raise CommandError(f"-s {name}={value}: {error}", USAGE) from None
    if plan.warc is not None:
        from newsclean.middlewares.page_archive import ORDER, archive_to  # most crawls have none

        archive = archive_to(plan.warc)
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", archive, ORDER)
    if plan.copies:
        from newsclean.pipelines import copies

        settings.setdefault_in_component_priority_dict(
            "ITEM_PIPELINES", copies.CopyPipeline, copies.ORDER
        )
    return settings
