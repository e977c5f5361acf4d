"""Parked pages come back, in their own process, also beside a scheduler of the project."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import pytest
from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from newsclean.addon import Newsclean
from newsclean.extraction.neighborhood import PageKeys
from newsclean.items import PageItem
from newsclean.memory import StoredPage
from newsclean.middlewares.parked_pages import SHARED, LocalParkedPages, ParkedPagesMiddleware
from newsclean.middlewares.responses import STORED_PAGE
from newsclean.settings import defaults

NOTHING = np.empty(0, dtype=np.int64)
NO_KEYS = PageKeys(
    texts=np.empty(0, dtype=np.uint64),
    samples=[],
    chars=NOTHING,
    of_text=NOTHING,
    label_of_text=NOTHING,
)


class Engine:
    """Takes the requests that a scheduler would get."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.spider: object = None

    def crawl(self, request: Request) -> None:
        self.requests.append(request)


class Crawl:
    """A middleware with its memory and the requests that it has made."""

    def __init__(self) -> None:
        self.crawler = get_crawler(settings_dict={**defaults, "NEWSCLEAN_MEMORY": ":memory:"})
        self.engine = Engine()
        self.crawler.engine = self.engine  # type: ignore[assignment]
        self.middleware = ParkedPagesMiddleware.from_crawler(self.crawler)
        self.memory = self.middleware.memory

    def park(self, url: str, site: str = "example.org", origin: object = None) -> int:
        page = StoredPage(url, site, "sport", "text/html", "2026-03-01", b"<p>A story", origin)
        number, _ = self.memory.store_and_learn(page, url, NO_KEYS)
        assert number is not None
        self.memory.pages.park(number)
        return number

    def come_back(self, request: Request) -> PageItem:
        """What a request becomes on its way through the middleware and its callback."""
        response = self.middleware.process_request(request)
        assert isinstance(response, HtmlResponse)
        response.request = request
        (item,) = self.middleware.parse(response)
        return item


@pytest.fixture
def crawl() -> Iterator[Crawl]:
    crawl = Crawl()
    yield crawl
    crawl.memory.close()


URL = "https://example.org/1"


def test_a_released_page_comes_back_as_it_was_stored(crawl: Crawl) -> None:
    number = crawl.park(URL, origin={"desk": "foreign"})
    assert crawl.middleware.release() == 1
    (request,) = crawl.engine.requests
    assert request.url == URL
    assert request.dont_filter
    item = crawl.come_back(request)
    assert (item.number, item.category, item.fetched_at) == (number, "sport", "2026-03-01")
    assert item.third_party_item == {"desk": "foreign"}
    assert item.response.body == b"<p>A story"
    assert crawl.memory.pages.parked() == {}
    assert crawl.memory.pages.counts() == {("example.org", "sport"): 1}


def test_only_the_pages_of_the_site_are_released(crawl: Crawl) -> None:
    crawl.park(URL)
    crawl.park("https://other.org/1", site="other.org")
    assert crawl.middleware.release("other.org") == 1
    assert [request.url for request in crawl.engine.requests] == ["https://other.org/1"]


def test_a_page_is_scheduled_once_until_it_has_come_back(crawl: Crawl) -> None:
    number = crawl.park(URL)
    assert crawl.middleware.release() == 1
    assert crawl.middleware.release() == 0
    crawl.come_back(crawl.engine.requests[0])
    assert crawl.middleware.release() == 0
    crawl.memory.pages.park(number)
    assert crawl.middleware.release() == 1


def test_pages_of_an_earlier_run_come_first_and_may_be_parked_again(crawl: Crawl) -> None:
    crawl.park(URL)
    crawl.crawler.signals.send_catch_log(signals.spider_opened)
    (request,) = crawl.engine.requests
    assert request.priority > 0
    assert not crawl.come_back(request).final_attempt


def test_an_idle_spider_stays_open_while_pages_come_back_for_their_final_attempt(
    crawl: Crawl,
) -> None:
    crawl.park(URL)
    with pytest.raises(DontCloseSpider):
        crawl.middleware.spider_idle()
    assert crawl.come_back(crawl.engine.requests[0]).final_attempt
    crawl.middleware.spider_idle()  # nothing is parked: the spider may close


def test_other_requests_are_downloaded(crawl: Crawl) -> None:
    assert crawl.middleware.process_request(Request(URL)) is None


def test_a_page_that_is_no_longer_stored_is_ignored(crawl: Crawl) -> None:
    number = crawl.park(URL)
    crawl.middleware.release()
    crawl.memory.pages.remove(number)
    with pytest.raises(IgnoreRequest, match="page no longer stored"):
        crawl.middleware.process_request(crawl.engine.requests[0])


def test_an_item_whose_class_is_gone_counts_as_an_error_of_its_page(crawl: Crawl) -> None:
    number = crawl.park(URL)
    crawl.memory.database.execute("UPDATE stored_page SET origin = ?", (b"damaged",))
    for _ in range(3):
        crawl.memory.pages.park(number)
        crawl.middleware.release()
        with pytest.raises(IgnoreRequest, match="cannot read stored page"):
            crawl.middleware.process_request(crawl.engine.requests[-1])
    assert crawl.memory.pages.counts() == {}


def test_a_page_whose_url_is_damaged_is_passed_over_and_given_up(crawl: Crawl) -> None:
    damaged = crawl.park(URL)
    crawl.memory.database.execute("UPDATE stored_page SET url = ?", ("no URL",))
    crawl.park("https://example.org/2")
    for _ in range(3):
        with pytest.raises(DontCloseSpider):
            crawl.middleware.spider_idle()
        crawl.middleware.idle_released.clear()
        crawl.middleware.scheduled.clear()
        crawl.memory.pages.park(damaged)
    assert {request.url for request in crawl.engine.requests} == {"https://example.org/2"}
    assert crawl.memory.database.damaged.counts == {"stored_page": 1}
    assert crawl.memory.pages.counts() == {("example.org", "sport"): 1}


def test_pages_do_not_come_back_again_and_again_from_a_memory_that_cannot_be_written(
    crawl: Crawl, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(5):
        crawl.park(f"https://example.org/{number}")
    crawl.memory.database.execute("PRAGMA query_only = 1")
    with pytest.raises(DontCloseSpider):
        crawl.middleware.spider_idle()
    for request in crawl.engine.requests:
        with pytest.raises(IgnoreRequest, match="left for the next run"):
            crawl.middleware.process_request(request)
    crawl.middleware.spider_idle()  # the spider may close
    assert len(crawl.engine.requests) == 5
    assert caplog.text.count("cannot use the memory file") == 1
    crawl.memory.database.query("PRAGMA query_only = 0")
    assert len(crawl.memory.pages.parked()) == 5


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
