"""Articles on their way to an index: none is lost, whatever becomes of the index or the crawl."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from newsclean.apps.search.spool import Spool, SpoolDelivery, SpoolFileError

from .crawl_lines import article_id, line
from .targets import RecordingTarget

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 60  # seconds, for a machine that has much else to do
ADDRESS = "postgresql://news:secret@db.example/articles"


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


@pytest.fixture
def target() -> RecordingTarget:
    return RecordingTarget()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data/spool.sqlite"


def start(path: Path, target: RecordingTarget, batch: int = 10) -> SpoolDelivery:
    spool = Spool(path, ADDRESS)
    delivery = SpoolDelivery(spool, ADDRESS, batch=batch, opener=target.open)
    delivery.start()
    return delivery


def add(delivery: SpoolDelivery, *numbers: int) -> None:
    for number in numbers:
        delivery.spool.add(line(number))
        delivery.notify()


def ids(*numbers: int) -> set[str]:
    return {article_id(number) for number in numbers}


def test_articles_arrive_in_batches_and_leave_the_spool(
    path: Path, target: RecordingTarget
) -> None:
    delivery = start(path, target)
    add(delivery, *range(25))
    assert delivery.finish(PATIENCE) == 0
    assert set(target.articles) == ids(*range(25))
    assert max(target.batches) <= 10
    assert delivery.written.new == 25
    assert target.articles[article_id(3)] == line(3)
    assert target.threads == {"newsclean index"}


def test_an_article_does_not_wait_for_a_full_batch(path: Path, target: RecordingTarget) -> None:
    delivery = start(path, target)
    add(delivery, 1)
    wait_for(lambda: target.articles)
    delivery.finish(PATIENCE)


def test_what_came_while_the_index_was_down_arrives_when_it_is_back(
    path: Path, target: RecordingTarget, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    delivery = start(path, target)
    add(delivery, *range(5))
    wait_for(lambda: len(target.articles) == 5)
    target.is_down = True
    add(delivery, *range(5, 25))
    wait_for(lambda: delivery.failures >= 2)
    target.is_down = False
    wait_for(lambda: len(target.articles) == 25)
    assert delivery.finish(PATIENCE) == 0
    assert delivery.written.new == 25
    assert "does not accept articles: it does not answer" in caplog.text
    assert "accepts articles again" in caplog.text
    assert "secret" not in caplog.text


def test_what_was_not_delivered_is_delivered_by_the_next_run(
    path: Path, target: RecordingTarget
) -> None:
    target.is_down = True
    delivery = start(path, target)
    add(delivery, 1, 2)
    assert delivery.finish(0.2) == 2
    target.is_down = False
    assert start(path, target).finish(PATIENCE) == 0
    assert set(target.articles) == ids(1, 2)


def test_a_target_that_is_wrong_loses_nothing_either(path: Path, target: RecordingTarget) -> None:
    target.is_wrong = True
    delivery = start(path, target)
    add(delivery, 1)
    wait_for(lambda: delivery.failures)
    target.is_wrong = False
    assert delivery.finish(PATIENCE) == 0
    assert set(target.articles) == ids(1)


def test_the_pauses_between_tries_grow(path: Path, target: RecordingTarget) -> None:
    target.is_down = True
    delivery = start(path, target)
    add(delivery, 1)
    pauses: list[float] = []
    while len(pauses) < 3:
        seen = delivery.failures
        if seen > len(pauses):
            pauses.append(delivery._pause)
        time.sleep(0.01)
    assert pauses == sorted(pauses)
    assert pauses[-1] >= 2 * pauses[0]
    delivery.finish(0)


def test_an_article_that_the_index_refuses_is_kept_and_does_not_hold_up_the_others(
    path: Path, target: RecordingTarget
) -> None:
    target.refuses = ids(2)
    delivery = start(path, target)
    add(delivery, 1, 2, 3)
    assert delivery.finish(PATIENCE) == 0
    assert set(target.articles) == ids(1, 3)
    assert delivery.refused == 1
    target.refuses = set()
    spool = Spool(path, ADDRESS)
    assert spool.refused() == 1
    assert spool.try_refused_again() == 1
    spool.close()
    assert start(path, target).finish(PATIENCE) == 0
    assert set(target.articles) == ids(1, 2, 3)


def test_the_end_does_not_wait_for_an_index_that_hangs(path: Path, target: RecordingTarget) -> None:
    target.answers.clear()
    delivery = start(path, target)
    add(delivery, 1)
    wait_for(lambda: target.threads)
    assert delivery.finish(0.1) == 1
    target.answers.set()
    wait_for(lambda: not delivery._thread.is_alive())
    delivery.spool.close()


def test_articles_for_another_index_in_the_same_file_stay_there(
    path: Path, target: RecordingTarget
) -> None:
    other = Spool(path, "postgresql://news:other@db2.example/articles")
    other.add(line(9))
    delivery = start(path, target)
    add(delivery, 1)
    assert delivery.spool.other_targets() == ["postgresql://db2.example/articles"]
    assert delivery.finish(PATIENCE) == 0
    assert set(target.articles) == ids(1)
    assert other.waiting() == 1
    other.close()


def test_one_process_at_a_time_delivers_a_spool(path: Path) -> None:
    first, second = Spool(path, ADDRESS), Spool(path, ADDRESS)
    assert first.may_deliver()
    assert first.may_deliver()
    assert not second.may_deliver()
    first.close()
    assert second.may_deliver()
    second.close()


KILLED = """
import sys
from newsclean.apps.search.spool import Spool
from tests.apps.search.crawl_lines import line

spool = Spool(sys.argv[1], sys.argv[2])
for number in range(100_000):
    spool.add(line(number))
    print(number, flush=True)
"""


@pytest.mark.process
def test_what_was_added_before_a_kill_is_delivered_once(
    path: Path, target: RecordingTarget
) -> None:
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path), ADDRESS], cwd=root, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(50):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    added = 50 + len(process.communicate()[0].splitlines())
    delivery = start(path, target)
    delivery.finish(PATIENCE)
    assert set(target.articles) >= ids(*range(added))
    assert delivery.written.new == len(target.articles)


def test_another_database_is_no_spool_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mine (name text)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(SpoolFileError, match="a database, but not a spool of newsclean"):
        Spool(path, ADDRESS)
    assert path.read_bytes() == before
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(SpoolFileError, match="is not a spool"):
        Spool(path, ADDRESS)
