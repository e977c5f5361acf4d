"""Group the near copies in an index (`newsclean.extraction.near_copies`).

A group is a connected component of near copies. It depends on the articles in the index, not on the
order in which they were added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from newsclean.extraction.near_copies import (
    BANDS,
    are_near,
    band_keys,
    packed_fingerprint,
    unpacked_fingerprints,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from newsclean.extraction.near_copies import Fingerprint

#: A new article is compared with at most this many others, oldest first: later ones have already
#: been joined with these.
_MAX_CANDIDATES = 1000
#: A larger group is not split again when one of its articles changes.
MAX_REGROUPED = 2000


class Database(Protocol):
    """The tables `article`, `fingerprint` and `band` of an index."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with `?` placeholders and return all rows."""
        ...

    def insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Add rows with the values of all columns in order."""
        ...


def join_copies(database: Database, fingerprints: Mapping[int, Fingerprint]) -> None:
    """Add new articles to the groups of their near copies."""
    keys = {number: band_keys(each) for number, each in fingerprints.items()}
    stored = [(number, packed_fingerprint(each)) for number, each in fingerprints.items()]
    database.insert("fingerprint", stored)
    database.insert("band", [(key, number) for number, of in keys.items() for key in {*of}])
    sharing = (
        f"SELECT DISTINCT number FROM band WHERE key IN {_places(range(BANDS))} "
        f"ORDER BY number LIMIT {_MAX_CANDIDATES}"
    )
    for number, of_bands in keys.items():
        others = [other for (other,) in database.run(sharing, of_bands) if other != number]
        if not others:
            continue
        names, matrix = _matrix(database, others)
        is_near = are_near(fingerprints[number], matrix)
        near = [name for name, each in zip(names, is_near, strict=True) if each]
        if near:
            _merge(database, [number, *near])


def leave_copies(database: Database, numbers: Sequence[int]) -> None:
    """Remove articles from their groups, and split groups that are no longer connected."""
    names, matrix = _matrix(database, numbers)
    if not names:
        return
    for name, fingerprint in zip(names, matrix, strict=True):
        keys = band_keys(fingerprint)
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
            near = left & {*np.flatnonzero(are_near(matrix[at], matrix)).tolist()}
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
    return [number for number, _ in rows], unpacked_fingerprints([raw for _, raw in rows])


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
