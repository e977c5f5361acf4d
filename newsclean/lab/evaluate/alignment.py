"""Which words of two texts are the same words, in the same order.

A longest common subsequence, computed a row at a time in the bits of one integer (Crochemore,
Iliopoulos, Pinzon and Reid 2001), so that texts of ten thousand words take some milliseconds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsclean.page.words import SPACELESS

if TYPE_CHECKING:
    from collections.abc import Sequence

# Scripts without spaces go character by character, and so does punctuation.
TOKEN = re.compile(rf"[{SPACELESS}]|[^\W{SPACELESS}]+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Words, single punctuation marks, and single characters of scripts without spaces.

    >>> tokens("It rains, 东京也")
    ['It', 'rains', ',', '东', '京', '也']
    """
    return TOKEN.findall(text)


def align(ours: Sequence[str], golds: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of positions of equal items, rising in both, as many as there can be.

    >>> align("a b c d".split(), "x b d".split())
    [(1, 1), (3, 2)]
    """
    start = 0
    while start < min(len(ours), len(golds)) and ours[start] == golds[start]:
        start += 1
    end = 0
    while end < min(len(ours), len(golds)) - start and ours[-1 - end] == golds[-1 - end]:
        end += 1
    middle = _align(ours[start : len(ours) - end], golds[start : len(golds) - end])
    return [
        *((k, k) for k in range(start)),
        *((a + start, b + start) for a, b in middle),
        *((len(ours) - k, len(golds) - k) for k in range(end, 0, -1)),
    ]


def _align(ours: Sequence[str], golds: Sequence[str]) -> list[tuple[int, int]]:
    places: dict[str, int] = {}  # bits of the positions of each word of the gold
    for position, word in enumerate(golds):
        places[word] = places.get(word, 0) | 1 << position
    # Words that the gold does not have change no row; leaving them out saves time and memory.
    kept = [position for position, word in enumerate(ours) if word in places]
    full = (1 << len(golds)) - 1
    row = full
    rows = []  # a bit is 0 where the common subsequence grows by one
    for position in kept:
        hits = row & places[ours[position]]
        row = ((row + hits) | (row - hits)) & full
        rows.append(row)
    pairs = []
    line, column = len(kept), len(golds)
    while line and column:
        if rows[line - 1] >> (column - 1) & 1:
            column -= 1
            continue
        line -= 1
        if not line or rows[line - 1] >> (column - 1) & 1:
            column -= 1
            pairs.append((kept[line], column))
    return pairs[::-1]
