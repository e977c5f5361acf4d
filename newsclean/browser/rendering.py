"""A page together with what the browser shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.browser.alignment import NONE, align
from newsclean.browser.snapshot import DEFAULT_SIZE

if TYPE_CHECKING:
    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column


@dataclass(frozen=True, eq=False)
class Rendering:
    """A snapshot, and which of its texts are which of the page's."""

    snapshot: Snapshot
    #: the snapshot's row of each of the page's text rows, `NONE` where it has none
    rows: Column

    @classmethod
    def of(cls, page: Page, snapshot: Snapshot) -> Rendering:
        """`PageError` if the snapshot is not one of this page."""
        return cls(snapshot, align(page, snapshot))

    def fonts(self, page: Page) -> ComputedFonts:
        """The fonts in which the browser shows the page's texts."""
        size = np.full(len(page), int(DEFAULT_SIZE), dtype=np.int64)
        color = np.zeros(len(page), dtype=np.int64)
        found = self.rows != NONE
        texts, rows = page.text_rows[found], self.rows[found]
        size[texts] = np.rint(self.snapshot.font_size[rows])
        color[texts] = self.snapshot.color[rows]
        return ComputedFonts(size, color)


@dataclass(frozen=True, eq=False)
class ComputedFonts:
    """Size in pixels and a number for the colour of each of a page's rows, for its texts."""

    size: Column
    color: Column
