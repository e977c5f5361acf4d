"""Kinds of characters, for all blocks of a page at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from unicodedata import category

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE, UPPER, LETTER, DIGIT, END, COMMA, QUOTE, SIGN, COLON = range(9)
KINDS = 9

#: Characters that are looked at together: a number for each takes twelve times their memory.
PIECE = 1 << 18

#: Behind these code points no script of the press has capital letters or punctuation of its own,
#: but for the wide forms.
TABLE = 0x3100
WIDE = range(0xFF00, 0x10000)

_BY_CHARACTER = {
    **dict.fromkeys(".!?…。！？؟।።", END),
    **dict.fromkeys(",;、，；،؛", COMMA),
    **dict.fromkeys("\"'“”‘’„«»‹›「」『』", QUOTE),
    **dict.fromkeys(":：", COLON),
}


def kinds_of(text: str) -> NDArray[np.uint8]:
    """The kind of each character.

    >>> kinds_of("Ah! 東").tolist() == [UPPER, LETTER, END, SPACE, LETTER]
    True
    """
    if len(text) <= PIECE:
        return _kinds_of(text)
    pieces = (text[start : start + PIECE] for start in range(0, len(text), PIECE))
    return np.concatenate([_kinds_of(piece) for piece in pieces])


def _kinds_of(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if codes.max(initial=0) < TABLE:
        return _table().take(codes, mode="clip")
    places = np.where(codes < TABLE, codes, TABLE + len(WIDE))
    wide = (codes >= WIDE.start) & (codes < WIDE.stop)
    places[wide] = codes[wide] - (WIDE.start - TABLE)
    return _table().take(places, mode="clip")


def count_kinds(kinds: NDArray[np.uint8], start: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many characters of each kind each block has; `start` is where each begins.

    >>> count_kinds(kinds_of("Ah! Oh"), np.array([0, 4]))[:, UPPER].tolist()
    [1, 1]
    """
    counts = np.zeros((len(start), KINDS), dtype=np.int64)
    ends = np.append(start[1:], len(kinds))
    for begin in range(0, len(kinds), PIECE):
        end = min(begin + PIECE, len(kinds))
        first, last = np.searchsorted(start, (begin, end - 1), "right") - (1, 0)
        lengths = np.minimum(ends[first:last], end) - np.maximum(start[first:last], begin)
        places = np.repeat(np.arange(0, (last - first) * KINDS, KINDS), lengths)
        places += kinds[begin:end]
        found = np.bincount(places, minlength=(last - first) * KINDS)
        counts[first:last] += found.reshape(-1, KINDS)
    return counts


@cache
def _table() -> NDArray[np.uint8]:
    codes = [*range(TABLE), *WIDE]
    return np.array([*(_kind(chr(code)) for code in codes), LETTER], dtype=np.uint8)


def _kind(character: str) -> int:
    if character in _BY_CHARACTER:
        return _BY_CHARACTER[character]
    kind = category(character)
    if kind == "Lu":
        return UPPER
    if kind[0] in "LM":
        return LETTER
    if kind[0] == "N":
        return DIGIT
    return SIGN if kind[0] in "PS" else SPACE
