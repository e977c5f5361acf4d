"""What of an article is searched: the words of its fields, and their stems."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from newsclean.index.stemming import stem
from newsclean.index.words import folded, has_paired, pairs_of, word_pattern, words_in

#: Changed whenever the same article would give other words, stems or fingerprints than before.
ANALYSIS = 1

#: Words of a language that are remembered with their stems: 100,000 take some 20 MB.
MAX_REMEMBERED = 100_000


class Terms(NamedTuple):
    """The words of a text in their order, and the stems of those that are not their own."""

    words: list[str]
    stems: list[str]


class _Folded(dict[str, str]):
    """Words as they are compared."""

    def __missing__(self, word: str) -> str:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        found = self[word] = folded(word)
        return found


class _Stems(dict[str, str]):
    """The stems of words in one language, empty where a word is its own."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, word: str) -> str:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        root = stem(word, self.language)
        found = self[word] = "" if root == folded(word) else root
        return found


class Analyzer:
    """Finds the words of texts, and remembers their stems: finding one takes up to 0.1 ms."""

    def __init__(self) -> None:
        self._folded = _Folded()
        self._stems: dict[str, _Stems] = {}

    def terms(self, text: str, language: str) -> Terms:
        """The terms of a normalized text in a language that has stems, or in "".

        >>> Analyzer().terms("Floods in two Houses", "en")
        Terms(words=['floods', 'in', 'two', 'houses'], stems=['flood', 'hous'])
        """
        plain, roots = self._folded, self._stems_of(language)
        if not has_paired(text):
            found = word_pattern().findall(text)
            words = [plain[word] for word in found]
        else:
            found, words = [], []
            for word in words_in(text):
                if word.is_paired:
                    words += pairs_of(word.text)
                else:
                    found.append(word.text)
                    words.append(plain[word.text])
        stems = [root for word in found if (root := roots[word])] if language else []
        return Terms([word for word in words if word], stems)

    def folded(self, word: str) -> str:
        """One word as it is compared."""
        return self._folded[word]

    def word_and_stem(self, word: str, language: str) -> tuple[str, str]:
        """One word as it is compared, and its stem, be it the word itself.

        >>> Analyzer().word_and_stem("Rain", "en"), Analyzer().word_and_stem("Rains", "en")
        (('rain', 'rain'), ('rains', 'rain'))
        """
        plain = self._folded[word]
        return plain, (self._stems_of(language)[word] if language else "") or plain

    def _stems_of(self, language: str) -> _Stems:
        if language not in self._stems:
            self._stems[language] = _Stems(language)
        return self._stems[language]


def analysis_version() -> str:
    """What the terms of an index depend on: where it differs, they have to be made again."""
    # If PyStemmer is installed, snowballstemmer finds stems by it.
    libraries = ("snowballstemmer", "PyStemmer", "rensa")
    parts = [f"newsclean {ANALYSIS}", f"Unicode {unicodedata.unidata_version}"]
    for name in libraries:
        with suppress(PackageNotFoundError):
            parts.append(f"{name} {version(name)}")
    return ", ".join(parts)
