"""Rendered pages: kept in a folder, and their blocks as examples with a class by the gold text."""

from __future__ import annotations

import atexit
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.browser.saved_pages import SavedPageRenderer
from newsclean.browser.snapshot import NONE, SCREEN, STYLES, Rendering, SnapshotError, read_snapshot
from newsclean.extraction.methods.visual.classifier import MAIN, MIXED, NOISE, block_features
from newsclean.extraction.methods.visual.segmentation import PAPER, segment
from newsclean.extraction.page import Page
from newsclean.lab.training.block_examples import Bags, label_blocks

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.methods.visual.segmentation import Block, Thresholds
    from newsclean.extraction.page.columns import Column, Mask
    from newsclean.lab.evaluate.corpus import Gold

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
        path = None if self.folder is None else self.folder / _name_of(body, url)
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


def _name_of(body: bytes, url: str | None) -> str:
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


#: A block with at least this share of its text in the gold is main, with no more than the other
#: one noise. A gold text leaves out the odd credit or adds the odd caption.
_NEARLY_ALL = 0.9
_NEARLY_NONE = 0.1

#: Characters of `<style>` from which on a page without other stylesheets brings its own along.
_MIN_STYLE = 2000

_IMPORT = re.compile(r"@import\b", re.IGNORECASE)


@dataclass(eq=False)
class Example:
    """The blocks with text of one page."""

    gold: Gold
    blocks: list[Block]
    #: a row for each block
    features: NDArray[np.float64]
    #: of each block the share of its text that is in the gold, and the class by it
    share: NDArray[np.float64]
    label: Column
    chars: NDArray[np.float64]
    #: whether all stylesheets of the page are in the page
    has_own_styles: bool
    #: the share of the article's characters that is shown
    shown: float

    def __len__(self) -> int:
        return len(self.label)


def example_of(
    gold: Gold, body: bytes, snapshot: Snapshot, thresholds: Thresholds = PAPER
) -> Example:
    """`PageError` if the page cannot be used, or is not the one of the snapshot."""
    page = Page.from_html(body, gold.url)
    rendering = Rendering.of(page, snapshot)
    is_article = _article_rows(page, gold.versions)
    blocks = _blocks_with_text(snapshot, segment(snapshot, thresholds))
    share = shares(page, rendering, is_article, blocks)
    chars = page.chars[page.text_rows]
    rows = rendering.rows
    seen = (rows != NONE) & snapshot.shown[rows]
    article = int(chars[is_article].sum())
    return Example(
        gold=gold,
        blocks=blocks,
        features=block_features(snapshot, blocks),
        share=share,
        label=labels_of(share),
        chars=_per_block(snapshot.chars * snapshot.shown, blocks),
        has_own_styles=has_own_styles(page),
        shown=float(chars[is_article & seen].sum() / article) if article else 1.0,
    )


def _article_rows(page: Page, golds: tuple[str, ...]) -> Mask:
    """Which of the page's text rows are the article's."""
    texts = page.blocks.text
    if not texts:
        return np.zeros(0, dtype=bool)
    found: Mask = label_blocks(texts, golds, Bags.of(texts, golds))[page.blocks.of_text]
    return found


def _blocks_with_text(snapshot: Snapshot, blocks: list[Block]) -> list[Block]:
    """The blocks that hold anything to read: of the others there is nothing to take or leave."""
    has_text = _per_block(snapshot.chars * snapshot.shown, blocks) > 0
    return [block for block, has in zip(blocks, has_text.tolist(), strict=True) if has]


def shares(
    page: Page, rendering: Rendering, is_article: Mask, blocks: list[Block]
) -> NDArray[np.float64]:
    """The share of each block's text that is the article's."""
    snapshot, rows = rendering.snapshot, rendering.rows
    chars = page.chars[page.text_rows] * (rows != NONE) * snapshot.shown[rows]
    size = len(snapshot)
    every = _per_block(np.bincount(rows * (rows != NONE), chars, size), blocks)
    article = _per_block(np.bincount(rows * (rows != NONE), chars * is_article, size), blocks)
    share: NDArray[np.float64] = article / np.maximum(every, 1)
    return share


def labels_of(share: NDArray[np.float64]) -> Column:
    """Main if nearly all of a block's text is the article's, noise if nearly none is."""
    labels: Column = np.where(
        share >= _NEARLY_ALL, MAIN, np.where(share <= _NEARLY_NONE, NOISE, MIXED)
    )
    return labels


def _per_block(values: NDArray[np.generic], blocks: list[Block]) -> NDArray[np.float64]:
    """The sum of a column of the snapshot over the rows of each block."""
    total = np.zeros(len(values) + 1)
    np.cumsum(values, out=total[1:])
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)
    return total[last + 1] - total[first]


def has_own_styles(page: Page) -> bool:
    """Whether a page has stylesheets, and all of them in the page itself."""
    for link in page.elements("link"):
        if "stylesheet" in (link.get("rel") or "").lower().split() and link.get("href"):
            return False
    styles = [style.text or "" for style in page.elements("style")]
    return sum(map(len, styles)) >= _MIN_STYLE and not any(map(_IMPORT.search, styles))
