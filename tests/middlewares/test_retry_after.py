"""Requests to a host that has asked for a pause wait in the scheduler; all others go on."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from newsclean.addon import Newsclean
from newsclean.crawl_state import CrawlState, HostPauses
from newsclean.middlewares.parked_pages import SHARED, LocalParkedPages
from newsclean.middlewares.politeness import (
    WITHOUT_PAUSES,
    PausingScheduler,
)
from newsclean.middlewares.responses import STORED_PAGE
from newsclean.spiders.news import NewsSpider

BUSY, FREE = "https://busy.example/1", "https://free.example/1"


class WaitingLine:
    """A scheduler that gives out requests in the order in which it got them, each once."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.seen: set[str] = set()
        self.at_close: list[str] = []

    def __len__(self) -> int:
        return len(self.requests)

    def has_pending_requests(self) -> bool:
        return bool(self.requests)

    def enqueue_request(self, request: Request) -> bool:
        if request.url in self.seen and not request.dont_filter:
            return False
        self.seen.add(request.url)
        self.requests.append(request)
        return True

    def next_request(self) -> Request | None:
        return self.requests.pop(0) if self.requests else None

    def close(self, reason: str) -> None:
        self.at_close = [request.url for request in self.requests]


class Engine:
    """Schedules what it gets, as Scrapy's does."""

    def __init__(self, scheduler: PausingScheduler) -> None:
        self.scheduler = scheduler

    def crawl(self, request: Request) -> None:
        self.scheduler.enqueue_request(request)


Test = Callable[[PausingScheduler, HostPauses], Coroutine[Any, Any, None]]


def in_a_crawl(test: Test) -> None:
    crawler = get_crawler(settings_dict={WITHOUT_PAUSES: WaitingLine})

    async def run() -> None:
        scheduler = PausingScheduler.from_crawler(crawler)
        crawler.engine = Engine(scheduler)  # type: ignore[assignment]
        scheduler.enqueue_request(Request(BUSY))
        scheduler.enqueue_request(Request(FREE))
        await test(scheduler, CrawlState.of(crawler).pauses)

    asyncio.run(run())


def given_out(scheduler: PausingScheduler) -> list[str]:
    found = []
    while (request := scheduler.next_request()) is not None:
        found.append(request.url)
    return found


def test_a_request_waits_until_the_pause_of_its_host_is_over() -> None:
    async def test(scheduler: PausingScheduler, pauses: HostPauses) -> None:
        begun = time.monotonic()
        pauses.pause("busy.example", 0.5)
        assert given_out(scheduler) == [FREE]
        assert scheduler.has_pending_requests()
        assert len(scheduler) == 1
        pauses.pause("busy.example", 1.0)  # it asks for more
        while not (found := given_out(scheduler)):
            await asyncio.sleep(0.01)
        assert found == [BUSY]
        assert time.monotonic() - begun >= 1.0
        assert not scheduler.has_pending_requests()

    in_a_crawl(test)


def test_a_request_to_a_host_that_is_not_asked_again_is_given_out_to_fail() -> None:
    async def test(scheduler: PausingScheduler, pauses: HostPauses) -> None:
        pauses.pause("busy.example", float("inf"))
        assert given_out(scheduler) == [BUSY, FREE]

    in_a_crawl(test)


def test_a_parked_page_needs_no_host() -> None:
    async def test(scheduler: PausingScheduler, pauses: HostPauses) -> None:
        pauses.pause("busy.example", 60)
        scheduler.enqueue_request(Request("https://busy.example/parked", meta={STORED_PAGE: 1}))
        assert given_out(scheduler) == [FREE, "https://busy.example/parked"]
        scheduler.close("finished")

    in_a_crawl(test)


def test_a_crawl_that_is_stopped_in_a_pause_leaves_its_requests_to_the_other_scheduler() -> None:
    async def test(scheduler: PausingScheduler, pauses: HostPauses) -> None:
        pauses.pause("busy.example", 60)
        assert given_out(scheduler) == [FREE]
        scheduler.close("shutdown")
        assert scheduler.at_close == [BUSY]

    in_a_crawl(test)


def updated(spider: type[Spider], **values: Any) -> Settings:
    settings = Settings(values)
    Newsclean(get_crawler(spider)).update_settings(settings)
    return settings


def test_it_stands_before_whatever_scheduler_a_spider_of_ours_has() -> None:
    settings = updated(NewsSpider)
    assert settings["SCHEDULER"] is PausingScheduler
    assert load_object(settings[WITHOUT_PAUSES]) is Scheduler
    settings = updated(NewsSpider, SCHEDULER=WaitingLine)
    assert settings["SCHEDULER"] is PausingScheduler
    assert settings[WITHOUT_PAUSES] is LocalParkedPages
    assert settings[SHARED] is WaitingLine


@pytest.mark.parametrize("own", [Scheduler, LocalParkedPages])
def test_spiders_of_other_projects_keep_their_scheduler(own: type) -> None:
    settings = updated(Spider, SCHEDULER=Scheduler if own is Scheduler else WaitingLine)
    assert load_object(settings["SCHEDULER"]) is own
