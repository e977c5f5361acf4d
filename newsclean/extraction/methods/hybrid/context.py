"""The blocks of a page in its tree: what several features need, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.metadata.page_sources import json_ld_scripts
from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.hints import (
    COLON,
    COMMA,
    DIGIT,
    END,
    LETTER,
    QUOTE,
    SIGN,
    SPACE,
    UPPER,
    count_kinds,
    count_phrases,
    kinds_of,
)
from newsclean.extraction.page.columns import line_breaking_around
from newsclean.extraction.page.slots import slot_hash
from newsclean.extraction.text import comparison_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.metadata.page_sources import JsonLdScript
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask
    from newsclean.extraction.page.slots import Hashes

    _Floats = NDArray[np.float64]
    #: the name of a feature, and its value for each block
    Features = dict[str, NDArray[Any]]

#: Ancestors of each block that count; one with no more text than the one below it is skipped.
LEVELS = 5
#: Words outside links that make a block running text.
_MIN_RUNNING = 10
#: A line with a date has at most this many words, and this share of digits among its characters.
_MAX_DATE_WORDS = 12
_MIN_DATE_DIGITS = 0.12

_HEADING = list(hints.AROUND).index("heading")


@dataclass(frozen=True, eq=False)
class Branches:
    """The elements from the root to the line-breaking element around each block."""

    #: the row of each, in document order
    row: Column
    #: the position of its parent among them, -1 for the root
    parent: Column
    #: the first block below it, and the first one after it
    low: Column
    high: Column
    #: the outermost branch with no more text
    top: Column
    #: the branch around each block, then those further out with more text; a row for each level
    of_block: Column

    @classmethod
    def of(cls, page: Page) -> Branches:
        inner = line_breaking_around(page, page.blocks.row)
        holds = np.zeros(len(page), dtype=np.int64)
        holds[inner] = 1
        rows = np.flatnonzero(page.subtree(holds))
        place = np.full(len(page) + 1, -1)  # the last entry is for the parent of the root
        place[rows] = np.arange(len(rows))
        parent = place[page.parent[rows]]

        blocks = np.zeros(len(page) + 1, dtype=np.int64)
        blocks[page.blocks.row + 1] = 1
        np.cumsum(blocks, out=blocks)
        low, high = blocks[rows], blocks[page.end[rows] + 1]

        # A branch with as much text as its parent is the next row after it, and all that it has.
        words = page.subtree(page.words)[rows]
        more = words != words[parent]
        more[:1] = True
        highest = np.maximum.accumulate(np.where(more, np.arange(len(rows)), 0))
        above = np.maximum(parent[highest], 0)
        of_block = np.empty((LEVELS + 1, len(inner)), dtype=np.int64)
        of_block[0] = place[inner]
        for level in range(LEVELS):
            of_block[level + 1] = above[of_block[level]]
        return cls(rows, parent, low, high, highest, of_block)


@dataclass(frozen=True, eq=False)
class BlockContext:
    """The blocks of a page with their words, branches, names and characters."""

    page: Page

    def __len__(self) -> int:
        return len(self.page.blocks)

    @cached_property
    def words(self) -> _Floats:
        return self.page.blocks.sum(self.page.words).astype(float)

    @cached_property
    def linked(self) -> _Floats:
        """The share of each block's words that are links."""
        return self.page.blocks.sum(self.page.words * self.page.in_link) / self.words

    @cached_property
    def running(self) -> _Floats:
        """The words outside links of blocks of running text, 0 for others."""
        plain = self.words * (1 - self.linked)
        return np.where((plain >= _MIN_RUNNING) & (self.linked < 0.5), plain, 0.0)

    @cached_property
    def before(self) -> _Floats:
        """Words of running text, in links, and of all blocks before each block, then the totals."""
        sums = np.zeros((3, len(self) + 1))
        sums[0, 1:] = self.running
        sums[1, 1:] = self.words * self.linked
        sums[2, 1:] = self.words
        return np.cumsum(sums, axis=1, out=sums)

    @cached_property
    def branches(self) -> Branches:
        return Branches.of(self.page)

    @cached_property
    def rows(self) -> Column:
        """The line-breaking element around each block, then its ancestors with more text."""
        return self.branches.row[self.branches.of_block]

    @cached_property
    def ranges(self) -> list[tuple[Column, Column]]:
        """The first block below these elements, and the first one after them, for each level."""
        branches = self.branches
        levels = branches.low[branches.of_block], branches.high[branches.of_block]
        return list(zip(*levels, strict=True))

    @cached_property
    def _named(self) -> tuple[list[int], list[int]]:
        """The counts of tags and names around each branch, and its slot.

        The counts of all kinds are one number, with `hints.FIELD` bits for each.
        """
        tags, elements = self.page.tag, self.page.element
        rows = self.branches.row.tolist()
        found: list[Any] = [elements[row] for row in rows]
        names = hints.read_all(
            [tags[row] for row in rows],
            [element.get("class") for element in found],
            [element.get("id") for element in found],
        )
        counts, slots = [0], [0]  # the parent of the root comes first
        parents = (self.branches.parent + 1).tolist()
        for parent, (own, name) in zip(parents, names, strict=True):
            counts.append(counts[parent] + own)
            slots.append(slot_hash(slots[parent], name))
        return counts[1:], slots[1:]

    @cached_property
    def branch_slots(self) -> Hashes:
        """The slot of each branch."""
        return np.array(self._named[1], dtype=np.uint64)

    @cached_property
    def branch_counts(self) -> NDArray[np.int16]:
        """Tags and names of each kind around each branch; a row for each branch."""
        counts = self._named[0]
        size = hints.FIELD // 8 * hints.COUNTED
        packed = b"".join([count.to_bytes(size, "little") for count in counts])
        return np.frombuffer(packed, dtype="<i2").reshape(len(counts), hints.COUNTED)

    @cached_property
    def around(self) -> NDArray[np.int16]:
        """Tags and names of each kind around the blocks, their parents and grandparents."""
        return self.branch_counts.T.take(self.branches.of_block[:3], axis=1)

    @cached_property
    def slots(self) -> Hashes:
        """The slot of each block in the template."""
        of_block: Hashes = self.branch_slots[self.branches.of_block[0]]
        return of_block

    @cached_property
    def in_heading(self) -> Mask:
        inside: Mask = self.around[_HEADING, 0] > 0
        return inside

    @cached_property
    def closed(self) -> Mask:
        """Which blocks end with a sentence."""
        return self.letters["ends sentence"].astype(bool)

    @cached_property
    def dated(self) -> Mask:
        """Which blocks are short lines that may hold a date."""
        digits = self.letters["digits"] >= _MIN_DATE_DIGITS
        return digits & (self.words <= _MAX_DATE_WORDS)

    @cached_property
    def lines(self) -> str:
        """The texts of all blocks, one line for each."""
        return "\n".join(self.page.blocks.text) + "\n"

    @cached_property
    def lengths(self) -> Column:
        """The characters of each block."""
        texts = self.page.blocks.text
        return np.fromiter(map(len, texts), np.int64, len(texts))

    @cached_property
    def start(self) -> Column:
        """Where each block begins in the lines."""
        start: Column = np.cumsum(self.lengths + 1) - self.lengths - 1
        return start

    @cached_property
    def phrases(self) -> Column:
        """How often phrases of each kind are in each block; a row for each kind."""
        return count_phrases(self.lines, self.start)

    @cached_property
    def json_ld(self) -> list[JsonLdScript]:
        """The page's JSON-LD scripts, parsed."""
        return json_ld_scripts(self.page.elements("script"))

    @cached_property
    def title(self) -> str:
        """The title of the page, folded."""
        return comparison_key(self.page.title, " ")

    @cached_property
    def letters(self) -> Features:
        """The features of the characters of each block."""
        kinds = kinds_of(self.lines)
        start, n = self.start, len(self)
        end = start + self.lengths
        counts = count_kinds(kinds, start)
        share = (counts / np.maximum(self.lengths, 1)[:, None]).T
        stops = np.flatnonzero((kinds[:-1] == END) & (kinds[1:] == SPACE))
        first, last, before = kinds[start], kinds[end - 1], kinds[np.maximum(end - 2, 0)]
        quoted = (last == QUOTE) & ((before == END) | (before == COMMA))
        return {
            "upper": share[UPPER],
            "digits": share[DIGIT],
            "commas": share[COMMA],
            "quotes": share[QUOTE],
            "signs": share[SIGN],
            "letters": share[LETTER] + share[UPPER],
            "colon": share[COLON] > 0,
            "sentences": np.bincount(np.searchsorted(start, stops, "right") - 1, minlength=n),
            "ends sentence": (last == END) | quoted,
            "ends in colon": last == COLON,
            "starts upper": first == UPPER,
            "starts lower": first == LETTER,
        }
