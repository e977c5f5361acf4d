"""The words of a page by where they appear: in the text, around it, in its title and address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from sys import intern
from typing import TYPE_CHECKING

from newsclean.articles.link_target import Address
from newsclean.page.words import PIECE, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.metadata import PageMetadata
    from newsclean.page import Page
    from newsclean.page.columns import Mask

HEADLINES = frozenset({"h1"})
#: The elements whose class names say what kind of page it is.
FRAMES = ("html", "body", "main", "article")
#: Class names that are looked at: of a page with more, the rest is styling.
MAX_CLASSES = 60
#: Before a type of JSON-LD or og:type, which is not a word.
TYPE = "@"

#: All other bytes are between words.
_LETTERS = bytes(byte if chr(byte).islower() else ord(" ") for byte in range(128)).ljust(256)


@dataclass(frozen=True)
class PageWords:
    """The words of a page."""

    #: of the chosen text, in their order
    chosen: list[str]
    #: of all other text, in their order
    margin: list[str]
    #: of the title and the first headline
    title: frozenset[str] = frozenset()
    #: of the path of its address
    address: frozenset[str] = frozenset()
    #: of the class names of its frame, and what it calls itself
    frame: frozenset[str] = frozenset()

    @property
    def distinct(self) -> PageWords:
        """The same with each word once, to be kept for many pages."""
        chosen, margin = (sorted(map(intern, set(words))) for words in (self.chosen, self.margin))
        return replace(self, chosen=chosen, margin=margin)


def page_words(page: Page, chosen: Mask, metadata: PageMetadata) -> PageWords:
    """The words of a page whose text has been chosen and whose metadata has been read."""
    texts = page.text.values()
    is_chosen = chosen[page.text_rows]
    titles = ["".join(map(str, title.itertext())) for title in page.elements("title")[:1]]
    inside = page.below(page.rows(HEADLINES)[:1])
    path = Address.of(page.url or metadata.canonical_url or "").path
    return PageWords(
        chosen=words_of(" ".join(compress(texts, is_chosen.tolist()))),
        margin=words_of(" ".join(compress(texts, (~is_chosen).tolist()))),
        title=frozenset(words_of(" ".join([*titles, *_texts(page, inside)]))),
        address=frozenset(words_of(path)),
        frame=frozenset([*frame_words(page), *_types(metadata.types)]),
    )


def words_of(text: str) -> list[str]:
    """The words of a text in Latin letters without accents, in lower case.

    >>> words_of("It's 9 o'clock: Café")
    ['it', 's', 'o', 'clock', 'caf']
    """
    if len(text) <= PIECE:
        return _words(text)
    known: dict[str, str] = {}  # of a large text each word is kept once
    return [known.setdefault(word, word) for piece in pieces(text) for word in _words(piece)]


def _words(text: str) -> list[str]:
    return text.lower().encode("ascii", "replace").translate(_LETTERS).decode().split()


def frame_words(page: Page) -> list[str]:
    """The words in the class names of the page's frame."""
    names: list[str] = []
    for tag in FRAMES:
        for element in page.elements(tag)[:1]:
            names += (element.get("class") or "").split()[:MAX_CLASSES]
    return words_of(" ".join(names))


def _types(types: Iterable[str]) -> list[str]:
    """The types of a page without their vocabularies, marked as such."""
    return [TYPE + name.rpartition("/")[2].lower() for name in types]


def _texts(page: Page, inside: Mask) -> list[str]:
    """The texts of some rows."""
    return [page.text[row] for row in page.text_rows[inside[page.text_rows]].tolist()]
