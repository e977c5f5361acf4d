"""Parked pages stay in their process, whatever scheduler a project has."""

from typing import Any, Self

import pytest
from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from newsclean.addon import Newsclean
from newsclean.middlewares.parked_pages import SHARED, LocalParkedPages
from newsclean.middlewares.responses import STORED_PAGE


class SharedScheduler:
    """Writes requests down, as a scheduler that shares them has to."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.spider = Spider(name="news")
        self.closed = ""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls()

    def __len__(self) -> int:
        return len(self.requests)

    def has_pending_requests(self) -> bool:
        return bool(self.requests)

    def enqueue_request(self, request: Request) -> bool:
        self.requests.append(request.to_dict(spider=self.spider))
        return True

    def next_request(self) -> Request | None:
        return Request(self.requests.pop(0)["url"]) if self.requests else None

    def close(self, reason: str) -> None:
        self.closed = reason


@pytest.fixture
def scheduler() -> LocalParkedPages:
    return LocalParkedPages.from_crawler(get_crawler(settings_dict={SHARED: SharedScheduler}))


def parked(number: int) -> Request:
    """A request of a parked page: its callback is no method of the spider."""
    return Request(f"https://example.org/{number}", callback=print, meta={STORED_PAGE: number})


def test_a_parked_page_is_not_shared_and_comes_first(scheduler: LocalParkedPages) -> None:
    assert scheduler.enqueue_request(Request("https://example.org/section"))
    assert scheduler.enqueue_request(parked(1))
    assert scheduler.enqueue_request(parked(2))
    assert len(scheduler.requests) == 1
    assert len(scheduler) == 3
    urls = []
    while scheduler.has_pending_requests():
        request = scheduler.next_request()
        assert request is not None
        urls.append(request.url.rpartition("/")[2])
    assert urls == ["1", "2", "section"]
    assert scheduler.next_request() is None


def test_all_else_is_the_projects_own_scheduler(scheduler: LocalParkedPages) -> None:
    scheduler.close("finished")
    assert scheduler.closed == "finished"
    assert not hasattr(scheduler, "open")


@pytest.mark.parametrize("priority", ["project", "spider", "cmdline"])
def test_the_add_on_stands_before_a_scheduler_of_the_projects_own(priority: str) -> None:
    settings = Settings()
    settings.set("SCHEDULER", SharedScheduler, priority=priority)
    Newsclean().update_settings(settings)
    assert settings["SCHEDULER"] is LocalParkedPages
    assert settings[SHARED] is SharedScheduler


def test_the_add_on_leaves_scrapys_own_scheduler_alone() -> None:
    settings = Settings()
    Newsclean().update_settings(settings)
    assert load_object(settings["SCHEDULER"]) is Scheduler
    assert settings[SHARED] is None
