"""SQLite files of one kind each, identified by their header."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_BUSY_SECONDS = 60.0
_CACHE_KIB = 64_000


class OtherFileError(ValueError):
    """The file is of another kind, and is left unchanged."""


@dataclass(frozen=True)
class FileKind:
    """A kind of file, with its tables."""

    name: str
    #: identifies the file as ours
    application_id: int
    version: int
    #: statements that create the tables, separated by semicolons
    tables: str

    def open(self, path: str) -> sqlite3.Connection:
        """Open or create the file at a path; raise `OtherFileError` or an error of SQLite."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = _connected(path)
        try:
            if _has_tables(connection):
                self._check(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # safe if the process is killed
            with transaction(connection):
                if not _has_tables(connection):
                    self._create(connection)
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def open_to_read(self, path: str) -> sqlite3.Connection:
        """Open an existing file read-only."""
        address = Path(path).absolute().as_uri()
        try:
            return self._opened_to_read(f"{address}?mode=ro")
        except sqlite3.OperationalError:
            # In a read-only folder, SQLite cannot share the file, and nobody can write to it.
            return self._opened_to_read(f"{address}?immutable=1")

    def _opened_to_read(self, address: str) -> sqlite3.Connection:
        connection = _connected(address)
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _create(self, connection: sqlite3.Connection) -> None:
        for statement in self.tables.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {self.application_id}")
        connection.execute(f"PRAGMA user_version = {self.version}")

    def _check(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != self.application_id:
            raise OtherFileError(f"a database, but not {self.name} of newsclean")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != self.version:
            raise OtherFileError(
                f"{self.name} of version {version}, but this newsclean needs {self.version}: "
                "use the newsclean that made it, or another file"
            )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a block in a transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself may have rolled back
            connection.execute("ROLLBACK")
        raise


def _connected(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address,
        timeout=_MAX_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=address.startswith("file:"),
    )
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    return connection


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
