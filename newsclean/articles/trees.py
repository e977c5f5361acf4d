"""Decision trees, and the cases that they are asked about.

A case whose value is missing, or was never seen, goes down every branch by its share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: A number, the name of a nominal value, or None where it is missing.
Value = float | str | None
Case = Mapping[str, Value]

#: The two branches of a threshold.
LOW, HIGH = "<=", ">"
TINY = 1e-9


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
