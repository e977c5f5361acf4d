"""What all commands share: exit codes, errors, messages, tables and progress.

Text from pages and servers is printed with its control characters escaped, so that it cannot
control the terminal.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@contextmanager
def progress() -> Iterator[Callable[[str, int], object]]:
    """Yield a function to call for each page, with a title and the number of pages."""
    if not sys.stderr.isatty():
        yield lambda title, total: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TaskID, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False) as bar:
        tasks: dict[str, TaskID] = {}

        def report(title: str, total: int) -> None:
            if title not in tasks:
                tasks[title] = bar.add_task(title, total=total)
            bar.advance(tasks[title])

        yield report


@contextmanager
def byte_progress(title: str, total: int | None) -> Iterator[Callable[[int], object]]:
    """Yield a function to call with the bytes done so far; `total` is None if unknown."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import DownloadColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)
