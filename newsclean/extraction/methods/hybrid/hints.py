"""Hints for the features, in the languages of the press: names, characters and phrases.

`read_all` reads the tags, classes and ids of elements, `kinds_of` and `count_kinds` the characters,
`count_phrases` and `count_title_words` the words of all blocks of a page at once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, AnyStr
from unicodedata import category

import numpy as np

from newsclean.extraction.page.slots import element_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


#: Tags around a block, by their meaning.
AROUND: dict[str, str] = {
    "p": "p",
    "heading": "h1 h2 h3 h4 h5 h6",
    "list": "li dd dt",
    "cell": "td th",
    "quote": "blockquote q",
    "figure": "figure picture video",
    "caption": "figcaption caption",
    "aside": "aside",
    "nav": "nav menu",
    "header": "header hgroup",
    "footer": "footer",
    "form": "form button select option label fieldset textarea",
    "article": "article",
    "main": "main",
    "section": "section",
    "unseen": "noscript template iframe object dialog",
    "address": "address time",
    "pre": "pre code",
}
#: Words in names, by what they hint at. A name is split at what is no letter, and between a small
#: and a capital letter; a part hints if it is a word, or begins with one of four letters or more.
WORDS: dict[str, str] = {
    "content": "article content body story text txt post entry paragraph paragraf prose main copy "
    "artikel inhalt beitrag texte contenu corps cuerpo contenido nota noticia texto testo "
    "articolo corpo materia tekst tresc brodtext artikkel innhold clanek uutinen haber",
    "lead": "lead lede intro summary standfirst dek deck subtitle subhead excerpt vorspann teaser "
    "chapo entradilla sommario bajada lid ingress",
    "related": "related relat recommend more read also popular trending most latest promo carousel "
    "slider sidebar aside rail similar next prev outbrain taboola recirc mehr lire aussi leer "
    "tambien voir relacionad correlat podobne czytaj lees meer mas leia veja leggi list feed card "
    "item grid widget module box",
    "social": "share sharing social facebook twitter follow whatsapp linkedin telegram teilen "
    "partager compartir condividi compartilhar",
    "offer": "newsletter subscribe subscription signup sign paywall login register donate abo "
    "abonn suscri premium piano offer cta support member donat shop product price buy",
    "picture": "caption cap credit image img photo picture media figure gallery video player bild "
    "foto legend leyenda didascalia pie copyright",
    "meta": "author byline date time meta published publish updated autor auteur autore signature "
    "bio profile avatar reading kicker category eyebrow info",
    "tags": "tag topic keyword breadcrumb label section rubrik tema etiquet",
    "comment": "comment disqus discuss reply respond kommentar comentario commentaire review",
    "frame": "nav menu header footer foot cookie consent banner legal search skip modal popup "
    "overlay toolbar masthead topbar bottom disclaimer gdpr privacy",
    "ad": "ad ads adv advert sponsor werbung anzeige publicid reklam dfp gpt",
    "hidden": "hidden hide screenreader visually sronly invisible",
}

KINDS = tuple(WORDS)

#: Boxes whose name says what they hold: a part of it is one of the words. These are no features of
#: the network; `structure` uses them.
BOXES: dict[str, str] = {
    "comments": "comment comments",
    "dialog": "modal popup cookie cookies consent gdpr",
    "action": "button buttons btn cta newsletter subscribe signup",
    "notice": "disclaimer",
    "details": "postmetadata postmeta metadata tags",
    "author": "bio",
    "signature": "author",
    "caption": "caption captions imagecaption",
}
#: Boxes whose whole name, only its letters, says what they hold.
NAMED_BOXES: dict[str, str] = {
    "comment area": "comments commentlist commentslist commentsarea commentsection commentssection "
    "commentscontainer commentswrapper commentsblock commentscontent readercomments usercomments "
    "thecomments postcomments articlecomments storycomments allcomments commentsbox",
}

#: The number of kinds, and the bits of a count: more than the depth that libxml2 allows.
COUNTED = len(AROUND) + len(WORDS) + len(BOXES) + len(NAMED_BOXES)
FIELD = 16

#: Names kept in memory: a site has few, and repeats them on each page.
MOST_SEEN = 50_000

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(r"[a-z]+")

#: Words that a part must equal (short ones with their plurals, and those of boxes), and the others
#: by their first four letters, each with its hint: a bit in the field of the kind.
_WHOLE: dict[str, int] = defaultdict(int)
_LONG: dict[str, list[tuple[str, int]]] = defaultdict(list)
for _field, _words in enumerate(WORDS.values(), len(AROUND)):
    for _word in _words.split():
        if len(_word) < 4:
            _WHOLE[_word] |= 1 << _field * FIELD
            _WHOLE[f"{_word}s"] |= 1 << _field * FIELD
        else:
            _LONG[_word[:4]].append((_word, 1 << _field * FIELD))
for _field, _words in enumerate(BOXES.values(), len(AROUND) + len(WORDS)):
    for _word in _words.split():
        _WHOLE[_word] |= 1 << _field * FIELD

#: The whole names of boxes.
_NAMES: dict[str, int] = {
    _name: 1 << _field * FIELD
    for _field, _names in enumerate(NAMED_BOXES.values(), COUNTED - len(NAMED_BOXES))
    for _name in _names.split()
}

_GROUP = {tag: group for group, tags in enumerate(AROUND.values()) for tag in tags.split()}

#: What is known about tags and classes. An `id` may be the page's own, and is read by itself.
_seen: dict[tuple[str, str | None], tuple[int, int]] = {}

SPACE, UPPER, LETTER, DIGIT, END, COMMA, QUOTE, SIGN, COLON = range(9)
LETTER_KINDS = 9

#: Characters that are processed together: numbers for them take twelve times their memory.
PIECE = 1 << 18

#: After these code points no script of the press has capital letters or punctuation of its own,
#: except for the wide forms.
_TABLE = 0x3100
_WIDE = range(0xFF00, 0x10000)

_BY_CHARACTER = {
    **dict.fromkeys(".!?…。！？؟।።", END),
    **dict.fromkeys(",;、，；،؛", COMMA),
    **dict.fromkeys("\"'“”‘’„«»‹›「」『』", QUOTE),
    **dict.fromkeys(":：", COLON),
}

#: Phrases in lower case, separated by commas; in Latin-1, so that they can be searched as bytes.
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

PHRASE_KINDS = tuple(PHRASES)

_PHRASES = [
    (kind, phrase.strip().encode("latin-1"))
    for kind, phrases in enumerate(PHRASES.values())
    for phrase in phrases.split(",")
]

_SHORT = [(kind, phrase) for kind, phrase in _PHRASES if len(phrase) < 4]
#: The others by their first four bytes: all of them are searched at once.
_BY_HEAD: dict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
for _phrase_kind, _phrase in _PHRASES:
    if len(_phrase) >= 4:
        _BY_HEAD[_phrase[:4]].append((_phrase_kind, _phrase))

#: Words of the title that say what the page is about.
_TITLE_WORD = re.compile(r"[^\W\d_]{4,}")
MOST_TITLE_WORDS = 12


def read_all(
    tags: Iterable[str], classes: Iterable[str | None], ids: Iterable[str | None]
) -> Iterator[tuple[int, int]]:
    """Yield what `read_names` returns for each element; most of it is known."""
    seen = _seen.get
    for key, id_ in zip(zip(tags, classes, strict=True), ids, strict=True):
        found = seen(key) or _read(*key)
        yield (found[0] | _read_name(id_), found[1]) if id_ else found


def read_names(tag: str, class_: str | None, id_: str | None) -> tuple[int, int]:
    """Return what an element adds to the counts of all kinds, and its `element_hash`.

    >>> counts, _ = read_names("p", "articleBody js-share", None)
    >>> names = (*AROUND, *KINDS)
    >>> [name for field, name in enumerate(names) if counts >> field * FIELD & 1]
    ['p', 'content', 'social']
    """
    return next(read_all([tag], [class_], [id_]))


def _read(tag: str, class_: str | None) -> tuple[int, int]:
    own = 1 << _GROUP[tag] * FIELD if tag in _GROUP else 0
    for name in (class_ or "").split():
        own |= _read_name(name)
    if len(_seen) >= MOST_SEEN:
        _seen.clear()
    found = _seen[tag, class_] = own, element_hash(tag, class_)
    return found


@lru_cache(MOST_SEEN)
def _read_name(name: str) -> int:
    """Return the hints of one name in a `class` or `id`."""
    parts = _PART.findall(_CAMEL.sub(" ", name).lower())
    found = _NAMES.get("".join(parts), 0)
    for part in parts:
        found |= _WHOLE.get(part, 0)
        for word, hint in _LONG.get(part[:4], ()):
            if part.startswith(word):
                found |= hint
    return found


def kinds_of(text: str) -> NDArray[np.uint8]:
    """Return the kind of each character.

    >>> kinds_of("Ah! 東").tolist() == [UPPER, LETTER, END, SPACE, LETTER]
    True
    """
    if len(text) <= PIECE:
        return _kinds_of(text)
    pieces = (text[start : start + PIECE] for start in range(0, len(text), PIECE))
    return np.concatenate([_kinds_of(piece) for piece in pieces])


def _kinds_of(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if codes.max(initial=0) < _TABLE:
        return _table().take(codes, mode="clip")
    places = np.where(codes < _TABLE, codes, _TABLE + len(_WIDE))
    wide = (codes >= _WIDE.start) & (codes < _WIDE.stop)
    places[wide] = codes[wide] - (_WIDE.start - _TABLE)
    return _table().take(places, mode="clip")


def count_kinds(kinds: NDArray[np.uint8], start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the characters of each kind in each block; `start` is where each begins.

    >>> count_kinds(kinds_of("Ah! Oh"), np.array([0, 4]))[:, UPPER].tolist()
    [1, 1]
    """
    counts = np.zeros((len(start), LETTER_KINDS), dtype=np.int64)
    ends = np.append(start[1:], len(kinds))
    for begin in range(0, len(kinds), PIECE):
        end = min(begin + PIECE, len(kinds))
        first, last = np.searchsorted(start, (begin, end - 1), "right") - (1, 0)
        lengths = np.minimum(ends[first:last], end) - np.maximum(start[first:last], begin)
        places = np.repeat(np.arange(0, (last - first) * LETTER_KINDS, LETTER_KINDS), lengths)
        places += kinds[begin:end]
        found = np.bincount(places, minlength=(last - first) * LETTER_KINDS)
        counts[first:last] += found.reshape(-1, LETTER_KINDS)
    return counts


@cache
def _table() -> NDArray[np.uint8]:
    codes = [*range(_TABLE), *_WIDE]
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


def count_phrases(text: str, start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the phrases of each kind in each block of a text; `start` is where each begins.

    >>> counts = count_phrases("Rain. We use Cookies", np.array([0, 6]))
    >>> counts[PHRASE_KINDS.index("consent")].tolist()
    [0, 1]
    """
    letters = _bytes(text)
    kinds: list[int] = []
    places: list[int] = []
    for kind, phrase in _SHORT:
        found = _places(letters, phrase)
        places += found
        kinds += [kind] * len(found)
    free: dict[bytes, int] = {}  # where a phrase may begin again, for it never overlaps itself
    for place in _heads(letters):
        for kind, phrase in _BY_HEAD.get(letters[place : place + 4], ()):
            if letters.startswith(phrase, place) and place >= free.get(phrase, 0):
                places.append(place)
                kinds.append(kind)
                free[phrase] = place + len(phrase)
    return _by_block(kinds, places, len(PHRASES), start)


def _heads(letters: bytes) -> list[int]:
    """Return where the first four bytes of a phrase are; a few places may be wrong."""
    if len(letters) < 4:
        return []
    fours: NDArray[np.uint32] = np.ndarray(len(letters) - 3, np.uint32, letters, strides=(1,))
    heads: list[int] = []
    for start in range(0, len(fours), PIECE):
        some = _is_head().take(_mixed(fours[start : start + PIECE]), mode="clip")
        heads += (np.flatnonzero(some) + start).tolist()
    return heads


def _mixed(fours: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return a hash below 65,536 for each four bytes."""
    return fours * np.uint32(0x9E3779B1) >> np.uint32(16)


@cache
def _is_head() -> NDArray[np.bool_]:
    """Return which of these hashes are those of phrases."""
    table = np.zeros(1 << 16, dtype=bool)
    table[_mixed(np.frombuffer(b"".join(_BY_HEAD), np.uint32))] = True
    return table


def count_title_words(text: str, start: NDArray[np.int64], title: str) -> NDArray[np.int64]:
    """Count the words of a title in lower case in each block.

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
    """Return one byte for each character, in lower case: bytes are searched fastest."""
    return text.encode("latin-1", "replace").lower()


@lru_cache(maxsize=1)
def _small(text: str) -> str:
    """Return a text in lower case, with each letter at its place."""
    small = text.lower()
    if len(small) != len(text):  # a letter has two in lower case
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
    """Count the places of each kind in each block."""
    block = np.searchsorted(start, places, "right") - 1
    flat = np.array(kinds, dtype=np.int64) * len(start) + block
    return np.bincount(flat, minlength=count * len(start)).reshape(count, len(start))
