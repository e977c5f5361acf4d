"""Where pages come from on the command line: files, folders, URLs, standard input."""

from __future__ import annotations

import os
import re
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.cli.terminal import note
from newsclean.files import (
    MAX_NAMED,
    MAX_SINGLE_SIZE,
    PAGE_SUFFIXES,
    PageSizeError,
    is_page_name,
    ordinary_files,
    read_page_file,
    unpacked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ONLY_HTTP = "of addresses, only http:// and https:// can be read"

#: What goes wrong with a page that may be gzipped.
UNPACKING = (OSError, EOFError, zlib.error, PageSizeError)

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)


def read_source(
    source: str, max_size: int = MAX_SINGLE_SIZE
) -> tuple[bytes, str | None, str | None]:
    """The bytes of a page, its URL and its content type, as far as they are known."""
    if source == "-":
        body = sys.stdin.buffer.read(max_size + 1)
        return _decompressed(body, "standard input", max_size), None, None
    scheme = _scheme_of(source)
    if scheme in ("http", "https"):
        from newsclean.cli.download import download  # a file needs no HTTP

        body, url, content_type = download(source, max_size)
        return _decompressed(body, source, max_size), url, content_type
    if scheme:
        raise CommandError(f"cannot read {source}: {ONLY_HTTP}", USAGE)
    return read_file(_path_of(source), max_size), None, None


def is_url(source: str) -> bool:
    return _scheme_of(source) in ("http", "https")


def are_many(sources: list[str]) -> bool:
    """Whether these are many pages, or may be: several of them, a folder or an archive."""
    if len(sources) > 1 or os.path.isdir(sources[0]):
        return True
    name = sources[0].lower()
    if name.endswith(PAGE_SUFFIXES) or not os.path.isfile(sources[0]):
        return False
    from newsclean.archives import is_archive  # one page needs nothing of them

    return is_archive(sources[0])


def check_many(sources: list[str]) -> None:
    """Refuse what cannot be one of many; a file that cannot be read is one page less."""
    for source in sources:
        if source == "-":
            raise CommandError("standard input is one page: - goes alone", USAGE)
        if (scheme := _scheme_of(source)) and not is_url(source):
            raise CommandError(f"cannot read {source}: {ONLY_HTTP}", USAGE)
        if not scheme:
            _path_of(source)


def read_file(path: Path, max_size: int = MAX_SINGLE_SIZE) -> bytes:
    """The bytes of a file, decompressed if it is gzipped."""
    try:
        return read_page_file(str(path), max_size, is_given=True)
    except (*UNPACKING, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"cannot read {path}: {reason}", UNREADABLE) from None


def page_files(paths: list[str]) -> Iterator[Path]:
    """The files among these paths, and the pages in the folders among them.

    A folder in a folder that cannot be read is left out, and reported.
    """
    for name in paths:
        if _scheme_of(name):
            raise CommandError(f"{name} is not a file or folder", USAGE)
        path = _path_of(name)
        if os.path.isdir(path):
            yield from _pages_in(path)
        elif not os.path.lexists(path):
            raise CommandError(f"cannot read {path}: No such file or directory", UNREADABLE)
        else:
            yield path


def _pages_in(folder: Path) -> list[Path]:
    left_out: list[str] = []
    try:
        found = [
            Path(inner, name)
            for inner, names in ordinary_files(
                str(folder), is_page_name, lambda _, what: left_out.append(str(what))
            )
            for name in names
        ]
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {error.strerror}", UNREADABLE) from None
    for what in left_out[:MAX_NAMED]:
        note(f"left out: {what}")
    if len(left_out) > MAX_NAMED:
        note(f"left out: {len(left_out) - MAX_NAMED:,} more in {folder}")
    if not found:
        raise CommandError(f"no pages ({', '.join(PAGE_SUFFIXES)}) in {folder}", UNREADABLE)
    return sorted(found)


def _scheme_of(source: str) -> str | None:
    found = _SCHEME.match(source)
    return found[1].lower() if found else None


def _path_of(name: str) -> Path:
    if not name.strip():
        raise CommandError("the name of a page is empty", USAGE)
    return Path(name)


def _decompressed(body: bytes, name: str, max_size: int) -> bytes:
    try:
        return unpacked(body, max_size)
    except UNPACKING as error:
        raise CommandError(f"cannot unpack {name}: {error}", UNREADABLE) from None
