"""The sites of the queue as a table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from newsclean.cli.terminal import for_terminal, print_table

if TYPE_CHECKING:
    from newsclean.cluster.queue import JobStatus


def show(statuses: list[JobStatus]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("site", overflow="fold")
    for name in ("state", "when", "every"):
        table.add_column(name, no_wrap=True)
    for name in ("runs", "articles"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("worker, last run", overflow="fold")
    now = time.time()
    for status in statuses:
        last = status.holder or ": ".join(filter(None, (status.outcome, status.reason)))
        if status.tries:
            last += f" (failed tries: {status.tries})"
        table.add_row(
            Text(for_terminal(status.name)),
            status.state,
            moment(status.when, now),
            status.every,
            f"{status.runs:,}",
            f"{status.articles:,}",
            Text(for_terminal(last)),
            style={"failed": "bold red", "lost": "red", "running": "green"}.get(status.state, ""),
        )
    print_table(table)


def moment(when: float, now: float) -> str:
    """A moment from now, in one unit.

    >>> moment(1000, 400), moment(1000, 1003), moment(0, 1003)
    ('in 10m', '3s ago', '')
    """
    if not when:
        return ""
    seconds, unit = abs(when - now), "s"
    for size, name in ((60, "m"), (3600, "h"), (86400, "d")):
        if abs(when - now) >= size:
            seconds, unit = abs(when - now) / size, name
    return f"in {seconds:.0f}{unit}" if when > now else f"{seconds:.0f}{unit} ago"
