"""The database of a memory as an SQLite file, or in RAM.

Two kinds of locks are files beside the memory: of each living run, and of each registered domain
that is being crawled. A lock ends with the process that holds it.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from newsclean.files import file_error
from newsclean.memory.database import (
    MAX_BUSY_SECONDS,
    RAM,
    TABLES,
    VERSION,
    DamagedRows,
    MemoryFileError,
    other_version,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

try:
    import fcntl
except ImportError:  # a system without such locks: all other runs count as dead
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

#: Errors of a statement, not of the file.
_STATEMENT_ERRORS = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.NotSupportedError,
    sqlite3.ProgrammingError,
)


#: Marks the file as ours ("NCLN"); databases of other programs are never written to.
_APPLICATION_ID = 0x4E434C4E


def connect(path: str) -> sqlite3.Connection:
    """Open a memory file, and create it if there is none."""
    if path != RAM:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(
            path, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise MemoryFileError(f"cannot open the memory file {path}: {error}") from None
    # A damaged text matches nothing, and is no reason to end a crawl.
    connection.text_factory = lambda value: value.decode(errors="replace")
    try:
        _check(connection, path)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        _make_tables(connection)
    except sqlite3.OperationalError as error:
        connection.close()
        raise MemoryFileError(f"cannot use the memory file {path}: {error}") from None
    except sqlite3.Error as error:
        connection.close()
        raise MemoryFileError(f"{path} is damaged or not a memory of newsclean: {error}") from None
    except MemoryFileError:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN")  # another process may be creating the file right now
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        state = connection.execute("PRAGMA quick_check(1)").fetchone()[0] if tables else "ok"
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if application != _APPLICATION_ID and (tables or version or application):
        raise MemoryFileError(f"{path} is a database, but not a memory of newsclean")
    if tables and version != VERSION:
        raise other_version(path, version, VERSION)
    if state != "ok":
        raise MemoryFileError(f"{path} is damaged: {state}")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let others read while one process writes; SQLite does not retry this change by itself."""
    deadline = time.monotonic() + MAX_BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _make_tables(connection: sqlite3.Connection) -> None:
    """Create all tables or none, in a file without tables."""
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            for statement in filter(str.strip, TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


class FileLock:
    """A file that one process locks at a time."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Take the lock; False if a living process has it."""
        while True:
            file = self.path.open("ab")
            if fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    file.close()
                    return False
                # Another process may have removed the file between `open` and `flock`.
                if not _is_file_at(file, self.path):
                    file.close()
                    continue
            self._file = file
            return True

    def release(self) -> None:
        if self._file is not None:
            self.path.unlink(missing_ok=True)
            self._file.close()
            self._file = None


def _is_file_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _run_lock(memory: str, run: int) -> FileLock:
    return FileLock(f"{memory}-run-{run}")


def _domain_lock(memory: str, domain: str) -> FileLock:
    return FileLock(f"{memory}-domain-{quote(domain, safe='')}")


def _is_locked(memory: str, run: int) -> bool:
    """Tell whether a living process holds the lock of a run."""
    lock = _run_lock(memory, run)
    if not os.path.exists(lock.path):
        return False
    if lock.take():
        lock.release()
        return False
    return True


class SQLiteDatabase:
    """One connection, which the threads of this process use in turn."""

    #: the file and the outputs of its runs are on this machine
    host: str | None = None

    def __init__(self, path: str) -> None:
        self.path = path
        self.lock = RLock()
        self.damaged = DamagedRows(path)
        self._connection = connect(path)
        self._run_lock: FileLock | None = None
        #: the locks of the domains that this process crawls
        self._domain_locks: dict[str, FileLock] = {}

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """Turn errors of the file into the `StorageError` that ends a crawl."""
        try:
            yield
        except _STATEMENT_ERRORS:
            raise
        except (sqlite3.DatabaseError, OSError) as error:
            raise file_error("the memory file", self.path, error) from error

    def atomically(self, work: Callable[[], T], site: str | None = None) -> T:
        # Only one process at a time writes to the file, so `site` does not matter.
        with self.transaction():
            return work()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.lock:
            if self._connection.in_transaction:  # ours: other threads wait for the lock
                yield
                return
            with self._file_errors():
                self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                with self._file_errors():
                    self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back
                    with self._file_errors():
                        self._connection.execute("ROLLBACK")
                raise

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.lock, self._file_errors():
            return self._connection.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self.transaction(), self._file_errors():
            return self._connection.execute(sql, values).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.transaction(), self._file_errors():
            self._connection.executemany(sql, rows)

    def check_writable(self) -> None:
        # A transaction without changes is not written: set the version to what it is.
        self.execute(f"PRAGMA user_version = {VERSION}")

    def size(self) -> int:
        return 0 if self.path == RAM else Path(self.path).stat().st_size

    def lock_run(self, run: int) -> None:
        if self.path != RAM:
            with self._file_errors():
                self._run_lock = _run_lock(self.path, run)
                self._run_lock.take()

    def lock_domains(self, domains: Sequence[str]) -> str | None:
        if self.path == RAM:
            return None
        taken: dict[str, FileLock] = {}
        with self._file_errors():
            for domain in domains:
                if domain in self._domain_locks:
                    continue
                lock = _domain_lock(self.path, domain)
                if not lock.take():
                    for other in taken.values():
                        other.release()
                    return domain
                taken[domain] = lock
        self._domain_locks |= taken
        return None

    def check_held(self) -> None:
        """Do nothing: a living process never loses its locks."""

    def is_run_alive(self, run: int) -> bool:
        with self._file_errors():
            return _is_locked(self.path, run)

    def is_run_gone(self, run: int, *, wait: bool) -> bool:
        return not self.is_run_alive(run)

    def end_run(self, run: int) -> None:
        """Do nothing: a run without a lock is dead."""

    def close(self) -> None:
        with self._file_errors():
            try:
                for lock in filter(None, (self._run_lock, *self._domain_locks.values())):
                    lock.release()
            finally:
                self._connection.close()
