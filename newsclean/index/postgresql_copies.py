"""Which articles of an index in PostgreSQL are near copies of each other: as in an index file.

A batch is compared at once, so that articles without near copies, most of them, cost one query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.index.near_copies import (
    MAX_CANDIDATES,
    MAX_REGROUPED,
    are_near,
    band_keys,
    components,
)
from newsclean.index.postgresql_tables import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt
    import psycopg

    from newsclean.index.near_copies import Fingerprint


class PostgresqlCopies:
    """The groups of near copies, in the column `copies` of each article."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def join(self, fingerprints: Mapping[int, Fingerprint]) -> None:
        """Put new articles into the groups of their near copies, those that have any."""
        if not fingerprints:
            return
        keys = {number: band_keys(each) for number, each in fingerprints.items()}
        with self._connection.cursor() as cursor:
            with cursor.copy(f"COPY {SCHEMA}.fingerprint FROM STDIN".encode()) as copy:
                for number, fingerprint in fingerprints.items():
                    copy.write_row((number, fingerprint.astype("<u4").tobytes()))
            with cursor.copy(f"COPY {SCHEMA}.band FROM STDIN".encode()) as copy:
                for number, of_bands in keys.items():
                    for key in set(of_bands):
                        copy.write_row((key, number))
        shared = self._sharing(keys)
        known = self._fingerprints({other for others in shared.values() for other in others})
        for number, others in shared.items():
            matrix = np.stack([known[other] for other in others])
            is_near = are_near(fingerprints[number], matrix)
            near = [other for other, each in zip(others, is_near, strict=True) if each]
            if near:
                self._merge([number, *near])

    def leave(self, numbers: Sequence[int]) -> None:
        """Take articles out of their groups, which may fall apart."""
        rows = self._run(
            f"SELECT DISTINCT copies FROM {SCHEMA}.article JOIN {SCHEMA}.fingerprint "
            "USING (number) WHERE number = ANY(%s)",
            list(numbers),
        )
        for number, fingerprint in self._fingerprints(numbers).items():
            self._run(
                f"DELETE FROM {SCHEMA}.band WHERE key = ANY(%s) AND number = %s",
                band_keys(fingerprint),
                number,
            )
        self._run(f"DELETE FROM {SCHEMA}.fingerprint WHERE number = ANY(%s)", list(numbers))
        self._run(
            f"UPDATE {SCHEMA}.article SET copies = number WHERE number = ANY(%s) "
            "AND copies != number",
            list(numbers),
        )
        for (group,) in rows:
            self._regroup(group, numbers)

    def _regroup(self, group: int, left: Sequence[int]) -> None:
        """Find the groups of what remains of one; it may be known by the number of who has left."""
        rows = self._run(
            f"SELECT number FROM {SCHEMA}.article WHERE copies = %s AND number != ALL(%s) "
            "ORDER BY number",
            group,
            list(left),
        )
        rest = [number for (number,) in rows]
        if len(rest) > MAX_REGROUPED:
            self._label(rest)
        elif rest:
            known = self._fingerprints(rest)
            names = [number for number in rest if number in known]
            if names:
                matrix = np.stack([known[number] for number in names])
                for part in components(matrix, names):
                    self._label(part)

    def _sharing(self, keys: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
        """For each article, the others that share a band with it; only of those that have some."""
        numbers = [number for number, of_bands in keys.items() for _ in of_bands]
        flat = [key for of_bands in keys.values() for key in of_bands]
        rows = self._run(
            f"SELECT new.number, array_agg(DISTINCT band.number ORDER BY band.number) "
            f"FROM unnest(%s::bigint[], %s::bigint[]) AS new (number, key) "
            f"JOIN {SCHEMA}.band ON band.key = new.key AND band.number != new.number "
            "GROUP BY new.number ORDER BY new.number",
            numbers,
            flat,
        )
        return {number: others[:MAX_CANDIDATES] for number, others in rows}

    def _fingerprints(self, numbers: Iterable[int]) -> dict[int, npt.NDArray[np.uint32]]:
        rows = self._run(
            f"SELECT number, numbers FROM {SCHEMA}.fingerprint WHERE number = ANY(%s)",
            list(numbers),
        )
        return {number: np.frombuffer(raw, "<u4") for number, raw in rows}

    def _merge(self, numbers: Sequence[int]) -> None:
        """Make one group of those in which these articles are, known by its smallest number."""
        rows = self._run(
            f"SELECT DISTINCT copies FROM {SCHEMA}.article WHERE number = ANY(%s)", list(numbers)
        )
        groups = sorted(group for (group,) in rows)
        if len(groups) > 1:
            self._run(
                f"UPDATE {SCHEMA}.article SET copies = %s WHERE copies = ANY(%s)",
                groups[0],
                groups[1:],
            )

    def _label(self, numbers: Sequence[int]) -> None:
        self._run(
            f"UPDATE {SCHEMA}.article SET copies = %s WHERE number = ANY(%s) AND copies != %s",
            min(numbers),
            list(numbers),
            min(numbers),
        )

    def _run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(sql.encode(), values)
        return cursor.fetchall() if cursor.description else []
