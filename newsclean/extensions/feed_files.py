"""Local feeds: each line is written before the crawl goes on, so that a kill loses nothing.

`LineByLineStorage` replaces Scrapy's storage for local files, `ArticleCsvExporter` its exporter for
CSV. A Parquet file, to which no line can be added, is put in its place as a whole (`PartFile`).
`merge_feeds` and `check_feeds` look at `FEEDS` before the crawl starts, and `delivered_in` finds
articles of a killed run in its output. A file that can't be written ends the crawl.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import logging
import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exporters import CsvItemExporter
from scrapy.extensions.feedexport import FileFeedStorage
from w3lib.url import file_uri_to_path

from newsclean.article import content_hash
from newsclean.crawl_state import usage_error
from newsclean.error_hints import install_command
from newsclean.files import AtomicWriteFile, StorageError, file_error, locked
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
#: The format of a file that is written as a whole, and the bytes with which it begins.
PARQUET, _PARQUET_MAGIC = "parquet", b"PAR1"
#: The field of zyte-common-items with the text of an article (`NEWSCLEAN_ITEM`).
_TEXT_OF_ZYTE = "articleBody"
#: What a spreadsheet takes for the start of a formula (OWASP, "CSV Injection"), also in the full
#: width of East Asian keyboards.
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


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


class PartFile(io.FileIO):
    """A hidden file beside the file of a storage, whose place it takes when it is complete.

    What a killed process has left of it is overwritten by the next one. As with `FeedFile`, the
    storage is told of the first error, and nothing is written after it.
    """

    def __init__(self, storage: LineByLineStorage) -> None:
        self.storage = storage
        #: the file itself, and not a link to it
        self.target = Path(storage.path).resolve()
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self.part = self.target.with_name(f".{self.target.name}.part")
        super().__init__(self.part, "ab")
        self._lock()
        self.truncate(0)

    def _lock(self) -> None:
        """Make sure that no other process writes to the same file, now or until it is closed."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another process may have put it in its place between the two calls.
            is_ours = os.path.samestat(os.fstat(self.fileno()), os.stat(self.part))
        except (BlockingIOError, FileNotFoundError):
            is_ours = False
        if not is_ours:
            self.close()
            raise BlockingIOError(errno.EAGAIN, "another crawl is writing to it")

    @property
    def existing(self) -> Path | None:
        """The file to whose content the new one is added, if there is any."""
        is_added = self.storage.write_mode == "ab" and self.target.exists()
        return self.target if is_added and self.target.stat().st_size else None

    def write(self, data: Any, /) -> int:
        if self.storage.failure is None:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[super().write(rest) :]
            except OSError as error:
                self.storage.fail(error)
        return len(data)

    def put_in_place(self) -> None:
        """Replace the file, unless something has failed or nothing was written."""
        try:
            if self.storage.failure is None and self.tell():
                self.storage.check()
                if self.target.exists():
                    shutil.copymode(self.target, self.part)
                os.fsync(self.fileno())
                self.part.replace(self.target)
        except StorageError as error:
            self.storage.failure = error
        finally:
            self.close()
            self.part.unlink(missing_ok=True)


class LineByLineStorage(FileFeedStorage):
    """A local file to which every item is written at once.

    A killed process may leave half a line. It is cut off before the next line is written; whole
    lines are never touched. A Parquet file is written beside its place, and put there when it is
    complete.
    """

    #: why the file can no longer be written
    failure: StorageError | None = None

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        #: raises `StorageError` before a line is written, if none may be written any more
        self.check: Callable[[], None] = _nothing
        self.has_lines = (feed_options or {}).get("format") in _LINE_FORMATS
        self.is_whole = (feed_options or {}).get("format") == PARQUET

    def open(self, spider: Spider) -> IO[bytes]:
        try:
            if self.is_whole:
                return PartFile(self)
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
            if isinstance(file, PartFile):
                file.put_in_place()
            else:
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
    """Return which of these states (URL, content hash, revision) are in these files.

    They are JSON lines or Parquet. For a line without a revision, the other two are enough.
    """
    wanted: dict[tuple[str, str], list[int]] = {}
    for url, digest, revision in states:
        wanted.setdefault((url, digest), []).append(revision)
    found: set[tuple[str, str, int]] = set()
    digests = {digest.encode() for _, digest, _ in states}
    for path in map(Path, paths):
        if not path.is_file():
            continue
        for item in _items_with(path, digests):
            url, digest = str(item.get("url")), str(item.get("content_hash"))
            for revision in wanted.get((url, digest), ()):
                if item.get("revision", revision) == revision:
                    found.add((url, digest, revision))
    return found


def _items_with(path: Path, digests: set[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the items in a file that may have one of these content hashes."""
    with path.open("rb") as file:
        if file.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC:
            from newsclean.extensions.parquet_files import read_states

            yield from map(_with_hash, read_states(path))
            return
        file.seek(0)
        for line in file:
            if _TEXT_OF_ZYTE.encode() in line or any(digest in line for digest in digests):
                try:
                    item = json.loads(line)
                except ValueError:
                    continue
                if isinstance(item, dict):
                    yield _with_hash(item)


def _with_hash(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item with its content hash, which one of zyte-common-items does not have."""
    if "content_hash" in item or _TEXT_OF_ZYTE not in item:
        return item
    return item | {"content_hash": content_hash(item.get("headline"), item[_TEXT_OF_ZYTE] or "")}


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
    for uri, options in crawler.settings.getdict("FEEDS").items():
        if is_database_url(str(uri)):
            raise usage_error(
                f"FEEDS: {without_password(str(uri))} is not a feed: name the database in "
                "NEWSCLEAN_MEMORY and the table in NEWSCLEAN_TABLE",
                crawler,
            )
        path = _local_path(uri)
        problem = None if path is None or "%(" in path else why_not_writable(Path(path))
        if options.get("format") == PARQUET:
            is_known = path is not None and "%(" not in path
            problem = problem or why_not_parquet(Path(path) if is_known and path else None)
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


def why_not_parquet(path: Path | None) -> str | None:
    """Return why no Parquet can be written, to this file or to any; None if it can."""
    if find_spec("pyarrow") is None:
        return f"Parquet needs pyarrow: {install_command(PARQUET)}"
    if path is None or not path.exists():
        return None
    if not path.is_file():
        return "it is not a file, and Parquet is written as a whole"
    with path.open("rb") as file:
        begin = file.read(len(_PARQUET_MAGIC))
    return None if begin in (b"", _PARQUET_MAGIC) else "it exists, and is not a Parquet file"


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
