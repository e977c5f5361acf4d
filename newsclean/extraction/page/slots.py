"""The slot of a block: its path through the page's tree, and three signatures made of it.

A path is written as people write selectors: `html body div#page.wide p | b`. Names that hold digits
are left out, for they are often those of one article. What follows the bar are the inline elements
around the whole block.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.page.columns import LINE_BREAKING, nearest_line_break

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.extraction.page.columns import Column, Page


#: Characters of a path; of a longer one the innermost elements are kept.
MAX_PATH = 1500
#: Names of one element that count, and characters of a name.
_MAX_NAMES = 12
_MAX_NAME = 60
#: Line-breaking elements of the second signature, and named elements of the third.
_LAST_ELEMENTS = 3
_NAMED_ELEMENTS = 2
#: Paths and elements that are remembered: the pages of a site repeat them.
MAX_REMEMBERED = 20_000

#: Inline elements around a text; where there are more, all rows of the page are asked.
_MAX_INLINE = 4

_CUT = "…"
_INLINE = "|"

_MARKS = re.compile(r"[#.@]")
_DIGIT = re.compile(r"\d")


class Signatures(NamedTuple):
    """How a block is recognised on another page, the finest first."""

    #: the whole path
    path: str
    #: the last line-breaking elements with their names
    last: str
    #: the own tag, and the nearest elements that have names
    named: str


class BlockPaths:
    """The paths of a page's blocks, each worked out when it is first asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._of_row: dict[int, str] = {-1: ""}
        #: by the row of the parent and the element's own step: siblings are often alike
        self._of_sibling: dict[tuple[int, str], str] = {}

    def __len__(self) -> int:
        return len(self.page.blocks)

    def __iter__(self) -> Iterator[str]:
        return (self[block] for block in range(len(self)))

    def own_rows(self, blocks: Column) -> Column:
        """The row of the line-breaking element around each of these blocks."""
        page = self.page
        breaks = page.tagged(LINE_BREAKING)
        breaks[0] = True
        rows = page.parent[page.blocks.row[blocks]]
        for _ in range(_MAX_INLINE):
            if breaks[rows].all():
                return rows
            rows = np.where(breaks[rows], rows, page.parent[rows])
        return nearest_line_break(page)[page.blocks.row[blocks]]

    def __getitem__(self, block: int) -> str:
        """
        >>> from newsclean.extraction.page import Page
        >>> html = '<div class="story post-12" id=main><p><b>Rain</b></p><p>It <b>rains</b>'
        >>> list(BlockPaths(Page.from_html(html)))
        ['html body div#main.story p | b', 'html body div#main.story p']
        """
        page = self.page
        inner = own = page.parents[int(page.blocks.row[block])]
        while own > 0 and page.tag[own] not in LINE_BREAKING:
            own = page.parents[own]
        path = self._path(own)
        if inner == own:
            return path
        last = self._last_text(block)
        around = []
        while inner != own:
            if page.ends[inner] >= last:
                around.append(_printable(page.tag[inner]))
            inner = page.parents[inner]
        return f"{path} {_INLINE} {' '.join(reversed(around))}"[-MAX_PATH:] if around else path

    def _last_text(self, block: int) -> int:
        """The row of the last text of a block."""
        page = self.page
        is_last = block + 1 == len(page.blocks)
        end = len(page.text_rows) if is_last else int(page.blocks.start[block + 1])
        return int(page.text_rows[end - 1])

    def _path(self, row: int) -> str:
        known, parents = self._of_row, self.page.parents
        below = []
        while row not in known:
            below.append(row)
            row = parents[row]
        path = known[row]
        for inner in reversed(below):
            key = parents[inner], self._step(inner)
            found = self._of_sibling.get(key)
            if found is None:
                found = f"{path} {key[1]}" if path else key[1]
                if len(found) > MAX_PATH:
                    found = _CUT + found[found.index(" ", len(found) - MAX_PATH + len(_CUT)) :]
                self._of_sibling[key] = found
            path = known[inner] = found
        return path

    def _step(self, row: int) -> str:
        element = self.page.element[row]
        if element is None:
            return self.page.tag[row]
        get = element.get
        return step(self.page.tag[row], get("id"), get("class"), get("itemprop"))


@lru_cache(MAX_REMEMBERED)
def step(tag: str, own_id: str | None, classes: str | None, itemprop: str | None) -> str:
    """One element of a path.

    >>> step("div", "main", "wide post-12", None), step("p", None, None, "articleBody")
    ('div#main.wide', 'p@articleBody')
    """
    names = [
        mark + name
        for mark, value in (("#", own_id), (".", classes), ("@", itemprop))
        for name in sorted(set((value or "").split()))
        if len(name) <= _MAX_NAME and name.isprintable() and not _DIGIT.search(name)
    ]
    return "".join([_printable(tag), *names[:_MAX_NAMES]])


def _printable(tag: str) -> str:
    r"""A tag as paths have it: a page may have written anything, and a file of text takes less.

    >>> _printable("p\u200b")
    'p'
    """
    return "".join(filter(str.isprintable, tag[:_MAX_NAME]))


@lru_cache(MAX_REMEMBERED)
def signatures(path: str) -> Signatures:
    """The three signatures of a block, by its path.

    >>> signatures("html body.news main div#story p | b")
    Signatures(path='html body.news main div#story p | b',
               last='main div#story p', named='p | b < div#story < body.news')
    """
    outer, _, inline = path.partition(f" {_INLINE} ")
    steps = outer.split(" ")
    tags = [_MARKS.split(each, maxsplit=1)[0] for each in steps]
    breaking = [each for each, tag in zip(steps, tags, strict=True) if tag in LINE_BREAKING]
    named = [each for each, tag in zip(steps, tags, strict=True) if each != tag]
    own = f"{tags[-1]} {_INLINE} {inline}" if inline else tags[-1]
    return Signatures(
        path,
        " ".join(breaking[-_LAST_ELEMENTS:]),
        " < ".join([own, *named[: -_NAMED_ELEMENTS - 1 : -1]]),
    )


def own_tag(path: str) -> str:
    """The tag of the line-breaking element around a block.

    >>> own_tag("html body div#main p.lead | b")
    'p'
    """
    return _MARKS.split(path.partition(f" {_INLINE} ")[0].rpartition(" ")[2], maxsplit=1)[0]
