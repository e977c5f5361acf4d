"""Read TOML files that may come from a stranger: site files and corrections.

`tomllib` takes time that grows with the square of a dotted key's parts, and recurses into nested
values. Both are bounded here before it sees the text.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 4_000_000
#: Parts of a dotted key, and brackets inside each other: far more than any of our files needs.
MAX_PARTS = MAX_NESTING = 16
#: Characters of a parser's message: it may repeat the file.
MAX_MESSAGE = 300

#: Strings and comments, which hide what is in them, and the marks that the bounds are about. An
#: unfinished string ends with the file or line, so that each character is looked at once: no
#: branch can fail after it has begun. (Possessive quantifiers are faulty in Python 3.11.2.)
_TOKEN = re.compile(
    r'"""(?:[^"\\]+|\\.|"(?!""))*(?:"{3,5})?'
    r"|'''(?:[^']+|'(?!''))*(?:'{3,5})?"
    r'|"(?:[^"\\\n]+|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[\[\]{}.=,\n]",
    re.DOTALL,
)


class TomlError(ValueError):
    """A file that is not TOML, or too much of it."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the values of a file; OSError if it cannot be read, `TomlError` if it is no use."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    return parse_toml(path, content)


def parse_toml(path: Path, content: bytes) -> dict[str, Any]:
    """Return the values of what a file has or is to have; errors name the file."""
    if len(content) > MAX_BYTES:
        raise TomlError(f"{path} has more than {MAX_BYTES:,} bytes")
    try:
        text = content.decode("utf-8")
        _check_depth(path, text)
        return tomllib.loads(text)
    except TomlError:
        raise
    except ValueError as error:  # of TOML, of UTF-8 and of numbers with too many digits
        raise TomlError(f"{path} is not a TOML file: {str(error)[:MAX_MESSAGE]}") from None


def _check_depth(path: Path, text: str) -> None:
    """Refuse keys of too many parts, and values that are nested too deep."""
    parts, nesting = 1, 0
    for found in _TOKEN.finditer(text):
        mark = found[0]
        if mark == ".":
            parts += 1
        elif mark in "[{":
            parts, nesting = 1, nesting + 1
        elif mark in "]}":
            nesting -= 1
        elif mark in "=,\n":
            parts = 1
        if parts > MAX_PARTS:
            problem = f"a key has more than {MAX_PARTS} parts"
        elif nesting > MAX_NESTING:
            problem = f"values are nested in more than {MAX_NESTING} brackets"
        else:
            continue
        line = text.count("\n", 0, found.start()) + 1
        raise TomlError(f"{path}, line {line}: {problem}")
