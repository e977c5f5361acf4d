"""Workers in processes of their own: killed, stopped, without a lease, with a site that is away."""

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.cli.queue_sites import job_of
from newsclean.cluster.queue import SiteQueue
from tests.crawl.demo_sites import (
    HURRY,
    demo_sites,
    newsclean_process,
    start_newsclean,
    urls,
    wait_for,
)
from tests.servers.postgresql import PostgresqlServer
from tests.servers.redis import RedisServer

from .jobs import LONG, wait_until
from .worker_kills import Plan, run
from .worker_sites import small_sites

pytestmark = pytest.mark.slow

OUTPUT = "articles/gazette-0.jsonl"


@pytest.fixture
def queue(redis_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[SiteQueue]:
    monkeypatch.setenv("NEWSCLEAN_REDIS", redis_address)
    with closing(SiteQueue(redis_address)) as opened:
        yield opened


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.timeout(600)
def test_killed_workers_and_restarts_of_both_servers_cost_no_article_and_double_none(
    tmp_path: Path,
    redis_server: RedisServer,
    redis_address: str,
    postgresql_server: PostgresqlServer,
    postgresql: str,
) -> None:
    plan = Plan(sites=4, workers=2, kills=3, delay=0.2, pauses=(0.5, 2.0), lease=5)
    found = run(
        tmp_path,
        plan,
        redis_address,
        postgresql,
        {"Redis": redis_server.restart, "PostgreSQL": postgresql_server.restart},
        small_sites,
        table="articles",
    )
    assert found.kills.total() == plan.kills
    assert found.restarts == ["Redis", "PostgreSQL"]
    assert found.states == {"done": plan.sites}
    assert not found.missing
    assert not found.twice
    assert not found.two_at_a_time
    assert not found.at_once
    assert found.least_gap_between >= plan.delay
    assert not found.errors
    assert not (tmp_path / "articles").exists()


def test_a_worker_that_is_told_to_stop_gives_its_site_back(
    tmp_path: Path, queue: SiteQueue
) -> None:
    with demo_sites(tmp_path, 1, delay=0.05) as articles:
        queue.add(job_of(str(tmp_path / "sites/gazette-0.toml"), "once"))
        worker = start_newsclean(tmp_path, "queue", "work", *HURRY)
        wait_until(lambda: lines_in(tmp_path / OUTPUT) >= 5)
        worker.send_signal(signal.SIGTERM)
        ended = wait_for(worker)
        assert ended.exit_code == 130, ended.errors
        (status,) = queue.statuses()
        assert (status.outcome, status.tries) == ("given back", 0)
        assert 5 <= status.articles < 39
        last = newsclean_process(tmp_path, "queue", "work", "--until-empty", *HURRY)
        assert last.exit_code == 0, last.errors
        wanted = sorted(url for url in articles if url in urls(tmp_path / OUTPUT))
    assert len(wanted) == 39
    assert urls(tmp_path / OUTPUT) == wanted
    assert queue.statuses()[0].state == "done"


def test_a_crawl_that_has_lost_its_lease_ends_and_does_not_mark_its_site_as_done(
    tmp_path: Path, queue: SiteQueue
) -> None:
    with demo_sites(tmp_path, 1):
        queue.add(job_of(str(tmp_path / "sites/gazette-0.toml"), "once"))
        # The crawl would take 20 seconds, and ends within three.
        options = ("--once", "--lease", "5", *HURRY, "-sDOWNLOAD_DELAY=0.5")
        worker = start_newsclean(tmp_path, "queue", "work", *options)
        wait_until(lambda: lines_in(tmp_path / OUTPUT) >= 3)
        other = None
        while other is None:  # the crawl may renew its lease in between
            queue._client.zadd("{newsclean}:leases", {"gazette-0": 1})
            other = queue.take("other", LONG)
        ended = wait_for(worker)
    assert "another worker has it" in ended.errors
    assert lines_in(tmp_path / OUTPUT) < 39
    assert queue.holds(other[1])
    assert queue.statuses()[0].state == "running"


def test_a_site_that_is_away_is_given_up_when_it_was_tried_often_enough(
    tmp_path: Path, queue: SiteQueue
) -> None:
    queue.add(job_of("http://127.0.0.1:1/", "once"))
    options = ("--tries", "1", "--log", "logs")
    worker = newsclean_process(tmp_path, "queue", "work", "--until-empty", *options, *HURRY)
    assert worker.exit_code == 0, worker.errors
    assert "1 site crawled" in worker.output
    (status,) = queue.statuses()
    assert (status.state, status.runs, status.reason) == ("failed", 1, "not reachable")
    assert (tmp_path / "logs" / "127.0.0.1:1.log").stat().st_size


def test_a_worker_whose_crawls_cannot_start_gives_the_site_back_and_says_why(
    tmp_path: Path, queue: SiteQueue
) -> None:
    queue.add(job_of("http://127.0.0.1:1/", "once"))
    worker = newsclean_process(tmp_path, "queue", "work", "--once", "-sNEWSCLEAN_METHOD=guess")
    assert worker.exit_code == 2
    assert "NEWSCLEAN_METHOD" in worker.errors
    (status,) = queue.statuses()
    assert (status.outcome, status.tries) == ("given back", 0)
