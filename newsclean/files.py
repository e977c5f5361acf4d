"""Files that a user names and a stranger may have written: saved pages, TOML."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    #: Called with the reason and the name for each file and folder that is left out.
    LeftOut = Callable[[str, object], object]

# Saved pages on the disk: which files of a folder are pages, and the bytes of one.
#
# A folder may come from a stranger: only ordinary files inside it are read, and no more of them
# than a page may have.

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")

#: Bytes, also unpacked, of one page among many in a crawl or archive, and of a page that is given
#: by itself.
MAX_PAGE_SIZE, MAX_SINGLE_SIZE = 10_000_000, 50_000_000

#: Of what is left out at one place for one reason, so much is named; the rest is counted.
MAX_NAMED = 10
#: Why a file or folder is left out.
NOT_A_FILE, UNREADABLE = "not-a-file", "unreadable"


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

    def closed(error: OSError) -> None:
        if error.filename == folder:
            raise error
        left_out(UNREADABLE, f"cannot read {error.filename}: {error.strerror}")

    root = os.path.join(os.path.realpath(folder), "")
    for inner, folders, names in os.walk(folder, onerror=closed):
        folders.sort()
        for name in folders:  # those that are links are not walked
            path = os.path.join(inner, name)
            if os.path.islink(path):
                _is_ordinary(path, root, left_out)
        wanted = filter(is_wanted, sorted(names))
        yield (
            inner,
            [name for name in wanted if _is_ordinary(os.path.join(inner, name), root, left_out)],
        )


def _is_ordinary(path: str, root: str, left_out: LeftOut) -> bool:
    """Return whether a path is an ordinary file, and where its links lead is below the root."""
    target = os.path.realpath(path)
    if not os.path.join(target, "").startswith(root):
        left_out(NOT_A_FILE, f"{path} is a link out of the folder")
        return False
    try:
        mode = os.stat(target).st_mode
    except OSError:  # which reading it will say
        return True
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        left_out(NOT_A_FILE, f"{path} is not an ordinary file")
    return stat.S_ISREG(mode)


def read_page_file(path: str, max_size: int, *, is_given: bool = False) -> bytes:
    """Return the bytes of a page, unpacked if they are gzipped.

    Of what is not an ordinary file, nothing is read unless somebody has given its name. OSError,
    EOFError, ValueError or zlib.error if it cannot be read, `PageSizeError` if it is too large.
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags if is_given else flags | os.O_NONBLOCK)

    with open(path, "rb", opener=opener) as file:
        status = os.fstat(file.fileno())
        size = max_size
        if stat.S_ISREG(status.st_mode):
            size = status.st_size  # as much memory is taken as is asked for
            if size > max_size:
                raise PageSizeError(max_size)
        elif not is_given:
            raise OSError("not an ordinary file")
        return unpacked(file.read(size + 1), max_size)


def unpacked(body: bytes, max_size: int) -> bytes:
    """Return the bytes of a page that may be gzipped; `PageSizeError` if they are too many."""
    if body.startswith(b"\x1f\x8b") and len(body) <= max_size:
        with gzip.open(io.BytesIO(body)) as packed:
            body = packed.read(max_size + 1)
    if len(body) > max_size:
        raise PageSizeError(max_size)
    return body


# Read TOML files that may come from a stranger: site files and corrections.
#
# `tomllib` takes time that grows with the square of a dotted key's parts, and recurses into nested
# values. Both are bounded here before it sees the text.

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


class StorageError(Exception):
    """A file or database that a crawl needs can't be written or read; what it holds is whole."""


def file_error(what: str, path: str, reason: Exception) -> StorageError:
    """Return the error for a file, with the reason that the system gives and what to do."""
    words = getattr(reason, "strerror", None) or reason
    return StorageError(
        f"cannot use {what} {path}: {words}; check that its disk has room and that it may be "
        "written, then start the crawl again: it completes what is left"
    )
