"""What the words of a text hint at: consent, offers, credits, in the languages of the press."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

#: Pieces of text in small letters, parted by commas.
PHRASES: dict[str, str] = {
    "consent": "cookie, consent, gdpr, privacy, datenschutz, einwillig, datos personales, tracking,"
    "données personnelles, javascript, ad blocker, adblock, browser, terms of, allgemeine gesch",
    "offer": "newsletter, subscri, abonn, sign up, log in, signup, suscr, iscriv, assin, inbox,"
    "our app, unsere app, free trial, promo code, discount, download, webinar, e-book, ebook,"
    "follow us, join us, contact us, click here, donat, spende, gutschein",
    "rights": "copyright, ©, all rights reserved, alle rechte, tous droits, derechos reservados,"
    "disclaimer, affiliate, sponsored, anzeige, werbung, publicidad, publicité,"
    "not intended, informational purposes",
    "credit": "getty, shutterstock, afp, reuters, dpa, imago, foto:, photo:, bild:, image:,"
    "image source, photo by, picture:, quelle:, source:, crédit, credit:, istock, unsplash",
    "social": "facebook, twitter, instagram, tiktok, youtube, whatsapp, telegram, linkedin,"
    "pinterest, podcast, spotify, share this, teilen",
    "more": "read more, read also, also read, see also, related, lire aussi, à lire, lesen sie,"
    "mehr zum, ver también, lea también, leia, leggi anche, lees ook, czytaj, watch:, more from,"
    "more on, recommended, learn more, up next, empfohl, weiterlesen",
    "person": "journalist, redakteur, reporter, editor, correspondent, writer, author, autor,"
    "founder, professor, contributor, he has, she has, her work, his work",
    "contact": "@, http, www., e-mail, email, phone, tel., telefon, p.o. box",
    "comment": "comment, kommentar, commentaire, comentario, log in to, leave a reply, reply",
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


def count_phrases(text: str, start: NDArray[np.int64]) -> NDArray[np.int16]:
    """How often phrases of each kind stand in each block of a text in small letters.

    `start` is where each block begins.
    """
    counts = np.zeros((len(PHRASES), len(start)), dtype=np.int16)
    for kind, phrase in _PHRASES:
        _count(text, phrase, start, counts[kind])
    return counts


def count_title_words(text: str, start: NDArray[np.int64], title: str) -> NDArray[np.int16]:
    """How many of the title's words stand in each block."""
    counts = np.zeros(len(start), dtype=np.int16)
    for word in _some(_TITLE_WORD.findall(title)):
        found = np.zeros(len(start), dtype=np.int16)
        _count(text, word, start, found)
        counts += found > 0
    return counts


def _some(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))[:MOST_TITLE_WORDS]


def _count(text: str, phrase: str, start: NDArray[np.int64], counts: NDArray[np.int16]) -> None:
    places = []
    place = text.find(phrase)
    while place >= 0:
        places.append(place)
        place = text.find(phrase, place + len(phrase))
    if places:
        np.add.at(counts, np.searchsorted(start, places, "right") - 1, 1)
