"""The spool: a file of articles that wait for an index, and the thread that delivers them.

An article is in the file before the crawl counts it as delivered, and leaves it when the index has
it. If the process is killed in between, the article is sent twice, and the index recognizes it by
id and revision.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from newsclean.apps.search.index_target import (
    IndexTargetError,
    TargetDownError,
    Written,
    open_target,
    without_password,
)
from newsclean.files import StorageError, file_error
from newsclean.sqlite_file import FileKind, OtherFileError, transaction

try:
    import fcntl
except ImportError:  # without locks, several processes may send the same articles
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from newsclean.apps.search.index_target import IndexTarget

logger = logging.getLogger(__name__)

_TABLES = """
    CREATE TABLE waiting (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        line TEXT NOT NULL,
        refused TEXT
    ) STRICT;
    CREATE INDEX waiting_of_target ON waiting (target, refused, number)
"""
#: "ncsp", in the header of the file.
_SPOOL = FileKind("a spool", 0x6E637370, 1, _TABLES)

_BATCH = 100
_MAX_BATCH_BYTES = 10_000_000
#: Seconds to wait until a batch is full.
_LINGER = 1.0
#: Seconds between retries: the first and the longest pause; each is twice the one before.
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 30.0
#: The longest pause while the crawl is closing.
_MAX_LAST_PAUSE = 1.0
#: Refused articles to report in the log; the others are counted.
_MAX_NAMED = 20


class SpoolFileError(ValueError):
    """The file is not a spool, and is left unchanged."""


class WaitingArticle(NamedTuple):
    number: int
    line: dict[str, Any]


class Spool:
    """The articles that wait for one target. Several processes may share the file."""

    def __init__(self, path: str | os.PathLike[str], address: str) -> None:
        self.path = os.fspath(path)
        self.target = _target_name(address)
        self._lock = RLock()
        self._delivering: IO[bytes] | None = None
        try:
            self._connection = _SPOOL.open(self.path)
        except sqlite3.OperationalError as error:
            raise file_error("the spool", self.path, error) from None
        except OtherFileError as error:
            raise SpoolFileError(f"{self.path} is {error}") from None
        except sqlite3.DatabaseError as error:
            raise SpoolFileError(f"{self.path} is not a spool of newsclean: {error}") from None

    def add(self, line: Mapping[str, Any]) -> None:
        """Store an article; it is in the file when this returns."""
        packed = json.dumps(line, default=str)
        with self._file_errors(), self._lock:
            self._connection.execute(
                "INSERT INTO waiting (target, line) VALUES (?, ?)", (self.target, packed)
            )

    def batch(self, max_articles: int, max_bytes: int) -> list[WaitingArticle]:
        """Return the oldest articles; at least one, however large."""
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
        """Remove delivered articles; keep refused ones, with the reason, out of further batches."""
        with self._file_errors(), self._lock, transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM waiting WHERE number = ?", ((number,) for number in delivered)
            )
            self._connection.executemany(
                "UPDATE waiting SET refused = ? WHERE number = ?",
                ((reason, number) for number, reason in refused.items()),
            )

    def try_refused_again(self) -> int:
        """Mark refused articles as waiting again; return their number."""
        with self._file_errors(), self._lock:
            return self._connection.execute(
                "UPDATE waiting SET refused = NULL WHERE target = ? AND refused IS NOT NULL",
                (self.target,),
            ).rowcount

    def waiting(self) -> int:
        return self._count("target = ? AND refused IS NULL", self.target)

    def refused(self) -> int:
        """Return the number of articles that the index has refused."""
        return self._count("target = ? AND refused IS NOT NULL", self.target)

    def other_targets(self) -> list[str]:
        """Return other targets with waiting articles in the same file."""
        with self._file_errors(), self._lock:
            rows = self._connection.execute(
                "SELECT DISTINCT target FROM waiting WHERE target != ? AND refused IS NULL "
                "ORDER BY target",
                (self.target,),
            )
            return [target for (target,) in rows]

    def may_deliver(self) -> bool:
        """Whether this process may send articles; only one process at a time does."""
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
    def _file_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.DatabaseError, OSError) as error:
            raise file_error("the spool", self.path, error) from error


class SpoolDelivery:
    """Delivers a spool in a thread. Articles that cannot be delivered stay in the spool."""

    def __init__(
        self,
        spool: Spool,
        address: str,
        *,
        batch: int = _BATCH,
        opener: Callable[[str], IndexTarget] = open_target,
    ) -> None:
        self.spool = spool
        self.written = Written()
        self.refused = 0
        #: number of failed attempts
        self.failures = 0
        self.last_error = ""
        self._address = address
        self._batch = batch
        self._opener = opener
        self._target: IndexTarget | None = None
        #: when the target went down, None while it answers
        self._down_since: float | None = None
        self._pause = 0.0
        self._added = 0
        self._is_batch_full = Event()
        self._is_closing = Event()
        self._deadline = float("inf")
        self._thread = Thread(target=self._run, name="newsclean index", daemon=True)

    @property
    def is_down(self) -> bool:
        """Whether the last attempt failed."""
        return self._down_since is not None

    def start(self) -> None:
        self._thread.start()

    def notify(self) -> None:
        """Tell the thread that an article was added to the spool."""
        self._added += 1
        if self._added >= self._batch:
            self._is_batch_full.set()

    def finish(self, seconds: float) -> int:
        """Deliver for at most this many seconds; return the number of articles that still wait."""
        self._deadline = time.monotonic() + seconds
        self._is_closing.set()
        self._is_batch_full.set()
        if self._thread.ident is not None:
            self._thread.join(seconds + _MAX_LAST_PAUSE)
        left = self.spool.waiting()
        if not self._thread.is_alive():  # a thread that hangs in a request still needs the spool
            self.spool.close()
        return left

    def deliver_all(self, patience: float) -> int:
        """Deliver all articles; give up after `patience` seconds without success.

        Return the number of articles that still wait.
        """
        while (waiting := self.spool.waiting()) and self._thread.is_alive():
            ends = time.monotonic() + patience
            while self.spool.waiting() >= waiting and time.monotonic() < ends:
                time.sleep(0.05)
            if self.spool.waiting() >= waiting:
                break
        return self.finish(0)

    def _run(self) -> None:
        while not (self._is_closing.is_set() and self._is_over()):
            try:
                sent = self.spool.may_deliver() and self._deliver_batch()
            except Exception as error:
                self._fail(error)
                if self._is_closing.is_set():
                    time.sleep(min(self._pause, _MAX_LAST_PAUSE))
                else:
                    self._is_closing.wait(self._pause)
            else:
                if not sent:
                    self._wait_for_articles()
        self._close_target()

    def _is_over(self) -> bool:
        if time.monotonic() > self._deadline:
            return True
        try:
            return not self.spool.waiting()
        except StorageError:
            return True

    def _wait_for_articles(self) -> None:
        if self._is_closing.is_set():
            time.sleep(0.05)  # another process delivers
            return
        self._is_batch_full.wait(_LINGER)
        self._is_batch_full.clear()
        self._added = 0

    def _deliver_batch(self) -> bool:
        """Send the next batch; return whether another full one may wait."""
        batch = self.spool.batch(self._batch, _MAX_BATCH_BYTES)
        if not batch:
            return False
        if self._target is None:
            self._target = self._opener(self._address)
        written = self._target.write([article.line for article in batch])
        refused = {batch[each.place].number: each.reason for each in written.refused}
        self._answers_again()
        delivered = [article.number for article in batch if article.number not in refused]
        self.spool.settle(delivered, refused)
        for each in written.refused[: max(_MAX_NAMED - self.refused, 0)]:
            line = batch[each.place].line
            logger.error("the index refuses <%s>: %s", line.get("url"), each.reason)
        self.refused += len(refused)
        counts = Written(written.new, written.changed, written.same, written.older)
        self.written += counts
        return len(batch) >= self._batch or self._is_closing.is_set()

    def _fail(self, error: Exception) -> None:
        self.failures += 1
        self.last_error = str(error)
        self._close_target()
        self._pause = min(max(2 * self._pause, _FIRST_PAUSE), _MAX_PAUSE)
        if self._down_since is None:
            self._down_since = time.monotonic()
            is_expected = isinstance(error, TargetDownError | IndexTargetError | StorageError)
            logger.warning(
                "the index %s does not accept articles: %s; they are kept in %s and sent again",
                self.spool.target,
                error,
                self.spool.path,
                exc_info=None if is_expected else error,
            )

    def _answers_again(self) -> None:
        if self._down_since is not None:
            seconds = time.monotonic() - self._down_since
            logger.info(
                "the index %s accepts articles again after %.0f s", self.spool.target, seconds
            )
        self._down_since = None
        self._pause = 0.0

    def _close_target(self) -> None:
        target, self._target = self._target, None
        if target is not None:
            try:
                target.close()
            except Exception as error:
                logger.debug("closing the index: %s", error)


def _target_name(address: str) -> str:
    """Return the name of a target in a spool: the path of a file, or a URL without password."""
    return without_password(address) if "://" in address else os.path.realpath(address)
