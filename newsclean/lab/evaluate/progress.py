"""How far a run is: a bar in a terminal, a line now and then in a log."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

#: Lines in a log from the first page to the last.
LINES = 20


@contextmanager
def shown(console: Console, title: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the pages done and all pages."""
    if not console.is_terminal:
        reported = -1

        def report(done: int, total: int) -> None:
            nonlocal reported
            step = done * LINES // max(total, 1)
            if step != reported:
                reported = step
                console.print(f"{title}: {done} of {total} pages", highlight=False)

        yield report
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("pages"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(title)
        yield lambda done, total: bar.update(task, completed=done, total=total)
