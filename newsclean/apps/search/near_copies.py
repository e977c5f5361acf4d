"""Find near copies of a text, such as an agency's report on ten sites, and group them.

The fingerprint of a text is the MinHash of its shingles (all runs of three words): the share of
equal numbers in two fingerprints estimates the Jaccard similarity of the texts. The numbers are cut
into bands, and only texts that are equal in at least one band are compared (locality-sensitive
hashing).

A group is a connected component of near copies. It depends on the articles in the index, not on the
order in which they were added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import xxhash
from rensa import RMinHash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    _Fingerprint = npt.NDArray[np.uint32]

_SHINGLE = 3  # words
_NUMBERS = 120
#: The first numbers of a fingerprint, in bands of three: two texts of similarity s share one with
#: probability 1 - (1 - s³)²⁰, which is 0.93 for 0.5, 0.999 for 0.7, and 0.02 for 0.1.
_BANDS = 20
_BAND = 3
_SEED = 20
#: Similarity from which on two texts are near copies.
_MIN_SIMILARITY = 0.5
#: A shorter text is never a near copy: many articles have the same paywall notice.
_MIN_WORDS = 40

#: A new article is compared with at most this many others, oldest first: later ones have already
#: been joined with these.
_MAX_CANDIDATES = 1000
#: A larger group is not split again when one of its articles changes.
MAX_REGROUPED = 2000
#: Cached hashes of words.
_MAX_REMEMBERED = 200_000

#: Odd factors for the first, second and third word of a shingle.
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


class Database(Protocol):
    """The tables `article`, `fingerprint` and `band` of an index."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with `?` placeholders and return all rows."""
        ...

    def insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Add rows with the values of all columns in order."""
        ...


def join_copies(database: Database, fingerprints: Mapping[int, _Fingerprint]) -> None:
    """Add new articles to the groups of their near copies."""
    keys = {number: _band_keys(each) for number, each in fingerprints.items()}
    stored = [(number, each.astype("<u4").tobytes()) for number, each in fingerprints.items()]
    database.insert("fingerprint", stored)
    database.insert("band", [(key, number) for number, of in keys.items() for key in {*of}])
    sharing = (
        f"SELECT DISTINCT number FROM band WHERE key IN {_places(range(_BANDS))} "
        f"ORDER BY number LIMIT {_MAX_CANDIDATES}"
    )
    for number, of_bands in keys.items():
        others = [other for (other,) in database.run(sharing, of_bands) if other != number]
        if not others:
            continue
        names, matrix = _matrix(database, others)
        is_near = _are_near(fingerprints[number], matrix)
        near = [name for name, each in zip(names, is_near, strict=True) if each]
        if near:
            _merge(database, [number, *near])


def leave_copies(database: Database, numbers: Sequence[int]) -> None:
    """Remove articles from their groups, and split groups that are no longer connected."""
    names, matrix = _matrix(database, numbers)
    if not names:
        return
    for name, fingerprint in zip(names, matrix, strict=True):
        keys = _band_keys(fingerprint)
        database.run(f"DELETE FROM band WHERE number = ? AND key IN {_places(keys)}", (name, *keys))
    left_out, places = {*names}, _places(names)
    database.run(f"DELETE FROM fingerprint WHERE number IN {places}", names)
    groups = database.run(f"SELECT DISTINCT copies FROM article WHERE number IN {places}", names)
    database.run(f"UPDATE article SET copies = number WHERE number IN {places}", names)
    for (group,) in groups:
        # The group may have the number of an article that has left it.
        rest = [
            number
            for (number,) in database.run("SELECT number FROM article WHERE copies = ?", (group,))
            if number not in left_out
        ]
        if len(rest) > MAX_REGROUPED:
            _label(database, rest)
        elif rest:
            members, fingerprints = _matrix(database, rest)
            for part in _components(fingerprints, members):
                _label(database, part)


class Fingerprints:
    """Makes fingerprints, and caches the hashes of words."""

    def __init__(self) -> None:
        self._hashes = _WordHashes()

    def of(self, texts: Sequence[Sequence[str]]) -> list[_Fingerprint | None]:
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


def _band_keys(fingerprint: _Fingerprint) -> list[int]:
    """Return a key for each band, as a signed integer for SQL; equal bands have equal keys."""
    raw = fingerprint[: _BANDS * _BAND].astype("<u4").tobytes()
    size = len(raw) // _BANDS
    keys = (
        xxhash.xxh3_64_intdigest(raw[band * size : (band + 1) * size], seed=band)
        for band in range(_BANDS)
    )
    return [key - 2**64 if key >= 2**63 else key for key in keys]


def _are_near(fingerprint: _Fingerprint, others: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Return which rows of a matrix of fingerprints are near copies: similar, with a shared band.

    The result for two texts does not depend on other texts.
    """
    equal = others == fingerprint
    bands = equal[:, : _BANDS * _BAND].reshape(-1, _BANDS, _BAND)
    near: npt.NDArray[np.bool_] = (equal.mean(axis=1) >= _MIN_SIMILARITY) & bands.all(2).any(1)
    return near


def _components(matrix: npt.NDArray[np.uint32], names: Sequence[int]) -> Iterator[list[int]]:
    """Yield the connected components of near copies."""
    left = set(range(len(names)))
    while left:
        todo = [min(left)]
        left -= {*todo}
        group = []
        while todo:
            at = todo.pop()
            group.append(names[at])
            near = left & {*np.flatnonzero(_are_near(matrix[at], matrix)).tolist()}
            left -= near
            todo += near
        yield sorted(group)


def _matrix(database: Database, numbers: Iterable[int]) -> tuple[list[int], npt.NDArray[np.uint32]]:
    """Return the articles that have fingerprints, and the fingerprints as a matrix."""
    wanted = list(numbers)
    rows = database.run(
        f"SELECT number, numbers FROM fingerprint WHERE number IN {_places(wanted)} "
        "ORDER BY number",
        wanted,
    )
    matrix = np.frombuffer(b"".join(raw for _, raw in rows), "<u4").reshape(-1, _NUMBERS)
    return [number for number, _ in rows], matrix


def _merge(database: Database, numbers: Sequence[int]) -> None:
    """Merge the groups of these articles; the group gets its smallest number."""
    rows = database.run(
        f"SELECT DISTINCT copies FROM article WHERE number IN {_places(numbers)}", numbers
    )
    first, *others = sorted(group for (group,) in rows)
    if others:
        database.run(
            f"UPDATE article SET copies = ? WHERE copies IN {_places(others)}", (first, *others)
        )


def _label(database: Database, numbers: Sequence[int]) -> None:
    """Make articles one group, with its smallest number."""
    first = min(numbers)
    for number in numbers:
        database.run(
            "UPDATE article SET copies = ? WHERE number = ? AND copies != ?",
            (first, number, first),
        )


def _places(values: Iterable[Any]) -> str:
    return f"({', '.join('?' for _ in values)})"
