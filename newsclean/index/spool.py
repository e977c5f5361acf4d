"""Articles that wait for an index: a file that outlives the crawl, and whatever kills it.

An article is in the file before the crawl counts it as delivered, and leaves it when the index has
it. Between the two a kill may come at any time: an article is then sent twice, and the index, which
knows it by id and revision, has it once.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from newsclean.files import file_error
from newsclean.index.clients import without_password

try:
    import fcntl
except ImportError:  # no such locks on this system: several processes may send the same articles
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: "ncsp", in the header of the file.
APPLICATION_ID = 0x6E637370
MAX_BUSY_SECONDS = 60
TABLE = """
CREATE TABLE IF NOT EXISTS waiting (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL,
    line TEXT NOT NULL,
    refused TEXT
)
"""
BY_TARGET = "CREATE INDEX IF NOT EXISTS waiting_of_target ON waiting (target, refused, number)"


class SpoolFileError(ValueError):
    """A file that is not a spool. It is never written to."""


class WaitingArticle(NamedTuple):
    """An article that waits, and its number."""

    number: int
    line: dict[str, Any]


class Spool:
    """The articles that wait for one target; several processes may share the file."""

    def __init__(self, path: str | os.PathLike[str], address: str) -> None:
        self.path = os.fspath(path)
        self.target = target_name(address)
        self._lock = RLock()
        self._delivering: IO[bytes] | None = None
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        with self._file_errors():
            self._connection = sqlite3.connect(
                self.path, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except sqlite3.OperationalError as error:
            self._connection.close()
            raise file_error("the spool", self.path, error) from None
        except (sqlite3.DatabaseError, SpoolFileError) as error:
            self._connection.close()
            raise SpoolFileError(f"{self.path} is no spool of newsclean: {error}") from None

    def _prepare(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and tables:
            raise SpoolFileError("it is another database")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")  # as the memory: a kill is no harm
        with self._transaction():
            self._connection.execute(TABLE)
            self._connection.execute(BY_TARGET)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep an article; it is in the file when this returns."""
        packed = json.dumps(line, default=str)
        with self._file_errors(), self._lock:
            self._connection.execute(
                "INSERT INTO waiting (target, line) VALUES (?, ?)", (self.target, packed)
            )

    def batch(self, max_articles: int, max_bytes: int) -> list[WaitingArticle]:
        """The articles that wait longest; one at least, however large it is."""
        with self._file_errors(), self._lock:
            rows = self._connection.execute(
                "SELECT number, line FROM waiting WHERE target = ? AND refused IS NULL "
                "ORDER BY number LIMIT ?",
                (self.target, max_articles),
            )
            found: list[WaitingArticle] = []
            size = 0
            for number, line in rows:
                size += len(line)
                if found and size > max_bytes:
                    break
                found.append(WaitingArticle(number, json.loads(line)))
            return found

    def settle(self, delivered: Iterable[int], refused: Mapping[int, str]) -> None:
        """Forget what the index has; keep what it refuses, with the reason, and send it no more."""
        with self._file_errors(), self._lock, self._transaction():
            self._connection.executemany(
                "DELETE FROM waiting WHERE number = ?", ((number,) for number in delivered)
            )
            self._connection.executemany(
                "UPDATE waiting SET refused = ? WHERE number = ?",
                ((reason, number) for number, reason in refused.items()),
            )

    def try_refused_again(self) -> int:
        """Let what was refused wait again; the number of articles."""
        with self._file_errors(), self._lock:
            return self._connection.execute(
                "UPDATE waiting SET refused = NULL WHERE target = ? AND refused IS NOT NULL",
                (self.target,),
            ).rowcount

    def waiting(self) -> int:
        """How many articles wait."""
        return self._count("target = ? AND refused IS NULL", self.target)

    def refused(self) -> int:
        """How many articles are kept that the index has refused."""
        return self._count("target = ? AND refused IS NOT NULL", self.target)

    def other_targets(self) -> list[str]:
        """Other targets for which articles wait in the same file."""
        with self._file_errors(), self._lock:
            rows = self._connection.execute(
                "SELECT DISTINCT target FROM waiting WHERE target != ? AND refused IS NULL "
                "ORDER BY target",
                (self.target,),
            )
            return [target for (target,) in rows]

    def may_deliver(self) -> bool:
        """Whether it is this process that sends the articles: one process at a time does."""
        if self._delivering is not None or fcntl is None:
            return True
        with self._file_errors():
            file = open(f"{self.path}-delivery", "ab")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._delivering = file
        return True

    def close(self) -> None:
        with self._lock:
            if self._delivering is not None:
                self._delivering.close()
                self._delivering = None
            self._connection.close()

    def _count(self, condition: str, *values: Any) -> int:
        with self._file_errors(), self._lock:
            found = self._connection.execute(
                f"SELECT count(*) FROM waiting WHERE {condition}", values
            ).fetchone()
            return int(found[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, OSError) as error:
            raise file_error("the spool", self.path, error) from error


def target_name(address: str) -> str:
    """By what a spool knows a target: the path of a file, or an address without its password."""
    return without_password(address) if "://" in address else os.path.realpath(address)
