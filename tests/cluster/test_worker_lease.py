"""A crawl obeys its lease: it renews it, and ends in time when that cannot be done."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from newsclean.cluster import worker_lease
from newsclean.cluster.queue import Lease, LeaseTerms, SiteQueue
from newsclean.cluster.queue_connection import connect
from newsclean.cluster.worker_lease import LOST, LeaseKeeper
from tests.servers.redis import RedisServer

from .jobs import job, wait_until

pytestmark = pytest.mark.slow


class Crawl:
    """What a keeper has told the crawl, and with which code it has ended the process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float, redis: str) -> None:
        self.told: list[tuple[float, str]] = []
        self.exits: list[tuple[float, int]] = []
        self.exited = threading.Event()
        monkeypatch.setattr(os, "_exit", self.exit)
        self.queue = SiteQueue(redis, timeout=seconds / 20)
        self.queue.add(job("town"))
        taken = self.queue.take("one", LeaseTerms(seconds))
        assert taken is not None
        self.lease: Lease = taken[1]
        self.keeper = LeaseKeeper(self.queue, self.lease, lambda: 5, self.end)

    def end(self, reason: str) -> None:
        self.told.append((worker_lease.clock(), reason))

    def exit(self, code: int) -> None:
        self.exits.append((worker_lease.clock(), code))
        self.exited.set()
        self.keeper._stopped.set()


NewCrawl = Callable[[float], Crawl]


@pytest.fixture
def new_crawl(monkeypatch: pytest.MonkeyPatch, redis_address: str) -> Iterator[NewCrawl]:
    """Makes a crawl with a lease of so many seconds."""
    with ExitStack() as stack:

        def make(seconds: float) -> Crawl:
            crawl = Crawl(monkeypatch, seconds, redis_address)
            stack.callback(crawl.queue.close)
            return crawl

        yield make


def test_a_crawl_ends_before_its_lease_does_if_redis_stays_away(
    new_crawl: NewCrawl, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = new_crawl(5.0)
    assert crawl.keeper.begin()
    redis_server.stop()
    try:
        wait_until(crawl.exited.is_set)
    finally:
        redis_server.start()
    ((told, reason),), ((exited, code),) = crawl.told, crawl.exits
    assert reason == "its lease cannot be renewed"
    assert told < exited
    assert code == LOST
    assert exited < crawl.keeper.renewed + crawl.lease.terms.seconds


def test_a_crawl_goes_on_if_redis_comes_back_in_time(
    new_crawl: NewCrawl, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = new_crawl(60.0)
    monkeypatch.setattr(worker_lease, "RENEW_PART", 0.005)
    assert crawl.keeper.begin()
    redis_server.restart()
    again = worker_lease.clock()
    wait_until(lambda: crawl.keeper.renewed > again)
    crawl.keeper.stop()
    assert not crawl.told
    assert not crawl.exits
    assert crawl.queue.holds(crawl.lease)
    assert crawl.queue.statuses()[0].articles == 5


def test_a_crawl_whose_site_another_has_ends_and_says_nothing_about_it(
    new_crawl: NewCrawl, monkeypatch: pytest.MonkeyPatch, redis_address: str
) -> None:
    monkeypatch.setattr(worker_lease, "MAX_GRACE", 0.1)
    monkeypatch.setattr(worker_lease, "RENEW_PART", 0.005)
    crawl = new_crawl(60.0)
    with connect(redis_address) as client:
        client.zadd("{newsclean}:leases", {"town": 1})  # it was silent for too long
    other = crawl.queue.take("two", LeaseTerms())
    assert other is not None
    crawl.keeper._thread.start()
    wait_until(crawl.exited.is_set)
    assert [reason for _, reason in crawl.told] == ["another worker has it"]
    assert crawl.queue.holds(other[1])


def test_a_crawl_does_not_begin_with_the_lease_of_another(
    new_crawl: NewCrawl, monkeypatch: pytest.MonkeyPatch, redis_address: str
) -> None:
    crawl = new_crawl(60.0)
    crawl.queue.remove(["town"])
    with connect(redis_address) as client:
        client.delete("{newsclean}:leases")
    assert not crawl.keeper.begin()
