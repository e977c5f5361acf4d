"""Articles that were in flight to files of a machine that is gone for good.

Only the file of an article knows whether it has arrived there, and a run looks for it on the
machine where the file is. Where nobody can look any more, somebody has to say what counts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.store import find_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.memory.deliveries import State
    from newsclean.memory.runs import Run
    from newsclean.memory.store import Memory


class Settled(NamedTuple):
    """What was settled for a machine."""

    #: runs that have ended there with articles in flight, and those articles
    runs: int
    articles: int
    #: runs there that have not ended: what they have stays in flight
    alive: int


def in_flight_elsewhere(memory: Memory) -> dict[str, int]:
    """The number of articles in flight to files of other machines whose runs have ended."""
    found: Counter[str] = Counter()
    for run in memory.runs.all():
        if run.host is not None and _has_files(run) and not memory.database.is_run_alive(run.id):
            found[run.host] += memory.deliveries.count_of(run.id)
    return {host: count for host, count in sorted(found.items()) if count}


def hosts(memory: Memory) -> set[str]:
    """The other machines of which the memory knows runs."""
    return {run.host for run in memory.runs.all() if run.host is not None}


def settle(memory: Memory, host: str, *, delivered: bool = False) -> Settled:
    """Settle what was in flight to files of another machine.

    It is new again, and the next run on its site delivers it: what had reached its file comes a
    second time. If it counts as `delivered`, it does not come again: what had not reached its file
    is lost. Where it takes time to tell that a run has ended, it is waited for.
    """
    gone = {run.id for run in memory.runs.dead(lambda run: run.host == host)}

    def settle_all() -> Settled:
        runs = articles = alive = 0
        for run in memory.runs.all():
            if run.host != host or not _has_files(run):
                continue
            if run.id not in gone or memory.database.is_run_alive(run.id):
                alive += 1
                continue
            count = memory.deliveries.count_of(run.id)
            runs, articles = runs + bool(count), articles + count
            memory.database.end_run(run.id)
            memory.deliveries.reconcile_pending(
                run.id, run.outputs, find_all if delivered else find_nothing
            )
            memory.runs.remove_if_empty(run.id)
        return Settled(runs, articles, alive)

    return memory.database.atomically(settle_all)


def find_all(outputs: Sequence[str], pending: set[State]) -> set[State]:
    """All that was pending counts as delivered."""
    return pending


def _has_files(run: Run) -> bool:
    """Whether a run writes to files; what was in flight to a table is not in it."""
    return bool(run.outputs) and not run.table
