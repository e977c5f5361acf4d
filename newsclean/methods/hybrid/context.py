"""The blocks of a page in its tree: what several features need, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.metadata.json_ld import json_ld_scripts
from newsclean.metadata.text import comparison_key
from newsclean.methods.hybrid import hints, letters, slots, wording
from newsclean.methods.hybrid.branches import Branches
from newsclean.methods.page_title import title_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.metadata.json_ld import JsonLdScript
    from newsclean.page import Page
    from newsclean.page.columns import Column

    Floats = NDArray[np.float64]
    #: the name of a feature, and its value for each block
    Features = dict[str, NDArray[Any]]

#: Running text: words outside links in one block.
RUNNING = 10


@dataclass(frozen=True, eq=False)
class BlockContext:
    """The blocks of a page in its tree, and what the names on the way to them say."""

    page: Page

    def __len__(self) -> int:
        return len(self.page.blocks)

    @cached_property
    def words(self) -> Floats:
        return self.page.blocks.sum(self.page.words).astype(float)

    @cached_property
    def linked(self) -> Floats:
        """The share of each block's words that are links."""
        return self.page.blocks.sum(self.page.words * self.page.in_link) / self.words

    @cached_property
    def running(self) -> Floats:
        """The words of blocks of running text, 0 for others."""
        plain = self.words * (1 - self.linked)
        return np.where((plain >= RUNNING) & (self.linked < 0.5), plain, 0.0)

    @cached_property
    def before(self) -> Floats:
        """Words of running text, words in links and words of all blocks before each, and of all."""
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
        """The line-breaking element around each block, then its ancestors that hold more text."""
        return self.branches.row[self.branches.of_block]

    @cached_property
    def ranges(self) -> list[tuple[Column, Column]]:
        """For each level the first block below those ancestors, and the first one behind."""
        branches = self.branches
        levels = branches.low[branches.of_block], branches.high[branches.of_block]
        return list(zip(*levels, strict=True))

    @cached_property
    def _named(self) -> tuple[list[int], list[int]]:
        """For each branch: tags and names around it by kind, and its slot.

        The counts of all kinds are one number, `hints.FIELD` bits each.
        """
        tags, elements = self.page.tag, self.page.element
        rows = self.branches.row.tolist()
        found: list[Any] = [elements[row] for row in rows]
        names = hints.read_all(
            [tags[row] for row in rows],
            [element.get("class") for element in found],
            [element.get("id") for element in found],
        )
        counts, paths = [0], [0]  # those of the root's parent first
        parents = (self.branches.parent + 1).tolist()
        for parent, (own, name) in zip(parents, names, strict=True):
            counts.append(counts[parent] + own)
            paths.append(slots.mix(paths[parent], name))
        return counts[1:], paths[1:]

    @property
    def branch_slots(self) -> list[int]:
        """The slot of each branch."""
        return self._named[1]

    @cached_property
    def branch_counts(self) -> NDArray[np.int16]:
        """Tags and names of each kind around each branch; a row a branch."""
        counts = self._named[0]
        size = hints.FIELD // 8 * hints.COUNTED
        packed = b"".join([count.to_bytes(size, "little") for count in counts])
        return np.frombuffer(packed, dtype="<i2").reshape(len(counts), hints.COUNTED)

    @cached_property
    def around(self) -> NDArray[np.int16]:
        """Tags and names of each kind around the blocks, their parents and grandparents."""
        return self.branch_counts.T.take(self.branches.of_block[:3], axis=1)

    @cached_property
    def slots(self) -> NDArray[np.uint64]:
        """The slot of the template in which each block stands."""
        of_branch: NDArray[np.uint64] = np.array(self._named[1], dtype=np.uint64)
        of_block: NDArray[np.uint64] = of_branch[self.branches.of_block[0]]
        return of_block

    @cached_property
    def closed(self) -> NDArray[np.bool_]:
        return self.letters["ends sentence"].astype(bool)

    @cached_property
    def lines(self) -> str:
        """The texts of all blocks, a line each."""
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
        """How often phrases of each kind are in each block; a row a kind."""
        return wording.count_phrases(self.lines, self.start)

    @cached_property
    def json_ld(self) -> list[JsonLdScript]:
        """The page's JSON-LD scripts, parsed."""
        return json_ld_scripts(self.page.elements("script"))

    @cached_property
    def title(self) -> str:
        """What the page calls itself, folded."""
        return comparison_key(title_of(self.page), " ")

    @cached_property
    def letters(self) -> Features:
        """What the characters of each block say."""
        kinds = letters.kinds_of(self.lines)
        start, n = self.start, len(self)
        end = start + self.lengths
        counts = letters.count_kinds(kinds, start)
        share = (counts / np.maximum(self.lengths, 1)[:, None]).T
        stops = np.flatnonzero((kinds[:-1] == letters.END) & (kinds[1:] == letters.SPACE))
        first, last, before = kinds[start], kinds[end - 1], kinds[np.maximum(end - 2, 0)]
        quoted = (last == letters.QUOTE) & ((before == letters.END) | (before == letters.COMMA))
        return {
            "upper": share[letters.UPPER],
            "digits": share[letters.DIGIT],
            "commas": share[letters.COMMA],
            "quotes": share[letters.QUOTE],
            "signs": share[letters.SIGN],
            "letters": share[letters.LETTER] + share[letters.UPPER],
            "colon": share[letters.COLON] > 0,
            "sentences": np.bincount(np.searchsorted(start, stops, "right") - 1, minlength=n),
            "ends sentence": (last == letters.END) | quoted,
            "ends in colon": last == letters.COLON,
            "starts upper": first == letters.UPPER,
            "starts lower": first == letters.LETTER,
        }
