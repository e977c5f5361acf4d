"""The queue of site jobs: one holder a site, whatever dies or is restarted."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count

import pytest

from newsclean.cluster.queue import Lease, LeaseTerms, Outcome, SiteJob, SiteQueue
from newsclean.cluster.queue_connection import QueueError
from newsclean.cluster.queue_interval import Interval
from tests.servers.redis import RedisServer

from .jobs import LONG, SHORT, job, state, take, wait_until


@pytest.fixture
def queue(redis_address: str) -> Iterator[SiteQueue]:
    with closing(SiteQueue(redis_address)) as opened:
        yield opened


def test_a_site_comes_with_all_that_its_crawl_needs(queue: SiteQueue) -> None:
    added = SiteJob("town", "[[section]]\n", "1h", "# corrections", domains=("town.example",))
    assert queue.add(added) == "added"
    taken = queue.take("one", LONG)
    assert taken is not None
    assert taken[0] == added
    assert Lease.from_json(taken[1].to_json()) == taken[1]


def test_what_is_most_overdue_by_its_own_interval_comes_first(queue: SiteQueue) -> None:
    queue.add(job("daily", "1d"))
    queue.add(job("hourly", "1h"))
    time.sleep(0.05)
    assert [take(queue, str(n)).site for n in range(2)] == ["hourly", "daily"]
    assert queue.take("three", LONG) is None


def test_each_site_goes_to_one_of_many_who_ask_at_once(
    queue: SiteQueue, redis_address: str
) -> None:
    for number in range(40):
        queue.add(job(f"site-{number}"))
    taken: list[str] = []

    def work(worker: int) -> None:
        with closing(SiteQueue(redis_address)) as own:
            for number in count():
                found = own.take(f"{worker}/{number}", LONG)
                if found is None:
                    return
                taken.append(found[0].name)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(f"site-{number}" for number in range(40))


def test_two_sites_of_one_domain_are_not_crawled_at_a_time(queue: SiteQueue) -> None:
    queue.add(job("news", domain="town.example"))
    queue.add(job("sport", domain="town.example"))
    first = take(queue, "one")
    assert queue.take("two", LONG) is None
    queue.finish(first, Outcome.DONE)
    assert take(queue, "two").site != first.site


def test_who_asks_again_because_no_answer_came_gets_the_same_site(queue: SiteQueue) -> None:
    queue.add(job("town"))
    queue.add(job("village"))
    assert take(queue, "one") == take(queue, "one")
    assert take(queue, "two").site != take(queue, "one").site


def test_a_lease_that_expires_goes_to_another_and_the_first_has_no_say(queue: SiteQueue) -> None:
    queue.add(job("town"))
    dead = take(queue, "dead", SHORT)
    living = take(queue, "living")
    assert living.site == dead.site
    assert living.token > dead.token
    assert not queue.renew(dead)
    assert not queue.holds(dead)
    assert not queue.finish(dead, Outcome.DONE, articles=7)
    assert queue.renew(living)
    assert state(queue, "town") == "running"


def test_a_lease_that_is_renewed_lasts_longer_and_shows_its_articles(queue: SiteQueue) -> None:
    queue.add(job("town"))
    lease = take(queue, "one")
    (before,) = queue.statuses()
    assert queue.renew(lease, articles=3)
    assert queue.renew(lease)
    (after,) = queue.statuses()
    assert after.when > before.when
    assert (before.articles, after.articles) == (0, 3)


def test_a_site_whose_workers_die_again_and_again_is_given_up(queue: SiteQueue) -> None:
    queue.add(job("town"))
    for number in range(SHORT.max_tries):
        take(queue, f"worker-{number}", SHORT)
    wait_until(lambda: queue.take("last", SHORT) is None and state(queue, "town") == "failed")
    (status,) = queue.statuses()
    assert "worker-2" in status.reason
    assert queue.unfinished() == 0


def test_a_failed_site_waits_longer_each_time_then_is_given_up_until_a_retry(
    queue: SiteQueue,
) -> None:
    queue.add(job("town"))
    terms = LeaseTerms(max_tries=3, backoff=0.5)
    waits = []
    for _ in range(2):
        queue.finish(take(queue, "one", terms), Outcome.FAILED, "not reachable")
        before, (status,) = time.time(), queue.statuses()
        assert (status.state, queue.unfinished()) == ("waiting", 1)
        waits.append(status.when - before)
    assert waits[1] > waits[0]
    queue.finish(take(queue, "one", terms), Outcome.FAILED, "not reachable")
    (status,) = queue.statuses()
    assert (status.state, status.reason, status.runs) == ("failed", "not reachable", 3)
    assert queue.unfinished() == 0
    assert queue.take("one", LONG) is None
    assert queue.retry() == ["town"]
    assert take(queue, "one").site == "town"


def test_a_site_that_is_given_back_comes_again_and_has_not_failed(queue: SiteQueue) -> None:
    queue.add(job("town"))
    for _ in range(2 * LONG.max_tries):
        assert queue.finish(take(queue, "one"), Outcome.GIVEN_BACK, "interrupted")
    assert queue.statuses()[0].tries == 0


def test_a_site_that_is_done_waits_for_its_interval_or_for_ever(queue: SiteQueue) -> None:
    queue.add(job("daily", "1d"))
    queue.add(job("single", "once"))
    for holder in ("one", "two"):
        lease = take(queue, holder)
        assert queue.finish(lease, Outcome.DONE, "good", articles=2)
        assert queue.finish(lease, Outcome.DONE)  # the answer was lost
    assert queue.take("three", LONG) is None
    daily, single = queue.statuses()
    assert (daily.state, single.state) == ("waiting", "done")
    assert 86_000 < daily.when - time.time() < 87_000
    assert (daily.articles, daily.runs) == (2, 1)


def test_a_site_with_something_new_comes_sooner_than_one_without(queue: SiteQueue) -> None:
    queue.add(job("busy", "15m-1d"))
    queue.add(job("quiet", "15m-1d"))
    for holder in ("one", "two"):
        lease = take(queue, holder)
        queue.finish(lease, Outcome.DONE, articles=5 if lease.site == "busy" else 0)
    busy, quiet = queue.statuses()
    assert (busy.interval, quiet.interval) == (900, 1800)
    assert busy.when < quiet.when


def test_a_site_that_is_added_again_is_known_or_changed(queue: SiteQueue) -> None:
    queue.add(job("town", "1h"))
    queue.finish(take(queue, "one"), Outcome.DONE)
    assert queue.add(job("town", "1h")) == "known"
    assert queue.take("two", LONG) is None
    assert queue.add(job("town", "1d")) == "changed"
    assert take(queue, "two").site == "town"


def test_a_site_that_is_removed_while_it_is_crawled_is_forgotten_at_its_end(
    queue: SiteQueue,
) -> None:
    queue.add(job("town"))
    lease = take(queue, "one")
    assert queue.remove(["town", "nowhere"]) == 1
    assert queue.renew(lease)
    assert queue.finish(lease, Outcome.DONE)
    assert queue.statuses() == []
    assert queue.unfinished() == 0
    assert queue.take("two", LONG) is None


def test_who_asks_again_for_a_site_that_was_removed_meanwhile_gets_another_one(
    queue: SiteQueue,
) -> None:
    queue.add(job("town", domain="example.org"))
    take(queue, "one")
    queue.remove(["town"])
    assert queue.take("one", LONG) is None
    assert (queue.unfinished(), queue.statuses()) == (0, [])
    queue.add(job("village", domain="example.org"))
    assert take(queue, "one").site == "village"


@pytest.mark.slow
def test_leases_and_sites_outlive_a_restart_of_redis(
    queue: SiteQueue, redis_server: RedisServer
) -> None:
    queue.add(job("town"))
    queue.add(job("village"))
    lease = take(queue, "one")
    redis_server.stop()
    with pytest.raises(QueueError, match=r"cannot use Redis at redis://127\.0\.0\.1:"):
        queue.renew(lease)
    redis_server.start()
    assert queue.renew(lease)
    assert take(queue, "two").site != lease.site


@pytest.mark.parametrize(
    "address",
    [
        "redis://crawler:hush@127.0.0.1:1/0?password=hush",
        "redis://crawler:hush@127.0.0.1:port/0",
        "redis://127.0.0.1:1/hush@127.0.0.1:1/0",
        "http://crawler:hush@127.0.0.1/",
    ],
)
def test_no_password_is_ever_shown(address: str) -> None:
    with pytest.raises(QueueError) as refused:
        SiteQueue(address).unfinished()
    assert "hush" not in str(refused.value)
    assert "crawler" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "soon", "0s", "1d-15m", "1h-2h-3h", "-1h", "5", "1y"])
def test_what_is_no_interval_is_refused_with_what_is_one(text: str) -> None:
    with pytest.raises(ValueError, match="interval"):
        Interval.of(text)


@pytest.mark.parametrize("name", ["", "a/b", "..", "a,b", "-x", "a\nb", "a\\b"])
def test_a_name_that_is_no_name_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        SiteJob(name, "")
