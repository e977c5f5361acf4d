"""Runs that end before their time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Remember
from .pages import article, texts, waiting

#: A process that begins a run, keeps a page, lets an article leave, and is killed.
KILLED = """
import os, signal, sys
from newsclean.memory import Memory
from tests.memory.pages import article, texts, waiting

memory = Memory(sys.argv[1])
memory.begin("job")
number, _ = memory.arrive(waiting(1), "page 1", article(1))
memory.revise("https://example.org/1", "https://example.org/1", "hash", texts("x"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_a_run(path: str) -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", KILLED, path], cwd=root, check=False)
    assert ended.returncode == -9


def test_the_next_run_takes_over_the_pages_of_a_killed_one(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.begin("job")
    (number,) = memory.waiting()
    assert memory.waiting_page(number) == waiting(1)


def test_a_run_of_another_job_does_not(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.begin("other job")
    assert memory.waiting() == {}
    memory.close()
    later = remember(path)
    later.begin("job")
    assert len(later.waiting()) == 1


def test_the_pages_of_a_living_run_stay_its_own(path: str, remember: Remember) -> None:
    alive = remember(path)
    alive.begin("job")
    number, _ = alive.arrive(waiting(1), "page 1", article(1))
    assert number is not None
    alive.wait(number)
    other = remember(path)
    other.begin("job")
    assert other.waiting() == {}
    assert list(alive.waiting()) == [number]


def test_what_a_run_leaves_when_it_closes_is_taken_over_too(path: str, remember: Remember) -> None:
    first = remember(path)
    first.begin("job")
    number, _ = first.arrive(waiting(1), "page 1", article(1))
    first.close()
    second = remember(path)
    second.begin("job")
    assert list(second.waiting()) == [number]


@pytest.mark.parametrize("job", ["job", "other job"])
@pytest.mark.parametrize(
    ("in_the_output", "revision"), [(True, None), (False, ("https://example.org/1", 1))]
)
def test_an_article_that_was_leaving_goes_out_again_only_if_it_is_not_in_the_output(
    path: str, job: str, in_the_output: bool, revision: tuple[str, int] | None, remember: Remember
) -> None:
    kill_a_run(path)
    memory = remember(path)
    url = "https://example.org/1"
    asked = []

    def find_handed_on(leaving: set[tuple[str, str]]) -> set[tuple[str, str]]:
        asked.append(leaving)
        return leaving if in_the_output else set()

    memory.begin(job, find_handed_on)
    assert asked == [{(url, "hash")}]
    assert memory.revise(url, url, "hash", texts("x")) == revision


def test_no_files_of_ended_runs_are_left(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.begin("job")
    for number in memory.waiting():
        memory.done(number)
    memory.close()
    assert os.listdir(Path(path).parent) == ["memory.sqlite"]
