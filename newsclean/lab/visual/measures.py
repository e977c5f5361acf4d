"""How well blocks are classified: the paper's measures (formulas 1 to 4), and what they leave out.

The formulas are for two classes, the blocks have three: `of_class` has them for one class against
the others, as Table II draws it, and `accuracy` counts all three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.visual.features import FEATURES
from newsclean.methods.visual.network import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from newsclean.page.columns import Column

    Floats = NDArray[np.floating[Any]]

#: How often a feature is shuffled to see what it is worth.
SHUFFLES = 3


@dataclass(frozen=True)
class ClassMeasures:
    """Formulas 1 to 4, for one class against the others."""

    accuracy: float
    precision: float
    recall: float
    f_measure: float


@dataclass(frozen=True, eq=False)
class Confusion:
    """How often blocks of a class (row) were given a class (column)."""

    matrix: NDArray[np.int64]

    @classmethod
    def of(cls, labels: Column, predicted: Column) -> Confusion:
        """
        >>> Confusion.of(np.array([0, 0, 2, 2]), np.array([0, 2, 2, 2])).matrix.tolist()
        [[1, 0, 1], [0, 0, 0], [0, 0, 2]]
        """
        matrix = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
        np.add.at(matrix, (labels, predicted), 1)
        return cls(matrix)

    @property
    def blocks(self) -> int:
        return int(self.matrix.sum())

    @property
    def accuracy(self) -> float:
        return float(np.trace(self.matrix) / max(self.blocks, 1))

    @property
    def largest_class(self) -> float:
        """The accuracy of always saying the most common class."""
        return float(self.matrix.sum(axis=1).max() / max(self.blocks, 1))

    @property
    def macro_f1(self) -> float:
        return float(np.mean([self.of_class(k).f_measure for k in range(len(CLASSES))]))

    def of_class(self, number: int) -> ClassMeasures:
        true = float(self.matrix[number, number])
        actual, said = self.matrix[number].sum(), self.matrix[:, number].sum()
        right = self.blocks - actual - said + 2 * true
        return ClassMeasures(
            accuracy=float(right / max(self.blocks, 1)),
            precision=float(true / said) if said else 0.0,
            recall=float(true / actual) if actual else 0.0,
            f_measure=float(2 * true / (actual + said)) if actual + said else 0.0,
        )

    def to_dict(self) -> dict[str, Any]:
        """All figures, rounded, for JSON."""
        figures: dict[str, Any] = {
            "blocks": self.blocks,
            "accuracy": round(self.accuracy, 4),
            "largest_class": round(self.largest_class, 4),
            "macro_f1": round(self.macro_f1, 4),
            "confusion": self.matrix.tolist(),
        }
        for number, name in enumerate(CLASSES):
            own = self.of_class(number)
            figures[name] = {key: round(value, 4) for key, value in vars(own).items()}
        return figures


def permutation_importance(
    predict: Callable[[Floats], Column], features: Floats, labels: Column, seed: int = 1
) -> dict[str, float]:
    """What accuracy loses when a feature's values are shuffled among the blocks."""
    random = np.random.default_rng(seed)
    before = float((predict(features) == labels).mean())
    found: dict[str, float] = {}
    for column, name in enumerate(FEATURES):
        losses = []
        for _ in range(SHUFFLES):
            shuffled = features.copy()
            shuffled[:, column] = random.permutation(shuffled[:, column])
            losses.append(before - float((predict(shuffled) == labels).mean()))
        found[name] = float(np.mean(losses))
    return dict(sorted(found.items(), key=lambda item: -item[1]))
