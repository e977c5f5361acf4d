"""The site's profile: which slots of its template hold the article, and which never do.

A slot is a path through the tree, tags and classes from the root to a block, without positions.
A page's verdict on a slot is one more key of the page, so that a neighborhood counts, bounds and
forgets verdicts as it does texts. The keys are salted by the model whose verdicts they are: those
of two models never mix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.page.columns import Column, Mask

    Hashes = NDArray[np.uint64]

#: Turn a slot into the key of a verdict on it.
ARTICLE = np.uint64(0x9E3779B97F4A7C15)
NOISE = np.uint64(0xC2B2AE3D27D4EB4F)

_PRIME = 0x9FB21C651E98DF25
_BITS = (1 << 64) - 1


def mix(outer: int, own: int) -> int:
    """The slot of an element from the slot around it and the hash of its own names."""
    return ((outer ^ own) * _PRIME + own) & _BITS


def verdict_keys(slots: Hashes, words: NDArray[np.float64], chosen: Mask, salt: int) -> Hashes:
    """A key for each slot of a page: it held the article, or it did not."""
    slot, place = np.unique(slots, return_inverse=True)
    taken = np.bincount(place, words * chosen, len(slot))
    held = 2 * taken > np.bincount(place, words, len(slot))
    return np.where(held, slot ^ ARTICLE, slot ^ NOISE) ^ np.uint64(salt)


def slot_keys(slots: Hashes, salt: int) -> Hashes:
    """The keys of both verdicts on each slot of a page, to be counted by its neighbors."""
    slot = np.unique(slots) ^ np.uint64(salt)
    return np.concatenate((slot ^ ARTICLE, slot ^ NOISE))


def verdicts(slots: Hashes, support: Column) -> NDArray[np.float64]:
    """On how many neighbors the slot of each block held the article, and on how many it did not.

    `support` counts the page's `slot_keys`.
    """
    _, place = np.unique(slots, return_inverse=True)
    return support.reshape(2, -1)[:, place].T.astype(float)
