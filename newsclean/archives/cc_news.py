"""The news archives of Common Crawl (CC-NEWS): the pages of some sites, in a folder.

In: a period and sites. Out: WARC files of their pages, one per site and day, which `archive_index`
and `extracting` read as any others.

CC-NEWS has a list of its archives for each month, but no index of their pages. So each archive is
read once as a stream, from its beginning to its end: the pages of the wanted sites are taken, and
the position of each record is kept in `index.sqlite`. For another site only its records are
requested. The archives themselves are not stored.

A transaction of the index says how far an archive was read, which records were taken, and how long
each file of pages is. What a killed run has written beyond that is cut off: no record is lost, and
none is taken twice.
"""

from __future__ import annotations

import io
import os
import re
import sqlite3
import zlib
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from newsclean.archives.archive_server import MissingFileError
from newsclean.archives.saved import ArchiveError
from newsclean.archives.wanted_news import is_of_site, site_in, with_parents
from newsclean.archives.warc_files import (
    DAMAGED,
    KEPT,
    NO_ORIGINAL,
    NOT_HTTP,
    Frame,
    RecordError,
    RecordHeader,
    frame_at,
    frames,
)
from newsclean.files import UNREADABLE
from newsclean.memory.sqlite import FileLock
from newsclean.sqlite_file import FileKind, OtherFileError, transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.archives.archive_server import ArchiveServer
    from newsclean.archives.wanted_news import Period

    #: Called with a title, the bytes that are done, and those in all.
    _Show = Callable[[str, int, int], object]

_LIST = "crawl-data/CC-NEWS/{:04}/{:02}/warc.paths.gz"
_ARCHIVE = re.compile(
    r"crawl-data/CC-NEWS/\d{4}/\d{2}/CC-NEWS-(\d{4})(\d\d)(\d\d)\d{6}-\d+\.warc\.gz"
)
#: Bytes of an unpacked list: a month has about 500 archives.
_MAX_LIST = 50_000_000
#: Bytes of an archive that are read and recorded at once. A record that is larger is no page.
_BLOCK = 16 << 20
#: Records with fewer bytes between them are requested together: a request costs as much.
_GAP = 8 << 10

_INDEX = FileKind(
    "an index of CC-NEWS",
    0x4E434343,  # "NCCC"
    1,
    """
    CREATE TABLE archives (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, day TEXT NOT NULL,
        size INTEGER, read_to INTEGER NOT NULL DEFAULT 0, damaged INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX archives_by_day ON archives (day);
    CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE records (
        site INTEGER NOT NULL, archive INTEGER NOT NULL, start INTEGER NOT NULL,
        length INTEGER NOT NULL, url TEXT NOT NULL, reason TEXT NOT NULL, is_taken INTEGER NOT NULL,
        PRIMARY KEY (site, archive, start)) WITHOUT ROWID;
    CREATE TABLE page_files (
        site TEXT NOT NULL, day TEXT NOT NULL, size INTEGER NOT NULL,
        PRIMARY KEY (site, day)) WITHOUT ROWID
    """,
)


class _Archive(NamedTuple):
    id: int
    path: str
    day: str
    size: int | None
    read_to: int


class _Record(NamedTuple):
    site: str
    start: int
    length: int
    url: str
    #: why it is not a page; empty if it is
    reason: str


class _Missing(NamedTuple):
    """A page that is known and not taken."""

    site: str
    start: int
    length: int
    url: str
    #: the number of the site
    number: int

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass
class Collected:
    """What a folder has of some sites."""

    #: the WARC files with their pages
    files: list[str] = field(default_factory=list)
    #: wanted sites without pages, and all sites that the index knows
    missing: set[str] = field(default_factory=set)
    known: list[str] = field(default_factory=list)
    archives: int = 0
    pages: int = 0
    #: the number of records and archives that were left out, by reason
    left_out: Counter[str] = field(default_factory=Counter)

    def in_words(self) -> str:
        reasons = ", ".join(f"{number:,} {why}" for why, number in sorted(self.left_out.items()))
        return f"{self.pages:,} pages in {self.archives:,} archives" + (
            f"; left out: {reasons}" if reasons else ""
        )


class CcNews:
    """A folder with pages of CC-NEWS and an index of the archives that were read.

    `ArchiveError` if the folder or a whole period cannot be used, and `ServerError` of the server;
    what was taken until then stays, and the next call goes on.
    """

    def __init__(
        self, folder: str, server: ArchiveServer, note: Callable[[str], object] = lambda text: None
    ) -> None:
        self._folder = Path(folder)
        self._server = server
        self._note = note
        self._opened = ExitStack()
        self._sites: dict[str, int] = {}

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(str(self._folder / "lock"))
            if not lock.take():
                raise ArchiveError(f"another command uses {self._folder}: wait for its end")
            self._opened.callback(lock.release)
            self._index = _INDEX.open(str(self._folder / "index.sqlite"))
            self._opened.callback(self._index.close)
            self._sites.update(self._index.execute("SELECT name, id FROM sites"))
        except (OSError, sqlite3.Error, OtherFileError) as error:
            self._opened.close()
            reason = getattr(error, "strerror", None) or error
            raise ArchiveError(f"cannot use {self._folder}: {reason}") from None
        except BaseException:
            self._opened.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def collect(
        self,
        period: Period,
        sites: Iterable[str],
        progress: _Show = lambda title, done, total: None,
    ) -> Collected:
        """Take all pages of sites and their subdomains; `progress` gets bytes, done and in all."""
        try:
            return self._collect(period, frozenset(sites), progress)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise ArchiveError(
                f"cannot use {self._folder}: {reason}; check that its disk has room, then run the "
                "command again: it goes on"
            ) from None

    def _collect(self, period: Period, sites: frozenset[str], progress: _Show) -> Collected:
        self._list_archives(period)
        self._repair_files(period)
        archives = self._archives(period)
        if not archives:
            raise ArchiveError(f"CC-NEWS has no archives for {period}")
        found = Collected(archives=len(archives))
        unread = [archive for archive in archives if archive.size != archive.read_to]
        self._note(
            f"CC-NEWS {period}: {len(archives):,} archives, "
            f"{len(unread):,} of them to be read (about 1 GB each)"
        )
        done = _BytesRead(progress, "reading archives")
        for number, archive in enumerate(unread):
            with self._leaving_out(found):
                self._read(archive, sites, done, len(unread) - number)
        self._want(sorted(name for name in self._sites if is_of_site(name, sites)))
        missing = {archive: self._missing(archive) for archive in archives}
        if pages := sum(number for number, _ in missing.values()):
            self._note(f"{pages:,} pages are known and not here: they are requested one by one")
        done = _BytesRead(progress, "requesting pages")
        total = sum(size for _, size in missing.values())
        for archive, (number, _) in missing.items():
            if number:
                with self._leaving_out(found):
                    self._take_missing(archive, done, total)
        self._count(period, found)
        found.known = list(self._sites)
        found.missing = set(sites)
        for site, day, size in self._page_files(period):
            if size and is_of_site(site, sites):
                found.files.append(str(self._path(site, day)))
                found.missing.difference_update(with_parents(site))
        return found

    @contextmanager
    def _leaving_out(self, found: Collected) -> Iterator[None]:
        """Name and count an archive that cannot be read."""
        try:
            yield
        except ArchiveError as error:
            self._note(f"left out, {UNREADABLE}: {error}")
            found.left_out[UNREADABLE] += 1

    def _list_archives(self, period: Period) -> None:
        """Learn the names of all archives of a period; a month without a list has none yet."""
        for year, month in period.months():
            path = _LIST.format(year, month)
            try:
                packed = self._server.fetch(path)
            except MissingFileError as error:
                self._note(f"no archives of {year}-{month:02}: {error}")
                continue
            try:
                unpacking = zlib.decompressobj(31)
                text = unpacking.decompress(packed, _MAX_LIST).decode("ascii", "replace")
                if not unpacking.eof:
                    raise zlib.error("it is truncated or too long")
            except zlib.error as error:
                raise ArchiveError(f"the list {path} is damaged: {error}") from None
            with transaction(self._index):
                for line in filter(None, map(str.strip, text.splitlines())):
                    if name := _ARCHIVE.fullmatch(line):
                        self._index.execute(
                            "INSERT OR IGNORE INTO archives (path, day) VALUES (?, ?)",
                            (line, "-".join(name.groups())),
                        )
                    else:
                        self._note(f"left out: {line[:200]!r} in {path} is no archive of CC-NEWS")

    def _archives(self, period: Period) -> list[_Archive]:
        rows = self._index.execute(
            "SELECT id, path, day, size, read_to FROM archives WHERE day BETWEEN ? AND ? "
            "ORDER BY day, path",
            (str(period.first), str(period.last)),
        )
        return [_Archive(*row) for row in rows]

    def _read(self, archive: _Archive, sites: frozenset[str], done: _BytesRead, left: int) -> None:
        """Read an archive to its end, from where the last run has come."""
        place, block = archive.read_to, b""
        with self._server.open(archive.path, place) as file:
            while True:
                new = file.read(_BLOCK - len(block))
                block += new
                assert file.size is not None
                if archive.size not in (None, file.size):
                    raise ArchiveError(f"{file.url}: it has changed since it was read in part")
                is_last = place + len(block) == file.size
                try:
                    records, used, damaged = _records(block, is_last=is_last)
                except ArchiveError as error:
                    raise ArchiveError(f"{file.url}: {error}") from None
                with transaction(self._index):
                    self._index.execute(
                        "UPDATE archives SET size = ?, read_to = ?, damaged = damaged + ? "
                        "WHERE id = ?",
                        (file.size, place + used, damaged, archive.id),
                    )
                    self._store(archive, place, block, records, sites)
                # Archives that have not begun count as this one.
                done.add(len(new), file.size * left - place - len(block))
                place, block = place + used, block[used:]
                if is_last:
                    return

    def _store(
        self,
        archive: _Archive,
        place: int,
        block: bytes,
        records: Iterable[_Record],
        sites: frozenset[str],
    ) -> None:
        """Record where the pages of a block are, and take those of the wanted sites."""
        taken: defaultdict[str, list[bytes]] = defaultdict(list)
        for record in records:
            is_taken = not record.reason and is_of_site(record.site, sites)
            if is_taken:
                taken[record.site].append(block[record.start : record.start + record.length])
            self._index.execute(
                "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    self._site_number(record.site),
                    archive.id,
                    place + record.start,
                    record.length,
                    record.url,
                    record.reason,
                    is_taken,
                ),
            )
        for site, parts in taken.items():
            self._append(site, archive.day, parts)

    def _site_number(self, name: str) -> int:
        if name not in self._sites:
            row = self._index.execute("INSERT INTO sites (name) VALUES (?)", (name,)).lastrowid
            assert row is not None
            self._sites[name] = row
        return self._sites[name]

    def _want(self, names: Iterable[str]) -> None:
        self._index.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (site INTEGER, name TEXT)")
        self._index.execute("DELETE FROM wanted")
        self._index.executemany(
            "INSERT INTO wanted VALUES (?, ?)", ((self._sites[name], name) for name in names)
        )

    def _missing(self, archive: _Archive) -> tuple[int, int]:
        """Return how many pages of the wanted sites are known and not taken, and their bytes."""
        row: tuple[int, int] = self._index.execute(
            "SELECT count(*), ifnull(sum(length), 0) FROM wanted "
            "JOIN records ON records.site = wanted.site AND archive = ? "
            "WHERE reason = '' AND NOT is_taken",
            (archive.id,),
        ).fetchone()
        return row

    def _take_missing(self, archive: _Archive, done: _BytesRead, total: int) -> None:
        """Request the records of the wanted sites that are known and not taken."""
        rows = self._index.execute(
            "SELECT wanted.name, start, length, url, wanted.site FROM wanted "
            "JOIN records ON records.site = wanted.site AND archive = ? "
            "WHERE reason = '' AND NOT is_taken ORDER BY start",
            (archive.id,),
        ).fetchall()
        for group in _near([_Missing(*row) for row in rows]):
            start, end = group[0].start, group[-1].end
            with self._server.open(archive.path, start, end) as file:
                data = file.read(end - start)
            records = [data[record.start - start : record.end - start] for record in group]
            for record, content in zip(group, records, strict=True):
                if not _is_record(content, record.url):
                    raise ArchiveError(
                        f"{file.url}: it has changed since it was indexed, at byte {record.start:,}"
                    )
            with transaction(self._index):
                for record, content in zip(group, records, strict=True):
                    self._append(record.site, archive.day, [content])
                    self._index.execute(
                        "UPDATE records SET is_taken = 1 "
                        "WHERE site = ? AND archive = ? AND start = ?",
                        (record.number, archive.id, record.start),
                    )
            size = sum(record.length for record in group)
            done.add(size, total - done.count - size)

    def _count(self, period: Period, found: Collected) -> None:
        days = str(period.first), str(period.last)
        rows = self._index.execute(
            "SELECT reason, count(*) FROM wanted JOIN records ON records.site = wanted.site "
            "JOIN archives ON archives.id = archive WHERE day BETWEEN ? AND ? GROUP BY reason",
            days,
        )
        found.left_out.update(dict(rows))
        found.pages = found.left_out.pop("", 0)
        (damaged,) = self._index.execute(
            "SELECT total(damaged) FROM archives WHERE day BETWEEN ? AND ?", days
        ).fetchone()
        found.left_out[DAMAGED] += int(damaged)
        found.left_out = +found.left_out

    def _path(self, site: str, day: str) -> Path:
        return self._folder / "pages" / site / f"{day}.warc.gz"

    def _page_files(self, period: Period) -> list[tuple[str, str, int]]:
        return self._index.execute(
            "SELECT site, day, size FROM page_files WHERE day BETWEEN ? AND ? ORDER BY site, day",
            (str(period.first), str(period.last)),
        ).fetchall()

    def _append(self, site: str, day: str, parts: list[bytes]) -> None:
        """Write records behind those that the index knows of, inside its transaction."""
        path = self._path(site, day)
        row = self._index.execute(
            "SELECT size FROM page_files WHERE site = ? AND day = ?", (site, day)
        ).fetchone()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.truncate(row[0] if row else 0)
            file.writelines(parts)
            size = file.tell()
        self._index.execute("INSERT OR REPLACE INTO page_files VALUES (?, ?, ?)", (site, day, size))

    def _repair_files(self, period: Period) -> None:
        """Cut off what the index does not know, and forget what is not there any more."""
        for site, day, size in self._page_files(period):
            path = self._path(site, day)
            actual = path.stat().st_size if path.exists() else 0
            if actual > size:
                os.truncate(path, size)
            elif actual < size:
                self._note(f"{path} is gone, or shorter than it was: its pages are requested again")
                with transaction(self._index):
                    self._index.execute(
                        "UPDATE records SET is_taken = 0 WHERE site = ? AND archive IN "
                        "(SELECT id FROM archives WHERE day = ?)",
                        (self._sites[site], day),
                    )
                    self._index.execute(
                        "DELETE FROM page_files WHERE site = ? AND day = ?", (site, day)
                    )


class _BytesRead:
    """Counts bytes, and shows how many there are and how many are left."""

    def __init__(self, show: _Show, title: str) -> None:
        self._show = show
        self._title = title
        self.count = 0

    def add(self, count: int, left: int) -> None:
        self.count += count
        self._show(self._title, self.count, self.count + left)


def _records(block: bytes, *, is_last: bool) -> tuple[list[_Record], int, int]:
    """Return the records of a part of an archive, the bytes used, and the number of damaged parts.

    A record that is cut at the end of the part is not used, if there is a next part.
    """
    found: list[_Record] = []
    used = damaged = 0
    for frame in frames(io.BytesIO(block), 0, len(block)):
        if frame.data is None:
            if frame.end == len(block) and frame.offset and not is_last:
                break
            damaged += 1
        elif (record := _record(frame)) is None:
            damaged += 1
        elif record.site:
            found.append(record)
        used = frame.end
    return found, used if used and not is_last else len(block), damaged


def _record(frame: Frame) -> _Record | None:
    """Return what a record is; None if it is damaged. Only a page has a site."""
    try:
        header = RecordHeader.of(frame.data or b"")
        reason = header.why_not_a_page()
    except OSError:
        return None
    site = ""
    if (header.is_response or header.is_revisit) and reason != NOT_HTTP:
        site = site_in(header.url)
    if header.is_revisit:
        reason = reason or NO_ORIGINAL
    return _Record(site, frame.offset, frame.end - frame.offset, header.url, reason)


def _near(records: list[_Missing]) -> Iterator[list[_Missing]]:
    """Yield groups of records that are requested together."""
    group: list[_Missing] = []
    for record in records:
        if group and (record.start - group[-1].end > _GAP or record.end - group[0].start > _BLOCK):
            yield group
            group = []
        group.append(record)
    if group:
        yield group


def _is_record(data: bytes, url: str) -> bool:
    """Whether these bytes are a record of this URL."""
    try:
        frame = frame_at(io.BytesIO(data), 0, len(data), KEPT)
        return RecordHeader.of(frame.data or b"").url == url
    except (RecordError, OSError):
        return False
