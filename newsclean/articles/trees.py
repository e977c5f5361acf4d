"""Decision trees and the cases that they are learned from and asked about.

A case whose value is missing, or was never seen, goes down every branch by its share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A number, the name of a nominal value, or None where it is missing.
Value = float | str | None
Case = Mapping[str, Value]
Floats = NDArray[np.float64]

#: The two branches of a threshold.
LOW, HIGH = "<=", ">"
MISSING = -1
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Cases:
    """Training cases in columns: numbers with NaN where missing, nominal values as codes."""

    columns: dict[str, NDArray[Any]]
    #: for each nominal attribute the values that the codes stand for
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


@dataclass(frozen=True)
class Node:
    """A leaf, or a test with a branch for each outcome."""

    #: the weight of each class among the training cases that came here
    counts: tuple[float, ...]
    attribute: str | None = None
    #: of a continuous attribute
    threshold: float | None = None
    branches: dict[str, Node] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.counts)

    @property
    def errors(self) -> float:
        """The weight of the cases that a leaf in this place gets wrong."""
        return self.total - max(self.counts)

    @property
    def size(self) -> int:
        """How many nodes the tree has."""
        return 1 + sum(branch.size for branch in self.branches.values())

    def outcome(self, case: Case) -> str | None:
        """The branch that a case takes, None where its value is missing or was never seen."""
        value = case.get(self.attribute)  # type: ignore[arg-type]
        if value is None or value != value:  # NaN
            return None
        if self.threshold is None:
            return value if value in self.branches else None
        return LOW if value <= self.threshold else HIGH  # type: ignore[operator]


@dataclass(frozen=True)
class Tree:
    """A tree with the names of its classes."""

    root: Node
    classes: tuple[str, ...]

    def distribution(self, case: Case) -> tuple[float, ...]:
        """How likely each class is."""
        return _distribution(self.root, case)

    def classify(self, case: Case) -> str:
        """The most likely class."""
        likely = self.distribution(case)
        return self.classes[max(range(len(likely)), key=likely.__getitem__)]


def _distribution(node: Node, case: Case) -> tuple[float, ...]:
    if node.branches:
        taken = node.outcome(case)
        if taken is not None:
            return _distribution(node.branches[taken], case)
        whole = sum(branch.total for branch in node.branches.values())
        if whole > 0:
            parts = [
                [branch.total / whole * likely for likely in _distribution(branch, case)]
                for branch in node.branches.values()
                if branch.total
            ]
            return tuple(map(sum, zip(*parts, strict=True)))
    total = node.total
    if total <= TINY:
        return tuple(1 / len(node.counts) for _ in node.counts)
    return tuple(count / total for count in node.counts)
