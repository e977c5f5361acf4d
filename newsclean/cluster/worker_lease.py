"""A crawl that holds the lease of its site: it renews it, obeys it, and says how it went.

`newsclean queue work` gives the lease in the setting `NEWSCLEAN_LEASE`, to a process of its own or
to a job of Scrapyd; the address of Redis is in the environment (`NEWSCLEAN_REDIS`).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import deferred_from_coro

from newsclean.cluster.queue import Lease, Outcome, SiteQueue
from newsclean.cluster.queue_connection import TIMEOUT, QueueError, address_of
from newsclean.crawl_state import STORAGE_FAILED, CrawlState, usage_error
from newsclean.extensions.run_report import FINISHED
from newsclean.memory.site_health import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: The exit code of a crawl that has lost its site and could not end by itself in time.
LOST = 75
#: The reason for which the spider is closed.
LEASE_LOST = "lease_lost"
#: What part of a lease passes between two renewals, and at what part the crawl begins to end.
RENEW_PART, END_PART, EXIT_PART = 0.25, 0.6, 0.9
#: Seconds that a crawl has to end when another has its site.
MAX_GRACE = 5.0
#: Seconds between two attempts to reach Redis.
MIN_PAUSE, MAX_PAUSE = 0.2, 5.0


def clock() -> float:
    """Seconds that also pass while the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class LeaseKeeper:
    """Renews a lease in a thread of its own, and ends the process if that fails too long.

    The time of a lease is counted from before it was asked for: it ends here before Redis gives
    the site to another, whatever the network does.
    """

    def __init__(
        self,
        queue: SiteQueue,
        lease: Lease,
        articles: Callable[[], int],
        end_crawl: Callable[[str], None],
    ) -> None:
        self.queue = queue
        self.lease = lease
        self.articles = articles
        self.end_crawl = end_crawl
        self.renewed = clock()
        #: whether another has the site
        self.is_lost = False
        self._is_ending = False
        self._exit_at = float("inf")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def begin(self) -> bool:
        """Take up a lease that was given to this crawl; False if it is another's by now."""
        pause = MIN_PAUSE
        while True:
            try:
                asked = clock()
                if not self.queue.renew(self.lease):
                    return False
                self.renewed = asked
                self._thread.start()
                return True
            except QueueError:
                if clock() - self.renewed > self.lease.terms.seconds * RENEW_PART:
                    raise
                time.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)

    def stop(self) -> None:
        """Renew it no more."""
        self._stopped.set()
        self._thread.join()

    def finish(self, outcome: Outcome, reason: str, articles: int) -> bool:
        """Report the outcome to the queue as soon as it is reached, while the lease lasts."""
        pause = MIN_PAUSE
        while True:
            try:
                return self.queue.finish(self.lease, outcome, reason, articles)
            except QueueError as error:
                if clock() - self.renewed > self.lease.terms.seconds:
                    logger.error(
                        "%s: the outcome was not reported to the queue: %s", self.lease.site, error
                    )
                    return False
                time.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)

    def _keep(self) -> None:
        seconds = self.lease.terms.seconds
        pause, wait = MIN_PAUSE, seconds * RENEW_PART
        while not self._stopped.wait(min(wait, max(0.0, self._exit_at - clock()))):
            wait, pause = self._renew(pause)
            self._check(self.renewed + seconds * END_PART)

    def _renew(self, pause: float) -> tuple[float, float]:
        """Seconds to the next renewal, and to the one after it if that fails."""
        seconds = self.lease.terms.seconds
        if self._is_ending and self.is_lost:
            return self._exit_at - clock(), pause
        try:
            asked = clock()
            if self.queue.renew(self.lease, self.articles()):
                self.renewed = asked
                self._exit_at = asked + seconds * EXIT_PART
                return seconds * RENEW_PART, MIN_PAUSE
            self.is_lost = True
            return 0.0, pause
        except QueueError as error:
            self._exit_at = self.renewed + seconds * EXIT_PART
            logger.warning("%s: the lease cannot be renewed yet: %s", self.lease.site, error)
            return pause, min(2 * pause, MAX_PAUSE, seconds / 10)

    def _check(self, end_at: float) -> None:
        """Begin to end the crawl, or end it at once, if it is time for that."""
        now = clock()
        if not self._is_ending and (self.is_lost or now >= end_at):
            self._is_ending = True
            grace = min(MAX_GRACE, self.lease.terms.seconds * (EXIT_PART - END_PART))
            self._exit_at = now + grace
            if not self.is_lost:
                self._exit_at = min(
                    self._exit_at, self.renewed + self.lease.terms.seconds * EXIT_PART
                )
            whose = "another worker has it" if self.is_lost else "its lease cannot be renewed"
            self.end_crawl(whose)
        if self._is_ending and now >= self._exit_at:
            logger.error("%s: the crawl is ended at once: it has no lease", self.lease.site)
            logging.shutdown()
            os._exit(LOST)  # what is stored is whole, whatever ends a crawl


class SiteLease:
    """Keeps the lease of the site while the spider runs; at the end, the site is released."""

    def __init__(self, crawler: Crawler) -> None:
        text: str | None = crawler.settings["NEWSCLEAN_LEASE"]
        if not text:
            raise NotConfigured
        self.crawler = crawler
        self.reason = ""
        try:
            lease = Lease.from_json(text)
            timeout = min(lease.terms.seconds / 20, TIMEOUT)
            queue = SiteQueue(address_of(None), lease.queue, timeout=timeout)
            self.keeper = LeaseKeeper(queue, lease, self.articles, self.end_crawl)
            if not self.keeper.begin():
                raise QueueError(f"another worker has the site {lease.site}: it is not crawled")
        except (QueueError, ValueError) as error:
            raise usage_error(f"NEWSCLEAN_LEASE: {error}", crawler) from None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        # After the memory is closed: nothing of this run is open when another one begins.
        crawler.signals.connect(extension.engine_stopped, signals.engine_stopped)
        return extension

    def articles(self) -> int:
        assert self.crawler.stats is not None
        return int(self.crawler.stats.get_value("newsclean/articles", 0))

    def end_crawl(self, reason: str) -> None:
        """Close the spider, from another thread."""
        from twisted.internet import reactor

        logger.error("%s: %s; its crawl ends", self.keeper.lease.site, reason)

        def close() -> None:
            engine = self.crawler.engine
            if engine is not None and engine.spider is not None and engine.running:
                deferred_from_coro(engine.close_spider_async(reason=LEASE_LOST))
            elif engine is None or not self.reason:  # it has not begun
                reactor.callLater(MIN_PAUSE, close)  # type: ignore[arg-type]

        reactor.callFromThread(close)

    def spider_closed(self, reason: str) -> None:
        self.reason = reason

    def engine_stopped(self) -> None:
        self.keeper.stop()
        if self.keeper.is_lost:
            return
        state = CrawlState.of(self.crawler)
        states = [site.state for site in state.reports]
        reason = STORAGE_FAILED if state.has_failed else self.reason
        outcome, words = outcome_of(reason, states)
        self.keeper.finish(outcome, words, self.articles())
        self.keeper.queue.close()


def outcome_of(reason: str, states: list[State]) -> tuple[Outcome, str]:
    """What a run means for its site, by the reason for which the spider was closed.

    >>> outcome_of("finished", [State.GOOD]), outcome_of("finished", [State.UNREACHABLE])
    ((<Outcome.DONE: 'done'>, 'good'), (<Outcome.FAILED: 'failed'>, 'not reachable'))
    >>> outcome_of("shutdown", [State.INTERRUPTED])[0]
    <Outcome.GIVEN_BACK: 'given back'>
    """
    if reason in ("shutdown", LEASE_LOST):
        return Outcome.GIVEN_BACK, "interrupted"
    if reason == STORAGE_FAILED:
        return Outcome.GIVEN_BACK, "the memory or the output could not be written"
    words = ", ".join(dict.fromkeys(states)) or reason
    useless = (State.UNREACHABLE, State.NO_ARTICLES)
    if states and all(state in useless for state in states):
        return Outcome.FAILED, words
    if not states and reason in FINISHED[1:]:
        return Outcome.FAILED, reason.replace("_", " ")
    return Outcome.DONE, words
