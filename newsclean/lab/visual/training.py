"""Trains the network of `visual`: one for use, one for each fold of the publishers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.lab.folds import FOLDS, fold_of
from newsclean.lab.training.fit import AdamW
from newsclean.methods.visual.network import CLASSES, CLIP, Network, scaled, sigmoid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.lab.visual.examples import Example
    from newsclean.page.columns import Column

    Floats = NDArray[np.floating[Any]]

LAYERS = 3


@dataclass(frozen=True)
class Settings:
    """How the network is trained."""

    #: neurons of the two layers in the middle
    width: tuple[int, int] = (32, 16)
    epochs: int = 40
    batch_size: int = 256
    learning_rate: float = 1e-2
    warm_up: float = 0.1
    weight_decay: float = 1e-2
    max_gradient_norm: float = 5.0
    seed: int = 1


def fit(examples: Sequence[Example], settings: Settings) -> Network:
    """A network for these pages; the same ones give the same network."""
    random = np.random.default_rng(settings.seed)
    raw = scaled(np.concatenate([example.features for example in examples]))
    mean, scale = raw.mean(axis=0), 1 / (raw.std(axis=0) + 1e-3)
    inputs = np.clip((raw - mean) * scale, -CLIP, CLIP).astype(np.float32)
    labels = np.concatenate([example.label for example in examples])
    targets = np.eye(len(CLASSES), dtype=np.float32)[labels]
    weights = initial_weights((inputs.shape[1], *settings.width, len(CLASSES)), random)
    steps = max(len(inputs) // settings.batch_size, 1)
    optimizer = AdamW(weights, settings, settings.epochs * steps)
    for _ in range(settings.epochs):
        for taken in np.array_split(random.permutation(len(inputs)), steps):
            optimizer.apply(gradients(weights, inputs[taken], targets[taken]))
    layers = tuple((weights[f"weights{k}"], weights[f"bias{k}"]) for k in range(LAYERS))
    return Network(mean, scale, layers)


def initial_weights(sizes: Sequence[int], random: np.random.Generator) -> dict[str, Floats]:
    """Glorot's, for sigmoids."""
    weights: dict[str, Floats] = {}
    for k in range(LAYERS):
        limit = 4 * np.sqrt(6 / (sizes[k] + sizes[k + 1]))
        drawn = random.uniform(-limit, limit, (sizes[k], sizes[k + 1]))
        weights[f"weights{k}"] = drawn.astype(np.float32)
        weights[f"bias{k}"] = np.zeros(sizes[k + 1], dtype=np.float32)
    return weights


def gradients(weights: dict[str, Floats], inputs: Floats, targets: Floats) -> dict[str, Floats]:
    """Of the cross-entropy of the three outputs, a mean over the blocks."""
    values = [inputs]
    for k in range(LAYERS):
        values.append(sigmoid(values[-1] @ weights[f"weights{k}"] + weights[f"bias{k}"]))
    error: Floats = (values[-1] - targets) / len(inputs)
    found: dict[str, Floats] = {}
    for k in reversed(range(LAYERS)):
        found[f"weights{k}"] = values[k].T @ error
        found[f"bias{k}"] = error.sum(axis=0)
        error = (error @ weights[f"weights{k}"].T) * values[k] * (1 - values[k])
    return found


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """A network for each fold, and what it says of the blocks of the publishers it has not seen."""

    networks: dict[int, Network]
    #: by page, in the order of the examples
    outputs: list[Floats]

    def predicted(self) -> list[Column]:
        return [output.argmax(axis=1) for output in self.outputs]


def cross_validate(examples: Sequence[Example], settings: Settings) -> CrossValidated:
    """Five folds by publisher (section IV); section III's 80 % for training are four of them."""
    folds = [fold_of(example.gold.site) for example in examples]
    networks = {
        fold: fit([e for e, own in zip(examples, folds, strict=True) if own != fold], settings)
        for fold in range(FOLDS)
    }
    outputs = [networks[fold](e.features) for e, fold in zip(examples, folds, strict=True)]
    return CrossValidated(networks, outputs)
