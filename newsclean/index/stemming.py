"""The stems of words, in the languages for which Snowball has rules."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from newsclean.index.words import folded

if TYPE_CHECKING:
    from collections.abc import Callable

#: Snowball's algorithm for each language. Serbian's writes Latin letters for Cyrillic ones, so that
#: words are found in both.
ALGORITHMS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech",
    "da": "danish", "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian",
    "fi": "finnish", "fr": "french", "de": "german", "el": "greek", "hi": "hindi",
    "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

#: Where a stem may begin otherwise than its word: prefixes are taken off, or other letters written.
_CHANGES_BEGINNINGS = frozenset("ar cs eo fa ga id nl pl sr st ta yi".split())

#: Snowball's stemmers hold the word that they work on.
_ONE_AT_A_TIME = Lock()

#: A longer word is no word of a language: it is taken as it is.
MAX_LETTERS = 40


def stemmed_language(language: object) -> str:
    """The language whose stems a text gets, or nothing.

    >>> stemmed_language("en-GB"), stemmed_language("nb"), stemmed_language("vi")
    ('en', 'no', '')
    """
    if not isinstance(language, str):
        return ""
    code = language.replace("_", "-").partition("-")[0].lower()
    if code in ("nb", "nn"):
        return "no"
    return code if code in ALGORITHMS and _snowball(code) is not None else ""


def stem(word: str, language: str) -> str:
    """The stem of a word as it is compared; in a language without stems, the word.

    The accents are there until the stem is found: Snowball's rules need them.

    >>> stem("Häuser", "de"), stem("organisations", "en"), stem("книгами", "ru"), stem("Rain", "")
    ('haus', 'organis', 'книг', 'rain')
    """
    find = _snowball(language) if language else None
    if find is None or len(word) > MAX_LETTERS or not any(map(str.isalpha, word)):
        return folded(word)
    with _ONE_AT_A_TIME:
        found = find(word.lower())
    return folded(found) or folded(word)


def may_have_stem(word: str, root: str, language: str) -> bool:
    """Whether a word, as it is compared, may have this stem: most have not, and that is soon said.

    The few that change their first two letters (dying, die) are not thought of.

    >>> may_have_stem("rains", "rain", "en"), may_have_stem("snow", "rain", "en")
    (True, False)
    """
    return language in _CHANGES_BEGINNINGS or word[:2] == root[:2]


@cache
def _snowball(language: str) -> Callable[[str], str] | None:
    """None where the installed Snowball is older than its rules for the language."""
    import snowballstemmer

    algorithm = ALGORITHMS.get(language)
    if algorithm is None or algorithm not in snowballstemmer.algorithms():
        return None
    stemmer: Any = snowballstemmer.stemmer(algorithm)
    find: Callable[[str], str] = stemmer.stemWord
    return find
