"""The database behind a memory: one connection, one lock, transactions."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from newsclean.memory.schema import MemoryFileError, connect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

    from numpy.typing import NDArray

    from newsclean.neighborhood.keys import Keying

RAM = ":memory:"


class Database:
    """What the parts of a memory share."""

    def __init__(self, path: str, keying: Keying) -> None:
        self.path = path
        self.keying = keying
        #: the run that this process is, 0 before it has begun
        self.run = 0
        self._lock = RLock()
        self._database = connect(path)
        self._check_keying()

    def _check_keying(self) -> None:
        with self._writing() as database:
            database.execute("INSERT OR IGNORE INTO fact VALUES ('keying', ?)", (self.keying,))
        query = "SELECT value FROM fact WHERE name = 'keying'"
        (keying,) = self._database.execute(query).fetchone()
        if keying != self.keying:
            self._database.close()
            raise MemoryFileError(
                f"{self.path} was learned with {keying!r} keys and this method needs "
                f"{self.keying!r} keys: give it a memory file of its own"
            )

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction: all of it or nothing."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")


def signed(key: int) -> int:
    """A key as SQLite holds it."""
    return key - (1 << 64) if key >> 63 else key


def hashes_in(blob: bytes) -> NDArray[np.uint64]:
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)


def blob_of(hashes: NDArray[np.uint64]) -> bytes:
    return hashes.astype("<u8").tobytes()
