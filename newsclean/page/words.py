"""Counting words, also where the script puts no spaces between them."""

import re

#: Han, kana, and the South-East Asian scripts that are written without spaces; between brackets
#: it is a pattern.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{SPACELESS}]+")

#: Mean length of a word in these scripts, in characters.
SPACELESS_WORD = 2


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
