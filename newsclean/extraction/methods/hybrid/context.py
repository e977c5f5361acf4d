"""The blocks of a page in its tree: what several features need, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.metadata.structured_data import json_ld_scripts
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
from newsclean.text import comparison_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.metadata.structured_data import JsonLdScript
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.float64]
    #: the name of a feature, and its value for each block
    Features = dict[str, NDArray[Any]]

# The branches of a page's tree that hold its blocks, each worked out once for all of them.

#: How many ancestors are asked; one that holds no more text than the one below it is skipped.
LEVELS = 5


@dataclass(frozen=True, eq=False)
class Branches:
    """The elements from the root to the line-breaking element around each block."""

    #: the row of each, in document order
    row: Column
    #: which of them is its parent, -1 for the root
    parent: Column
    #: the first block below it, and the first one behind
    low: Column
    high: Column
    #: the outermost branch that holds no more text than it
    top: Column
    #: the branch around each block, then those further out that hold more text; a row a level
    of_block: Column

    @classmethod
    def of(cls, page: Page) -> Branches:
        inner = line_breaking_around(page, page.blocks.row)
        holds = np.zeros(len(page), dtype=np.int64)
        holds[inner] = 1
        rows = np.flatnonzero(page.subtree(holds))
        place = np.full(len(page) + 1, -1)  # the last one stands for the parent of the root
        place[rows] = np.arange(len(rows))
        parent = place[page.parent[rows]]

        blocks = np.zeros(len(page) + 1, dtype=np.int64)
        blocks[page.blocks.row + 1] = 1
        np.cumsum(blocks, out=blocks)
        low, high = blocks[rows], blocks[page.end[rows] + 1]

        # What holds no more text than its parent is all that the parent has, and the next one.
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


#: Running text: words outside links in one block.
RUNNING = 10


@dataclass(frozen=True, eq=False)
class BlockContext:
    """The blocks of a page in its tree, and what the names on the way to them say."""

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
        """The words of blocks of running text, 0 for others."""
        plain = self.words * (1 - self.linked)
        return np.where((plain >= RUNNING) & (self.linked < 0.5), plain, 0.0)

    @cached_property
    def before(self) -> _Floats:
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
            paths.append(slot_hash(paths[parent], name))
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
        return count_phrases(self.lines, self.start)

    @cached_property
    def json_ld(self) -> list[JsonLdScript]:
        """The page's JSON-LD scripts, parsed."""
        return json_ld_scripts(self.page.elements("script"))

    @cached_property
    def title(self) -> str:
        """What the page calls itself, folded."""
        return comparison_key(self.page.title, " ")

    @cached_property
    def letters(self) -> Features:
        """What the characters of each block say."""
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


# The headline among the blocks of a page: the distance to it, and the body without it.

#: Shorter texts appear in a title by chance; in a heading a bit shorter ones do not.
_MIN_TITLE_LENGTH = 15
_MIN_HEADING_LENGTH = 10
#: Blocks among which the headline is looked for where no heading is one.
_MAX_HEADLINE_BLOCKS = 80
#: A headline that was chosen with the body is among the first chosen blocks.
_HEADLINES = frozenset({"h1"})
_MAX_FIRST_BLOCKS = 12

_HEADING = list(hints.AROUND).index("heading")
DISTANCES = ("blocks after headline", "words after headline", "levels from headline")
#: The value of a feature that a block or a page does not have.
MISSING = -1.0


def headline_features(context: BlockContext) -> Features:
    """How far each block is from the headline."""
    n, page = len(context), context.page
    head = headline_block(context)
    if head < 0:
        names = ("headline", *DISTANCES)
        return {name: np.full(n, MISSING) for name in names}
    sums = context.before[2, 1:]
    row = int(context.rows[0][head])
    up = []
    while row >= 0:
        up.append(row)
        row = page.parents[row]
    # The further up, the earlier the branch begins and the later it ends.
    above = np.array(up)
    begun = np.searchsorted(-above, -context.rows[0])
    common = np.maximum(begun, np.searchsorted(page.end[above], context.rows[0]))
    return {
        "headline": np.ones(n),
        DISTANCES[0]: np.clip(np.arange(n) - head, -30, 60),
        DISTANCES[1]: (sums - sums[head]) / sums[-1],
        DISTANCES[2]: common,
    }


def is_heading(context: BlockContext) -> Mask:
    """Which blocks are in a heading."""
    inside: Mask = context.around[_HEADING, 0] > 0
    return inside


def headline_block(context: BlockContext) -> int:
    """The block that says what the page's title says, a heading first; -1 if there is none."""
    page = context.page
    texts = page.blocks.text
    title = context.title
    first = np.flatnonzero(page.tagged({"h1"})[context.rows[0]]).tolist()
    if title:
        headings = np.flatnonzero(is_heading(context)).tolist()
        short = np.flatnonzero((context.words >= 3) & (context.words <= 30))[
            :_MAX_HEADLINE_BLOCKS
        ].tolist()
        max_length = 2 * len(title)
        for blocks, min_length in (
            (first + headings, _MIN_HEADING_LENGTH),
            (short, _MIN_TITLE_LENGTH),
        ):
            for block in blocks:
                text = texts[block]
                if min_length <= len(text) <= max_length and (
                    len(folded := comparison_key(text, " ")) >= min_length and folded in title
                ):
                    return int(block)
    return first[0] if first else -1


def without_headline(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """The chosen blocks, without those that say first of all, in an h1, what the page is called.

    Of a page without a title, that is the h1 with which its text begins.
    """
    rows = page.rows(_HEADLINES)
    if not len(rows):
        return chosen
    texts, inside = page.blocks.text, page.below(rows)[page.blocks.row]
    if context.title:
        first = np.flatnonzero(chosen)[:_MAX_FIRST_BLOCKS]
        heads = [
            block
            for block in first[inside[first]].tolist()
            if len(text := comparison_key(texts[block], " ")) >= _MIN_HEADING_LENGTH
            and text in context.title
        ]
    else:
        first = np.flatnonzero(chosen)[:1]
        heads = first[inside[first]].tolist()
    if not heads or len(heads) == np.count_nonzero(chosen):
        return chosen
    without = chosen.copy()
    without[heads] = False
    return without
