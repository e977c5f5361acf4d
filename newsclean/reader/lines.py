"""Reads files of JSON lines: every line with its place, and broken ones with what is wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_MAX_LINE = 64_000_000  # bytes; no article is as long

Line = dict[str, Any]


class Place(NamedTuple):
    """Where a line is."""

    file: int
    offset: int
    number: int


class BrokenLineError(ValueError):
    """A line that is not an object of JSON."""


@dataclass(frozen=True)
class RawLine:
    """A line as it is in its file; None for its bytes if it is too long."""

    offset: int
    number: int
    content: bytes | None

    def parsed(self) -> Line | BrokenLineError | None:
        """The object of the line, or what is wrong with it; None of a blank one."""
        if self.content is None:
            return BrokenLineError(f"longer than {_MAX_LINE:,} bytes")
        if not self.content.strip():
            return None
        try:
            return _parse_line(self.content)
        except BrokenLineError as error:
            return error


def read_lines(paths: Sequence[Path]) -> Iterator[tuple[Place, Line | BrokenLineError]]:
    """All lines of these files but blank ones, in their order."""
    for index, path in enumerate(paths):
        with path.open("rb") as file:
            for raw in raw_lines(file):
                if (line := raw.parsed()) is not None:
                    yield Place(index, raw.offset, raw.number), line


def raw_lines(file: BinaryIO) -> Iterator[RawLine]:
    """All lines of a file, which may be a pipe."""
    offset = number = 0
    while content := file.readline(_MAX_LINE):
        number += 1
        is_whole = len(content) < _MAX_LINE or content.endswith(b"\n")
        yield RawLine(offset, number, content if is_whole else None)
        offset += len(content) + (0 if is_whole else _skip_line(file))


def line_at(file: BinaryIO, place: Place) -> Line:
    """The line at a place; it may have been changed since it was found there."""
    file.seek(place.offset)
    return _parse_line(file.readline(_MAX_LINE))


def _parse_line(raw: bytes) -> Line:
    """
    >>> _parse_line(b'{"headline": "Rain"}')
    {'headline': 'Rain'}
    """
    try:
        value = json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError:
        raise BrokenLineError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BrokenLineError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError):  # numbers or nesting beyond all measure
        raise BrokenLineError("not JSON that can be read") from None
    if not isinstance(value, dict):
        raise BrokenLineError("not an object, as an article is")
    return value


def _skip_line(file: BinaryIO) -> int:
    """Read on to the end of a line; the number of bytes."""
    skipped = 0
    while content := file.readline(_MAX_LINE):
        skipped += len(content)
        if content.endswith(b"\n"):
            break
    return skipped
