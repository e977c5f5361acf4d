"""What all commands share: exit codes, errors, messages, tables and progress.

Text from pages and servers is printed with its control characters escaped, so that it cannot
control the terminal.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    from rich.progress import Progress as Bars
    from rich.progress import TaskID
    from rich.table import Table

#: Exit codes.
UNUSABLE, USAGE, UNREADABLE, TARGET_DOWN = 1, 2, 3, 4

#: The width of a table outside a terminal: no name is broken, and each row is one line.
_UNBOUNDED = 1_000_000

# Control characters except tab and line feed, and overrides of the writing direction.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def for_terminal(text: str) -> str:
    r"""Escape the control characters of a text.

    >>> for_terminal("red \x1b[31m alert")
    'red \\x1b[31m alert'
    """
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""Escape the control characters of a text and put it on one line.

    >>> one_line("Rain\n\tall day")
    'Rain all day'
    """
    return for_terminal(" ".join(text.split()))


def json_for_terminal(value: object) -> str:
    r"""Return JSON with all control characters escaped, and other characters as they are.

    >>> json_for_terminal("Tromsø \x9b31m")
    '"Tromsø \\u009b31m"'
    """
    written = json.dumps(value, ensure_ascii=False, indent=2)
    spelled = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return spelled.encode("utf-8", "replace").decode()


def print_table(table: Table) -> None:
    """Print a table in the width of the terminal, or without a terminal in the width it needs."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else _UNBOUNDED).print(table)


def note(text: str) -> None:
    """Print a message to standard error."""
    print(f"newsclean: {for_terminal(text)}", file=sys.stderr)


class CommandError(Exception):
    """An error of a command, with its message and exit code."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)


class Progress:
    """The progress of a command on standard error: a bar for each title if that is a terminal.

    In a log, `lines` says how many lines are printed from the first to the last.
    """

    def __init__(self, unit: str = "pages", *, lines: int = 0) -> None:
        self._unit = unit
        self._lines = lines
        self._done: dict[str, int] = {}
        self._tasks: dict[str, TaskID] = {}
        self._bars = _new_bars() if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def advance(self, title: str, total: int | None = None) -> None:
        """Show that one more is done."""
        self.update(title, self._done.get(title, 0) + 1, total)

    def update(self, title: str, done: int, total: int | None = None) -> None:
        """Show how much is done; `total` is None if it is unknown."""
        step, before = self._step(done, total), self._step(self._done.get(title, -1), total)
        self._done[title] = done
        counted = (
            f"{done:,} {self._unit}" if total is None else f"{done:,} of {total:,} {self._unit}"
        )
        if self._bars is not None:
            if title not in self._tasks:
                self._tasks[title] = self._bars.add_task(title, counted="")
            task = self._tasks[title]
            self._bars.update(task, completed=done, total=total, counted=counted)
        elif self._lines and step != before:
            note(f"{title}: {counted}")

    def _step(self, done: int, total: int | None) -> int:
        return done * self._lines // max(total or 0, 1)


def _new_bars() -> Bars:
    from rich.console import Console  # only a terminal needs it
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[counted]}")
    times = TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn()
    return Bars(*columns, *times, console=Console(stderr=True), redirect_stdout=False)
