"""Reads exported articles: JSON lines, also compressed by gzip, from files or standard input."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from newsclean.files import STANDARD_INPUT, json_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.files import BrokenLineError, Line


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A file by its name, as it is; raises OSError."""
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with open(name, "rb") as file:
        yield file


def article_lines(file: BinaryIO) -> Iterator[tuple[int, Line | BrokenLineError]]:
    """The lines of a file but blank ones, each with its number; broken ones with what is wrong."""
    for place, line in json_lines(file):
        yield place.number, line
