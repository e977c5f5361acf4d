"""Trains the network of `visual`, and measures it on publishers that it has not seen."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean import __version__
from newsclean.extraction.methods.visual.classifier import (
    CLASSES,
    CLIP,
    Network,
    scaled,
    sigmoid,
    write_networks,
)
from newsclean.extraction.page import PageError
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.folds import FOLDS, fold_of, mark_of
from newsclean.lab.training.optimizers import AdamW
from newsclean.lab.training.rendered_blocks import example_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Column
    from newsclean.lab.training.rendered_blocks import Example

    _Floats = NDArray[np.floating[Any]]
    from collections.abc import Callable
    from pathlib import Path

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.training.rendered_blocks import SnapshotCache

_LAYERS = 3


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
    layers = tuple((weights[f"weights{k}"], weights[f"bias{k}"]) for k in range(_LAYERS))
    return Network(mean, scale, layers)


def initial_weights(sizes: Sequence[int], random: np.random.Generator) -> dict[str, _Floats]:
    """Glorot's, for sigmoids."""
    weights: dict[str, _Floats] = {}
    for k in range(_LAYERS):
        limit = 4 * np.sqrt(6 / (sizes[k] + sizes[k + 1]))
        drawn = random.uniform(-limit, limit, (sizes[k], sizes[k + 1]))
        weights[f"weights{k}"] = drawn.astype(np.float32)
        weights[f"bias{k}"] = np.zeros(sizes[k + 1], dtype=np.float32)
    return weights


def gradients(weights: dict[str, _Floats], inputs: _Floats, targets: _Floats) -> dict[str, _Floats]:
    """Of the cross-entropy of the three outputs, a mean over the blocks."""
    values = [inputs]
    for k in range(_LAYERS):
        values.append(sigmoid(values[-1] @ weights[f"weights{k}"] + weights[f"bias{k}"]))
    error: _Floats = (values[-1] - targets) / len(inputs)
    found: dict[str, _Floats] = {}
    for k in reversed(range(_LAYERS)):
        found[f"weights{k}"] = values[k].T @ error
        found[f"bias{k}"] = error.sum(axis=0)
        error = (error @ weights[f"weights{k}"].T) * values[k] * (1 - values[k])
    return found


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """A network for each fold, and what it says of the blocks of the publishers it has not seen."""

    networks: dict[int, Network]
    #: by page, in the order of the examples
    outputs: list[_Floats]

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


@dataclass
class Read:
    """The examples of a corpus, and the pages that gave none, with the reason."""

    examples: list[Example] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    #: processor seconds of rendering, a page
    seconds: list[float] = field(default_factory=list)


def read_examples(
    corpus: Corpus, cache: SnapshotCache, advance: Callable[[], object] = lambda: None
) -> Read:
    """Render the pages of a corpus, or take them from the cache; one that fails is left out."""
    read = Read()
    for gold in corpus.golds:
        body = read_page(gold.path)
        try:
            snapshot = cache.snapshot(body, gold.url)
            example = example_of(gold, body, snapshot)
            if len(example):
                read.examples.append(example)
            else:
                read.left_out[gold.name] = "no-text"
            read.seconds.append(snapshot.seconds)
        except PageError as error:
            read.left_out[gold.name] = error.reason
        advance()
    return read


def _confusion_of(
    examples: Sequence[Example], validated: CrossValidated, chosen: Sequence[bool] | None = None
) -> Confusion:
    """Of all pages, or of those that are chosen."""
    chosen = [True] * len(examples) if chosen is None else chosen
    pairs = [
        (example.label, predicted)
        for example, predicted, is_chosen in zip(
            examples, validated.predicted(), chosen, strict=True
        )
        if is_chosen
    ]
    if not pairs:
        return Confusion.of(np.empty(0, np.int64), np.empty(0, np.int64))
    return Confusion.of(
        np.concatenate([label for label, _ in pairs]),
        np.concatenate([predicted for _, predicted in pairs]),
    )


@dataclass(frozen=True, eq=False)
class Result:
    """What a training gave."""

    validated: CrossValidated
    figures: dict[str, Any]


def train_and_measure(read: Read, settings: Settings) -> Result:
    """Table III for all pages, and for those that bring their stylesheets along."""
    examples = read.examples
    validated = cross_validate(examples, settings)
    own = [example.has_own_styles for example in examples]
    collections = sorted({example.gold.collection for example in examples})
    figures: dict[str, Any] = {
        "pages": len(examples),
        "publishers": len({mark_of(example.gold.site) for example in examples}),
        "left_out": read.left_out,
        "render_seconds": round(float(np.mean(read.seconds or [0.0])), 3),
        "all": _confusion_of(examples, validated).to_dict(),
        "own_styles": {
            "pages": sum(own),
            **_confusion_of(examples, validated, own).to_dict(),
        },
        "by_collection": {
            name: round(
                _confusion_of(
                    examples, validated, [e.gold.collection == name for e in examples]
                ).accuracy,
                4,
            )
            for name in collections
        },
    }
    return Result(validated, figures)


def save(path: Path, folds: Path, read: Read, result: Result, settings: Settings) -> None:
    """Write the network for use, trained on all pages, and those of the folds."""
    pages: dict[str, int] = {}
    for example in read.examples:
        pages[example.gold.collection] = pages.get(example.gold.collection, 0) + 1
    card = {
        "newsclean": __version__,
        "pages": pages,
        "sites": sorted({mark_of(example.gold.site) for example in read.examples}),
        "settings": asdict(settings),
        "accuracy": result.figures["all"]["accuracy"],
        "accuracy_means": "of blocks, three classes, cross-validated by publisher",
    }
    write_networks(path, {"": fit(read.examples, settings)}, card)
    networks = {str(fold): network for fold, network in result.validated.networks.items()}
    write_networks(folds, networks, card)
