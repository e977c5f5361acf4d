"""Tables of the laboratory's commands, on the terminal or in a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from newsclean.lab.evaluate.evaluation_report import why_no_plots

if TYPE_CHECKING:
    from collections.abc import Iterable
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


def say_written(folder: Path, *files: str) -> None:
    """Say which files and plots a folder holds now, or why it holds no plots."""
    why = why_no_plots()
    if why:
        print(f"newsclean: {why}", file=sys.stderr)
    print(f"written to {folder}: {', '.join([*files, *([] if why else ['plots'])])}")
