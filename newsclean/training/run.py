"""Trains the networks of a model file: one for use, one for each fold of the sites."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.hybrid import hints
from newsclean.methods.hybrid.decision import THRESHOLD
from newsclean.methods.hybrid.evidence import KINDS
from newsclean.methods.hybrid.folds import FOLDS, fold_of, mark_of
from newsclean.methods.hybrid.network import Network, write_model
from newsclean.methods.hybrid.surroundings import Surroundings
from newsclean.page import Page
from newsclean.training.fit import ARTICLE, fit
from newsclean.training.words import common_words, fit_vocabulary
from newsclean.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from newsclean.methods.hybrid.vocabulary import Vocabulary
    from newsclean.training.examples import Example
    from newsclean.training.fit import Settings

USE = "all"


@dataclass(frozen=True)
class Trained:
    networks: dict[str, Network]
    vocabularies: dict[str, Vocabulary]
    #: word F1 by collection, each page judged by a network that has not seen its site
    figures: dict[str, float]


def train(
    examples: Sequence[Example],
    settings: Settings,
    *,
    left_out: Sequence[str] = (),
    only_folds: bool = False,
    jobs: int = 1,
    seen: Callable[[], object] = lambda: None,
) -> Trained:
    """The networks and their figures; questions named in `left_out` are not asked."""
    questions = examples[0].questions
    asked = [column for column, name in enumerate(questions) if name not in left_out]
    names = [*map(str, range(FOLDS)), *(() if only_folds else (USE,))]
    words = common_words(examples)
    networks: dict[str, Network] = {}
    vocabularies: dict[str, Vocabulary] = {}
    figures: dict[str, list[float]] = {}
    with ProcessPoolExecutor(
        jobs, initializer=_begin, initargs=(examples, settings, asked, words)
    ) as pool:
        for name, network, vocabulary, scores in pool.map(_fit, names):
            networks[name], vocabularies[name] = network, vocabulary
            for collection, f1 in scores:
                figures.setdefault(collection, []).append(f1)
            seen()
    means = {name: round(float(np.mean(scores)), 4) for name, scores in sorted(figures.items())}
    return Trained(networks, vocabularies, means)


def save(path: Path, trained: Trained, examples: Sequence[Example], settings: Settings) -> None:
    """Write the model file with what it was trained on and its figures."""
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
    questions = trained.networks[USE].questions
    write_model(path, questions, trained.networks, trained.vocabularies, card)


_work: tuple[Sequence[Example], Settings, list[str]]


def _begin(
    examples: Sequence[Example], settings: Settings, asked: list[int], words: list[str]
) -> None:
    global _work
    for example in examples:
        example.values = np.ascontiguousarray(example.values[:, asked])
        example.questions = [example.questions[column] for column in asked]
    _work = examples, settings, words


def _fit(name: str) -> tuple[str, Network, Vocabulary, list[tuple[str, float]]]:
    examples, settings, words = _work
    articles = [e for e in examples if e.gold.kind == ARTICLE]
    own = [e for e in articles if name != USE and fold_of(e.gold.site) == int(name)]
    others = [e for e in examples if name == USE or fold_of(e.gold.site) != int(name)]
    network = fit(others, settings, kinds(others[0].questions))
    vocabulary = fit_vocabulary(others, words)
    scores = [(e.gold.collection, e.bags.f1(_chosen(network, vocabulary, e))) for e in own]
    return name, network, vocabulary, scores


def _chosen(network: Network, vocabulary: Vocabulary, example: Example) -> Any:
    alone = network(example.values, example.words, example.ranges).astype(float)
    return vocabulary.asked(alone, example.words, example.texts) >= THRESHOLD


def questions_by_kind() -> dict[str, list[str]]:
    """What each kind of evidence asks, told by a page with nothing but a sentence."""
    at = Surroundings(Page.from_html("<title>Rain</title><h1>Rain</h1><p>It rains."))
    return {kind: list(ask(at)) for kind, ask in KINDS.items()}


def kinds(questions: Sequence[str]) -> list[list[int]]:
    """The columns of each kind of evidence that a page may lack, or that may mislead."""
    groups = [{f"{kind} 0", f"{kind} 1", f"{kind} any"} for kind in hints.KINDS]
    groups += [
        {name.format(level) for name in ("words {}", "share of {}", "blocks {}", "closed {}",
         "linked {}", "place in {}", "running {}", "pictures {}")}
        for level in range(1, 6)
    ]  # fmt: skip
    groups += [{"headline", "blocks behind it", "words behind it", "steps up from it"}]
    groups += [
        {"stated"},
        {"mss"},
        {"boilerpipe", "tree"},
        {"words of the title"},
    ]
    groups += [{name for name in questions if name.startswith("says ")}]
    found = [[c for c, name in enumerate(questions) if name in group] for group in groups]
    return [columns for columns in found if columns]
