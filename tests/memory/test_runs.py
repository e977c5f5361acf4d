"""Runs that end before their time."""

import os
import subprocess
import sys
from collections.abc import Sequence
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
memory.start_run("job", sys.argv[2:])
number, _ = memory.store_and_learn(stored_page(1), "page 1", article(1))
memory.deliveries.add_pending("https://example.org/1", "https://example.org/1", "hash", texts("x"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_a_run(path: str, *outputs: str) -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", KILLED, path, *outputs], cwd=root, check=False)
    assert ended.returncode == -9


@pytest.mark.process
def test_the_next_run_takes_over_the_pages_of_a_killed_one(path: str, remember: Remember) -> None:
    kill_a_run(path)
    memory = remember(path)
    memory.start_run("job")
    (number,) = memory.pages.parked()
    assert memory.pages.get(number) == stored_page(1)


@pytest.mark.process
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


State = tuple[str, str, int]
URL = "https://example.org/1"


class Outputs:
    """Files that were looked into for what was pending, and whether it is there."""

    def __init__(self, *, has_lines: bool) -> None:
        self.has_lines = has_lines
        self.searched: list[list[str]] = []

    def find(self, outputs: Sequence[str], pending: set[State]) -> set[State]:
        assert pending == {(URL, "hash", 1)}
        self.searched.append(list(outputs))
        return pending if self.has_lines else set()


@pytest.mark.parametrize(("is_there", "revision"), [(True, None), (False, (URL, 1))])
@pytest.mark.parametrize("job", ["job", "other job"])
@pytest.mark.process
def test_a_pending_article_is_delivered_again_only_if_it_is_not_in_the_output(
    path: str, job: str, is_there: bool, revision: tuple[str, int] | None, remember: Remember
) -> None:
    kill_a_run(path, "/a.jsonl")
    memory, outputs = remember(path), Outputs(has_lines=is_there)
    memory.start_run(job, ["/b.jsonl", "/a.jsonl"], outputs.find)
    assert outputs.searched == [["/a.jsonl"]]
    assert memory.deliveries.add_pending(URL, URL, "hash", texts("x")) == revision


@pytest.mark.process
def test_what_is_pending_is_left_to_a_run_that_can_see_its_output(
    path: str, remember: Remember
) -> None:
    kill_a_run(path, "/a.jsonl")
    other, outputs = remember(path), Outputs(has_lines=False)
    other.start_run("other job", ["/b.jsonl"], outputs.find)
    assert outputs.searched == []
    assert other.deliveries.add_pending(URL, URL, "hash", texts("x")) is None
    other.close()
    later, outputs = remember(path), Outputs(has_lines=True)
    later.start_run("job", ["/a.jsonl"], outputs.find)
    assert outputs.searched == [["/a.jsonl"]]
    assert later.deliveries.add_pending(URL, URL, "hash", texts("x")) is None


@pytest.mark.process
def test_the_same_job_with_another_output_looks_into_the_one_before(
    path: str, tmp_path: Path, remember: Remember
) -> None:
    monday = tmp_path / "monday.jsonl"
    kill_a_run(path, str(monday))
    memory, outputs = remember(path), Outputs(has_lines=False)
    memory.start_run("job", [str(tmp_path / "tuesday.jsonl")], outputs.find)
    assert outputs.searched == [[str(monday)]]
    assert memory.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)


@pytest.mark.process
def test_what_was_pending_where_nobody_can_look_is_new_for_the_same_job_alone(
    path: str, remember: Remember
) -> None:
    kill_a_run(path)
    other = remember(path)
    other.start_run("other job", ["/b.jsonl"], Outputs(has_lines=False).find)
    assert other.deliveries.add_pending(URL, URL, "hash", texts("x")) is None
    other.close()
    memory = remember(path)
    memory.start_run("job")
    assert memory.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)


@pytest.mark.parametrize(
    ("site", "is_covered"),
    [("example.org", True), ("www.example.org", True), ("example.net", False)],
)
@pytest.mark.process
def test_any_run_that_covers_the_site_finishes_what_was_left(
    path: str, remember: Remember, site: str, is_covered: bool
) -> None:
    kill_a_run(path, "/a.jsonl")
    memory, outputs = remember(path), Outputs(has_lines=False)
    memory.start_run("news of other sites, too", ["/b.jsonl"], outputs.find, ["other.org", site])
    assert len(memory.pages.parked()) == is_covered
    assert outputs.searched == ([["/a.jsonl"]] if is_covered else [])
    expected = (URL, 1) if is_covered else None
    assert memory.deliveries.add_pending(URL, URL, "hash", texts("x")) == expected
    runs = memory.database.query("SELECT id FROM run")
    assert len(runs) == (1 if is_covered else 2)


def test_the_item_of_somebody_elses_spider_waits_for_that_spider(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    first.start_run("their spider")
    first.store_and_learn(stored_page(1, origin={"title": "x"}), "page 1", article(1))
    first.close()
    ours = remember(path)
    ours.start_run("news", sites=["example.org"])
    assert ours.pages.parked() == {}
    ours.close()
    theirs = remember(path)
    theirs.start_run("their spider")
    assert len(theirs.pages.parked()) == 1


@pytest.mark.process
def test_no_files_of_ended_runs_are_left(tmp_path: Path, remember: Remember) -> None:
    path = str(tmp_path / "memory.sqlite")
    kill_a_run(path)
    memory = remember(path)
    memory.start_run("job")
    for number in memory.pages.parked():
        memory.pages.remove(number)
    memory.close()
    assert os.listdir(Path(path).parent) == ["memory.sqlite"]
