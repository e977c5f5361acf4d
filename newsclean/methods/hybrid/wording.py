"""What the words of a text hint at: consent, offers, credits, in the languages of the press."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, AnyStr

import numpy as np

from newsclean.methods.hybrid.letters import PIECE

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Pieces of text in small letters, parted by commas; of Latin letters, so that they are bytes.
PHRASES: dict[str, str] = {
    "consent": "cookie, privacy, datenschutz, einwillig, javascript, browser",
    "offer": "newsletter, subscri, abonn, sign up, log in, suscr, iscri, download, follow us,"
    "contact us, click here, donat",
    "rights": "copyright, ©, rights reserved, disclaimer, affiliate, sponsored, advert, anzeige",
    "credit": "getty, shutterstock, foto:, photo:, image:, quelle:, source:, credit:, photo by",
    "social": "facebook, twitter, instagram, youtube, whatsapp, podcast",
    "more": "read more, also read, see also, related, lire aussi, lesen sie, mehr zum, también,"
    "leggi, recommended, learn more",
    "person": "journalist, redakt, reporter, editor, correspond, writer, author, autor",
    "contact": "@, http, www., email",
    "comment": "comment, komment, comenta, reply",
}

KINDS = tuple(PHRASES)

_PHRASES = [
    (kind, phrase.strip().encode("latin-1"))
    for kind, phrases in enumerate(PHRASES.values())
    for phrase in phrases.split(",")
]

_SHORT = [(kind, phrase) for kind, phrase in _PHRASES if len(phrase) < 4]
#: The others by their first four bytes, by which all of them are looked for at once.
_BY_HEAD: dict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
for _kind, _phrase in _PHRASES:
    if len(_phrase) >= 4:
        _BY_HEAD[_phrase[:4]].append((_kind, _phrase))

#: Words of the title that tell what the page is about.
_TITLE_WORD = re.compile(r"[^\W\d_]{4,}")
MOST_TITLE_WORDS = 12


def count_phrases(text: str, start: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often phrases of each kind stand in each block of a text; `start` is where each begins.

    >>> counts = count_phrases("Rain. We use Cookies", np.array([0, 6]))
    >>> counts[KINDS.index("consent")].tolist()
    [0, 1]
    """
    letters = _bytes(text)
    kinds: list[int] = []
    places: list[int] = []
    for kind, phrase in _SHORT:
        found = _places(letters, phrase)
        places += found
        kinds += [kind] * len(found)
    free: dict[bytes, int] = {}  # where a phrase may begin again: none overlaps itself
    for place in _heads(letters):
        for kind, phrase in _BY_HEAD.get(letters[place : place + 4], ()):
            if letters.startswith(phrase, place) and place >= free.get(phrase, 0):
                places.append(place)
                kinds.append(kind)
                free[phrase] = place + len(phrase)
    return _by_block(kinds, places, len(PHRASES), start)


def _heads(letters: bytes) -> list[int]:
    """Where the first four bytes of a phrase stand, and hardly any others."""
    if len(letters) < 4:
        return []
    fours: NDArray[np.uint32] = np.ndarray(len(letters) - 3, np.uint32, letters, strides=(1,))
    heads: list[int] = []
    for start in range(0, len(fours), PIECE):
        some = _is_head().take(_mixed(fours[start : start + PIECE]), mode="clip")
        heads += (np.flatnonzero(some) + start).tolist()
    return heads


def _mixed(fours: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A number below 65,536 for four bytes."""
    return fours * np.uint32(0x9E3779B1) >> np.uint32(16)


@cache
def _is_head() -> NDArray[np.bool_]:
    """Which of these numbers are those of phrases."""
    table = np.zeros(1 << 16, dtype=bool)
    table[_mixed(np.frombuffer(b"".join(_BY_HEAD), np.uint32))] = True
    return table


def count_title_words(text: str, start: NDArray[np.int64], title: str) -> NDArray[np.int64]:
    """How many of the words of a title, in small letters, stand in each block.

    >>> count_title_words("Rain. It rains in Bergen", np.array([0, 6]), "rain in bergen").tolist()
    [1, 2]
    """
    words = list(dict.fromkeys(_TITLE_WORD.findall(title)))[:MOST_TITLE_WORDS]
    numbers: list[int] = []
    places: list[int] = []
    for number, word in enumerate(words):
        if word.isascii():
            found = _places(_bytes(text), word.encode())
        else:
            found = _places(_small(text), word)
        places += found
        numbers += [number] * len(found)
    counts: NDArray[np.int64] = (_by_block(numbers, places, len(words), start) > 0).sum(axis=0)
    return counts


@lru_cache(maxsize=1)
def _bytes(text: str) -> bytes:
    """A byte a character, ASCII letters small: what bytes are found at is found fastest."""
    return text.encode("latin-1", "replace").lower()


@lru_cache(maxsize=1)
def _small(text: str) -> str:
    """A text in small letters, each where its large one was."""
    small = text.lower()
    if len(small) != len(text):  # a letter whose small form is two
        small = "".join(letter.lower()[:1] for letter in text)
    return small


def _places(text: AnyStr, phrase: AnyStr) -> list[int]:
    places = []
    place = text.find(phrase)
    while place >= 0:
        places.append(place)
        place = text.find(phrase, place + len(phrase))
    return places


def _by_block(
    kinds: list[int], places: list[int], count: int, start: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many of these places, by their kind, are in each block."""
    block = np.searchsorted(start, places, "right") - 1
    flat = np.array(kinds, dtype=np.int64) * len(start) + block
    return np.bincount(flat, minlength=count * len(start)).reshape(count, len(start))
