"""Adam for weights that are all fitted at once: no batches, no warm-up (Kingma and Ba, 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def minimize(
    gradient_of: Callable[[Floats], Floats], weights: int, steps: int, rate: float
) -> Floats:
    """The weights after some steps from 0 down a function's gradient; steps get smaller.

    >>> minimize(lambda weight: weight - 0.5, weights=1, steps=100, rate=0.1).round(2).tolist()
    [0.5]
    """
    weight, mean, mean_square = np.zeros((3, weights))
    for step in range(1, steps + 1):
        gradient = gradient_of(weight)
        mean += 0.1 * (gradient - mean)
        mean_square += 0.01 * (gradient * gradient - mean_square)
        size = np.sqrt(mean_square / (1 - 0.99**step)) + 1e-9
        weight -= rate * (1 - (step - 1) / steps) * mean / (1 - 0.9**step) / size
    return weight
