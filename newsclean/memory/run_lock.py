"""Which runs are alive: each locks a file of its own, and the lock ends with the process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # no such locks on this system: all other runs count as dead
    fcntl = None  # type: ignore[assignment]


class RunLock:
    """The lock of a run on a memory file."""

    def __init__(self, memory: str, run: int) -> None:
        self.path = Path(f"{memory}-run-{run}")
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Take the lock; False if a living process has it."""
        file = self.path.open("ab")
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
            self.path.unlink(missing_ok=True)


def is_locked(memory: str, run: int) -> bool:
    """Whether a living process holds the lock of a run."""
    lock = RunLock(memory, run)
    if not os.path.exists(lock.path):
        return False
    if lock.take():
        lock.release()
        return False
    return True
