"""The cases that trees are learned from, in columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.articles.trees import Case, Value

Floats = NDArray[np.float64]

MISSING = -1


@dataclass(frozen=True, eq=False)
class Cases:
    """Training cases in columns: numbers with NaN where missing, nominal values as codes."""

    columns: dict[str, NDArray[Any]]
    #: for each nominal attribute the values of the codes
    values: dict[str, tuple[str, ...]]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    weight: Floats

    @classmethod
    def of(
        cls, rows: Sequence[Case], labels: Sequence[str], classes: Sequence[str] | None = None
    ) -> Cases:
        """Cases and their classes; an attribute with names among its values is nominal."""
        columns: dict[str, NDArray[Any]] = {}
        values: dict[str, tuple[str, ...]] = {}
        for name in dict.fromkeys(name for row in rows for name in row):
            column = [row.get(name) for row in rows]
            names = {value for value in column if isinstance(value, str)}
            if names:
                values[name] = tuple(sorted(names))
                code = {value: number for number, value in enumerate(values[name])}
                columns[name] = np.array([code.get(str(value), MISSING) for value in column])
            else:
                numbers = [np.nan if value is None else float(value) for value in column]
                columns[name] = np.array(numbers)
        classes = tuple(classes or sorted(set(labels)))
        codes = np.array([classes.index(label) for label in labels], dtype=np.int64)
        return cls(columns, values, codes, classes, np.ones(len(codes)))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> Floats:
        """The weight of each class."""
        return np.bincount(self.labels, self.weight, len(self.classes)).astype(float)

    def take(self, rows: NDArray[Any], weight: Floats | None = None) -> Cases:
        """The cases of some rows, with other weights if given."""
        return replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            labels=self.labels[rows],
            weight=self.weight[rows] if weight is None else weight,
        )

    def rows(self) -> list[dict[str, Value]]:
        """The cases one by one, as they were given."""
        columns: dict[str, list[Value]] = {}
        for name, column in self.columns.items():
            if name in self.values:
                names = self.values[name]
                columns[name] = [None if code == MISSING else names[code] for code in column]
            else:
                columns[name] = [None if value != value else value for value in column.tolist()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def only(self, names: Sequence[str]) -> Cases:
        """The cases with some of their attributes."""
        return replace(self, columns={name: self.columns[name] for name in names})
