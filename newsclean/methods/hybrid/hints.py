"""What an element's tag says, and what its `class` and `id` hint at, in the press's languages."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Tags around a block, by what they say.
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
#: Words by what they hint at. A name is split at what is no letter and at a capital letter behind
#: a small one; a part hints if it is one of the words, or begins with one of four letters or more.
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

#: Boxes whose name says outright what they hold: a part of it is one of the words, not only the
#: beginning of one. They are no features of the network (`named_boxes` reads them).
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
#: Boxes whose whole name, without what is no letter, says it.
NAMED_BOXES: dict[str, str] = {
    "comment area": "comments commentlist commentslist commentsarea commentsection commentssection "
    "commentscontainer commentswrapper commentsblock commentscontent readercomments usercomments "
    "thecomments postcomments articlecomments storycomments allcomments commentsbox",
}

#: All that is counted, and the bits of a count: more than libxml2 lets elements nest.
COUNTED = len(AROUND) + len(WORDS) + len(BOXES) + len(NAMED_BOXES)
FIELD = 16

#: Names that are remembered: a site has few, and repeats them on each page.
MOST_SEEN = 50_000

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(r"[a-z]+")


#: The words that a part must be (short ones and their plurals, and those of boxes), and the others
#: by their first four letters, with what they hint at: a bit in the field of the kind.
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

#: What is known of tags and classes. An `id` may be the page's own, and is read by itself.
_seen: dict[tuple[str, str | None], tuple[int, int]] = {}


def read_all(
    tags: Iterable[str], classes: Iterable[str | None], ids: Iterable[str | None]
) -> Iterator[tuple[int, int]]:
    """What each element adds, as `read_names` tells; most of it has been read before."""
    seen = _seen.get
    for key, id_ in zip(zip(tags, classes, strict=True), ids, strict=True):
        found = seen(key) or _read(*key)
        yield (found[0] | _read_name(id_), found[1]) if id_ else found


def read_names(tag: str, class_: str | None, id_: str | None) -> tuple[int, int]:
    """What an element adds to the counts of all kinds, and a hash of its tag and class.

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
    slot = xxhash.xxh3_64_intdigest(f"{tag} {class_ or ''}".encode("utf-8", "surrogatepass"))
    if len(_seen) >= MOST_SEEN:
        _seen.clear()
    found = _seen[tag, class_] = own, slot
    return found


@lru_cache(MOST_SEEN)
def _read_name(name: str) -> int:
    """What one name in a `class` or `id` hints at."""
    parts = _PART.findall(_CAMEL.sub(" ", name).lower())
    found = _NAMES.get("".join(parts), 0)
    for part in parts:
        found |= _WHOLE.get(part, 0)
        for word, hint in _LONG.get(part[:4], ()):
            if part.startswith(word):
                found |= hint
    return found
