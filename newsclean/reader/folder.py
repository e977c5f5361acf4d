"""The folder of the pages: files are written whole or not at all, and only if they have changed.

A file in it, `.newsclean-read.json`, lists what newsclean wrote. Nothing else is ever removed, and
a folder with other people's files is refused.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MANIFEST = ".newsclean-read.json"
#: How files begin that are not whole yet; a run that was killed may leave one.
_HALF = ".newsclean-read.half-"


class FolderError(Exception):
    """The folder cannot be used; the message says why."""


class OutputFolder:
    def __init__(self, root: Path) -> None:
        self.root = root
        manifest = self._manifest()
        self.known = {path for path in manifest.get("files", []) if _is_inside(path)}
        #: a name for the feed that stays the same
        self.feed_id = str(manifest.get("feed") or uuid4().urn)
        self.made: set[str] = set()
        self.written = self.removed = 0

    def begin(self, planned: Iterable[str]) -> None:
        """List what will be there, so that a run that is killed leaves nothing unlisted."""
        for left in self.root.glob(f"{_HALF}*"):
            left.unlink(missing_ok=True)
        self.known.update(planned)
        self._write_manifest(self.known)

    def write(self, path: str, text: str) -> None:
        """Write a file, unless it is there with the same content."""
        assert _is_inside(path), path
        self.made.add(path)
        if self._replace(path, text.encode("utf-8", "replace")):
            self.written += 1

    def finish(self, *, remove: bool) -> None:
        """Remove what earlier runs have written and this one has not."""
        old = sorted(self.known - self.made) if remove else []
        for path in old:
            with suppress(FileNotFoundError):
                (self.root / path).unlink()
                self.removed += 1
            for parent in (self.root / path).parents:
                if parent == self.root or not _remove_if_empty(parent):
                    break
        self._write_manifest(self.known - set(old))

    def _manifest(self) -> dict[str, Any]:
        path = self.root / MANIFEST
        try:
            value = json.loads(path.read_bytes())
        except FileNotFoundError:
            if self.root.exists() and not self.root.is_dir():
                raise FolderError(f"{self.root} is not a folder") from None
            if self.root.is_dir() and any(
                not each.name.startswith(_HALF) for each in self.root.iterdir()
            ):
                raise FolderError(
                    f"the folder {self.root} has files that newsclean read has not written: "
                    "name an empty or a new one"
                ) from None
            return {}
        except (ValueError, RecursionError):
            raise FolderError(f"{path} is damaged: name another folder") from None
        if not isinstance(value, dict) or not isinstance(value.get("files", []), list):
            raise FolderError(f"{path} is damaged: name another folder")
        return value

    def _write_manifest(self, files: set[str]) -> None:
        manifest = {"feed": self.feed_id, "files": sorted(files)}
        self._replace(MANIFEST, json.dumps(manifest, indent=0).encode() + b"\n")

    def _replace(self, name: str, content: bytes) -> bool:
        """Put a file in place of another; False if they are the same."""
        path = self.root / name
        with suppress(FileNotFoundError):
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return False
        path.parent.mkdir(parents=True, exist_ok=True)
        half = self.root / f"{_HALF}{os.getpid()}"
        try:
            half.write_bytes(content)
            os.replace(half, path)
        except OSError:
            with suppress(OSError):
                half.unlink()
            raise
        return True


def _is_inside(path: object) -> bool:
    """Whether a path is one below the folder, made of names as newsclean gives them.

    >>> [_is_inside(path) for path in ("articles/a.org/rain.html", "../rain.html", "/etc/passwd")]
    [True, False, False]
    """
    return isinstance(path, str) and all(
        name and not name.startswith(".") and "\\" not in name and ":" not in name
        for name in path.split("/")
    )


def _remove_if_empty(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
