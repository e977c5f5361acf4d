"""The runs of each site, kept in the memory."""

from contextlib import closing

import pytest

from newsclean.memory import Memory
from newsclean.memory import site_report as module
from newsclean.memory.site_health import SiteCounts, SiteRun, State, state_of

SITE = "example.org"


def finished(run: int, state: State = State.GOOD, new: int = 1) -> SiteRun:
    return SiteRun(run, SITE, float(run), 2.0, state, SiteCounts(new=new), 3.5)


def test_a_run_is_read_as_it_was_written(path: str) -> None:
    with closing(Memory(path)) as memory:
        memory.site_runs.finish([finished(1)])
    with closing(Memory(path)) as memory:
        assert memory.site_runs.history() == {SITE: [finished(1)]}


def test_a_run_that_was_killed_is_known_to_the_next(path: str) -> None:
    with closing(Memory(path)) as memory:
        memory.start_run("news")
        memory.site_runs.start(memory.runs.current, [SITE])
    with closing(Memory(path)) as memory:
        memory.start_run("news")
        assert memory.site_runs.start(memory.runs.current, [SITE]) == []
        states = [run.state for run in memory.site_runs.history(SITE)[SITE]]
        assert states == [State.KILLED, State.RUNNING]


def test_two_runs_of_a_site_at_a_time_are_noticed(path: str) -> None:
    with closing(Memory(path)) as one, closing(Memory(path)) as two:
        one.start_run("a")
        one.site_runs.start(one.runs.current, [SITE, "example.net"])
        two.start_run("b")
        assert two.site_runs.start(two.runs.current, [SITE]) == [SITE]


def test_runs_are_bounded(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_RUNS", 3)
    with closing(Memory(path)) as memory:
        memory.site_runs.finish([finished(number) for number in range(9)])
        assert [run.run for run in memory.site_runs.history()[SITE]] == [6, 7, 8]


@pytest.mark.parametrize("damage", ["state = 'well'", "counts = 'x'"])
def test_a_damaged_row_is_counted_and_passed_over(path: str, damage: str) -> None:
    with closing(Memory(path)) as memory:
        memory.site_runs.finish([finished(1), finished(2)])
        memory.database.execute(f"UPDATE site_run SET {damage} WHERE run = 1")
        assert [run.run for run in memory.site_runs.history()[SITE]] == [2]
        assert memory.database.damaged.counts == {"site_run": 1}


def test_how_a_site_is_says_the_last_run_that_could_tell() -> None:
    runs = [finished(1), finished(2, State.UNREACHABLE), finished(3, State.INTERRUPTED)]
    assert state_of(runs) is State.UNREACHABLE
