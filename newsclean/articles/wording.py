"""Whom a text speaks to and of: the shares of some English words among its words."""

from __future__ import annotations

from collections import Counter

#: Words by whose share offers and guides differ from reports.
WORDING = {
    "reader": frozenset(b"you your yours yourself".split()),
    "house": frozenset(b"we our ours us".split()),
    "report": frozenset(b"said says told according".split()),
    "past": frozenset(b"was were had did".split()),
    "offer": frozenset(
        b"""
        contact call quote quotes free book schedule pricing service services customer customers
        client clients request demo solution solutions
        """.split()
    ),
}
_KIND_OF_WORD = {word: kind for kind, words in WORDING.items() for word in words}
#: All other bytes are between words.
_LETTERS = bytes(byte if chr(byte).islower() else ord(" ") for byte in range(128)).ljust(256)


def count_kinds(text: str) -> Counter[str]:
    """How many words in Latin letters a text has of each kind of `WORDING`, and under "" in all.

    >>> sorted(count_kinds("We call you.").items())
    [('', 3), ('house', 1), ('offer', 1), ('reader', 1)]
    """
    found = text.lower().encode("ascii", "replace").translate(_LETTERS).split()
    counts = Counter(filter(None, map(_KIND_OF_WORD.get, found)))
    counts[""] = len(found)
    return counts


def word_shares(counts: Counter[str]) -> dict[str, float]:
    """The share of each kind among the words that were counted.

    >>> word_shares(count_kinds("We call you."))["house"]
    0.3333333333333333
    """
    return {kind: counts[kind] / max(counts[""], 1) for kind in WORDING}
