"""Snapshots of pages, kept in a folder: a page is rendered once, and read many times."""

from __future__ import annotations

import atexit
import os
from functools import lru_cache
from typing import TYPE_CHECKING

import xxhash

from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.browser.snapshot import SCREEN, STYLES, SnapshotError, read_snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.browser.snapshot import Snapshot

#: Changes when the snapshots of before are of no use.
VERSION = 1


class SnapshotCache:
    """Renders what is not in the folder yet; without a folder, every page."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._renderer: SavedPageRenderer | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def snapshot(self, body: bytes, url: str | None) -> Snapshot:
        """The snapshot of a page; `SavedPageError` if it cannot be rendered."""
        path = None if self.folder is None else self.folder / name_of(body, url)
        if path is not None and path.is_file():
            try:
                return read_snapshot(path)
            except SnapshotError:  # it was cut short: made again
                path.unlink(missing_ok=True)
        if self._renderer is None:
            self._renderer = SavedPageRenderer()
        snapshot = self._renderer.render(body, url)
        if path is not None:
            written = path.with_name(f"{os.getpid()}-{path.name}")
            snapshot.save(written)
            written.replace(path)
        return snapshot

    def close(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None


def name_of(body: bytes, url: str | None) -> str:
    """The name of a snapshot's file: another page, address or way to render has another one."""
    digest = xxhash.xxh3_128(body)
    digest.update(repr((VERSION, url, SCREEN, STYLES)).encode())
    return f"{digest.hexdigest()}.npz"


@lru_cache(maxsize=1)
def shared_cache(folder: Path | None) -> SnapshotCache:
    """The cache of this process; its browser ends with it."""
    cache = SnapshotCache(folder)
    atexit.register(cache.close)
    return cache
