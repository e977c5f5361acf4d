"""Tables and progress of the laboratory's commands, on the terminal or in a log."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from newsclean.lab.evaluate.evaluation_report import why_no_plots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from rich.console import Console

    from newsclean.lab.evaluate.score_tables import Table

#: Characters a line where no terminal says how many it has.
_PIPED_WIDTH = 200


def result_console(*, highlight: bool = True) -> Console:
    """Standard output for tables, which are not folded where no terminal shows them."""
    from rich.console import Console

    console = Console(highlight=highlight)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    return console


def print_tables(tables: Iterable[Table]) -> None:
    from rich.table import Table as RichTable
    from rich.text import Text

    console = result_console()
    for table in tables:
        drawn = RichTable(title=table.title, title_justify="left", caption=table.note or None)
        for place, name in enumerate(table.header):
            side: Literal["left", "right"] = "right" if place else "left"
            drawn.add_column(name, justify=side, no_wrap=not place, overflow="fold")
        for row in table.rows:
            drawn.add_row(*map(Text, row))
        console.print(drawn)


#: Lines in a log from the first page to the last.
_LINES = 20


@contextmanager
def shown(
    console: Console, title: str, what: str = "pages"
) -> Iterator[Callable[[int, int], None]]:
    """A function to call with the pages done and all pages."""
    if not console.is_terminal:
        reported = -1

        def report(done: int, total: int) -> None:
            nonlocal reported
            step = done * _LINES // max(total, 1)
            if step != reported:
                reported = step
                console.print(f"{title}: {done} of {total} {what}", highlight=False)

        yield report
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(what),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(title)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def say_written(folder: Path, *files: str) -> None:
    """Say which files and plots a folder holds now, or why it holds no plots."""
    why = why_no_plots()
    if why:
        print(f"newsclean: {why}", file=sys.stderr)
    print(f"written to {folder}: {', '.join([*files, *([] if why else ['plots'])])}")
