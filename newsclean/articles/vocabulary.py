"""What the words of a page say: whether pages with such words are articles.

Menus, titles, addresses and class names of shops, forums, manuals and services have words that
those of articles seldom have. Each word of a vocabulary has a weight for or against an article,
from training. In a language that it does not know, a vocabulary of texts says nothing; addresses
and class names are much the same in all languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.articles.page_words import PageWords

#: The questions, and where the words are that answer them.
TEXT, FRAME = "text words", "frame words"
MARGIN = "margin"
ZONES = {TEXT: (MARGIN, "title"), FRAME: ("address", "frame")}
#: A text is in a language that the vocabulary knows if it knows as many of the words around the
#: article, and this share of them: half in English, and one in eight in German.
MIN_KNOWN = 25
MIN_KNOWN_SHARE = 0.3
#: Of what a vocabulary says.
DECIMALS = 3


@dataclass(frozen=True)
class Vocabulary:
    """Words by where they appear, and how much each one speaks for an article, in log-odds."""

    #: by the name of a field of `PageWords`
    weights: dict[str, dict[str, float]]
    bias: float = 0.0

    def __call__(self, words: PageWords) -> float | None:
        """What the words of a page say, above 0 for an article; None if they are unknown."""
        said = self.bias
        count = 0
        for zone, weights in self.weights.items():
            distinct = set(getattr(words, zone))
            known = [weights[word] for word in distinct & weights.keys()]
            if zone == MARGIN and not is_language_known(len(known), len(distinct)):
                return None
            # Exact, as the words of a set are in no order.
            said += fsum(known) / sqrt(1 + len(known))
            count += len(known)
        return round(said, DECIMALS) if count else None


def is_language_known(known: int, words: int) -> bool:
    """Whether words around an article are of a known language, if so many of them are known.

    >>> is_language_known(90, 150), is_language_known(40, 320), is_language_known(4, 5)
    (True, False, False)
    """
    return known >= MIN_KNOWN and known >= MIN_KNOWN_SHARE * words
