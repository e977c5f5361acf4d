"""Files for bulk requests: each is whole, and small enough for one request."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path


class OneFile:
    """Everything in one file, however large; the file is there when it is whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._file: BinaryIO = self._part.open("wb")
        self.paths = [path]

    def write(self, lines: bytes) -> None:
        self._file.write(lines)

    def finish(self) -> None:
        self._file.close()
        os.replace(self._part, self._path)


class NumberedFiles:
    """Files of at most a number of bytes each: `articles-00001.ndjson` and so on.

    A document that is larger than that alone has a file of its own.
    """

    def __init__(self, folder: Path, ending: str, max_bytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._ending = ending
        self._max_bytes = max_bytes
        self._file: OneFile | None = None
        self._size = 0
        self.paths: list[Path] = []

    def write(self, lines: bytes) -> None:
        if self._file is not None and self._size + len(lines) > self._max_bytes:
            self._close()
        if self._file is None:
            name = f"articles-{len(self.paths) + 1:05}.{self._ending}"
            self._file = OneFile(self._folder / name)
            self.paths += self._file.paths
            self._size = 0
        self._file.write(lines)
        self._size += len(lines)

    def finish(self) -> None:
        """Close the last file, and remove those that an earlier export has left."""
        self._close()
        ours = re.compile(rf"articles-\d{{5,}}\.{self._ending}(\.part)?")
        for path in self._folder.iterdir():
            if ours.fullmatch(path.name) and path not in self.paths:
                path.unlink()

    def _close(self) -> None:
        if self._file is not None:
            self._file.finish()
            self._file = None
