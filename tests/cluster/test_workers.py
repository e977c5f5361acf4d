"""Workers in processes of their own: killed, stopped, with a crawl that hangs or a site away."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from newsclean.cli.queue import job_of
from newsclean.cluster.site_queue import SCHEMA, SiteQueue
from newsclean.memory import Memory
from tests.crawl.demo_sites import (
    HURRY,
    demo_sites,
    newsclean_process,
    start_newsclean,
    urls,
    wait_for,
)
from tests.crawl.small_site import Answer, section, serve, story
from tests.servers.postgresql import PostgresqlServer

from .worker_kills import Plan, children_of, run
from .worker_sites import small_sites

pytestmark = pytest.mark.slow

OUTPUT = "articles/gazette-0.jsonl"
PATIENCE = 100


@pytest.fixture
def queue(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[SiteQueue]:
    monkeypatch.setenv("NEWSCLEAN_QUEUE", postgresql)
    with closing(SiteQueue(postgresql)) as opened:
        yield opened


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.mark.timeout(600)
def test_killed_workers_and_restarts_of_the_database_cost_no_article_and_double_none(
    tmp_path: Path, postgresql_server: PostgresqlServer, postgresql: str
) -> None:
    plan = Plan(
        sites=4, workers=2, kills=3, delay=0.2, pauses=(0.5, 2.0), concurrency=2, restarts=2
    )
    found = run(
        tmp_path,
        plan,
        postgresql,
        postgresql,
        postgresql_server.restart,
        small_sites,
        table="articles",
    )
    assert found.kills.total() == plan.kills
    assert found.restarts == 2
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


def test_a_hung_crawl_is_ended_and_its_site_is_crawled_by_another(
    tmp_path: Path, queue: SiteQueue
) -> None:
    with demo_sites(tmp_path, 1, delay=0.05):
        queue.add(job_of(str(tmp_path / "sites/gazette-0.toml"), "once"))
        options = ("--until-empty", "--idle", "6", "--backoff", "1", *HURRY)
        workers = [start_newsclean(tmp_path, "queue", "work", *options) for _ in range(2)]
        wait_until(lambda: lines_in(tmp_path / OUTPUT) >= 3)
        (hung,) = [child for worker in workers for child in children_of(worker.pid)]
        os.kill(hung, signal.SIGSTOP)
        ended = [wait_for(worker) for worker in workers]
    assert [one.exit_code for one in ended] == [0, 0]
    told = "".join(one.errors for one in ended)
    assert "neither a response nor an article for 6 seconds" in told
    assert not Path(f"/proc/{hung}").exists()
    assert (queue.statuses()[0].state, queue.statuses()[0].runs) == ("done", 2)
    assert len(set(urls(tmp_path / OUTPUT))) == lines_in(tmp_path / OUTPUT) == 39


def test_a_site_whose_domain_another_crawl_has_waits_for_it(
    tmp_path: Path, queue: SiteQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = {"/fair-of-1901-1901.html": "The fair", "/fair-of-1902-1902.html": "The next fair"}
    answers = {path: Answer(story(title)) for path, title in titles.items()}
    memory = str(tmp_path / "memory.sqlite")
    with serve(answers | {"/news": Answer(section(titles))}) as site:
        queue.add(job_of(f"{site.url}/news", "once"))
        with closing(Memory(memory)) as other:
            other.start_run(
                "a crawl that cron has started", sites=[site.url.removeprefix("http://")]
            )
            worker = start_newsclean(
                tmp_path, "queue", "work", "--until-empty", "--memory", memory, *HURRY
            )
            wait_until(lambda: queue.statuses()[0].outcome == "busy")
            assert not site.hits
        with psycopg.connect(queue.address, autocommit=True) as session:  # it need not rest long
            session.execute(f"UPDATE {SCHEMA}.site SET not_before = now()".encode())
        ended = wait_for(worker)
    assert ended.exit_code == 0, ended.errors
    (status,) = queue.statuses()
    assert (status.state, status.tries, status.articles) == ("done", 0, 2)


def test_several_sites_are_crawled_at_a_time_and_one_that_nobody_can_read_is_left_out(
    tmp_path: Path, queue: SiteQueue
) -> None:
    (tmp_path / "sites").mkdir()
    with small_sites(tmp_path / "sites", 3, 0.1) as sites:
        for path in sorted((tmp_path / "sites").glob("*.toml")):
            queue.add(job_of(str(path), "once"))
        with psycopg.connect(queue.address, autocommit=True) as session:
            odd = json.dumps({"color": "red"})
            session.execute(
                f"UPDATE {SCHEMA}.site SET spec = spec || %s WHERE name = 'small-01'".encode(),
                (odd,),
            )
        options = ("--until-empty", "--concurrency", "3", *HURRY)
        worker = newsclean_process(tmp_path, "queue", "work", *options)
        visits = [v for v in sites.visits() if v]
    assert worker.exit_code == 0, worker.errors
    assert "small-01: failed, 0 articles (cannot be read: unknown field color)" in worker.errors
    assert {s.name: s.state for s in queue.statuses()} == {
        "small-00": "done",
        "small-01": "unreadable",
        "small-02": "done",
    }
    first, second = visits
    assert first[0].came < second[-1].came
    assert second[0].came < first[-1].came


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


def test_a_worker_whose_crawls_cannot_start_gives_the_site_back_and_ends_at_last(
    tmp_path: Path, queue: SiteQueue
) -> None:
    for number in range(3):
        queue.add(job_of(f"http://127.0.0.1:{number + 1}/", "once"))
    worker = newsclean_process(tmp_path, "queue", "work", "-sNEWSCLEAN_METHOD=guess")
    assert worker.exit_code == 2
    assert "NEWSCLEAN_METHOD" in worker.errors
    assert {(s.outcome, s.tries) for s in queue.statuses()} == {("given back", 0)}
