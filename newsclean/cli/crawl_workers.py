"""Crawl in several processes, each with its own sites, that share the memory and the output.

A worker reads on its standard input what to crawl and reports on its standard output the number of
articles, and at the end its result. It ignores signals, because a terminal or a service manager may
send them to all processes at once: the parent passes each on as one byte on the standard input. If
the parent dies, the input ends, and the worker ends its crawl.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from newsclean.cli.crawl import CrawlPlan
from newsclean.cli.crawl_process import INTERRUPTED, STORAGE, CrawlResult, say_that_it_stops
from newsclean.cli.terminal import CommandError, Progress, note

if TYPE_CHECKING:
    from scrapy.crawler import AsyncCrawlerProcess

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: Seconds between two reports of a worker.
_REPORT_EVERY = 0.5
#: Seconds until a crawl that has not started yet is told again to stop.
_STOP_AGAIN = 0.05
#: Maximum bytes of a line that a worker writes.
MAX_LINE = 1 << 20


def crawl_in_workers(plan: CrawlPlan, parts: list[list[str]], jobs: int) -> CrawlResult:
    """Crawl each part in its own process, at most `jobs` at a time."""
    began = time.monotonic()
    with Progress("articles") as progress:
        results = asyncio.run(Workers(plan, progress).run(parts, jobs))
    return CrawlResult.together(results, time.monotonic() - began)


class Workers:
    """Starts workers, passes signals on to them, and collects their reports."""

    def __init__(self, plan: CrawlPlan, progress: Progress) -> None:
        self.plan = plan
        self.progress = progress
        self.running: set[asyncio.subprocess.Process] = set()
        #: articles by the number of the part
        self.articles: dict[int, int] = {}
        #: number of signals received
        self.signals = 0

    async def run(self, parts: list[list[str]], jobs: int) -> list[CrawlResult]:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.stop)
        places = asyncio.Semaphore(jobs)
        crawls = (self.crawl(number, names, places) for number, names in enumerate(parts))
        return await asyncio.gather(*crawls)

    def stop(self) -> None:
        """Let all workers end their crawls; the second time, end them at once."""
        self.signals += 1
        if self.signals == 1:
            say_that_it_stops()
        for worker in self.running:
            if worker.stdin is not None and not worker.stdin.is_closing():
                worker.stdin.write(b"\n")

    async def crawl(self, number: int, names: list[str], places: asyncio.Semaphore) -> CrawlResult:
        async with places:
            if self.signals:
                return CrawlResult(INTERRUPTED)
            worker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __spec__.name,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=MAX_LINE,
            )  # fmt: skip
            self.running.add(worker)
            try:
                return await self.follow(worker, number, names)
            finally:
                self.running.discard(worker)

    async def follow(
        self, worker: asyncio.subprocess.Process, number: int, names: list[str]
    ) -> CrawlResult:
        """Tell a worker what to crawl, and return its result."""
        assert worker.stdin is not None
        task = {"plan": asdict(self.plan), "sites": names}
        worker.stdin.write(json.dumps(task).encode() + b"\n")
        worker.stdin.write(b"\n" * self.signals)
        _, result = await asyncio.gather(_pass_on(worker.stderr), self.result(worker, number))
        code = await worker.wait()
        worker.stdin.close()
        if result is None and self.signals:
            return CrawlResult(INTERRUPTED)
        if result is None:
            note(f"the process that crawls {', '.join(names)} died (exit code {code})")
            return CrawlResult(STORAGE)
        return result

    async def result(self, worker: asyncio.subprocess.Process, number: int) -> CrawlResult | None:
        """Return the result that a worker reports at its end, None if it dies before."""
        assert worker.stdout is not None
        async for line in worker.stdout:
            report = json.loads(line)
            if "exit_code" in report:
                counts = Counter(report["counts"])
                sites = report["sites"]
                return CrawlResult(report["exit_code"], report["seconds"], counts, sites)
            self.articles[number] = report["articles"]
            self.progress.update("crawling", sum(self.articles.values()))
        return None


async def _pass_on(stream: asyncio.StreamReader | None) -> None:
    """Copy the standard error of a worker to our own, line by line."""
    assert stream is not None
    rest = b""
    while data := await stream.read(MAX_LINE):
        *lines, rest = (rest + data).split(b"\n")
        if len(rest) > MAX_LINE:  # a line without an end
            lines, rest = [*lines, rest], b""
        for line in lines:
            sys.stderr.write(line.decode("utf-8", "replace") + "\n")
        sys.stderr.flush()
    if rest:
        sys.stderr.write(rest.decode("utf-8", "replace") + "\n")


def work() -> int:
    """Run one crawl as a worker; return its exit code."""
    from newsclean.cli.crawl_process import run_spider

    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    task = json.loads(_read_line(sys.stdin.fileno()))
    last = 0.0

    def report(articles: int) -> None:
        nonlocal last
        if time.monotonic() - last > _REPORT_EVERY:
            last = time.monotonic()
            tell({"articles": articles})

    try:
        plan = CrawlPlan(**task["plan"])
        result = run_spider(plan, plan.start(task["sites"]), report, _obey)
    except CommandError as error:
        note(str(error))
        result = CrawlResult(error.exit_code)
    tell({"articles": result.counts["articles"]})
    tell(vars(result))
    return result.exit_code


def _read_line(file: int) -> bytes:
    """Read a line and not a byte more: the bytes that follow are commands."""
    line = b""
    while (byte := os.read(file, 1)) not in (b"", b"\n"):
        line += byte
    return line


def tell(report: dict[str, Any]) -> None:
    with suppress(OSError):  # the parent is gone: the crawl is about to end
        os.write(sys.stdout.fileno(), json.dumps(report).encode() + b"\n")


def _obey(process: AsyncCrawlerProcess) -> None:
    """End the crawl when a byte arrives on the standard input, or it ends; on a second, at once."""
    from twisted.internet import reactor

    def wait() -> None:
        is_told = os.read(sys.stdin.fileno(), 1)
        reactor.callFromThread(stop)
        if is_told and os.read(sys.stdin.fileno(), 1):
            os._exit(INTERRUPTED)  # safe: what is stored is whole whenever a crawl ends

    def stop() -> None:
        from scrapy.utils.defer import deferred_from_coro

        # Scrapy ignores a stop before its engine runs, and would never end.
        if all(crawler.engine and crawler.engine.running for crawler in process.crawlers):
            deferred_from_coro(process.stop())
        else:
            reactor.callLater(_STOP_AGAIN, stop)  # type: ignore[arg-type]

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    sys.exit(work())
