"""The database of a memory as an SQLite file, or in RAM.

Two kinds of locks are files beside the memory: of each living run, and of each registered domain
that is being crawled. A lock ends with the process that holds it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from newsclean.files import file_error
from newsclean.memory.database import DamagedRows
from newsclean.memory.schema import RAM, VERSION, connect

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
