"""Trains the models: one for use, one for each fold of the sites."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.lab.folds import FOLDS, fold_of, mark_of
from newsclean.lab.training.fit import ARTICLE, fit
from newsclean.lab.training.words import common_words, fit_vocabulary
from newsclean.methods.hybrid import Model, hints, write_model
from newsclean.methods.hybrid.context import BlockContext
from newsclean.methods.hybrid.features import FEATURE_GROUPS
from newsclean.methods.hybrid.headline import DISTANCES
from newsclean.methods.hybrid.scoring import THRESHOLD
from newsclean.page import Page
from newsclean.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from newsclean.lab.training.examples import Example
    from newsclean.lab.training.fit import Settings

USE = "all"


@dataclass(frozen=True)
class Trained:
    #: the model for use under `USE`, and one for each fold under its number
    models: dict[str, Model]
    #: word F1 by collection, each page judged by a model that has not seen its site
    figures: dict[str, float]


def train(
    examples: Sequence[Example],
    settings: Settings,
    *,
    left_out: Sequence[str] = (),
    only_folds: bool = False,
    jobs: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> Trained:
    """The models and their figures; features named in `left_out` are not used."""
    used = [column for column, name in enumerate(examples[0].feature_names) if name not in left_out]
    names = [*map(str, range(FOLDS)), *(() if only_folds else (USE,))]
    words = common_words(examples)
    models: dict[str, Model] = {}
    figures: dict[str, list[float]] = {}
    with ProcessPoolExecutor(
        jobs, initializer=_begin, initargs=(examples, settings, used, words)
    ) as pool:
        for name, model, scores in pool.map(_fit, names):
            models[name] = model
            for collection, f1 in scores:
                figures.setdefault(collection, []).append(f1)
            advance()
    means = {name: round(float(np.mean(scores)), 4) for name, scores in sorted(figures.items())}
    return Trained(models, means)


def save(
    path: Path, folds: Path, trained: Trained, examples: Sequence[Example], settings: Settings
) -> None:
    """Write the model for use, and those of the folds, with their training and its figures."""
    pages: dict[str, int] = {}
    for example in examples:
        pages[example.gold.collection] = pages.get(example.gold.collection, 0) + 1
    card: dict[str, Any] = {
        "newsclean": VERSION,
        "pages": pages,
        "sites": sorted({mark_of(example.gold.site) for example in examples}),
        "settings": asdict(settings),
        "f1": trained.figures,
        "f1_means": "words, blocks alone, no neighbors, cross-validated by publisher",
    }
    of_folds = {name: model for name, model in trained.models.items() if name != USE}
    write_model(path, {"": trained.models[USE]}, card)
    write_model(folds, of_folds, card)


_work: tuple[Sequence[Example], Settings, list[str]]


def _begin(
    examples: Sequence[Example], settings: Settings, used: list[int], words: list[str]
) -> None:
    global _work
    for example in examples:
        example.features = np.ascontiguousarray(example.features[:, used])
        example.feature_names = [example.feature_names[column] for column in used]
    _work = examples, settings, words


def _fit(name: str) -> tuple[str, Model, list[tuple[str, float]]]:
    examples, settings, words = _work
    articles = [e for e in examples if e.gold.kind == ARTICLE]
    own = [e for e in articles if name != USE and fold_of(e.gold.site) == int(name)]
    others = [e for e in examples if name == USE or fold_of(e.gold.site) != int(name)]
    names = others[0].feature_names
    network = fit(others, settings, dropout_columns(names))
    model = Model(names, network, fit_vocabulary(others, words))
    return name, model, [(e.gold.collection, e.bags.f1(_chosen(model, e))) for e in own]


def _chosen(model: Model, example: Example) -> Any:
    alone = model.network(example.features, example.words, example.ranges).astype(float)
    return model.vocabulary.adjusted(alone, example.words, example.texts) >= THRESHOLD


def features_by_group() -> dict[str, list[str]]:
    """The features of each group, read from a page with nothing but a sentence."""
    context = BlockContext(Page.from_html("<title>Rain</title><h1>Rain</h1><p>It rains."))
    return {group: list(compute(context)) for group, compute in FEATURE_GROUPS.items()}


def dropout_columns(names: Sequence[str]) -> list[list[int]]:
    """The columns of each group of features that a page may lack, or that may mislead."""
    groups = [{f"{kind} 0", f"{kind} 1", f"{kind} any"} for kind in hints.KINDS]
    groups += [
        {name.format(level) for name in ("words {}", "share of {}", "blocks {}",
         "ends sentence {}", "linked {}", "position in {}", "running {}", "pictures {}")}
        for level in range(1, 6)
    ]  # fmt: skip
    groups += [{"headline", *DISTANCES}]
    groups += [
        {"in JSON-LD body"},
        {"mss"},
        {"boilerpipe", "tree"},
        {"words of the title"},
    ]
    groups += [{name for name in names if name.startswith("mentions ")}]
    found = [[c for c, name in enumerate(names) if name in group] for group in groups]
    return [columns for columns in found if columns]
