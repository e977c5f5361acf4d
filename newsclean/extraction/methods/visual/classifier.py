"""Which blocks are the article: those that the network calls main (section III, last phase)."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.browser.snapshot import NONE
from newsclean.extraction.methods.chain import Choice, Stage, Step
from newsclean.extraction.methods.hybrid.network import ModelError
from newsclean.extraction.methods.visual import rendered_blocks as segmentation
from newsclean.extraction.methods.visual.rendered_blocks import FEATURES, block_features
from newsclean.extraction.page import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Rendering, Snapshot
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.methods.visual.rendered_blocks import Block, Thresholds
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.floating[Any]]

# The feed-forward network that calls a block main, mixed or noise (sections III and IV).
#
# The paper has 33 inputs and 3 outputs in section IV, 21 and 2 in section III: ours has 33, all of
# Table I, and 3, the classes that it labels. Two layers are between them, as in section III; all
# activations are sigmoids. Counts, lengths and pixels enter as logarithms: the paper says nothing
# of their scale, and without it a few long blocks would outweigh all others.

#: The classes of a block, in the order of the outputs.
CLASSES = ("main", "mixed", "noise")
MAIN, MIXED, NOISE = range(len(CLASSES))

#: The network that comes with newsclean.
_SHIPPED = files(__package__).joinpath("network.npz")

#: Standard deviations beyond which a feature says no more.
CLIP = 4.0

_ARRAYS = ("mean", "scale", "weights0", "bias0", "weights1", "bias1", "weights2", "bias2")


@dataclass(frozen=True, eq=False)
class Network:
    """Weights, and how the features are brought to one scale."""

    mean: _Floats
    scale: _Floats
    #: weights and biases of each layer
    layers: tuple[tuple[_Floats, _Floats], ...]
    #: training pages, settings and figures
    card: dict[str, Any] = field(default_factory=dict, repr=False)

    def inputs(self, features: _Floats) -> _Floats:
        """The features of blocks as the first layer takes them."""
        values: _Floats = np.clip((scaled(features) - self.mean) * self.scale, -CLIP, CLIP)
        return values

    def __call__(self, features: _Floats) -> _Floats:
        """The three outputs for each block, each from 0 to 1."""
        values = self.inputs(features)
        for weights, bias in self.layers:
            values = sigmoid(values @ weights + bias)
        return values


def scaled(features: _Floats) -> _Floats:
    """Counts, lengths and pixels as logarithms, shares as their roots; both keep their sign."""
    is_share = np.array([name.startswith("Rel") for name in FEATURES])
    size = np.abs(features)
    values: _Floats = np.sign(features) * np.where(is_share, np.sqrt(size), np.log1p(size))
    return values


def sigmoid(values: _Floats) -> _Floats:
    result: _Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return result


@cache
def read_network(path: Path | Traversable = _SHIPPED, name: str = "") -> Network:
    """The network in a file, the one that comes with newsclean if none is named.

    Of a file that holds several, the one of a name.
    """
    prefix = f"{name}/" if name else ""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            card: dict[str, Any] = json.loads(str(file["card"]))
            arrays = {key: file[prefix + key].astype(np.float64) for key in _ARRAYS}
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
            for key, value in zip(_ARRAYS, values, strict=True)
        }
    np.savez_compressed(path, **arrays)


_NOT_RENDERED = (
    "visual sees a page as a browser shows it, and this one was not rendered: "
    "`newsclean extract` does that; in Python, give extract() a snapshot of newsclean.browser"
)


@dataclass(frozen=True)
class Parameters:
    thresholds: Thresholds = segmentation.PAPER
    #: how much the output for mixed counts beside the one for main; 0: main blocks alone
    mixed: float = 0.0
    #: the least sum of the two; None: the class with the largest output decides
    least: float | None = None


PAPER = Parameters()
#: To take mixed blocks in doubt (mixed=0.5, least=0.5) measured worse: F1 0.902, not 0.906.
TUNED = PAPER


@dataclass(frozen=True, eq=False)
class ClassifiedBlocks:
    """The blocks of a page, and the outputs of the network for each."""

    blocks: list[Block]
    outputs: _Floats

    @property
    def classes(self) -> Column:
        """The class of each block: the largest output."""
        found: Column = self.outputs.argmax(axis=1)
        return found


def classify(
    snapshot: Snapshot, network: Network, thresholds: Thresholds = segmentation.PAPER
) -> ClassifiedBlocks:
    """The three phases: segmentation, features, network."""
    blocks = segmentation.segment(snapshot, thresholds)
    return ClassifiedBlocks(blocks, network(block_features(snapshot, blocks)))


def steps(parameters: Parameters, network: Network | None = None) -> tuple[Step, ...]:
    """With the network that comes with newsclean, unless another one is given."""

    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        if evidence.rendering is None:
            raise PageError("not-rendered", _NOT_RENDERED)
        rows, score = choose(page, evidence.rendering, network or read_network(), parameters)
        return replace(before, rows=before.rows & rows, score=score)

    return (Step(Stage.CONTENT, content, needs_rendering=True),)


def choose(
    page: Page, rendering: Rendering, network: Network, parameters: Parameters = PAPER
) -> tuple[Mask, float]:
    """The rows of the main blocks, and the mean of the network's output for their characters."""
    snapshot = rendering.snapshot
    classified = classify(snapshot, network, parameters.thresholds)
    score = classified.outputs[:, MAIN] + parameters.mixed * classified.outputs[:, MIXED]
    is_main = classified.classes == MAIN
    taken = is_main if parameters.least is None else score >= parameters.least
    of_row = np.zeros(len(snapshot))
    for block, value in zip(classified.blocks, np.where(taken, score, 0.0).tolist(), strict=True):
        of_row[block.first : block.last + 1] = value
    values = np.where(rendering.rows == NONE, 0.0, (of_row * snapshot.shown)[rendering.rows])
    chosen = np.zeros(len(page), dtype=bool)
    chosen[page.text_rows[values > 0]] = True
    chars = page.chars[page.text_rows] * (values > 0)
    mean = float((values * chars).sum() / chars.sum()) if chars.any() else 0.0
    return _with_pictures(page, chosen), mean


def _with_pictures(page: Page, chosen: Mask) -> Mask:
    """The chosen texts with what has no text between two of them: pictures, rules, breaks."""
    texts = page.text_rows
    taken = chosen[texts]
    rows = chosen.copy()
    for at in np.flatnonzero(taken[:-1] & taken[1:]).tolist():
        rows[texts[at] : texts[at + 1]] = True
    return rows
