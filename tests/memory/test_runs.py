"""Runs that end before their time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Remember
from .pages import article, stored_page, texts

#: A process that begins a run, stores a page, has an article pending, and is killed.
KILLED = """
import os, signal, sys
from newsclean.memory import Memory
from tests.memory.pages import article, stored_page, texts

memory = Memory(sys.argv[1])
memory.start_run("job")
number, _ = memory.store_and_learn(stored_page(1), "page 1", article(1))
memory.deliveries.add_pending("https://example.org/1", "https://example.org/1", "hash", texts("x"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_a_run(path: str) -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", KILLED, path], cwd=root, check=False)
    assert ended.returncode == -9


def test_the_next_run_takes_over_the_pages_of_a_killed_one(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.start_run("job")
    (number,) = memory.pages.parked()
    assert memory.pages.get(number) == stored_page(1)


def test_a_run_of_another_job_does_not(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.start_run("other job")
    assert memory.pages.parked() == {}
    memory.close()
    later = remember(path)
    later.start_run("job")
    assert len(later.pages.parked()) == 1


def test_the_pages_of_a_living_run_stay_its_own(path: str, remember: Remember) -> None:
    alive = remember(path)
    alive.start_run("job")
    number, _ = alive.store_and_learn(stored_page(1), "page 1", article(1))
    assert number is not None
    alive.pages.park(number)
    other = remember(path)
    other.start_run("job")
    assert other.pages.parked() == {}
    assert list(alive.pages.parked()) == [number]


def test_what_a_run_leaves_when_it_closes_is_taken_over_too(path: str, remember: Remember) -> None:
    first = remember(path)
    first.start_run("job")
    number, _ = first.store_and_learn(stored_page(1), "page 1", article(1))
    first.close()
    second = remember(path)
    second.start_run("job")
    assert list(second.pages.parked()) == [number]


@pytest.mark.parametrize("job", ["job", "other job"])
@pytest.mark.parametrize(
    ("in_the_output", "revision"), [(True, None), (False, ("https://example.org/1", 1))]
)
def test_a_pending_article_is_delivered_again_only_if_it_is_not_in_the_output(
    path: str, job: str, in_the_output: bool, revision: tuple[str, int] | None, remember: Remember
) -> None:
    kill_a_run(path)
    memory = remember(path)
    url = "https://example.org/1"
    asked = []

    def find_delivered(pending: set[tuple[str, str]]) -> set[tuple[str, str]]:
        asked.append(pending)
        return pending if in_the_output else set()

    memory.start_run(job, find_delivered)
    assert asked == [{(url, "hash")}]
    assert memory.deliveries.add_pending(url, url, "hash", texts("x")) == revision


def test_no_files_of_ended_runs_are_left(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.start_run("job")
    for number in memory.pages.parked():
        memory.pages.remove(number)
    memory.close()
    assert os.listdir(Path(path).parent) == ["memory.sqlite"]
