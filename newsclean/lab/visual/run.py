"""Pages to networks: reads examples, trains, measures, and writes it all down."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.folds import fold_of, mark_of
from newsclean.lab.visual.examples import example_of
from newsclean.lab.visual.measures import Confusion, permutation_importance
from newsclean.lab.visual.training import cross_validate, fit
from newsclean.methods.visual import write_networks
from newsclean.page import PageError
from newsclean.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.visual.examples import Example
    from newsclean.lab.visual.snapshots import SnapshotCache
    from newsclean.lab.visual.training import CrossValidated, Settings


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


def confusion_of(
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


def importance_of(examples: Sequence[Example], validated: CrossValidated) -> dict[str, float]:
    """Of each feature, for blocks of publishers that the network has not seen."""
    folds = np.concatenate([np.full(len(e), fold_of(e.gold.site)) for e in examples])

    def predict(features: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
        classes = np.zeros(len(features), dtype=np.int64)
        for fold, network in validated.networks.items():
            own = folds == fold
            classes[own] = network(features[own]).argmax(axis=1)
        return classes

    features = np.concatenate([example.features for example in examples])
    labels = np.concatenate([example.label for example in examples])
    return permutation_importance(predict, features, labels)


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
        "all": confusion_of(examples, validated).to_dict(),
        "own_styles": {
            "pages": sum(own),
            **confusion_of(examples, validated, own).to_dict(),
        },
        "by_collection": {
            name: round(
                confusion_of(
                    examples, validated, [e.gold.collection == name for e in examples]
                ).accuracy,
                4,
            )
            for name in collections
        },
        "importance": {k: round(v, 4) for k, v in importance_of(examples, validated).items()},
    }
    return Result(validated, figures)


def save(path: Path, folds: Path, read: Read, result: Result, settings: Settings) -> None:
    """Write the network for use, trained on all pages, and those of the folds."""
    pages: dict[str, int] = {}
    for example in read.examples:
        pages[example.gold.collection] = pages.get(example.gold.collection, 0) + 1
    card = {
        "newsclean": VERSION,
        "pages": pages,
        "sites": sorted({mark_of(example.gold.site) for example in read.examples}),
        "settings": asdict(settings),
        "accuracy": result.figures["all"]["accuracy"],
        "accuracy_means": "of blocks, three classes, cross-validated by publisher",
    }
    write_networks(path, {"": fit(read.examples, settings)}, card)
    networks = {str(fold): network for fold, network in result.validated.networks.items()}
    write_networks(folds, networks, card)


def write_figures(path: Path, figures: dict[str, Any]) -> None:
    path.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
