"""Read files that a user names and a stranger may have written: saved pages, JSON lines, TOML.

Also what all output files share: appending, locks, errors.

Pages and JSON lines may be gzipped, whatever their names. Of a folder only ordinary files are read,
and of a file never more bytes than its kind may have.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import stat
import sys
import tomllib
import zlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

try:
    import fcntl
except ImportError:  # no such locks on this system: one process writes to a file at a time
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    #: Called with the reason and the name for each file and folder that is left out.
    LeftOut = Callable[[str, object], object]

    #: The object of one JSON line.
    Line = dict[str, Any]

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")

#: Bytes, also unpacked: of a page among many in a crawl or archive, and of a page given by itself.
MAX_PAGE_SIZE, MAX_SINGLE_SIZE = 10_000_000, 50_000_000
#: Bytes of a JSON line; no article is as long.
MAX_LINE = 64_000_000

#: Files left out at one place for one reason that are named; the rest is counted.
MAX_NAMED = 10
#: Why a file or folder is left out.
NOT_A_FILE, UNREADABLE = "not-a-file", "unreadable"

#: The name of standard input.
STANDARD_INPUT = "-"

_GZIP = b"\x1f\x8b"

#: Bytes of a TOML file.
MAX_BYTES = 4_000_000
#: Parts of a dotted key, and brackets inside each other: far more than any of our files needs.
#: `tomllib` takes time that grows with the square of the parts, and recurses into nested values.
MAX_PARTS = MAX_NESTING = 16
#: Characters of a parser's message: it may repeat the file.
_MAX_MESSAGE = 300

#: Strings and comments, whose content does not count, and the marks that the bounds are about. An
#: unfinished string ends with the file or line: no branch can fail after it has begun, so each
#: character is looked at once. (Possessive quantifiers are faulty in Python 3.11.2.)
_TOKEN = re.compile(
    r'"""(?:[^"\\]+|\\.|"(?!""))*(?:"{3,5})?'
    r"|'''(?:[^']+|'(?!''))*(?:'{3,5})?"
    r'|"(?:[^"\\\n]+|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[\[\]{}.=,\n]",
    re.DOTALL,
)


class PageSizeError(Exception):
    """A page that is larger than it may be."""

    def __init__(self, max_size: int) -> None:
        super().__init__(f"it has more than {max_size:,} bytes")


def is_page_name(name: str) -> bool:
    return name.lower().endswith(PAGE_SUFFIXES)


def ordinary_files(
    folder: str, is_wanted: Callable[[str], bool], left_out: LeftOut
) -> Iterator[tuple[str, list[str]]]:
    """Yield a folder and the folders in it, each with its wanted files, by name.

    OSError if the folder itself cannot be read.
    """

    def unreadable(error: OSError) -> None:
        if error.filename == folder:
            raise error
        left_out(UNREADABLE, f"cannot read {error.filename}: {error.strerror}")

    root = os.path.join(os.path.realpath(folder), "")
    for inner, folders, names in os.walk(folder, onerror=unreadable):
        folders.sort()
        for name in folders:  # links to folders are reported and not followed
            path = os.path.join(inner, name)
            if os.path.islink(path):
                _is_ordinary(path, root, left_out)
        wanted = filter(is_wanted, sorted(names))
        yield (
            inner,
            [name for name in wanted if _is_ordinary(os.path.join(inner, name), root, left_out)],
        )


def _is_ordinary(path: str, root: str, left_out: LeftOut) -> bool:
    """Return whether a path is an ordinary file and, with its links followed, below the root."""
    target = os.path.realpath(path)
    if not os.path.join(target, "").startswith(root):
        left_out(NOT_A_FILE, f"{path} is a link out of the folder")
        return False
    try:
        mode = os.stat(target).st_mode
    except OSError:  # reading it will report the error
        return True
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        left_out(NOT_A_FILE, f"{path} is not an ordinary file")
    return stat.S_ISREG(mode)


def read_page_file(path: str, max_size: int, *, is_given: bool = False) -> bytes:
    """Return the bytes of a page, unpacked if they are gzipped.

    Only ordinary files are read, unless the user has given the name. OSError, EOFError, ValueError
    or zlib.error if the file cannot be read, `PageSizeError` if it is too large.
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags if is_given else flags | os.O_NONBLOCK)

    with open(path, "rb", opener=opener) as file:
        status = os.fstat(file.fileno())
        size = max_size
        if stat.S_ISREG(status.st_mode):
            size = status.st_size  # reading takes as much memory as it asks for
            if size > max_size:
                raise PageSizeError(max_size)
        elif not is_given:
            raise OSError("not an ordinary file")
        return unpacked(file.read(size + 1), max_size)


def unpacked(body: bytes, max_size: int) -> bytes:
    """Return bytes that may be gzipped; `PageSizeError` if they are too many."""
    if body.startswith(_GZIP) and len(body) <= max_size:
        with gzip.open(io.BytesIO(body)) as packed:
            body = packed.read(max_size + 1)
    if len(body) > max_size:
        raise PageSizeError(max_size)
    return body


@contextmanager
def opened(name: str | Path) -> Iterator[BinaryIO]:
    """Open a file that may be gzipped, or standard input; raise OSError."""
    if name == STANDARD_INPUT:
        yield _unpacked_file(sys.stdin.buffer)
        return
    with open(name, "rb") as file:
        yield _unpacked_file(file)


def _unpacked_file(file: BinaryIO) -> BinaryIO:
    """Return an open file, or what it holds if it is gzipped."""
    peek = getattr(file, "peek", None)
    if peek is None or peek(len(_GZIP))[: len(_GZIP)] != _GZIP:
        return file
    return cast("BinaryIO", gzip.GzipFile(fileobj=file))


class Place(NamedTuple):
    """Where a JSON line is: the number of its file, its offset when unpacked, its number."""

    file: int
    offset: int
    number: int


class BrokenLineError(ValueError):
    """A line that is not a JSON object."""


def read_lines(paths: Sequence[Path]) -> Iterator[tuple[Place, Line | BrokenLineError]]:
    """Yield the JSON lines of files as `json_lines` does."""
    for index, path in enumerate(paths):
        with path.open("rb") as file:
            yield from json_lines(file, index)


def json_lines(file: BinaryIO, index: int = 0) -> Iterator[tuple[Place, Line | BrokenLineError]]:
    """Yield the JSON lines of a file, which may be gzipped or a pipe, except blank ones.

    For a broken line, yield an error that says what is wrong with it.

    >>> [line for _, line in json_lines(io.BytesIO(b'{"headline": "Rain"}\\n\\n[1]\\n'))]
    [{'headline': 'Rain'}, BrokenLineError('not an object, as an article is')]
    """
    offset = number = 0
    file = _unpacked_file(file)
    try:
        while content := file.readline(MAX_LINE):
            number += 1
            place = Place(index, offset, number)
            offset += len(content)
            if len(content) == MAX_LINE and not content.endswith(b"\n"):
                offset += _skip_line(file)
                yield place, BrokenLineError(f"longer than {MAX_LINE:,} bytes")
            elif content.strip():
                try:
                    line: Line | BrokenLineError = _parsed_line(content)
                except BrokenLineError as error:
                    line = error
                yield place, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        problem = f"the compressed file is damaged from here on: {error}"
        yield Place(index, offset, number + 1), BrokenLineError(problem)


def line_at(file: BinaryIO, place: Place) -> Line:
    """Return the line at a place of an unpacked file; `BrokenLineError` if it was changed."""
    file.seek(place.offset)
    return _parsed_line(file.readline(MAX_LINE))


def _parsed_line(raw: bytes) -> Line:
    try:
        value = json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError:
        raise BrokenLineError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BrokenLineError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError):  # numbers too long or nesting too deep
        raise BrokenLineError("not JSON that can be read") from None
    if not isinstance(value, dict):
        raise BrokenLineError("not an object, as an article is")
    return value


def _skip_line(file: BinaryIO) -> int:
    """Read on to the end of a line; return the number of bytes."""
    skipped = 0
    while content := file.readline(MAX_LINE):
        skipped += len(content)
        if content.endswith(b"\n"):
            break
    return skipped


class TomlError(ValueError):
    """A file that is not TOML, too large or too deeply nested."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the values of a file; OSError if it cannot be read, `TomlError` if it is refused."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    return parse_toml(path, content)


def parse_toml(path: Path, content: bytes) -> dict[str, Any]:
    """Return the values of the content of a file; errors name the file."""
    if len(content) > MAX_BYTES:
        raise TomlError(f"{path} has more than {MAX_BYTES:,} bytes")
    try:
        text = content.decode("utf-8")
        _check_depth(path, text)
        return tomllib.loads(text)
    except TomlError:
        raise
    except ValueError as error:  # TOML, UTF-8, or a number with too many digits
        raise TomlError(f"{path} is not a TOML file: {str(error)[:_MAX_MESSAGE]}") from None


def _check_depth(path: Path, text: str) -> None:
    """Refuse keys with too many parts and values nested too deep."""
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


class StorageError(Exception):
    """A file or database that a crawl needs can't be written or read; what it holds is whole."""


class DomainBusyError(StorageError):
    """Another crawl that shares the memory is crawling a domain of this one."""


def domain_busy(domain: str, path: str) -> DomainBusyError:
    """Return the error of a crawl whose domain another crawl has locked."""
    return DomainBusyError(
        f"another crawl with the memory {path} is crawling {domain}: only one crawl of a domain "
        "may run at a time; start this one again when the other one has ended"
    )


def file_error(what: str, path: str, reason: Exception) -> StorageError:
    """Return the error for a file, with the reason that the system gives and what to do."""
    words = getattr(reason, "strerror", None) or reason
    return StorageError(
        f"cannot use {what} {path}: {words}; check that its disk has room and that it may be "
        "written, then start the crawl again: it completes what is left"
    )


class AtomicWriteFile(io.FileIO):
    """A file to which data is appended at once: all of it, or nothing."""

    def write(self, data: Any, /) -> int:
        start = self.seek(0, io.SEEK_END) if self.seekable() else 0
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except OSError:
            with suppress(OSError):  # not a file on a disk
                self.truncate(start)  # half a line would spoil the next one
            raise
        return len(data)


@contextmanager
def locked(file: int) -> Iterator[None]:
    """Lock a file against the other processes that write to it; a pipe needs no lock."""
    if fcntl is None:
        yield
        return
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)
