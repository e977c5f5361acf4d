"""Which articles of an index file are near copies of each other, kept up as they come and change.

Two articles are joined if they are near copies; a group is all that are connected so. That depends
on the articles that the index has and not on the order in which they came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.index.near_copies import (
    MAX_CANDIDATES,
    MAX_REGROUPED,
    are_near,
    band_keys,
    components,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import numpy.typing as npt

    from newsclean.index.near_copies import Fingerprint


class CopyGroups:
    """The groups of near copies, in the column `copies` of each article."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._run_many = connection.executemany

    def join(self, number: int, fingerprint: Fingerprint | None) -> None:
        """Put a new article into the group of its near copies, if it has any."""
        if fingerprint is None:
            return
        keys = band_keys(fingerprint)
        candidates = self._sharing(keys)
        self._run(
            "INSERT INTO fingerprint VALUES (?, ?)", (number, fingerprint.astype("<u4").tobytes())
        )
        self._run_many("INSERT OR IGNORE INTO band VALUES (?, ?)", [(key, number) for key in keys])
        if not candidates:
            return
        near = are_near(fingerprint, self._matrix(candidates))
        found = [candidate for candidate, is_near in zip(candidates, near, strict=True) if is_near]
        groups = self._groups(found) | {number}
        if len(groups) > 1:
            self._merge(groups)

    def leave(self, number: int) -> None:
        """Take an article out of its group, which may fall apart."""
        row = self._run("SELECT numbers FROM fingerprint WHERE number = ?", (number,)).fetchone()
        if row is None:
            return
        self._run_many(
            "DELETE FROM band WHERE key = ? AND number = ?",
            [(key, number) for key in band_keys(np.frombuffer(row[0], "<u4"))],
        )
        self._run("DELETE FROM fingerprint WHERE number = ?", (number,))
        (group,) = self._run("SELECT copies FROM article WHERE number = ?", (number,)).fetchone()
        rest = [
            other
            for (other,) in self._run(
                "SELECT number FROM article WHERE copies = ? AND number != ? ORDER BY number",
                (group, number),
            )
        ]
        self._run("UPDATE article SET copies = number WHERE number = ?", (number,))
        if not rest:
            return
        if len(rest) > MAX_REGROUPED:
            self._label(rest)
            return
        for part in components(self._matrix(rest), rest):
            self._label(part)

    def _sharing(self, keys: Sequence[int]) -> list[int]:
        """The articles that share a band with one that has these keys."""
        places = ", ".join("?" * len(keys))
        sql = f"SELECT DISTINCT number FROM band WHERE key IN ({places}) ORDER BY number LIMIT ?"
        return [number for (number,) in self._run(sql, (*keys, MAX_CANDIDATES))]

    def _matrix(self, numbers: Sequence[int]) -> npt.NDArray[np.uint32]:
        rows = [
            self._run("SELECT numbers FROM fingerprint WHERE number = ?", (number,)).fetchone()[0]
            for number in numbers
        ]
        return np.frombuffer(b"".join(rows), "<u4").reshape(len(rows), -1)

    def _groups(self, numbers: Sequence[int]) -> set[int]:
        return {
            self._run("SELECT copies FROM article WHERE number = ?", (number,)).fetchone()[0]
            for number in numbers
        }

    def _merge(self, groups: set[int]) -> None:
        first = min(groups)
        for group in sorted(groups - {first}):
            self._run("UPDATE article SET copies = ? WHERE copies = ?", (first, group))

    def _label(self, numbers: Sequence[int]) -> None:
        """A group is known by the smallest number in it."""
        first = min(numbers)
        self._run_many(
            "UPDATE article SET copies = ? WHERE number = ? AND copies != ?",
            [(first, number, first) for number in numbers],
        )
