"""Adam (Kingma and Ba, 2015): for weights that are all fitted at once, and for batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Floats = NDArray[np.floating[Any]]
#: The weights by name.
Weights = dict[str, Floats]


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


class Pace(Protocol):
    """What the optimizer reads of the settings of a training."""

    @property
    def learning_rate(self) -> float: ...

    @property
    def warm_up(self) -> float: ...

    @property
    def weight_decay(self) -> float: ...

    @property
    def max_gradient_norm(self) -> float: ...


class AdamW:
    """Adam with decoupled weight decay; the learning rate rises at first, then falls to 0.

    Loshchilov and Hutter, Decoupled Weight Decay Regularization (2019).
    """

    def __init__(self, weights: Weights, settings: Pace, steps: int) -> None:
        self.weights = weights
        self.settings = settings
        self.steps = steps
        self.done = 0
        self._mean = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._mean_square = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def apply(self, gradients: Weights) -> None:
        """Change the weights a little."""
        settings = self.settings
        norm = float(np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values())))
        shorter = min(1.0, settings.max_gradient_norm / max(norm, 1e-12))
        self.done += 1
        rate = self.learning_rate()
        for name, weight in self.weights.items():
            gradient = gradients[name] * np.float32(shorter)
            mean, mean_square = self._mean[name], self._mean_square[name]
            mean += np.float32(0.1) * (gradient - mean)
            mean_square += np.float32(0.001) * (gradient * gradient - mean_square)
            size = np.sqrt(mean_square / (1 - 0.999**self.done)) + 1e-8
            weight *= np.float32(1 - rate * settings.weight_decay)
            weight -= (rate / (1 - 0.9**self.done) * mean / size).astype(np.float32)

    def learning_rate(self) -> float:
        """The learning rate of the next step."""
        rising = max(self.settings.warm_up * self.steps, 1.0)
        if self.done < rising:
            share = self.done / rising
        else:
            share = 1 - (self.done - rising) / max(self.steps - rising, 1.0)
        return self.settings.learning_rate * float(1 - np.cos(np.pi * max(share, 0.0))) / 2
