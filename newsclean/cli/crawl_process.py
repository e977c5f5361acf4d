"""A crawl in this process."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from newsclean.cli.terminal import UNREADABLE, UNUSABLE, USAGE, CommandError, for_terminal
from newsclean.crawl_state import CrawlState
from newsclean.memory.site_report import FEW, PARTIAL, SiteReport, exit_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from rich.progress import Progress as Line
    from scrapy.crawler import Crawler

    from newsclean.cli.crawl import CrawlPlan


# A line that shows how far a crawl is, for as long as it runs, if a person looks at it.


class Progress:
    """Counts articles on standard error; without a terminal it shows nothing."""

    def __init__(self) -> None:
        self._line = _new_line() if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._line is not None:
            self._line.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._line is not None:
            self._line.stop()

    def update(self, articles: int) -> None:
        """Show how many articles there are now."""
        if self._line is not None:
            self._line.update(self._line.task_ids[0], completed=articles)


def _new_line() -> Line:
    from rich.console import Console  # only a terminal needs it
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:,} articles"), TimeElapsedColumn()
    line = Progress(*columns, console=Console(stderr=True), transient=True)
    line.add_task("", total=None)
    return line


# What a crawl has done, of one process or of several: a summary for people, and an exit code.

STORAGE, BUSY, INTERRUPTED = 4, 7, 130
#: The worst first.
_EXIT_ORDER = (INTERRUPTED, STORAGE, BUSY, USAGE, UNREADABLE, UNUSABLE, FEW, PARTIAL, 0)
#: Sites that are listed when all is well with them.
_MAX_SITES_SHOWN = 5

_PREFIX = "newsclean/"
_DROPPED = "dropped/"


@dataclass
class CrawlResult:
    exit_code: int = 0
    seconds: float = 0.0
    #: the stats of newsclean, without its prefix
    counts: Counter[str] = field(default_factory=Counter)
    #: how each site is, as `SiteReport.to_dict` writes it
    sites: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(
        cls, stats: Mapping[str, Any], seconds: float, sites: Iterable[SiteReport] = ()
    ) -> CrawlResult:
        """Of the stats of a spider that was closed, and its report."""
        ours = {
            name.removeprefix(_PREFIX): value
            for name, value in stats.items()
            if name.startswith(_PREFIX) and isinstance(value, int)
        }
        reports = [report.to_dict() for report in sites]
        return cls(_exit_code_of(stats, has_report=bool(reports)), seconds, Counter(ours), reports)

    @classmethod
    def together(cls, results: Iterable[CrawlResult], seconds: float) -> CrawlResult:
        """Of several processes."""
        whole = cls(seconds=seconds)
        for result in results:
            whole.counts.update(result.counts)
            whole.sites += result.sites
            whole.exit_code = worst(whole.exit_code, result.exit_code)
        return whole

    @property
    def dropped(self) -> dict[str, int]:
        """How many pages were dropped, by reason, the most frequent first."""
        return {
            name.removeprefix(_DROPPED): count
            for name, count in self.counts.most_common()
            if name.startswith(_DROPPED)
        }

    @property
    def reports(self) -> list[SiteReport]:
        """How each site is, those in trouble first."""
        reports = map(SiteReport.from_dict, self.sites)
        return sorted(reports, key=lambda report: (not report.state.is_trouble, report.site))

    def show(
        self,
        output: str,
        *,
        sites: int = 0,
        bad_files: int = 0,
        what: str = "new or changed articles",
    ) -> int:
        """Print a summary; the exit code of the command."""
        of_sites = f" of {sites} sites" if sites > 1 else ""
        print(
            f"{self.counts['articles']:,} {what}{of_sites} "
            f"in {self.seconds:,.1f} s, in {for_terminal(output)}"
        )
        if self.dropped:
            number = sum(self.dropped.values())
            print(f"{number:,} {'page' if number == 1 else 'pages'} dropped:")
        for reason, count in self.dropped.items():
            print(f"{count:8,} {for_terminal(reason)}")
        if failed := self.counts["sections/failed"]:
            print(f"{failed:,} {'section' if failed == 1 else 'sections'} without articles")
        if left := self.counts["parked/left"]:
            print(f"{left:,} pages wait in the memory for the next crawl")
        if bad_files:
            print(f"{bad_files:,} site files left out")
        if self.exit_code == INTERRUPTED:
            print("interrupted: the same command completes the crawl")
        reports = self.reports
        for report in reports:
            if report.state.is_trouble or len(reports) <= _MAX_SITES_SHOWN or report.notes:
                print(for_terminal(report.line()))
        of_sites_code = exit_code(report.state for report in reports)
        return worst(worst(self.exit_code, of_sites_code), UNREADABLE if bad_files else 0)


def _exit_code_of(stats: Mapping[str, Any], *, has_report: bool = False) -> int:
    """The exit code for how a spider was closed; a report says more of sites that have failed."""
    from newsclean.spiders.news import ALL_FAILED
    from newsclean.spiders.saved_page_spiders import NO_PAGES

    reason = stats.get("finish_reason")
    if stats.get(f"{_PREFIX}domain_busy"):
        return BUSY
    if stats.get(f"{_PREFIX}storage_failed"):
        return STORAGE
    if reason == "start_error":  # the log has the error
        return STORAGE
    if reason == "shutdown":
        return INTERRUPTED
    if reason == NO_PAGES:
        return UNUSABLE
    if reason == ALL_FAILED and not has_report:
        # A page that has arrived, and cannot be used as a section.
        is_read = any(name.startswith(f"{_PREFIX}{_DROPPED}section-") for name in stats)
        return UNUSABLE if is_read else UNREADABLE
    return 0


def worst(code: int, other: int) -> int:
    """The worse of two exit codes.

    >>> worst(1, 3), worst(0, 1), worst(130, 4)
    (3, 1, 130)
    """
    return min(code, other, key=lambda c: _EXIT_ORDER.index(c) if c in _EXIT_ORDER else 1)


# Keeps the memory of a process small that reads one page after another.
#
# What a page leaves is returned late: objects that refer to each other wait for the collector,
# which looks at old ones the less often the more of them there are, and the C library keeps what a
# thread has freed for that thread.

#: Of glibc's malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
#: Bytes: larger pieces are given back at once.
_THRESHOLD = 128 * 1024


#: Pages after which what they have left is returned.
_RETURN_EVERY = 10


def _return_memory_early() -> None:
    """To be called once, after the imports and before there are threads."""
    gc.collect()
    gc.freeze()  # what lasts to the end does not count as old, and is not looked at again
    with suppress(AttributeError, OSError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _THRESHOLD)
        library.mallopt(_M_TRIM_THRESHOLD, _THRESHOLD)


def _return_memory_now() -> None:
    """Collect the pages that are done with, and give back what the C library keeps of them."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


_SETTINGS = "newsclean.settings"
#: Pages that are parsed and extracted at a time, each with its tree and columns in memory. More
#: threads than these make a crawl no faster: they share one interpreter.
_MAX_PAGES_AT_WORK = 2


def crawl(plan: CrawlPlan, start: dict[str, str]) -> CrawlResult:
    """Crawl what the argument `url` or `site` of the spider says, with a line of progress."""
    with Progress() as progress:
        return run_spider(plan, start, progress.update)


def run_spider(
    plan: CrawlPlan,
    start: dict[str, str],
    report: Callable[[int], None],
    on_start: Callable[[AsyncCrawlerProcess], None] | None = None,
) -> CrawlResult:
    """Run the spider of the plan to its end; how many articles there are is reported.

    That is with each article, and with each response, as a sign of progress.

    `on_start` gets the process before it runs, and then signals are not handled here.
    """
    began = time.monotonic()
    _return_memory_early()
    process = AsyncCrawlerProcess(_settings_of(plan))
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
    process.start(install_signal_handlers=on_start is None)
    error = task.exception() if task.done() and not task.cancelled() else None
    if isinstance(error, UsageError):
        raise CommandError(str(error), USAGE)
    if error is not None:
        raise error
    stats: dict[str, Any] = {"finish_reason": "shutdown"}  # without a spider that was closed
    if crawler.stats is not None:
        stats |= crawler.stats.get_stats()
    return CrawlResult.of(stats, time.monotonic() - began, CrawlState.of(crawler).reports)


def _format_of(output: str) -> str:
    return "csv" if output.lower().endswith(".csv") else "jsonlines"


def _settings_of(plan: CrawlPlan) -> Settings:
    """newsclean's own settings, with those of the command."""
    settings = Settings()
    settings.setmodule(_SETTINGS, priority="project")
    form = {"format": _format_of(plan.output), "encoding": "utf-8", "overwrite": False}
    settings.set("FEEDS", {plan.output: form}, priority="cmdline")
    settings.set("LOG_LEVEL", "INFO" if plan.is_verbose or plan.log else "WARNING", "cmdline")
    if plan.log:
        settings.set("LOG_FILE", plan.log, priority="cmdline")
    settings.setdict(plan.settings, priority="cmdline")
    return settings
