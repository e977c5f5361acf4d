"""The queue of sites: what is due, in which order, and what becomes of a site after a crawl."""

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from procrastinate import schema

from newsclean.cluster import site_queue
from newsclean.cluster.site_queue import (
    AHEAD,
    SCHEMA,
    Interval,
    JobStatus,
    Outcome,
    QueueError,
    Retries,
    SiteJob,
    SiteQueue,
)
from tests.servers.postgresql import PostgresqlServer

RETRIES = Retries(most=2, backoff=100)


@pytest.fixture
def queue(postgresql: str) -> Iterator[SiteQueue]:
    with closing(SiteQueue(postgresql)) as opened:
        yield opened


def job(name: str, every: str = "1h", *domains: str) -> SiteJob:
    return SiteJob(name, f'[[section]]\nurl = "https://{name}/"\n', every, None, domains or (name,))


def execute(queue: SiteQueue, sql: str) -> list[tuple[Any, ...]]:
    """Look at the tables, or change them, as nobody else does."""
    with psycopg.connect(queue.address, autocommit=True) as session:
        cursor = session.execute(f"SET search_path = {SCHEMA}; {sql}".encode())
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []


def late(queue: SiteQueue, name: str, interval: str) -> None:
    """Have a site due for so long."""
    execute(queue, f"UPDATE site SET due = now() - interval '{interval}' WHERE name = '{name}'")


def begin(queue: SiteQueue, name: str) -> int:
    """Begin the crawl of a site that has a job; the number of the crawl."""
    ((number,),) = execute(queue, f"SELECT job FROM site WHERE name = '{name}'")
    begun = queue.begin(name, number, "worker")
    assert begun is not None
    return begun[0]


def acknowledge(queue: SiteQueue) -> None:
    """Forget jobs that wait, as a worker that has taken them."""
    execute(queue, "DELETE FROM procrastinate_jobs")


def status(queue: SiteQueue, name: str) -> JobStatus:
    return next(found for found in queue.statuses() if found.name == name)


def test_a_site_is_added_known_and_changed(queue: SiteQueue) -> None:
    assert [queue.add(job("town", "1h")) for _ in range(2)] == ["added", "known"]
    assert queue.add(job("town", "2h")) == "changed"
    assert (status(queue, "town").state, status(queue, "town").every) == ("due", "2h")
    assert queue.remove(["town"]) == 1
    assert queue.statuses() == []


def test_a_job_has_all_that_a_crawl_needs(queue: SiteQueue) -> None:
    queue.add(SiteJob("town", "[[section]]\n", "1h", "# corrections", ("town.example",)))
    assert queue.feed() == ["town"]
    ((number,),) = execute(queue, "SELECT job FROM site")
    begun = queue.begin("town", number, "worker")
    assert begun is not None
    assert SiteJob.read(begun[1]).corrections == "# corrections"
    assert queue.begin("town", number + 1, "other") is None


def test_5000_due_sites_of_a_domain_do_not_keep_another_waiting(queue: SiteQueue) -> None:
    queue.add(job("blog-0", "1h", "blogs.example"))
    execute(
        queue,
        "INSERT INTO site (name, spec, domains, seconds, due) SELECT 'blog-' || n, spec, domains, "
        "seconds, now() - interval '1 day' FROM site, generate_series(1, 5000) AS n",
    )
    queue.add(job("town", "1h"))
    first = queue.feed()
    assert (len(first), first[-1]) == (2, "town")
    assert queue.feed() == []
    # As long as a crawl of the domain is at work, it is the only one.
    turn = begin(queue, first[0])
    queue.finish("town", begin(queue, "town"), Outcome.DONE)
    assert queue.feed() == []
    queue.finish(first[0], turn, Outcome.DONE)
    acknowledge(queue)
    (second,) = queue.feed()
    assert second.startswith("blog-")
    assert second != first[0]


def test_of_1000_sites_with_different_intervals_the_most_overdue_comes_first(
    queue: SiteQueue,
) -> None:
    queue.add(job("first"))
    execute(
        queue,
        "INSERT INTO site (name, spec, domains, seconds, due) SELECT 'site-' || n, spec, "
        "ARRAY['d' || n], 60 * (1 + n % 7), now() - interval '1 s' * (n * 7919 % 5000) "
        "FROM site, generate_series(1, 1000) AS n",
    )
    overdue = dict(
        execute(queue, "SELECT name, (extract(epoch FROM now() - due) / seconds)::float8 FROM site")
    )
    found: list[str] = []
    while names := queue.feed():
        assert len(names) <= AHEAD
        found += names
        execute(queue, "UPDATE procrastinate_jobs SET status = 'doing'")
    assert sorted(found) == sorted(overdue)
    # They are from 0 to 83 intervals late, and some seconds more with each look.
    assert all(overdue[one] > overdue[next_one] - 1 for one, next_one in pairwise(found))


def test_a_site_of_two_domains_waits_for_both(queue: SiteQueue) -> None:
    for name, *domains in (("a", "one.example"), ("b", "two.example", "one.example"), ("c", "c")):
        queue.add(job(name, "1h", *sorted(domains)))
    late(queue, "a", "1 hour")
    assert sorted(queue.feed()) == ["a", "c"]
    assert queue.feed() == []


def test_the_interval_follows_what_is_new(queue: SiteQueue) -> None:
    queue.add(job("town", "15m-1h"))
    seconds = []
    for articles in (0, 0, 0, 5, 5):
        late(queue, "town", "1 second")
        execute(queue, "UPDATE site SET not_before = '-infinity'")
        assert queue.feed() == ["town"]
        assert queue.finish("town", begin(queue, "town"), Outcome.DONE, articles=articles)
        acknowledge(queue)
        seconds.append(status(queue, "town").interval / 60)
    assert seconds == [30, 60, 60, 30, 15]
    assert (status(queue, "town").state, status(queue, "town").runs) == ("waiting", 5)


def test_a_site_that_fails_is_tried_again_later_and_given_up_at_last(queue: SiteQueue) -> None:
    queue.add(job("town"))
    for tries in (1, 2):
        execute(queue, "UPDATE site SET not_before = '-infinity'")
        queue.feed()
        queue.finish("town", begin(queue, "town"), Outcome.FAILED, "not reachable", 0, RETRIES)
        acknowledge(queue)
        assert status(queue, "town").tries == tries
        assert queue.unfinished() == (1 if tries == 1 else 0)
        assert queue.feed() == []
    assert (status(queue, "town").state, status(queue, "town").reason) == (
        "failed",
        "not reachable",
    )
    assert queue.retry() == ["town"]
    assert queue.feed() == ["town"]


def test_a_domain_that_another_crawl_has_rests_with_all_its_sites(queue: SiteQueue) -> None:
    for name in ("a", "b"):
        queue.add(job(name, "1h", "one.example"))
    (first,) = queue.feed()
    queue.finish(first, begin(queue, first), Outcome.BUSY)
    acknowledge(queue)
    assert queue.feed() == []
    assert [found.tries for found in queue.statuses()] == [0, 0]
    execute(queue, "UPDATE site SET not_before = '-infinity'")
    assert len(queue.feed()) == 1


def test_a_site_that_is_to_be_crawled_once_is_done_then(queue: SiteQueue) -> None:
    queue.add(job("town", "once"))
    queue.feed()
    queue.finish("town", begin(queue, "town"), Outcome.DONE, "good", 3)
    assert (status(queue, "town").state, status(queue, "town").articles) == ("done", 3)
    assert queue.unfinished() == 0


def test_who_was_overtaken_has_nothing_more_to_say(queue: SiteQueue) -> None:
    queue.add(job("town"))
    queue.feed()
    first = begin(queue, "town")
    second = begin(queue, "town")  # its worker was silent for too long
    assert not queue.finish("town", first, Outcome.DONE)
    assert queue.finish("town", second, Outcome.DONE)


def test_a_site_whose_job_is_gone_is_due_again(queue: SiteQueue) -> None:
    queue.add(job("town"))
    assert queue.feed() == ["town"]
    acknowledge(queue)
    assert queue.feed() == ["town"]


def test_a_job_that_nobody_can_read_is_named_and_left_out_of_the_others(queue: SiteQueue) -> None:
    queue.add(job("town"))
    queue.add(job("village"))
    execute(queue, """UPDATE site SET spec = spec || '{"color": "red"}' WHERE name = 'town'""")
    assert status(queue, "town").state == "unreadable"
    assert status(queue, "town").reason == "unknown field color"
    assert status(queue, "village").state == "due"


def test_a_server_that_is_started_again_costs_no_site(
    queue: SiteQueue, postgresql_server: PostgresqlServer
) -> None:
    queue.add(job("town"))
    postgresql_server.restart()
    assert queue.feed() == ["town"]
    postgresql_server.stop()
    try:
        with pytest.raises(QueueError, match="cannot use the queue at postgresql://postgres@"):
            queue.feed()
    finally:
        postgresql_server.start()
    assert queue.unfinished() == 1


def test_tables_of_an_older_procrastinate_are_brought_up_to_date(
    queue: SiteQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.add(job("town"))
    for path in schema.migrations_path.glob("*.sql"):
        (tmp_path / path.name).touch()
    (tmp_path / "99.00.00_01_pre_newer.sql").write_text("CREATE TABLE newer (name text);")
    monkeypatch.setattr(schema, "migrations_path", tmp_path)
    for _ in range(2):
        with closing(SiteQueue(queue.address)) as other:
            other.unfinished()
    assert execute(queue, "SELECT * FROM newer") == []


@pytest.mark.parametrize("text", ["", "soon", "1h-", "2h-1h", "0s", "1h-2h-3h"])
def test_what_is_no_interval_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an interval"):
        Interval.of(text)


@pytest.mark.parametrize("name", ["", ".hidden", "-x", "a/b", "a,b", "a\n"])
def test_a_name_that_cannot_be_a_file_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        job(name)


def test_the_address_is_that_of_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(site_queue.VARIABLE, raising=False)
    with pytest.raises(site_queue.QueueUsageError, match="no queue: give its address"):
        site_queue.address_of(None)
    with pytest.raises(site_queue.QueueUsageError, match="is not a database address"):
        site_queue.address_of("redis://localhost")
