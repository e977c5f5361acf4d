"""The report at the end of a run: did each site give what it usually gives?

The state of each site is logged, stored in the memory and written to `NEWSCLEAN_REPORT_FILE`. If a
site breaks or recovers, `NEWSCLEAN_ALERT` is called.
"""

from __future__ import annotations

import json
import logging
import shlex
import subprocess
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import run_in_thread

from newsclean.crawl_state import CrawlState
from newsclean.files import StorageError
from newsclean.items import UnusablePage
from newsclean.memory.site_health import Judgement, SiteRun, State, judge, wall_notes
from newsclean.memory.site_report import MAX_BEFORE, SiteReport, exit_code, write_report

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable, Iterator, Mapping

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


logger = logging.getLogger(__name__)

_BROKEN, _RECOVERED = "broken", "recovered"
#: Time-out of a command or a webhook, in seconds.
_MAX_SECONDS = 30

#: The reasons for which a spider is closed when it has done all its work.
FINISHED = ("finished", "all_sections_failed", "all_sources_failed")


class RunReport:
    """Count by site, compare each site with its history at the end, and report."""

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("NEWSCLEAN_REPORTS"):
            raise NotConfigured
        self.crawler = crawler
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        self.counts = self.state.counts
        self.file: str | None = crawler.settings["NEWSCLEAN_REPORT_FILE"]
        self.hook: str | None = crawler.settings["NEWSCLEAN_ALERT"]
        self.fails = crawler.settings.getbool("NEWSCLEAN_FAIL_ON_TROUBLE")
        self.started = time.time()
        #: sites that another run crawls at the same time
        self.busy: list[str] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        for handler, signal in (
            (extension.spider_opened, signals.spider_opened),
            (extension.request_left_downloader, signals.request_left_downloader),
            (extension.item_dropped, signals.item_dropped),
            (extension.spider_closed, signals.spider_closed),
            (extension.engine_stopped, signals.engine_stopped),
        ):
            crawler.signals.connect(handler, signal)
        return extension

    def spider_opened(self, spider: Spider) -> None:
        self.counts.start(spider.start_urls)
        run = self.memory.runs.current
        if not run or self.state.has_failed:
            return
        try:
            # Another spider may start anywhere: its sites are those that gave articles before.
            if not hasattr(spider, "newsclean_sites"):
                self.counts.started &= self.memory.site_runs.history().keys()
            self.busy = self.memory.site_runs.start(run, sorted(self.counts.started))
        except StorageError:  # whoever needs the memory reports it
            return
        if self.busy:
            logger.warning(
                "Another run crawls the same sites: %s; each article is still delivered once",
                ", ".join(self.busy),
            )

    def request_left_downloader(self, request: Request) -> None:
        # Not when it reaches the downloader: it may go back, if its host asks for a pause.
        self.counts.of(request.url).requests += 1

    def item_dropped(self, exception: BaseException, response: Response | None) -> None:
        if isinstance(exception, UnusablePage) and response is not None:
            counts = self.counts.of(response.url)
            if exception.is_known:
                counts.unchanged += 1
            else:
                counts.dropped[exception.reason] += 1

    def spider_closed(self, spider: Spider, reason: str) -> Awaitable[None] | None:
        run = self.memory.runs.current
        if not run or self.state.has_failed:
            return None
        try:
            self.state.reports = self._reports(spider, reason)
            self.memory.site_runs.finish(
                SiteRun(run, s.site, s.started, s.seconds, s.state, s.counts, s.expected)
                for s in self.state.reports
            )
            self.memory.site_runs.drop_unreported(run)
        except StorageError as error:
            logger.error("Report not stored: %s", error)
            return None
        self._show()
        return self._try_to_send_alerts(self.hook) if self.hook else None

    def _reports(self, spider: Spider, reason: str) -> list[SiteReport]:
        now = time.time()
        window = getattr(spider, "window", None)
        is_limited = window is not None and window.is_narrow
        reports = []
        for site, counts in self.counts.reported().items():
            history = self.memory.site_runs.history(site).get(site, [])
            earlier = [run for run in history if run.run != self.memory.runs.current]
            past = [run.past for run in earlier]
            judgement = Judgement(State.INTERRUPTED, new=counts.new)
            is_lost = not counts.articles and counts.failed_sources and not counts.sources
            if reason in FINISHED or (is_lost and reason != "shutdown"):
                judgement = judge(counts, past, self.started, is_limited=is_limited)
            report = SiteReport(
                site, judgement.state, counts, self.started, now - self.started,
                judgement.new, judgement.expected,
                [run.counts.new for run in earlier[: -MAX_BEFORE - 1 : -1]],
            )  # fmt: skip
            if earlier and earlier[-1].state is State.KILLED:
                report.notes.append("the run before was killed")
            if site in self.busy:
                report.notes.append("another run crawled it at the same time")
            if counts.new_templates:
                report.notes.append("its template has changed")
            report.notes += wall_notes(counts)
            report.notes += counts.corrections.notes
            reports.append(report)
        return reports

    async def _try_to_send_alerts(self, hook: str) -> None:
        try:
            await run_in_thread(self._send_alerts, hook)
        except Exception as error:  # the report stands without them
            logger.error("Alerts not sent: %s", error)

    def _send_alerts(self, hook: str) -> None:
        runs = self.memory.site_runs
        for site in send_alerts(hook, runs.alerted(), self.state.reports):
            runs.set_alerted(site.site, site.state)

    def _show(self) -> None:
        for report in self.state.reports:
            level = logging.ERROR if report.state.is_trouble else logging.INFO
            logger.log(level, "%s", report.line())
        assert self.crawler.stats is not None
        trouble = sum(report.state.is_trouble for report in self.state.reports)
        self.crawler.stats.set_value("newsclean/sites", len(self.state.reports))
        self.crawler.stats.set_value("newsclean/sites/trouble", trouble)
        if self.file:
            try:
                write_report(Path(self.file), self.state.reports)
            except OSError as error:
                logger.error("Report not written to %s: %s", self.file, error.strerror)

    def engine_stopped(self) -> None:
        if self.fails and exit_code(report.state for report in self.state.reports):
            self.state.exit_with_error()


def send_alerts(
    hook: str, alerted: Mapping[str, str], sites: Iterable[SiteReport]
) -> Iterator[SiteReport]:
    """Send an alert for each site that has broken or recovered; yield those that were sent.

    `hook` is a command, which gets the alert as JSON on its standard input, or the URL of a
    webhook, to which it is posted. `alerted` has the state of each site that an alert has reported
    as broken. An alert that could not be sent is sent after the next run.
    """
    for report in sites:
        is_broken = report.state.is_trouble
        if is_broken == (report.site in alerted):
            continue
        if not is_broken and not _has_recovered(alerted[report.site], report.state):
            continue
        alert = {"event": _BROKEN if is_broken else _RECOVERED, **report.to_dict()}
        try:
            _send(hook, json.dumps(alert, ensure_ascii=False).encode())
        except (OSError, ValueError, HTTPException, subprocess.SubprocessError) as error:
            logger.error("Alert that %s is %s not sent: %s", report.site, alert["event"], error)
        else:
            yield report


def _has_recovered(before: str, state: State) -> bool:
    """Tell whether trouble is over: a site that gave too little has to give enough again."""
    return state is State.GOOD or (state is State.TOO_SOON and before != State.FEW)


def _send(hook: str, alert: bytes) -> None:
    if _is_webhook(hook):
        request = urllib.request.Request(
            hook, alert, {"Content-Type": "application/json", "User-Agent": "newsclean"}
        )
        with urllib.request.urlopen(request, timeout=_MAX_SECONDS):
            return
    done = subprocess.run(
        shlex.split(hook), input=alert, capture_output=True, timeout=_MAX_SECONDS, check=False
    )
    if done.returncode:
        output = done.stderr.decode("utf-8", "replace").strip()[-200:]
        raise subprocess.SubprocessError(f"the command exited with {done.returncode}: {output}")


def _is_webhook(hook: str) -> bool:
    """Tell whether a hook is a URL.

    >>> _is_webhook("https://example.org/hook"), _is_webhook("mail -s newsclean me@example.org")
    (True, False)
    """
    return hook.lower().startswith(("http://", "https://"))
