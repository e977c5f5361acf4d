"""Trains the models: one for use, one for each fold of the sites."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean import __version__
from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.decision import THRESHOLD
from newsclean.extraction.methods.hybrid.features import DISTANCES, FEATURE_GROUPS
from newsclean.extraction.methods.hybrid.network import Model, write_model
from newsclean.extraction.page import Page
from newsclean.lab.folds import FOLDS, fold_of, mark_of
from newsclean.lab.training.fit import (
    ARTICLE,
    CONTINUED_NETWORKS,
    common_words,
    continued_targets,
    fit,
    fit_vocabulary,
    mean_network,
    weight_of,
)
from newsclean.lab.training.training_cache import NETWORKS, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.network import Network
    from newsclean.lab.training.block_examples import Example
    from newsclean.lab.training.fit import Settings

    _Floats = NDArray[np.float32]

USE = "all"
#: The word F1 of the best choice of blocks of a page whose gold text is on it.
_MIN_POSSIBLE = 0.9


@dataclass(frozen=True)
class Trained:
    #: the model for use under `USE`, and one for each fold under its number
    models: dict[str, Model]
    #: word F1 of each page by collection, in the order of the examples of each fold in turn; each
    #: is judged by a model that has not seen its site
    scores: dict[str, list[float]]

    @property
    def figures(self) -> dict[str, float]:
        """The mean of each collection."""
        return {name: round(float(np.mean(own)), 4) for name, own in sorted(self.scores.items())}


def train(
    examples: Sequence[Example],
    settings: Settings,
    *,
    left_out: Sequence[str] = (),
    folds: int = FOLDS,
    only_folds: bool = False,
    jobs: int = 1,
    advance: Callable[[], object] = lambda: None,
    cache: Path | None = None,
    start: Mapping[str, Model] | None = None,
) -> Trained:
    """The models and their figures; features named in `left_out` are not used.

    Of the folds, the first `folds` are trained and measured. Each network is kept in the folder
    `cache` when it is done, and not trained again. With `start`, models by the same names as the
    trained ones, training goes on from these; the features and the vocabulary are theirs.
    """
    known = examples[0].feature_names
    if start:
        used = [known.index(name) for name in next(iter(start.values())).feature_names]
    else:
        used = [column for column, name in enumerate(known) if name not in left_out]
    names = [*map(str, range(folds)), *(() if only_folds else (USE,))]
    words = [] if start else common_words(_teaching_words(examples, settings))
    models: dict[str, Model] = {}
    figures: dict[str, list[float]] = {}
    with ProcessPoolExecutor(
        jobs, initializer=_begin, initargs=(examples, settings, used, words, cache, start)
    ) as pool:
        for name, model, scores in pool.map(_fit, names):
            models[name] = model
            for collection, f1 in scores:
                figures.setdefault(collection, []).append(f1)
            advance()
    return Trained(models, figures)


def save(
    path: Path,
    folds: Path,
    trained: Trained,
    examples: Sequence[Example],
    settings: Settings,
    start: Model | None = None,
) -> None:
    """Write the model for use, and those of the folds, with their training and its figures."""
    pages: dict[str, int] = {}
    examples = [example for example in examples if weight_of(example.gold, settings) > 0]
    for example in examples:
        pages[example.gold.collection] = pages.get(example.gold.collection, 0) + 1
    card: dict[str, Any] = {
        "newsclean": __version__,
        "pages": pages,
        "sites": sorted({mark_of(example.gold.site) for example in examples}),
        "settings": asdict(settings),
        "f1": trained.figures,
        "f1_means": "words, blocks alone, no neighbors, cross-validated by publisher",
    }
    if start:
        card["continues"] = {"model": start.fingerprint, "settings": start.card.get("settings")}
    of_folds = {name: model for name, model in trained.models.items() if name != USE}
    write_model(path, {"": trained.models[USE]}, card)
    write_model(folds, of_folds, card)


_work: tuple[Sequence[Example], Settings, list[str], Path | None, Mapping[str, Model] | None]


def _begin(
    examples: Sequence[Example],
    settings: Settings,
    used: list[int],
    words: list[str],
    cache: Path | None,
    start: Mapping[str, Model] | None,
) -> None:
    global _work
    for example in examples:
        example.features = np.ascontiguousarray(example.features[:, used])
        example.feature_names = [example.feature_names[column] for column in used]
    _work = examples, settings, words, cache, start


def _fit(name: str) -> tuple[str, Model, list[tuple[str, float]]]:
    examples, settings, words, cache, start = _work
    articles = [e for e in examples if e.gold.kind == ARTICLE]
    own = [e for e in articles if name != USE and fold_of(e.gold.site) == int(name)]
    others = [e for e in examples if name == USE or fold_of(e.gold.site) != int(name)]
    if start:
        network = _continued(others, settings, cache, start[name])
        vocabulary = start[name].vocabulary
    else:
        network = fitted(others, settings, cache)
        vocabulary = fit_vocabulary(_teaching_words(others, settings), words)
    model = Model(others[0].feature_names, network, vocabulary)
    scores = [(e.gold.collection, e.bags.f1(_chosen(model, e))) for e in own]
    return name, model, scores


def fitted(examples: Sequence[Example], settings: Settings, cache: Path | None) -> Network:
    """The network of those examples that count."""
    known = [example for example in examples if weight_of(example.gold, settings) > 0]
    names = known[0].feature_names
    columns = dropout_columns(names)

    def trained() -> Network:
        if not settings.teachers:
            return fit(known, settings, columns)
        return fit(known, settings, columns, targets=soft_targets(known, settings, cache))

    settings_text = json.dumps(asdict(settings))
    depends_on = (*names, settings_text, *(example.gold.digest for example in known))
    return kept(cache, NETWORKS, depends_on, trained)


def _continued(
    examples: Sequence[Example], settings: Settings, cache: Path | None, start: Model
) -> Network:
    """The network of a model after it has learned from the examples that count: a mean of several.

    A page of the collections of which only running text is learned does not count if its gold text
    is not on it: then not even the best choice of blocks agrees with it.
    """
    known = [
        example
        for example in examples
        if weight_of(example.gold, settings) > 0
        and (
            example.gold.collection not in settings.running_text_only
            or example.bags.f1(example.is_article) >= _MIN_POSSIBLE
        )
    ]

    targets = continued_targets(known, settings, start.network)
    columns = dropout_columns(start.feature_names)

    def network_of(seed: int) -> Network:
        own = replace(settings, seed=seed, share=1.0)
        depends_on = (start.fingerprint, json.dumps(asdict(own)), *digests)
        return kept(
            cache,
            NETWORKS,
            depends_on,
            lambda: fit(known, own, columns, targets=targets, start=start.network),
        )

    digests = [example.gold.digest for example in known]
    first = settings.seed
    networks = [network_of(first + k) for k in range(CONTINUED_NETWORKS)]
    return mean_network(networks, start.network, settings.share)


def soft_targets(
    examples: Sequence[Example], settings: Settings, cache: Path | None
) -> list[_Floats]:
    """How much each block is the article's, by its label and the mean prediction of the
    networks to distill.

    A network is asked only for pages of the collections that it has learned from.
    """
    said: list[list[_Floats]] = [[] for _ in examples]
    for teacher in settings.of_teachers():
        network = fitted(examples, teacher, cache)
        for example, own in zip(examples, said, strict=True):
            if weight_of(example.gold, teacher) > 0:
                own.append(network(example.features, example.words, example.ranges))
    share = settings.label_share
    return [
        (share * example.is_article + (1 - share) * np.mean(own, axis=0)).astype(np.float32)
        for example, own in zip(examples, said, strict=True)
    ]


def _teaching_words(examples: Sequence[Example], settings: Settings) -> list[Example]:
    """The examples of which the vocabulary is learned.

    Words of a collection of another convention say what that convention leaves out, and a sum over
    words has no input for it.
    """
    return [
        example
        for example in examples
        if weight_of(example.gold, settings) > 0
        and example.gold.collection not in settings.conventions
    ]


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
    by_group = features_by_group()
    groups += [set(by_group["replies"]), set(by_group["second article"])]
    found = [[c for c, name in enumerate(names) if name in group] for group in groups]
    return [columns for columns in found if columns]
