"""Where pages come from on the command line: files, folders, URLs, standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import Request, urlopen

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
        return sys.stdin.buffer.read(), None, None
    if source.startswith(("http://", "https://")):
        return _download(source)
    return read_file(Path(source)), None, None


def read_file(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped."""
    try:
        body = path.read_bytes()
        return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}", UNREADABLE) from None
    except (EOFError, zlib.error) as error:
        raise CommandError(f"cannot unpack {path}: {error}", UNREADABLE) from None


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
    request = Request(url, headers={"User-Agent": f"newsclean/{__version__}"})
    try:
        with urlopen(request, timeout=TIMEOUT) as response:
            body = response.read(LARGEST_DOWNLOAD + 1)
            kind = response.headers.get("Content-Type")
            final = response.url
    except (URLError, TimeoutError, ValueError, OSError) as error:
        raise CommandError(f"cannot fetch {url}: {error}", UNREADABLE) from None
    if len(body) > LARGEST_DOWNLOAD:
        raise CommandError(f"{url} is larger than {LARGEST_DOWNLOAD:,} bytes", UNREADABLE)
    return body, final, kind
