"""Locks of a memory file: who is alive, and which domains are being crawled.

Each lock is a file of its own beside the memory. It ends with the process that holds it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO
from urllib.parse import quote

try:
    import fcntl
except ImportError:  # no such locks on this system: all other runs count as dead
    fcntl = None  # type: ignore[assignment]


class FileLock:
    """A lock that one process holds at a time."""

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
                # Whoever held it may have removed the file between our two steps.
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


def run_lock(memory: str, run: int) -> FileLock:
    """The lock by which others see that a run is alive."""
    return FileLock(f"{memory}-run-{run}")


def domain_lock(memory: str, domain: str) -> FileLock:
    """The lock of the one crawl that may be at work on a registered domain."""
    return FileLock(f"{memory}-domain-{quote(domain, safe='')}")


def is_locked(memory: str, run: int) -> bool:
    """Whether a living process holds the lock of a run."""
    lock = run_lock(memory, run)
    if not os.path.exists(lock.path):
        return False
    if lock.take():
        lock.release()
        return False
    return True
