"""Local feeds: each line is written before the crawl goes on, so that a kill loses nothing.

`LineByLineStorage` replaces Scrapy's storage for local files, `ArticleCsvExporter` its exporter for
CSV. `merge_feeds` and `check_feeds` look at `FEEDS` before the crawl starts, and `delivered_in`
finds articles of a killed run in its output. A file that can't be written ends the crawl.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import logging
import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exporters import CsvItemExporter
from scrapy.extensions.feedexport import FileFeedStorage
from w3lib.url import file_uri_to_path

from newsclean.crawl_state import usage_error
from newsclean.files import StorageError, file_error
from newsclean.memory.database import is_database_url, without_password

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings


try:
    import fcntl
except ImportError:  # no such locks on this system: one process writes to a file at a time
    fcntl = None  # type: ignore[assignment]


logger = logging.getLogger(__name__)

_LINE_FORMATS = ("jsonlines", "jsonl", "jl")
#: What a spreadsheet takes for the start of a formula (OWASP, "CSV Injection"), also in the full
#: width of East Asian keyboards.
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


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


class FeedFile(AtomicWriteFile):
    """The file of a storage, which is told of the first error.

    Several processes may append lines to it. Each line is written under a lock, after the rest of a
    line whose process was killed is cut off.

    Nothing is written after an error. It is not raised: Scrapy would log a traceback for each item,
    and count the feed as written all the same.
    """

    def __init__(self, storage: LineByLineStorage) -> None:
        super().__init__(storage.path, "ab")
        self.storage = storage
        #: the size of the file after the last whole line that this process has written
        self.written_size = -1

    def write(self, data: Any, /) -> int:
        if self.storage.failure is None:
            try:
                with locked(self.fileno()):
                    self.storage.check()
                    if os.fstat(self.fileno()).st_size != self.written_size:
                        self.storage.repair()  # another process has written, too
                    written = super().write(data)
                    self.written_size = os.fstat(self.fileno()).st_size
                    return written
            except StorageError as error:
                self.storage.failure = error
            except OSError as error:
                self.storage.fail(error)
        return len(data)


class LineByLineStorage(FileFeedStorage):
    """A local file to which every item is written at once.

    A killed process may leave half a line. It is cut off before the next line is written; whole
    lines are never touched.
    """

    #: why the file can no longer be written
    failure: StorageError | None = None

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        #: raises `StorageError` before a line is written, if none may be written any more
        self.check: Callable[[], None] = _nothing
        self.has_lines = (feed_options or {}).get("format") in _LINE_FORMATS

    def open(self, spider: Spider) -> IO[bytes]:
        try:
            super().open(spider).close()
            file = FeedFile(self)
            with locked(file.fileno()):
                self.repair()
            return file
        except OSError as error:
            self.fail(error)
            return io.BytesIO()  # which nobody reads

    def repair(self) -> None:
        """Cut off the half line of a killed process; the file must be locked."""
        if self.write_mode == "ab" and self.has_lines:
            repair_last_line(Path(self.path))

    def store(self, file: IO[bytes]) -> None:
        try:
            file.close()
        except OSError as error:
            self.fail(error)

    def fail(self, error: OSError) -> None:
        """Note why the file can't be written; nothing more is written to it."""
        self.failure = self.failure or file_error("the feed", self.path, error)


def _nothing() -> None:
    """Any line may be written."""


def repair_last_line(path: Path) -> None:
    """Cut off the half line that a killed process has left."""
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


def delivered_in(
    paths: Iterable[str | Path], states: set[tuple[str, str, int]]
) -> set[tuple[str, str, int]]:
    """Return which of these states (URL, content hash, revision) are in these JSON lines files.

    For a line without a revision, the other two are enough.
    """
    wanted: dict[tuple[str, str], list[int]] = {}
    for url, content_hash, revision in states:
        wanted.setdefault((url, content_hash), []).append(revision)
    found: set[tuple[str, str, int]] = set()
    digests = {content_hash.encode() for _, content_hash, _ in states}
    for path in map(Path, paths):
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
                        url, content_hash = str(item.get("url")), str(item.get("content_hash"))
                        for revision in wanted.get((url, content_hash), ()):
                            if item.get("revision", revision) == revision:
                                found.add((url, content_hash, revision))
    return found


def _local_path(uri: str | os.PathLike[str]) -> str | None:
    """Return the path of a feed on this machine, None if the feed is elsewhere.

    >>> _local_path("file:///data/out.jsonl"), _local_path("out.jsonl"), _local_path("s3://b/out.csv")
    ('/data/out.jsonl', 'out.jsonl', None)
    """
    text = os.fspath(uri)
    scheme = urlsplit(text).scheme
    if scheme == "file":
        return str(file_uri_to_path(text))
    return None if scheme else text


def merge_feeds(settings: BaseSettings) -> None:
    """Merge the feeds of `FEEDS` that write the same items to the same file.

    `-o` and `-O` add a feed to `FEEDS`, and Scrapy tells feeds apart by their spelling. The options
    of the last one count, which is that of the setting; the file is overwritten only if all of them
    say so.
    """
    merged: dict[object, tuple[Any, dict[str, Any]]] = {}
    feeds = settings.getdict("FEEDS")
    for uri, options in feeds.items():
        path = _local_path(uri)
        items = repr(options.get("item_classes")), repr(options.get("item_filter"))
        key: object = uri if path is None else (os.path.realpath(path), *items)
        kept = options
        if key in merged:
            other, before = merged[key]
            if _mode(before) != _mode(options):
                logger.warning("%s and %s are the same file: using options of %s", other, uri, uri)
            if not before.get("overwrite") and options.get("overwrite"):
                logger.warning("%s is appended to, not overwritten", uri)
                kept = options | {"overwrite": False}
        merged[key] = uri, kept
    if len(merged) < len(feeds):
        priority = settings.getpriority("FEEDS") or 0
        settings.set("FEEDS", dict(merged.values()), priority=priority)


def _mode(options: dict[str, Any]) -> tuple[Any, bool]:
    """Return the format of a feed, and whether it overwrites its file."""
    kind = options.get("format")
    return "jsonlines" if kind in _LINE_FORMATS else kind, bool(options.get("overwrite"))


def check_feeds(crawler: Crawler) -> None:
    """Refuse feeds whose files can't be written, before anything is downloaded.

    A path that is complete only when the spider is open (`%(time)s`) is not checked here.
    """
    for uri in crawler.settings.getdict("FEEDS"):
        if is_database_url(str(uri)):
            raise usage_error(
                f"FEEDS: {without_password(str(uri))} is not a feed: name the database in "
                "NEWSCLEAN_MEMORY and the table in NEWSCLEAN_TABLE",
                crawler,
            )
        path = _local_path(uri)
        problem = None if path is None or "%(" in path else why_not_writable(Path(path))
        if problem:
            raise usage_error(f"FEEDS: cannot write {path}: {problem}", crawler)


def why_not_writable(path: Path) -> str | None:
    """Return why a file can't be written or created, None if it can; it is not touched."""
    if path.exists():
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
        except OSError as error:
            return None if error.errno == errno.ENXIO else error.strerror  # a pipe that waits
        return None
    folder = next((parent for parent in path.absolute().parents if parent.exists()), None)
    if folder is None or not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to write in the folder {folder}"
    return None


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's exporter, with lists and objects as JSON, and without cells that are formulas.

    An existing file keeps its columns, and gets no second line of headings.
    """

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        columns = _columns_in(file, options.get("encoding") or "utf-8")
        if columns:
            options |= {"fields_to_export": columns, "include_headers_line": False}
        super().__init__(file, **options)  # type: ignore[arg-type]

    def serialize_field(self, field: Mapping[str, Any], name: str, value: Any) -> Any:
        if isinstance(value, list | dict):
            return json.dumps(value, ensure_ascii=False)
        cell = super().serialize_field(field, name, value)
        if cell is None or isinstance(cell, int | float):
            return cell
        text = cell.decode(self.encoding or "utf-8") if isinstance(cell, bytes) else str(cell)
        return _without_formula(text)


def _without_formula(text: str) -> str:
    """Put a single quote before a text that a spreadsheet would run as a formula.

    >>> _without_formula("=1+1"), _without_formula("-0.5")
    ("'=1+1", '-0.5')
    """
    is_formula = text.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def _columns_in(file: IO[bytes], encoding: str) -> list[str]:
    """Return the headings of a CSV file, empty if there is nothing in it yet."""
    path = getattr(file, "name", None)
    if not isinstance(path, str) or not os.path.isfile(path):
        return []
    with open(path, encoding=encoding, errors="replace", newline="") as lines:
        return next(csv.reader(lines), [])
