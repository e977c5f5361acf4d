"""Places in a site's template ("slots"): the same on every page of the template, whatever it says.

A slot is told by the tags and names of the elements around a text, never by its position. There are
three forms of it:

- the path of a block, written like a selector (`html body div#page.wide p | b`), with coarser
  signatures made from it: corrections name blocks this way;
- the slots of a line, by the nearest elements: sites keep their bylines there;
- the hash of a path, for all blocks of a page at once: neighbors count what it held on them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from newsclean.extraction.page.columns import LINE_BREAKING, line_breaking_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Column, Mask, Page

    Hashes = NDArray[np.uint64]

#: Maximum characters of a path; a longer one keeps its innermost elements.
MAX_PATH = 1500
#: Maximum names of one element, and characters of a name.
_MAX_NAMES = 12
_MAX_NAME = 60
#: Line-breaking elements in `Signatures.last`, and named elements in `Signatures.named`.
_LAST_ELEMENTS = 3
_NAMED_ELEMENTS = 2
#: Maximum characters of the slot of a line, and the elements that may stand within a line.
_MAX_LINE_SLOT = 200
_WITHIN_LINE = frozenset("a abbr b bdi cite em font i label small span strong u".split())
#: Paths and elements kept in memory: the pages of a site repeat them.
_MAX_REMEMBERED = 20_000

_CUT = "…"
#: Before the inline elements around the whole block.
_INLINE = "|"
_MARKS = re.compile(r"[#.@]")
#: A name with a digit is often that of one article.
_DIGIT = re.compile(r"\d")

#: Turn a slot into the key of a prediction for it.
ARTICLE = np.uint64(0x9E3779B97F4A7C15)
NOISE = np.uint64(0xC2B2AE3D27D4EB4F)

_PRIME = 0x9FB21C651E98DF25
_BITS = (1 << 64) - 1


class Signatures(NamedTuple):
    """What a block is recognised by on another page, the finest first."""

    #: the whole path
    path: str
    #: the last line-breaking elements with their names
    last: str
    #: the tag, and the nearest elements that have names
    named: str


class BlockPaths:
    """The paths and line slots of a page's blocks, each computed on first use."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._paths: dict[int, str] = {-1: ""}
        #: by the parent's row and the element's own step: siblings are often alike
        self._of_sibling: dict[tuple[int, str], str] = {}
        self._steps: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.page.blocks)

    def __iter__(self) -> Iterator[str]:
        return (self[block] for block in range(len(self)))

    def own_rows(self, blocks: Column) -> Column:
        """Return the row of the line-breaking element around each of these blocks."""
        return line_breaking_around(self.page, self.page.blocks.row[blocks])

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
        last = int(page.blocks.last[block])
        around = []
        while inner != own:
            if page.ends[inner] >= last:
                around.append(_printable(page.tag[inner]))
            inner = page.parents[inner]
        return f"{path} {_INLINE} {' '.join(reversed(around))}"[-MAX_PATH:] if around else path

    def line_slots(self, block: int) -> list[str]:
        """Return the slots of the element that holds a block's first text, and of its line's.

        An element counts with its parent; without any name on the two there is no slot.

        >>> from newsclean.extraction.page import Page
        >>> html = '<div class="post-12 head"><p id=by>By Ann<p><b class=who>Ann Lee</b></div><p>Hi'
        >>> paths = BlockPaths(Page.from_html(html))
        >>> [paths.line_slots(block) for block in range(len(paths))]
        [['p#by<div.head'], ['b.who<p', 'p<div.head'], []]
        """
        page = self.page
        inner = outer = page.parents[int(page.blocks.row[block])]
        while page.tag[outer] in _WITHIN_LINE and page.parents[outer] >= 0:
            outer = page.parents[outer]
        slots = map(self._line_slot, (inner, outer) if outer != inner else (inner,))
        return list(filter(None, dict.fromkeys(slots)))

    def _line_slot(self, row: int) -> str:
        rows = [level for level in (row, self.page.parents[row]) if level >= 0]
        steps = [self._step(level) for level in rows]
        if steps == [_printable(self.page.tag[level]) for level in rows]:
            return ""
        return "<".join(steps)[:_MAX_LINE_SLOT]

    def _path(self, row: int) -> str:
        known, parents = self._paths, self.page.parents
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
        found = self._steps.get(row)
        if found is None:
            element = self.page.element[row]
            names = () if element is None else map(element.get, ("id", "class", "itemprop"))
            found = self._steps[row] = _written(self.page.tag[row], *names)
        return found


@lru_cache(_MAX_REMEMBERED)
def _written(tag: str, *names: str | None) -> str:
    """Return an element as paths have it, by its tag, id, class and itemprop.

    >>> _written("div", "main", "wide post-12", None), _written("p", None, None, "articleBody")
    ('div#main.wide', 'p@articleBody')
    """
    marked = [
        mark + name
        for mark, value in zip("#.@", names, strict=False)
        for name in sorted(set((value or "").split()))
        if len(name) <= _MAX_NAME and name.isprintable() and not _DIGIT.search(name)
    ]
    return "".join([_printable(tag), *marked[:_MAX_NAMES]])


def _printable(tag: str) -> str:
    r"""Return a tag without characters that do not belong into a text file.

    >>> _printable("p\u200b")
    'p'
    """
    return "".join(filter(str.isprintable, tag[:_MAX_NAME]))


@lru_cache(_MAX_REMEMBERED)
def signatures(path: str) -> Signatures:
    """Return the three signatures of a block, by its path.

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
    """Return the tag of the line-breaking element around a block.

    >>> own_tag("html body div#main p.lead | b")
    'p'
    """
    return _MARKS.split(path.partition(f" {_INLINE} ")[0].rpartition(" ")[2], maxsplit=1)[0]


def element_hash(tag: str, class_: str | None) -> int:
    return xxhash.xxh3_64_intdigest(f"{tag} {class_ or ''}".encode("utf-8", "surrogatepass"))


def slot_hash(outer: int, own: int) -> int:
    """Return the slot of an element from the slot around it and its own `element_hash`."""
    return ((outer ^ own) * _PRIME + own) & _BITS


def prediction_keys(slots: Hashes, words: NDArray[np.float64], chosen: Mask, salt: int) -> Hashes:
    """Return one key for each slot of a page: it held the article, or it did not.

    `slots`, `words` and `chosen` have an entry for each block. The keys are remembered like those
    of the page's texts, so that a neighborhood counts, bounds and forgets them alike. The salt is
    that of the model that has chosen: predictions of two models never mix.
    """
    slot, place = np.unique(slots, return_inverse=True)
    taken = np.bincount(place, words * chosen, len(slot))
    held = 2 * taken > np.bincount(place, words, len(slot))
    return np.where(held, slot ^ ARTICLE, slot ^ NOISE) ^ np.uint64(salt)


def slot_keys(slots: Hashes, salt: int) -> Hashes:
    """Return the keys of both predictions for each slot of a page, to be counted by neighbors."""
    slot = np.unique(slots) ^ np.uint64(salt)
    return np.concatenate((slot ^ ARTICLE, slot ^ NOISE))


def neighbor_predictions(slots: Hashes, support: Column) -> NDArray[np.float64]:
    """Return on how many neighbors the slot of each block held the article, and did not.

    `support` counts the page's `slot_keys`.
    """
    _, place = np.unique(slots, return_inverse=True)
    return support.reshape(2, -1)[:, place].T.astype(float)
