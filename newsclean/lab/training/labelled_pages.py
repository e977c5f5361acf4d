"""Pages of a corpus that somebody has called articles or something else, and their features.

Folds are by publisher: no page is ever judged by a model that saw another page of its publisher,
in whatever collection.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

import numpy as np

from newsclean.extraction.extractor import Extractor
from newsclean.extraction.is_article.page_features import PageWords
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.folds import method_for, publisher
from newsclean.urls import resolve_link, same_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.is_article.trees import Value
    from newsclean.lab.evaluate.corpus import Corpus, Gold

ARTICLE, OTHER = "article", "other"
CLASSES = (ARTICLE, OTHER)
#: The kinds of pages that a corpus may have.
KINDS = ("article", "listing", "collection", "forum", "product", "service", "documentation")

#: A section's name has at most this many words.
_MAX_SECTION_WORDS = 2
_MENUS = frozenset({"nav"})


@dataclass(frozen=True)
class Labelled:
    """A page: where it is from, what it is, what its features are."""

    collection: str
    id: str
    publisher: str
    kind: str
    url: str | None
    page: dict[str, Value] = field(default_factory=dict, repr=False)
    #: each of its words once
    words: PageWords = field(default=PageWords([], []), repr=False)
    #: where the links of its menus lead
    menu: tuple[str, ...] = field(default=(), repr=False)

    @property
    def label(self) -> str:
        return ARTICLE if self.kind == "article" else OTHER


def read_labelled(
    corpus: Corpus,
    advance: Callable[[], object] = lambda: None,
    unusable: Callable[[PageError], object] = lambda error: None,
) -> list[Labelled]:
    """The pages of a corpus; of one that cannot be used, `unusable` gets the reason."""
    found = []
    for gold in corpus.golds:
        try:
            found.append(_label(gold))
        except PageError as error:
            unusable(error)
        advance()
    return found


def _label(gold: Gold) -> Labelled:
    page = Page.from_html(read_page(gold.path), gold.url)
    extraction = Extractor(method_for(DEFAULT_METHOD, gold.site))(page)
    return Labelled(
        collection=gold.collection,
        id=gold.id,
        publisher=publisher(gold.site),
        kind=gold.kind,
        url=gold.url,
        page=extraction.article_features,
        words=extraction.page_words.distinct,
        menu=tuple(menu_links(page)) if gold.url else (),
    )


def menu_links(page: Page) -> Iterator[str]:
    """Where short links in menus lead on the same site: to sections, as their place shows."""
    inside = page.below(page.rows(_MENUS))
    words = page.subtree(page.words)
    base = page.base_url
    for row in page.rows(frozenset({"a"})).tolist():
        element = page.element[row]
        if element is None or not inside[row] or not 0 < words[row] <= _MAX_SECTION_WORDS:
            continue
        url = resolve_link(element.get("href"), base)
        if url and url.startswith("http") and page.url and same_site(url, page.url):
            yield urldefrag(url).url


def folds_of(pages: Sequence[Labelled], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each page; all pages of a publisher are in one."""
    publishers = sorted({page.publisher for page in pages})
    random.Random(seed).shuffle(publishers)
    number = {name: position % folds for position, name in enumerate(publishers)}
    return np.array([number[page.publisher] for page in pages])


@dataclass(frozen=True)
class Figures:
    """How well pages were told apart, for the class "article"."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, said: NDArray[np.bool_], true: NDArray[np.bool_]) -> Figures:
        """
        >>> Figures.of(np.array([True, True, False]), np.array([True, False, True]))
        Figures(precision=0.5, recall=0.5, f1=0.5)
        """
        hits = float((said & true).sum())
        precision = hits / float(said.sum()) if said.any() else 0.0
        recall = hits / float(true.sum()) if true.any() else 0.0
        both = precision + recall
        return cls(precision, recall, 2 * precision * recall / both if both else 0.0)
