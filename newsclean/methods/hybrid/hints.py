"""What the names in `class` and `id` hint at, in the languages of the press."""

from __future__ import annotations

import re

import xxhash

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
    "picture": "caption credit image img photo picture media figure gallery video player bild foto "
    "legende leyenda pie copyright",
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

#: Names that are remembered: a site has few, and repeats them on each page.
MOST_SEEN = 50_000

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART = re.compile(r"[a-z]+")


def _pattern(words: str) -> re.Pattern[str]:
    short = "|".join(word for word in words.split() if len(word) < 4)
    long = "|".join(word for word in words.split() if len(word) >= 4)
    return re.compile(rf"\b(?:{long})" + (rf"|\b(?:{short})s?\b" if short else ""))


_PATTERNS = [_pattern(words) for words in WORDS.values()]

_seen: dict[tuple[str, str | None, str | None], tuple[int, int]] = {}


def read_names(tag: str, class_: str | None, id_: str | None) -> tuple[int, int]:
    """A bit for each kind that an element's names hint at, and a hash of its tag and class.

    >>> bits, _ = read_names("div", "articleBody js-share", None)
    >>> [kind for bit, kind in enumerate(KINDS) if bits >> bit & 1]
    ['content', 'social']
    """
    key = tag, class_, id_
    found = _seen.get(key)
    if found is None:
        names = " ".join(_PART.findall(_CAMEL.sub(" ", f"{class_ or ''} {id_ or ''}").lower()))
        bits = sum(1 << bit for bit, pattern in enumerate(_PATTERNS) if pattern.search(names))
        slot = xxhash.xxh3_64_intdigest(f"{tag} {class_ or ''}".encode("utf-8", "surrogatepass"))
        if len(_seen) >= MOST_SEEN:
            _seen.clear()
        found = _seen[key] = bits, slot
    return found
