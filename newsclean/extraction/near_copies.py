"""Near copies of a text, such as an agency's report on ten sites, by MinHash.

The fingerprint of a text is the MinHash of its shingles (all runs of three words): the share of
equal numbers in two fingerprints estimates the Jaccard similarity of the texts. The numbers are cut
into bands, and only texts that are equal in at least one band are compared (locality-sensitive
hashing). Who stores fingerprints stores the keys of their bands, and finds candidates by them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import xxhash
from rensa import RMinHash

from newsclean.extraction.text import SPACELESS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Fingerprint = npt.NDArray[np.uint32]

_SHINGLE = 3  # words
_NUMBERS = 120
#: The first numbers of a fingerprint, in bands of three: two texts of similarity s share one with
#: probability 1 - (1 - s³)²⁰, which is 0.93 for 0.5, 0.999 for 0.7, and 0.02 for 0.1.
BANDS = 20
_BAND = 3
_SEED = 20
#: Similarity from which on two texts are near copies.
_MIN_SIMILARITY = 0.5
#: A shorter text is never a near copy: many articles have the same paywall notice.
_MIN_WORDS = 40
#: Cached hashes of words.
_MAX_REMEMBERED = 200_000

#: Odd factors for the first, second and third word of a shingle.
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)

#: A word, or a character of a script without spaces between words.
_WORD = re.compile(rf"[{SPACELESS}]|[^\W_{SPACELESS}]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text, for its fingerprint.

    >>> words_of("Rain, again: 2 days. 东京")
    ['rain', 'again', '2', 'days', '东', '京']
    """
    return _WORD.findall(text.casefold())


class Fingerprints:
    """Makes fingerprints, and caches the hashes of words."""

    def __init__(self) -> None:
        self._hashes = _WordHashes()

    def of(self, texts: Sequence[Sequence[str]]) -> list[Fingerprint | None]:
        """Return the fingerprints of texts, given as words; None for texts that are too short."""
        hashed = [self._shingles(words) if len(words) >= _MIN_WORDS else None for words in texts]
        long = [hashes for hashes in hashed if hashes is not None]
        if not long:
            return [None] * len(texts)
        ends = np.cumsum([0, *map(len, long)], dtype=np.uint64)
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(
            np.concatenate(long), ends, num_perm=_NUMBERS, seed=_SEED
        )
        rows = iter(np.array(matrix.to_rows(), dtype=np.uint32))
        return [None if hashes is None else next(rows) for hashes in hashed]

    def _shingles(self, words: Sequence[str]) -> npt.NDArray[np.uint64]:
        found = map(self._hashes.__getitem__, words)
        hashes = np.fromiter(found, dtype=np.uint64, count=len(words))
        size = len(hashes) - _SHINGLE + 1
        shingles = np.zeros(size, dtype=np.uint64)
        for place, factor in enumerate(_FACTORS):
            shingles += hashes[place : place + size] * np.uint64(factor)
        return shingles


class _WordHashes(dict[str, int]):
    def __missing__(self, word: str) -> int:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        found = self[word] = xxhash.xxh3_64_intdigest(word.encode())
        return found


def band_keys(fingerprint: Fingerprint) -> list[int]:
    """Return a key for each band, as a signed integer for SQL; equal bands have equal keys."""
    raw = fingerprint[: BANDS * _BAND].astype("<u4").tobytes()
    size = len(raw) // BANDS
    keys = (
        xxhash.xxh3_64_intdigest(raw[band * size : (band + 1) * size], seed=band)
        for band in range(BANDS)
    )
    return [key - 2**64 if key >= 2**63 else key for key in keys]


def are_near(fingerprint: Fingerprint, others: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Return which rows of a matrix of fingerprints are near copies: similar, with a shared band.

    The result for two texts does not depend on other texts.
    """
    equal = others == fingerprint
    bands = equal[:, : BANDS * _BAND].reshape(-1, BANDS, _BAND)
    near: npt.NDArray[np.bool_] = (equal.mean(axis=1) >= _MIN_SIMILARITY) & bands.all(2).any(1)
    return near


def packed_fingerprint(fingerprint: Fingerprint) -> bytes:
    """Return a fingerprint as it is stored."""
    return fingerprint.astype("<u4").tobytes()


def unpacked_fingerprints(packed: Sequence[bytes]) -> npt.NDArray[np.uint32]:
    """Return stored fingerprints as the rows of a matrix."""
    return np.frombuffer(b"".join(packed), "<u4").reshape(-1, _NUMBERS)
