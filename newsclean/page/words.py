"""Counting words, also where the script puts no spaces between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Han, kana, and the South-East Asian scripts that are written without spaces; between brackets
#: it is a pattern.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{SPACELESS}]+")

#: Mean length of a word in these scripts, in characters.
SPACELESS_WORD = 2


#: Characters of a text whose words are looked at together: a list of words takes ten times the
#: memory of their text.
PIECE = 1 << 16
_SPACE = re.compile(r"\s")


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that are not much longer than `PIECE`, cut at spaces."""
    start = 0
    while len(text) - start > PIECE:
        space = _SPACE.search(text, start + PIECE)
        if space is None:
            break
        yield text[start : space.start()]
        start = space.end()
    yield text[start:] if start else text


def fold_spaces(text: str) -> str:
    """Return a text with single spaces between its words, and none around them.

    >>> fold_spaces(" It\\n  rains. ")
    'It rains.'
    """
    if len(text) <= PIECE:
        return " ".join(text.split())
    return " ".join(filter(None, (" ".join(piece.split()) for piece in pieces(text))))


def count_words(text: str) -> int:
    """The number of words of a text with single spaces between them.

    >>> count_words("Taxes rise again")
    3
    >>> count_words("东京发布新规定")  # seven characters, written without a space
    4
    """
    words = text.count(" ") + 1
    if text.isascii():
        return words
    for run in _RUN.findall(text):
        words += (len(run) + SPACELESS_WORD - 1) // SPACELESS_WORD - 1
    return words
