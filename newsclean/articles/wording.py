"""Whom a text speaks to and of: the shares of some English words among its words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Words by whose share offers and guides differ from reports.
WORDING = {
    "reader": frozenset("you your yours yourself".split()),
    "house": frozenset("we our ours us".split()),
    "report": frozenset("said says told according".split()),
    "past": frozenset("was were had did".split()),
    "offer": frozenset(
        """
        contact call quote quotes free book schedule pricing service services customer customers
        client clients request demo solution solutions
        """.split()
    ),
}
_KIND_OF_WORD = {word: kind for kind, words in WORDING.items() for word in words}


def count_kinds(words: Sequence[str]) -> Counter[str]:
    """How many words, in small letters, there are of each kind of `WORDING`, and under "" in all.

    >>> sorted(count_kinds(["we", "call", "you"]).items())
    [('', 3), ('house', 1), ('offer', 1), ('reader', 1)]
    """
    counts = Counter(filter(None, map(_KIND_OF_WORD.get, words)))
    counts[""] = len(words)
    return counts


def word_shares(counts: Counter[str]) -> dict[str, float]:
    """The share of each kind among the words that were counted.

    >>> word_shares(count_kinds(["we", "call", "you"]))["house"]
    0.3333333333333333
    """
    return {kind: counts[kind] / max(counts[""], 1) for kind in WORDING}
