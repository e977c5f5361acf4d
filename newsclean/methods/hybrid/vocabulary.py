"""What the words of a block sound like, where the network is in doubt.

Nothing in the structure of a page distinguishes an appeal to subscribe between two paragraphs from
a paragraph; its words do. Each word of the vocabulary has a weight for or against the article, from
training. Only doubtful blocks are looked at, which are few, so that it costs next to nothing; in a
language that the vocabulary does not know it changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from newsclean.page.words import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: The network is in doubt while its log-odds are nearer to nothing than this.
DOUBT = 2.0
#: A block of fewer words says too little.
MIN_WORDS = 5
#: How much the words count beside the network.
SHARE = 0.4

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words, and how much each one speaks for the article, in log-odds."""

    weights: dict[str, float]

    def __call__(self, text: str) -> float:
        """What a text sounds like: above zero like an article.

        >>> vocabulary = Vocabulary({"said": 1.5, "subscribe": -2.0})
        >>> vocabulary("Subscribe, subscribe!") < vocabulary("It rains") < vocabulary("He said so")
        True
        """
        weights = self.weights
        known = [weights[word] for word in distinct_words(text) if word in weights]
        return sum(known) / sqrt(1 + len(known))

    def adjusted(self, probability: Floats, words: Floats, texts: Sequence[str]) -> Floats:
        """The network's probabilities, those of doubtful blocks moved by their words."""
        if not self.weights:
            return probability
        moved = probability.copy()
        edge = 1 / (1 + np.exp(-DOUBT))
        doubtful = (probability > 1 - edge) & (probability < edge) & (words >= MIN_WORDS)
        for block in np.flatnonzero(doubtful).tolist():
            odds = probability[block] / (1 - probability[block])
            moved[block] = 1 / (1 + np.exp(-SHARE * self(texts[block])) / odds)
        return moved


def distinct_words(text: str) -> list[str]:
    """The words of a text, each once, in one case.

    >>> distinct_words("Rain, again: rain!")
    ['rain', 'again']
    """
    found = (_WORD.findall(piece.lower()) for piece in pieces(text))
    return list(dict.fromkeys(chain.from_iterable(found)))
