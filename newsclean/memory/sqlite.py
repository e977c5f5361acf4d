"""A memory's database in an SQLite file, or in RAM."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from newsclean.memory.run_lock import RunLock, is_locked
from newsclean.memory.schema import RAM, connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class SQLiteDatabase:
    """One connection, which its threads use in turn."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lock = RLock()
        self._connection = connect(path)
        self._run_lock: RunLock | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.lock:
            if self._connection.in_transaction:  # ours: other threads wait for the lock
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back
                    self._connection.execute("ROLLBACK")
                raise

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.lock:
            return self._connection.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self.transaction():
            return self._connection.execute(sql, values).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        with self.transaction():
            self._connection.executemany(sql, rows)

    def lock_run(self, run: int) -> None:
        if self.path != RAM:
            self._run_lock = RunLock(self.path, run)
            self._run_lock.take()

    def is_run_alive(self, run: int) -> bool:
        return is_locked(self.path, run)

    def close(self) -> None:
        if self._run_lock is not None:
            self._run_lock.release()
        self._connection.close()
