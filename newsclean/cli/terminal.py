"""What is printed for people: nothing that a page or a server wrote may control their terminal."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

#: Columns of a table that is not for a terminal: no name is broken, and each row is one line.
UNBOUNDED = 1_000_000

# Control characters but tab and line feed, and overrides of the writing direction.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def for_terminal(text: str) -> str:
    r"""A text with its control characters spelled out.

    >>> for_terminal("red \x1b[31m alert")
    'red \\x1b[31m alert'
    """
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""A text with its control characters spelled out, in one line.

    >>> one_line("Rain\n\tall day")
    'Rain all day'
    """
    return for_terminal(" ".join(text.split()))


def json_for_terminal(value: object) -> str:
    r"""JSON in which letters are as they are, and all control characters are spelled out.

    >>> json_for_terminal("Tromsø \x9b31m")
    '"Tromsø \\u009b31m"'
    """
    written = json.dumps(value, ensure_ascii=False, indent=2)
    spelled = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return spelled.encode("utf-8", "replace").decode()


def print_table(table: Table) -> None:
    """Print a table in the width of the terminal; where there is none, in the width it needs."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else UNBOUNDED).print(table)


def note(text: str) -> None:
    """Tell the user something beside the result."""
    print(f"newsclean: {for_terminal(text)}", file=sys.stderr)
