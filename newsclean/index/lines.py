"""Reads exported articles: JSON lines, also compressed by gzip, from files or standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from newsclean.reader.lines import BrokenLineError, raw_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.reader.lines import Line

#: The name of standard input.
STANDARD_INPUT = "-"

GZIP = b"\x1f\x8b"


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
    plain = cast("BinaryIO", gzip.GzipFile(fileobj=file)) if _begins_with_gzip(file) else file
    number = 0
    try:
        for raw in raw_lines(plain):
            number = raw.number
            if (line := raw.parsed()) is not None:
                yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield number + 1, BrokenLineError(f"the compressed file is damaged from here on: {error}")


def _begins_with_gzip(file: BinaryIO) -> bool:
    peek = getattr(file, "peek", None)
    return peek is not None and peek(len(GZIP))[: len(GZIP)] == GZIP
