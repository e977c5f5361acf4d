"""Split texts into words for searching: without capitals and accents, and with Snowball stems.

Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces between words, and Korean words
include their particles: such text is split into overlapping pairs of letters. Pairs need no
dictionary and find any part of a compound; a longer run is searched as a phrase of its pairs.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

import Stemmer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Increase it when the same article would give other words, stems or fingerprints than before.
_ANALYSIS = 2

#: Snowball's algorithm for each language. The Serbian one turns Cyrillic letters into Latin ones:
#: words are found in both scripts.
_ALGORITHMS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech",
    "da": "danish", "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian",
    "fi": "finnish", "fr": "french", "de": "german", "el": "greek", "hi": "hindi",
    "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
#: Languages whose stems may begin differently from the word.
CHANGES_BEGINNINGS = frozenset("ar cs eo fa ga id nl pl sr st ta yi".split())
#: Letters that a word and its stem share in the other languages, except for dying and die.
BEGINNING = 2
#: A longer word gets no stem.
_MAX_LETTERS = 40
#: Cached words, and cached stems per language: 100,000 take about 20 MB.
_MAX_REMEMBERED = 100_000

#: Letters of scripts that are searched in pairs.
_PAIRED = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109d\uaa60-\uaa7f\ua9e0-\ua9fe"  # Burmese
    "\u1100-\u11ff\u1780-\u17d3\u3130-\u318f\uac00-\ud7ff"  # Korean, Khmer
    "\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    "\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
#: Soft hyphen and joiners, which are ignored inside a word.
_INVISIBLE = "\u00ad\u200c\u200d"

_HAS_PAIRED = re.compile(f"[{_PAIRED}]")
#: Accents of the European scripts, points of Hebrew, vowel signs and lengthening of Arabic.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    f"\u1ab0-\u1aff\u1dc0-\u1dff\ufe00-\ufe2f{_INVISIBLE}]"
)
_NOT_ALPHANUMERIC = re.compile("[\x00-/:-@\\[-`{-\x7f]")
#: Null bytes and lone surrogates: valid JSON, but refused by databases.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

_ASCII_BREAKS = {code: " " for code in range(128) if not chr(code).isalnum()}
_LETTERS = re.compile(r"\w+")


class Word(NamedTuple):
    """A word, or a run of letters that is searched in pairs, and its place in the text."""

    first: int
    after: int
    text: str
    is_paired: bool


class Terms(NamedTuple):
    """The words of a text in order, and the stems that differ from their words."""

    words: list[str]
    stems: list[str]


def normalized(text: str) -> str:
    """Return a text in NFC, without characters that databases refuse.

    >>> normalized("e\\u0301te\\u0301"), normalized("\\ud800 \\0")
    ('été', '\\ufffd \\ufffd')
    """
    if text.isascii():
        return text.replace("\0", "\ufffd")
    if _UNSTORABLE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = text.replace("\0", "\ufffd")
    return unicodedata.normalize("NFC", text)


def words_in(text: str) -> Iterator[Word]:
    """Yield the words of a normalized text.

    >>> [word.text for word in words_in("L’été 2026: iPhone手机")]
    ['L', 'été', '2026', 'iPhone', '手机']
    """
    for found in _word_pattern().finditer(text):
        word = found[0]
        if not has_paired(word):
            yield Word(found.start(), found.end(), word, False)
            continue
        for piece in _piece_pattern().finditer(word):
            start = found.start()
            paired = _HAS_PAIRED.match(piece[0]) is not None
            yield Word(start + piece.start(), start + piece.end(), piece[0], paired)


def spaced_words(text: str) -> list[str]:
    """Return the words of a normalized text without letters that are searched in pairs.

    >>> spaced_words("L’été 2026"), spaced_words("snake_case")
    (['L', 'été', '2026'], ['snake', 'case'])
    """
    # All three give the same words; the first two are five times and almost twice as fast.
    if text.isascii():
        return text.translate(_ASCII_BREAKS).split()
    if not _special_pattern().search(text):
        return _LETTERS.findall(text)
    return _word_pattern().findall(text)


def is_in_word(text: str, first: int, after: int) -> bool:
    """Whether a range of a text is only a part of a word.

    >>> is_in_word("all rain", 4, 8), is_in_word("all rains", 4, 8)
    (False, True)
    """
    around = text[max(0, first - 1) : first] + text[after : after + 1]
    return any(map(str.isalnum, around)) or (
        not around.isascii() and _special_pattern().search(around) is not None
    )


def has_paired(text: str) -> bool:
    """Whether a text has letters that are searched in pairs."""
    return not text.isascii() and _HAS_PAIRED.search(text) is not None


def folded(word: str) -> str:
    """Return a word without capitals and accents; may be empty.

    >>> folded("Čapek"), folded("STRASSE") == folded("Straße"), folded("ﬁnal"), folded("がっこう")
    ('capek', True, 'final', 'がっこう')
    """
    return word.lower() if word.isascii() else word.translate(_FOLDED_LETTERS)


def pairs_of(run: str) -> list[str]:
    """Return the pairs of a run of letters, and its last letter, for queries of one letter.

    >>> pairs_of("北京市"), pairs_of("雨")
    (['北京', '京市', '市'], ['雨'])
    """
    letters = letter_pattern().findall(folded(run))
    return [first + second for first, second in zip(letters, [*letters[1:], ""], strict=True)]


def stemmed_language(language: object) -> str:
    """Return the language whose stems a text gets, empty if there are none.

    >>> stemmed_language("en-GB"), stemmed_language("nb"), stemmed_language("vi")
    ('en', 'no', '')
    """
    if not isinstance(language, str):
        return ""
    code = language.replace("_", "-").partition("-")[0].lower()
    if code in ("nb", "nn"):
        return "no"
    # Older versions of Snowball have fewer languages.
    return code if _ALGORITHMS.get(code) in _algorithms() else ""


class Analyzer:
    """Finds and caches the words and stems of texts. Not thread-safe."""

    def __init__(self) -> None:
        self._folded = _FoldedWords()
        self._stems: dict[str, _Stems] = {}

    def terms(self, text: str, language: str = "") -> Terms:
        """Return the terms of a normalized text; `language` is one with stems, or empty.

        >>> Analyzer().terms("Floods in two Houses", "en")
        Terms(words=['floods', 'in', 'two', 'houses'], stems=['flood', 'hous'])
        """
        if not has_paired(text):
            found = spaced_words(text)
            words = list(map(self._folded.__getitem__, found))
        else:
            found, words = [], []
            for word in words_in(text):
                if word.is_paired:
                    words += pairs_of(word.text)
                else:
                    found.append(word.text)
                    words.append(self._folded[word.text])
        stems = list(filter(None, self._stems_of(language).of(found))) if language else []
        return Terms(words if all(words) else [*filter(None, words)], stems)

    def folded(self, words: Iterable[str]) -> Iterator[str]:
        return map(self._folded.__getitem__, words)

    def stems(self, words: list[str], language: str) -> list[str]:
        """Return the stem of each word, which may be the word itself.

        >>> Analyzer().stems(["Rain", "Rains"], "en")
        ['rain', 'rain']
        """
        plain = self.folded(words)
        if not language:
            return list(plain)
        return [
            stem or word
            for stem, word in zip(self._stems_of(language).of(words), plain, strict=True)
        ]

    def _stems_of(self, language: str) -> _Stems:
        if language not in self._stems:
            self._stems[language] = _Stems(language)
        return self._stems[language]


class _FoldedLetters(dict[int, str]):
    """A cache of letters without capitals and accents."""

    def __missing__(self, code: int) -> str:
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", chr(code).casefold()))
        found = _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFC", plain).lower())
        self[code] = found
        return found


_FOLDED_LETTERS = _FoldedLetters()


class _FoldedWords(dict[str, str]):
    """A cache of words without capitals and accents."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        found = self[word] = folded(word)
        return found


class _Stems:
    """A cache of stems in one language; empty where the stem is the word itself."""

    def __init__(self, language: str) -> None:
        self._known: dict[str, str] = {}
        # 0 turns off its own cache.
        self._stemmer = Stemmer.Stemmer(_ALGORITHMS[language], 0)

    def of(self, words: list[str]) -> Iterator[str]:
        """Return the stem of each word. Accents are removed afterwards: the rules need them."""
        if len(self._known) >= _MAX_REMEMBERED:
            self._known.clear()
        known = self._known
        new = [word for word in set(words) if word not in known]
        if new:
            short = [word.lower() if len(word) <= _MAX_LETTERS else "" for word in new]
            for word, root in zip(new, self._stemmer.stemWords(short), strict=True):
                plain, stem = folded(word), folded(root)
                known[word] = "" if stem == plain else stem
        return map(known.__getitem__, words)


def analysis_version() -> str:
    """Return the versions that the terms depend on; if they change, terms are made again."""
    parts = [f"newsclean {_ANALYSIS}", f"Unicode {unicodedata.unidata_version}"]
    for name in ("PyStemmer", "rensa"):
        with suppress(PackageNotFoundError):
            parts.append(f"{name} {version(name)}")
    return ", ".join(parts)


@cache
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with the marks that belong to them, or one emoji."""
    return re.compile(f"[^\\W_]+(?:[{_marks()}]+[^\\W_]*)*|[{_EMOJI}]")


@cache
def letter_pattern() -> re.Pattern[str]:
    """A letter with its marks."""
    return re.compile(f".[{_marks()}]*", re.DOTALL)


@cache
def _piece_pattern() -> re.Pattern[str]:
    """Inside a word, a run of letters that are searched in pairs, or the text between runs."""
    return re.compile(f"[{_PAIRED}][{_PAIRED}{_marks()}]*|[^{_PAIRED}]+")


@cache
def _special_pattern() -> re.Pattern[str]:
    """Characters that make words differ from runs of letters and digits."""
    return re.compile(f"[_{_marks()}{_EMOJI}]")


@cache
def _marks() -> str:
    """Return all combining marks, as the inner part of a character class."""
    marks = [
        code for code in range(0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me")
    ]
    known = set(marks)
    starts = [code for code in marks if code - 1 not in known]
    ends = [code for code in marks if code + 1 not in known]
    ranges = (f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
    return "".join(ranges) + _INVISIBLE


@cache
def _algorithms() -> frozenset[str]:
    return frozenset(Stemmer.algorithms())
