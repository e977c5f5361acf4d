"""What the words of a text hint at: consent, offers, credits, in the languages of the press."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Pieces of text in small letters, parted by commas.
PHRASES: dict[str, str] = {
    "consent": "cookie, consent, privacy, datenschutz, einwillig, tracking, javascript, browser",
    "offer": "newsletter, subscri, abonn, sign up, log in, suscr, iscriv, assin, our app,"
    "free trial, discount, download, webinar, follow us, contact us, click here, donat",
    "rights": "copyright, ©, rights reserved, disclaimer, affiliate, sponsored, advert, anzeige,"
    "werbung, publici, informational purposes",
    "credit": "getty, shutterstock, afp, reuters, dpa, foto:, photo:, bild:, image:, quelle:,"
    "source:, crédit, credit:, photo by",
    "social": "facebook, twitter, instagram, youtube, whatsapp, telegram, linkedin, podcast",
    "more": "read more, read also, also read, see also, related, lire aussi, lesen sie,"
    "mehr zum, también, leia, leggi, lees ook, czytaj, more from, recommended, learn more",
    "person": "journalist, redakt, reporter, editor, correspond, writer, author, autor, founder",
    "contact": "@, http, www., email, e-mail, telefon",
    "comment": "comment, kommentar, comentario, reply",
}

KINDS = tuple(PHRASES)

_PHRASES = [
    (kind, phrase.strip())
    for kind, phrases in enumerate(PHRASES.values())
    for phrase in phrases.split(",")
]

#: Words of the title that tell what the page is about.
_TITLE_WORD = re.compile(r"[^\W\d_]{4,}")
MOST_TITLE_WORDS = 12


def count_phrases(text: str, start: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often phrases of each kind stand in each block of a text in small letters.

    `start` is where each block begins.
    """
    kinds: list[int] = []
    places: list[int] = []
    for kind, phrase in _PHRASES:
        if phrase in text:
            found = _places(text, phrase)
            places += found
            kinds += [kind] * len(found)
    return _by_block(kinds, places, len(PHRASES), start)


def count_title_words(text: str, start: NDArray[np.int64], title: str) -> NDArray[np.int64]:
    """How many of the title's words stand in each block."""
    words = list(dict.fromkeys(_TITLE_WORD.findall(title)))[:MOST_TITLE_WORDS]
    numbers: list[int] = []
    places: list[int] = []
    for number, word in enumerate(words):
        found = _places(text, word)
        places += found
        numbers += [number] * len(found)
    counts: NDArray[np.int64] = (_by_block(numbers, places, len(words), start) > 0).sum(axis=0)
    return counts


def _places(text: str, phrase: str) -> list[int]:
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
