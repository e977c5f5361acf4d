"""All pages through all systems, in one process or several, going on where a run was broken off."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from newsclean.lab.evaluate.scoring import Scored, Task, score_page
from newsclean.processes import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.journal import Journal
    from newsclean.lab.evaluate.scoring import Score
    from newsclean.lab.evaluate.systems import System


@dataclass
class Run:
    """The scores of a run, and how it went."""

    scores: list[Score]
    #: scores that were taken over from an earlier run
    kept: int
    #: the largest size of a process, in MB
    memory: float | None = None
    interrupted: bool = False
    #: pages that are done, of all
    pages: tuple[int, int] = (0, 0)


@dataclass
class Plan:
    """What is left to do, and the keys of all scores that are wanted."""

    tasks: list[Task] = field(default_factory=list)
    wanted: list[tuple[Any, ...]] = field(default_factory=list)


def plan(
    corpus: Corpus, systems: Sequence[System], journal: Journal, snapshots: Path | None = None
) -> Plan:
    """A task for each page of which a score is missing; the pages of a site follow each other."""
    made = Plan()
    batch = datetime.now(UTC).isoformat(timespec="seconds")
    for gold in sorted(corpus.golds, key=lambda gold: (gold.collection, gold.site)):
        others = corpus.others(gold)
        missing = {}
        for system in systems:
            fingerprint = system.fingerprint(gold, others)
            key = (gold.name, system.name, system.neighbors, fingerprint)
            made.wanted.append(key)
            if key not in journal.scores:
                missing[system] = fingerprint
        if missing:
            made.tasks.append(Task(gold, others, missing, batch, snapshots))
    return made


def run(
    corpus: Corpus,
    systems: Sequence[System],
    journal: Journal,
    jobs: int = 1,
    progress: Callable[[int, int], object] = lambda done, total: None,
    snapshots: Path | None = None,
) -> Run:
    """Score what has not been scored yet; Ctrl-C or SIGTERM ends it with what there is."""
    work = plan(corpus, systems, journal, snapshots)
    total = len(corpus.golds)
    done = total - len(work.tasks)
    result = Run([], kept=sum(key in journal.scores for key in work.wanted))
    progress(done, total)
    try:
        with _terminated_like_interrupted():
            for scored in _scored(work.tasks, min(jobs, len(work.tasks))):
                journal.add(scored.scores)
                result.memory = max(result.memory or 0, scored.memory or 0) or None
                done += 1
                progress(done, total)
    except KeyboardInterrupt:
        result.interrupted = True
    result.scores = [journal.scores[key] for key in work.wanted if key in journal.scores]
    result.pages = done, total
    return result


def _scored(tasks: Sequence[Task], jobs: int) -> Iterator[Scored]:
    if jobs <= 1:
        yield from map(score_page, tasks)
        return
    with processes(jobs) as pool:
        for future in as_completed([pool.submit(score_page, task) for task in tasks]):
            yield future.result()


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
