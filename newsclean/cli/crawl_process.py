"""A crawl in this process."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from newsclean.cli.crawl_progress import Progress
from newsclean.cli.crawl_result import CrawlResult
from newsclean.cli.errors import USAGE, CommandError
from newsclean.cli.process_memory import RETURN_EVERY, return_memory_early, return_memory_now
from newsclean.crawl_state import CrawlState

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from newsclean.cli.crawl import CrawlPlan

SETTINGS = "newsclean.settings"
#: Pages that are parsed and extracted at a time, each with its tree and columns in memory. More
#: threads than these make a crawl no faster: they share one interpreter.
MAX_PAGES_AT_WORK = 2


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
    return_memory_early()
    process = AsyncCrawlerProcess(settings_of(plan))
    asyncio.get_event_loop().set_default_executor(ThreadPoolExecutor(MAX_PAGES_AT_WORK))
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
        if responses % RETURN_EVERY == 0:
            return_memory_now()

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


def format_of(output: str) -> str:
    return "csv" if output.lower().endswith(".csv") else "jsonlines"


def settings_of(plan: CrawlPlan) -> Settings:
    """newsclean's own settings, with those of the command."""
    settings = Settings()
    settings.setmodule(SETTINGS, priority="project")
    form = {"format": format_of(plan.output), "encoding": "utf-8", "overwrite": False}
    settings.set("FEEDS", {plan.output: form}, priority="cmdline")
    settings.set("LOG_LEVEL", "INFO" if plan.is_verbose or plan.log else "WARNING", "cmdline")
    if plan.log:
        settings.set("LOG_FILE", plan.log, priority="cmdline")
    settings.setdict(plan.settings, priority="cmdline")
    return settings
