"""The feed-forward network that calls a block main, mixed or noise (sections III and IV).

The paper has 33 inputs and 3 outputs in section IV, 21 and 2 in section III: ours has 33, all of
Table I, and 3, the classes that it labels. Two layers are between them, as in section III; all
activations are sigmoids. Counts, lengths and pixels enter as logarithms: the paper says nothing of
their scale, and without it a few long blocks would outweigh all others.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.hybrid.model import ModelError
from newsclean.methods.visual.features import FEATURES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

#: The classes of a block, in the order of the outputs.
CLASSES = ("main", "mixed", "noise")
MAIN, MIXED, NOISE = range(len(CLASSES))

#: The network that comes with newsclean.
SHIPPED = files(__package__).joinpath("network.npz")

#: Standard deviations beyond which a feature says no more.
CLIP = 4.0

ARRAYS = ("mean", "scale", "weights0", "bias0", "weights1", "bias1", "weights2", "bias2")


@dataclass(frozen=True, eq=False)
class Network:
    """Weights, and how the features are brought to one scale."""

    mean: Floats
    scale: Floats
    #: weights and biases of each layer
    layers: tuple[tuple[Floats, Floats], ...]
    #: training pages, settings and figures
    card: dict[str, Any] = field(default_factory=dict, repr=False)

    def inputs(self, features: Floats) -> Floats:
        """The features of blocks as the first layer takes them."""
        values: Floats = np.clip((scaled(features) - self.mean) * self.scale, -CLIP, CLIP)
        return values

    def __call__(self, features: Floats) -> Floats:
        """The three outputs for each block, each from 0 to 1."""
        values = self.inputs(features)
        for weights, bias in self.layers:
            values = sigmoid(values @ weights + bias)
        return values


def scaled(features: Floats) -> Floats:
    """Counts, lengths and pixels as logarithms, shares as their roots; both keep their sign."""
    is_share = np.array([name.startswith("Rel") for name in FEATURES])
    size = np.abs(features)
    values: Floats = np.sign(features) * np.where(is_share, np.sqrt(size), np.log1p(size))
    return values


def sigmoid(values: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return result


@cache
def read_network(path: Path | Traversable = SHIPPED, name: str = "") -> Network:
    """The network in a file, the one that comes with newsclean if none is named.

    Of a file that holds several, the one of a name.
    """
    prefix = f"{name}/" if name else ""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            card: dict[str, Any] = json.loads(str(file["card"]))
            arrays = {key: file[prefix + key].astype(np.float64) for key in ARRAYS}
    except KeyError as error:
        raise ModelError(f"{path} is not a network of visual: it has no {error}") from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is not a network of visual: {error}") from None
    if len(arrays["mean"]) != len(FEATURES) or arrays["bias2"].shape != (len(CLASSES),):
        raise ModelError(f"{path} was trained on other features or classes: train it anew")
    layers = tuple((arrays[f"weights{k}"], arrays[f"bias{k}"]) for k in range(3))
    return Network(arrays["mean"], arrays["scale"], layers, card)


def write_networks(path: Path, networks: Mapping[str, Network], card: dict[str, Any]) -> None:
    """Write networks to a file; a single one has the empty name."""
    arrays: dict[str, Any] = {"card": np.array(json.dumps(card, sort_keys=True))}
    for name, network in networks.items():
        prefix = f"{name}/" if name else ""
        values = [network.mean, network.scale, *(part for pair in network.layers for part in pair)]
        arrays |= {
            f"{prefix}{key}": value.astype(np.float32)
            for key, value in zip(ARRAYS, values, strict=True)
        }
    np.savez_compressed(path, **arrays)
