"""Output files that survive a kill: each line is written before the crawl goes on."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from scrapy.extensions.feedexport import FileFeedStorage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider

logger = logging.getLogger(__name__)

LINE_FORMATS = ("jsonlines", "jsonl", "jl")


class AtomicWriteFile(io.FileIO):
    """A file to whose end a write goes at once and whole, or not at all."""

    def write(self, data: Any, /) -> int:
        start = self.seek(0, io.SEEK_END)
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except OSError:
            self.truncate(start)  # half a line would spoil the next one
            raise
        return len(data)


class LineByLineStorage(FileFeedStorage):
    """A local file to which every write goes at once.

    A killed process may leave half a line. It is cut off before the next line is
    written; whole lines are never touched.
    """

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        self.has_lines = (feed_options or {}).get("format") in LINE_FORMATS

    def open(self, spider: Spider) -> IO[bytes]:
        if self.write_mode == "ab" and self.has_lines:
            repair_last_line(Path(self.path))
        super().open(spider).close()
        return AtomicWriteFile(self.path, "ab")


def repair_last_line(path: Path) -> None:
    """Cut off what is left of a line that a killed process was writing."""
    if not path.is_file() or not path.stat().st_size:
        return
    with path.open("rb+") as file:
        file.seek(-1, 2)
        if file.read(1) == b"\n":
            return
        start = _start_of_last_line(file)
        file.seek(start)
        last = file.read()
        try:
            json.loads(last)
        except ValueError:
            logger.warning("%s: cut off %d bytes of an unfinished last line", path, len(last))
            file.truncate(start)
        else:
            file.write(b"\n")


def _start_of_last_line(file: IO[bytes]) -> int:
    position = file.seek(0, 2)
    while position > 0:
        step = min(65_536, position)
        position -= step
        file.seek(position)
        found = file.read(step).rfind(b"\n")
        if found >= 0:
            return position + found + 1
    return 0


def delivered_in(paths: Iterable[Path], articles: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these articles (URL and content hash) are in these JSON lines files."""
    found: set[tuple[str, str]] = set()
    digests = {content_hash.encode() for _, content_hash in articles}
    for path in paths:
        if not path.is_file():
            continue
        with path.open("rb") as file:
            for line in file:
                if any(digest in line for digest in digests):
                    try:
                        item = json.loads(line)
                    except ValueError:
                        continue
                    if isinstance(item, dict):
                        found.add((str(item.get("url")), str(item.get("content_hash"))))
    return found & articles
