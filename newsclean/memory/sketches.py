"""Sketches of texts: 64 bits by which an edited text is still recognised (MinHash, Broder 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.memory.records import Hashes

_PRIME = np.uint64(0x9FB21C651E98DF25)
_MIXER = np.uint64(0xD6E8FEB86659FD93)
#: Four bits of the sketch for each: of the smallest of the text's pairs of words, in another order.
_ORDERS = np.array(
    [0xB00B5FE4C9712E85, 0x644104016C3FCF51, 0x4229053F403FB753, 0x06105C084F73CCC7,
     0x399293834ABB00A1, 0xE7E230C2535B0EF9, 0x8B349218BE375F43, 0x6DE103CC529D40D9,
     0x488756FA3B1771E1, 0x65919EFF36E2A26F, 0x1E895F78F4C3B977, 0x78FBD11D4DBA64BF,
     0xFBAE93BD5149F0FB, 0x31CF818AB16A361F, 0x40476A8B1EA296F1, 0xDFF8AE9538FF644F],
    dtype=np.uint64,
)  # fmt: skip
#: Texts that share at least this many of them are states of one text.
MIN_SHARED = 11
#: Words of a text that are looked at.
MAX_WORDS = 40


def sketches_of(texts: Sequence[str]) -> Hashes:
    """The sketches of texts.

    >>> one, two, other = sketches_of([
    ...     "The council will meet on Monday to hear the plans for the bridge",
    ...     "The council will meet on Tuesday to hear the plans for the bridge",
    ...     "Sofas at half the price, only this week and only at your store",
    ... ]).tolist()
    >>> are_alike(one, two), are_alike(one, other)
    (True, False)
    """
    words: list[bytes] = []
    starts: list[int] = []
    for text in texts:
        starts.append(len(words))
        found = text.encode("utf-8", "surrogatepass").split(None, MAX_WORDS)[:MAX_WORDS]
        words += found if len(found) > 1 else [*found, b""] if found else [b"", b""]
    if not starts:
        return np.empty(0, dtype=np.uint64)
    hashes = np.fromiter(map(crc32, words), np.uint64, len(words))
    pairs = hashes * _PRIME + np.append(hashes[1:], hashes[:1])
    orders = ((pairs ^ (pairs >> np.uint64(29))) * _MIXER)[:, None] * _ORDERS
    # The last word of a text and the first of the next are not a pair.
    orders[np.array([*starts[1:], len(words)]) - 1] = np.iinfo(np.uint64).max
    least = np.minimum.reduceat(orders, starts, axis=0)
    bits = (least >> np.uint64(16)) & np.uint64(15)
    sketches: Hashes = np.bitwise_or.reduce(bits << np.arange(0, 64, 4, dtype=np.uint64), axis=1)
    return sketches


def are_alike(one: int, other: int) -> bool:
    """Whether two sketches are of texts that share most of their words."""
    differing = one ^ other
    return sum(not differing >> shift & 15 for shift in range(0, 64, 4)) >= MIN_SHARED
