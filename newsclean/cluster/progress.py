"""Reports how far the stages of a job are."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Seconds between two reports.
EVERY = 10.0


@contextmanager
def stage(
    context: Any, name: str, say: Callable[[str], object], what: str, *, every: float = EVERY
) -> Iterator[Callable[[str], object]]:
    """Report a stage when it begins, at times, and when it has ended; takes what came of it."""
    begin = time.monotonic()
    ended = threading.Event()
    results: list[str] = []
    context.setJobDescription(f"newsclean: {name}")
    say(f"{name}: {what}")

    def watch() -> None:
        while not ended.wait(every):
            done, total = _tasks(context)
            if total:
                say(f"{name}: {done} of {total} tasks, {time.monotonic() - begin:,.0f} s")

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield results.append
    finally:
        ended.set()
        watcher.join()
    parts = [*filter(None, results), f"{time.monotonic() - begin:,.1f} s"]
    say(f"{name}: done, {', '.join(parts)}")


def _tasks(context: Any) -> tuple[int, int]:
    """How many tasks of the active stages are done, and how many they have."""
    tracker = context.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    known = [each for each in stages if each is not None]
    return sum(each.numCompletedTasks for each in known), sum(each.numTasks for each in known)
