"""The elements that hold one picture: itself, its sources, and its copies in `noscript`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml import etree

    from newsclean.page import Page
    from newsclean.page.columns import Column

MAX_SOURCES = 20  # of one picture


class PictureElements:
    """The elements of pictures, by their rows; `words_until` counts the words before each row."""

    def __init__(self, page: Page, pictures: Column, words_until: Sequence[int]) -> None:
        self.page = page
        self._copies = noscript_copies(page, pictures, words_until)
        self._sources: dict[int, list[etree._Element]] = {}

    def of(self, row: int) -> list[etree._Element]:
        """All that holds the picture of a row; nothing for a copy of another one."""
        page = self.page
        if row not in self._copies:
            return []
        found = [page.element[row]]
        around = page.parents[row]
        while page.tag[around] == "source":  # to libxml2, what follows a source is inside it
            around = page.parents[around]
        if page.tag[around] == "picture":
            found += self._sources_in(around)
        found += [page.element[copy] for copy in self._copies[row][:MAX_SOURCES]]
        return [element for element in found if element is not None]

    def _sources_in(self, picture: int) -> list[etree._Element]:
        """The `source` elements of a `picture`, looked for once whatever pictures are in it."""
        if picture not in self._sources:
            element = self.page.element[picture]
            found = () if element is None else element.iter("source")
            self._sources[picture] = list(islice(found, MAX_SOURCES))
        return self._sources[picture]


def noscript_copies(
    page: Page, pictures: Column, words_until: Sequence[int]
) -> dict[int, list[int]]:
    """The copies in `noscript` of each picture; a copy with no other picture by it is one."""
    if not page.elements("noscript"):
        return {row: [] for row in pictures.tolist()}
    noscripts = page.rows(frozenset({"noscript"}))
    hidden = page.below(noscripts)
    shown = pictures[~hidden[pictures]]
    copies: dict[int, list[int]] = {row: [] for row in shown.tolist()}
    for row in pictures[hidden[pictures]].tolist():
        place = int(np.searchsorted(shown, row))
        around = int(page.parent[noscripts[np.searchsorted(noscripts, row) - 1]])
        within = max(page.parents[around], 0)
        for other in shown[max(place - 1, 0) : place + 1].tolist():
            low, high = min(row, other), max(row, other)
            is_inside = within <= low and high <= page.ends[within]
            if is_inside and words_until[low] == words_until[high]:
                copies[other].append(row)
                break
        else:
            copies[row] = []
    return dict(sorted(copies.items()))
