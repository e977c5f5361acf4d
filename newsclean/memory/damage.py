"""Damaged rows in an intact file: counted and passed over."""

from __future__ import annotations

import logging

logger = logging.getLogger(__name__)


class DamagedRowError(ValueError):
    """A row whose columns are not what was written."""


class DamagedRows:
    """The rows that could not be read, each once, with one warning for each table."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._rows: dict[str, set[object]] = {}

    def note(self, table: str, row: object) -> None:
        """Count a row, by what identifies it in its table."""
        if table not in self._rows:
            logger.warning(
                "%s has damaged rows in its table %s: they are counted and passed over",
                self.path,
                table,
            )
        self._rows.setdefault(table, set()).add(row)

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of each table are damaged."""
        return {table: len(rows) for table, rows in sorted(self._rows.items())}
