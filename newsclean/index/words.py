"""The words of a text, as they are compared: without capitals and accents.

Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces between words, and Korean words carry
their particles: their text is taken as overlapping pairs of letters. The pair needs no dictionary,
finds any part of a compound, and each run of letters is found as a phrase of its pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Letters of scripts that are taken in pairs.
_PAIRED = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109d\uaa60-\uaa7f\ua9e0-\ua9fe"  # Burmese
    "\u1100-\u11ff\u1780-\u17d3\u3130-\u318f\uac00-\ud7ff"  # Korean, Khmer
    "\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    "\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
#: Soft hyphen, joiners: inside a word, and no part of it.
_INVISIBLE = "\u00ad\u200c\u200d"

_HAS_PAIRED = re.compile(f"[{_PAIRED}]")
#: Accents of the European scripts, points of Hebrew, vowel signs and lengthening of Arabic.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    f"\u1ab0-\u1aff\u1dc0-\u1dff\ufe00-\ufe2f{_INVISIBLE}]"
)
_NOT_ALPHANUMERIC = re.compile("[\x00-/:-@\\[-`{-\x7f]")


class Word(NamedTuple):
    """A word, or a run of letters that is taken in pairs, and where it is in its text."""

    first: int
    after: int
    text: str
    is_paired: bool


def normalized(text: str) -> str:
    """A text whose accented letters are single characters, and that can be stored as UTF-8.

    >>> normalized("e\\u0301te\\u0301"), normalized("\\ud800")
    ('été', '\\ufffd')
    """
    if text.isascii():
        return text
    return unicodedata.normalize(
        "NFC", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def words_in(text: str) -> Iterator[Word]:
    """The words of a normalized text, with their places.

    >>> [word.text for word in words_in("L’été 2026: iPhone手机")]
    ['L', 'été', '2026', 'iPhone', '手机']
    """
    for found in word_pattern().finditer(text):
        word = found[0]
        if word.isascii() or not _HAS_PAIRED.search(word):
            yield Word(found.start(), found.end(), word, False)
            continue
        for piece in piece_pattern().finditer(word):
            start = found.start()
            paired = _HAS_PAIRED.match(piece[0]) is not None
            yield Word(start + piece.start(), start + piece.end(), piece[0], paired)


def has_paired(text: str) -> bool:
    """Whether letters of a text are taken in pairs."""
    return not text.isascii() and _HAS_PAIRED.search(text) is not None


def folded(word: str) -> str:
    """A word as it is compared; empty if nothing of it is left.

    >>> folded("Čapek"), folded("STRASSE") == folded("Straße"), folded("ﬁnal"), folded("がっこう")
    ('capek', True, 'final', 'がっこう')
    """
    if word.isascii():
        return word.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.casefold()))
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFC", plain).lower())


def pairs_of(run: str) -> list[str]:
    """The pairs of a run of letters, and its last letter, by which a single one is found.

    >>> pairs_of("北京市"), pairs_of("雨")
    (['北京', '京市', '市'], ['雨'])
    """
    letters = letter_pattern().findall(folded(run))
    return [first + second for first, second in zip(letters, [*letters[1:], ""], strict=True)]


@cache
def word_pattern() -> re.Pattern[str]:
    """Letters and digits with the marks that belong to them, or one emoji."""
    return re.compile(f"[^\\W_]+(?:[{_marks()}]+[^\\W_]*)*|[{_EMOJI}]")


@cache
def piece_pattern() -> re.Pattern[str]:
    """Inside a word, a run of letters that are taken in pairs, or what is between such runs."""
    return re.compile(f"[{_PAIRED}][{_PAIRED}{_marks()}]*|[^{_PAIRED}]+")


@cache
def letter_pattern() -> re.Pattern[str]:
    """A letter with its marks."""
    return re.compile(f".[{_marks()}]*", re.DOTALL)


@cache
def _marks() -> str:
    """The inner part of a character class: all marks that combine with the letter before them."""
    marks = [
        code for code in range(0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me")
    ]
    known = set(marks)
    starts = [code for code in marks if code - 1 not in known]
    ends = [code for code in marks if code + 1 not in known]
    ranges = (f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
    return "".join(ranges) + _INVISIBLE
