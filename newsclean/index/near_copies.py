"""Fingerprints by which near copies of a text are found: an agency's report on ten sites.

The fingerprint is the MinHash of the text's shingles (all runs of three words): the share of equal
numbers in two fingerprints is about the Jaccard similarity of the texts, that is, the share of
their shingles that both have. To find similar ones without comparing all, the numbers are cut into
bands: texts that are equal in one band at least are compared (locality-sensitive hashing).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash
from rensa import RMinHash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Fingerprint = npt.NDArray[np.uint32]

SHINGLE = 3  # words
NUMBERS = 120
#: The first numbers of a fingerprint, in bands of three: two texts of similarity s share one with
#: probability 1 - (1 - s³)²⁰, which is 0.93 for 0.5, 0.999 for 0.7, and 0.02 for 0.1.
BANDS = 20
BAND = 3
SEED = 20
#: Texts as similar as this are near copies.
MIN_SIMILARITY = 0.5
#: A shorter text is never a near copy: the notice of a paywall is on many articles.
MIN_WORDS = 40

#: A new article is compared with at most this many others, the first that came: any more have been
#: joined with these before.
MAX_CANDIDATES = 1000
#: A larger group is not taken apart again when one of its articles changes.
MAX_REGROUPED = 2000

#: Odd factors by which the first, second and third word of a shingle differ.
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def fingerprints(texts: Sequence[Sequence[str]]) -> list[Fingerprint | None]:
    """The fingerprints of texts, each given by its words; None of a text that is too short."""
    hashed = [_shingle_hashes(words) if len(words) >= MIN_WORDS else None for words in texts]
    long = [hashes for hashes in hashed if hashes is not None]
    if not long:
        return [None] * len(texts)
    ends = np.cumsum([0, *map(len, long)], dtype=np.uint64)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(
        np.concatenate(long), ends, num_perm=NUMBERS, seed=SEED
    )
    rows = iter(np.array(matrix.to_rows(), dtype=np.uint32))
    return [None if hashes is None else next(rows) for hashes in hashed]


def band_keys(fingerprint: Fingerprint) -> list[int]:
    """A key for each band, which texts that are equal in it share; signed, as SQL wants numbers."""
    raw = fingerprint[: BANDS * BAND].astype("<u4").tobytes()
    size = len(raw) // BANDS
    keys = (
        xxhash.xxh3_64_intdigest(raw[band * size : (band + 1) * size], seed=band)
        for band in range(BANDS)
    )
    return [key - 2**64 if key >= 2**63 else key for key in keys]


def are_near(fingerprint: Fingerprint, others: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which of other fingerprints, the rows of a matrix, are of near copies.

    They are similar and share a band: it depends on the two texts alone, not on what else there is.
    """
    equal = others == fingerprint
    bands = equal[:, : BANDS * BAND].reshape(-1, BANDS, BAND)
    near: npt.NDArray[np.bool_] = (equal.mean(axis=1) >= MIN_SIMILARITY) & bands.all(2).any(1)
    return near


def components(matrix: npt.NDArray[np.uint32], names: Sequence[int]) -> Iterator[list[int]]:
    """The names of fingerprints in groups: near copies, near copies of these, and so on."""
    left = set(range(len(names)))
    while left:
        todo = [min(left)]
        left -= {*todo}
        group = []
        while todo:
            at = todo.pop()
            group.append(names[at])
            near = left & {*np.flatnonzero(are_near(matrix[at], matrix)).tolist()}
            left -= near
            todo += near
        yield sorted(group)


def _shingle_hashes(words: Sequence[str]) -> npt.NDArray[np.uint64]:
    hashes = np.fromiter(map(_word_hash, words), dtype=np.uint64, count=len(words))
    size = len(hashes) - SHINGLE + 1
    found = np.zeros(size, dtype=np.uint64)
    for place, factor in enumerate(_FACTORS):
        found += hashes[place : place + size] * np.uint64(factor)
    return found


@lru_cache(maxsize=200_000)
def _word_hash(word: str) -> int:
    return xxhash.xxh3_64_intdigest(word.encode())
