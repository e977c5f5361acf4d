"""Where pages come from on the command line: files, folders, URLs, standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from w3lib.url import safe_url_string

from newsclean import __version__
from newsclean.cli.errors import UNREADABLE, CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMEOUT = 30  # seconds
LARGEST_DOWNLOAD = 50_000_000
PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")


def read_source(source: str) -> tuple[bytes, str | None, str | None]:
    """The bytes of a page, its URL and its content type, as far as they are known."""
    if source == "-":
        return _unpacked(sys.stdin.buffer.read(), "standard input"), None, None
    if source.startswith(("http://", "https://")):
        return _download(source)
    return read_file(Path(source)), None, None


def read_file(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped."""
    try:
        body = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"cannot read {path}: {reason}", UNREADABLE) from None
    return _unpacked(body, str(path))


def _unpacked(body: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
    except (OSError, EOFError, zlib.error) as error:
        raise CommandError(f"cannot unpack {name}: {error}", UNREADABLE) from None


def page_files(paths: list[str]) -> Iterator[Path]:
    """The files among these paths, and the pages in the folders among them."""
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.name.lower().endswith(PAGE_SUFFIXES))
            if not found:
                raise CommandError(f"no pages ({', '.join(PAGE_SUFFIXES)}) in {path}", UNREADABLE)
            yield from found
        else:
            yield path


def _download(url: str) -> tuple[bytes, str | None, str | None]:
    try:
        request = Request(safe_url_string(url), headers={"User-Agent": f"newsclean/{__version__}"})
        with urlopen(request, timeout=TIMEOUT) as response:
            body = response.read(LARGEST_DOWNLOAD + 1)
            kind = response.headers.get("Content-Type")
            final = response.url
    except (OSError, HTTPException, ValueError) as error:
        raise CommandError(f"cannot fetch {url}: {error}", UNREADABLE) from None
    if len(body) > LARGEST_DOWNLOAD:
        raise CommandError(f"{url} is larger than {LARGEST_DOWNLOAD:,} bytes", UNREADABLE)
    return _unpacked(body, url), final, kind
