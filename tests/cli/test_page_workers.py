"""Processes that die: what they had is done again, and the order stays."""

import pytest

from newsclean.archives.extracting import ExtractionOptions
from newsclean.archives.saved import Position
from newsclean.cli.extract_many import CHUNK, PageWorkers, Task
from newsclean.cli.terminal import CommandError
from tests.cli.deadly_work import DEADLY, die, divide, names


def lost(position: Position) -> str:
    return f"lost: {position}"


def test_all_pages_but_the_deadly_one_come_out_in_their_order() -> None:
    notes: list[str] = []
    files = [str(number) for number in range(5 * CHUNK)]
    files[2 * CHUNK + 3] = DEADLY
    with PageWorkers(2, notes.append) as workers:
        found = list(workers.in_order(Task(names, ExtractionOptions(), lost), map(Position, files)))
    assert found == [lost(Position(DEADLY)) if file == DEADLY else file for file in files]
    assert 1 <= len(notes) <= 3


def test_if_processes_die_whatever_they_have_it_is_an_error() -> None:
    with (
        PageWorkers(2, lambda note: None) as workers,
        pytest.raises(CommandError, match="try fewer --jobs"),
    ):
        list(workers.in_order(Task(die, ExtractionOptions(), lost), [Position("page")]))


def test_an_error_in_a_process_is_no_death() -> None:
    with PageWorkers(2, lambda note: None) as workers, pytest.raises(ZeroDivisionError):
        list(workers.in_order(Task(divide, ExtractionOptions(), lost), [Position("page")]))
