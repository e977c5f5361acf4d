"""Trains the models that tell articles from other pages, and measures them on unseen publishers."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.is_article.link_target import (
    UrlParts,
    url_features,
    with_signs_of_an_article,
)
from newsclean.extraction.is_article.prediction import with_rules
from newsclean.extraction.is_article.trees import Ensemble, Model, plan_of, vote_of
from newsclean.lab.training.c45 import Cases, learn
from newsclean.lab.training.labelled_pages import ARTICLE, CLASSES, OTHER, Figures, folds_of
from newsclean.lab.training.page_vocabulary import (
    WordedPages,
    cross_fitted_scores,
    fit_vocabularies,
    scores_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.is_article.page_features import PageWords
    from newsclean.extraction.is_article.trees import Case, Node, Tree, Vocabulary
    from newsclean.lab.training.labelled_pages import Labelled

FOLDS = 10
#: The share of the articles of the first corpus' news that must be known for articles, in each
#: language with this many of them.
_NEWS_RECALL = 0.99
_MIN_OF_LANGUAGE = 30
#: No threshold is higher, in hundredths: a wrong "no" costs more than a wrong "yes".
_MAX_THRESHOLD = 60
#: The shares of article URLs that must not be taken for something else: of news, and of all.
_NEWS_LINK_RECALL = 0.99
_LINK_RECALL = 0.988
#: Links of a page's menu are sections; at most this many of each publisher are used.
_MAX_SECTIONS_PER_PUBLISHER = 12
#: A page of the first corpus' news counts for this many others: news is what a crawl meets.
_NEWS_WEIGHT = 5.0
#: A page of a further corpus counts for so much: such corpora have hardly any pages of other kinds.
_FURTHER_WEIGHT = 0.25


@dataclass(frozen=True)
class Boosting:
    """How many trees vote, and how each is grown."""

    trees: int
    #: questions in a row, and cases that a branch needs
    max_depth: int
    min_cases: float
    #: how much of its vote a tree gets: small steps, and the later ones see more
    rate: float
    #: the share of the attributes that a tree may ask for, so that the trees differ
    attributes: float


PAGE_TREES = Boosting(trees=100, max_depth=4, min_cases=5.0, rate=0.2, attributes=0.4)
LINK_TREES = Boosting(trees=20, max_depth=3, min_cases=10.0, rate=0.3, attributes=0.6)


def boost(cases: Cases, settings: Boosting, seed: int = 1) -> Ensemble:
    """A few C4.5 trees that vote, of cases of two classes.

    Each is grown on the cases that those before it found hard, and asks for its own share of the
    attributes: boosting as in Quinlan's Bagging, Boosting, and C4.5 (1996), with votes by
    confidence.
    """
    if len(cases.classes) != 2:
        raise ValueError(f"boosting needs two classes, not {len(cases.classes)}")
    rows = cases.rows()
    side = np.where(cases.labels == 0, 1.0, -1.0)
    total = cases.weight.sum()
    grown: list[Tree] = []
    rng = random.Random(seed)
    names = list(cases.columns)
    for _ in range(settings.trees):
        some = rng.sample(names, max(1, round(settings.attributes * len(names))))
        tree = learn(cases.only(some), min_cases=settings.min_cases, max_depth=settings.max_depth)
        if not tree.root.branches:
            continue
        grown.append(tree)
        plan = plan_of(tree.root, settings.rate)
        votes = np.array([vote_of(plan, row) for row in rows])
        weight = cases.weight * np.exp(-side * votes)
        cases = replace(cases, weight=weight * (total / weight.sum()))
    return Ensemble(tuple(grown), settings.rate)


@dataclass(frozen=True, eq=False)
class Examples:
    """Cases with their classes, collections and folds; pages also with words and publishers."""

    rows: list[Case]
    labels: list[str]
    collections: list[str]
    fold: NDArray[np.int64]
    words: list[PageWords] = field(default_factory=list)
    publishers: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    #: the collections of further corpora; their pages count less
    further: frozenset[str] = frozenset()

    @property
    def truth(self) -> NDArray[np.bool_]:
        return np.array([label == ARTICLE for label in self.labels])

    @property
    def news(self) -> NDArray[np.bool_]:
        """Which are of collections that hold nothing but articles."""
        mixed = {
            name
            for name, label in zip(self.collections, self.labels, strict=True)
            if label == OTHER
        }
        return np.array([collection not in mixed for collection in self.collections])

    @property
    def first_news(self) -> NDArray[np.bool_]:
        """Which are news of the first corpus."""
        return self.news & ~np.isin(self.collections, list(self.further))

    @property
    def weight(self) -> NDArray[np.float64]:
        """How much each page counts in training."""
        further = np.isin(self.collections, list(self.further))
        return np.where(further, _FURTHER_WEIGHT, np.where(self.news, _NEWS_WEIGHT, 1.0))

    @property
    def sizes(self) -> dict[str, int]:
        names = map(" ".join, zip(self.collections, self.labels, strict=True))
        return dict(sorted(Counter(names).items()))


def page_examples(
    pages: Sequence[Labelled],
    folds: int = FOLDS,
    seed: int = 1,
    further: frozenset[str] = frozenset(),
) -> Examples:
    """The pages of all collections by their features; `further` names those that count less."""
    return Examples(
        [page.page for page in pages],
        [page.label for page in pages],
        [page.collection for page in pages],
        folds_of(pages, folds, seed),
        [page.words for page in pages],
        [page.publisher for page in pages],
        [page.language for page in pages],
        further,
    )


def link_examples(pages: Sequence[Labelled], folds: int = FOLDS, seed: int = 1) -> Examples:
    """The pages' own URLs, and the links in the menus of news pages, which lead to sections."""
    fold = folds_of(pages, folds, seed)
    rows: list[Case] = []
    labels: list[str] = []
    collections: list[str] = []
    numbers: list[int] = []
    taken: Counter[str] = Counter()
    seen = {page.url for page in pages}
    mixed = {page.collection for page in pages if page.label == OTHER}
    for page, number in zip(pages, fold.tolist(), strict=True):
        if page.url is None:
            continue
        targets = [(page.url, page.label, page.collection)]
        for url in page.menu if page.collection not in mixed else ():
            if url not in seen and taken[page.publisher] < _MAX_SECTIONS_PER_PUBLISHER:
                seen.add(url)
                taken[page.publisher] += 1
                targets.append((url, OTHER, "menus"))
        for url, label, collection in targets:
            rows.append(url_features(UrlParts.of(url)))
            labels.append(label)
            collections.append(collection)
            numbers.append(number)
    return Examples(rows, labels, collections, np.array(numbers))


@dataclass(frozen=True, eq=False)
class Trained:
    """Trees and the vocabularies whose answers they ask for."""

    ensemble: Ensemble
    vocabularies: dict[str, Vocabulary]

    def probabilities(self, examples: Examples, rows: NDArray[np.int64]) -> list[float]:
        """How likely some of the examples are articles."""
        return [self.ensemble.probability(case) for case in self._cases(examples, rows.tolist())]

    def _cases(self, examples: Examples, rows: list[int]) -> list[Case]:
        cases = [examples.rows[row] for row in rows]
        if not self.vocabularies:
            return cases
        said = scores_of(self.vocabularies, [examples.words[row] for row in rows])
        return [{**case, **score} for case, score in zip(cases, said, strict=True)]


def fit(examples: Examples, rows: NDArray[np.int64], settings: Boosting, seed: int) -> Trained:
    """What some of the examples teach."""
    cases = [examples.rows[row] for row in rows.tolist()]
    vocabularies: dict[str, Vocabulary] = {}
    if examples.words:
        pages = WordedPages(
            examples.words, examples.truth, examples.news, examples.publishers
        ).take(rows)
        said = cross_fitted_scores(pages, seed)
        cases = [{**case, **score} for case, score in zip(cases, said, strict=True)]
        vocabularies = fit_vocabularies(pages)
    known = Cases.of(cases, [examples.labels[row] for row in rows.tolist()], CLASSES)
    weighted = replace(known, weight=examples.weight[rows])
    return Trained(boost(weighted, settings, seed), vocabularies)


def cross_validate(
    examples: Examples,
    settings: Boosting,
    seed: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> NDArray[np.float64]:
    """The probability of each example, by trees and words that never saw its publisher."""
    probability = np.zeros(len(examples.rows))
    for number in np.unique(examples.fold).tolist():
        own = np.flatnonzero(examples.fold == number)
        trained = fit(examples, np.flatnonzero(examples.fold != number), settings, seed)
        probability[own] = trained.probabilities(examples, own)
        advance()
    return probability


def highest_threshold(groups: Sequence[NDArray[np.float64]], recall: float) -> float:
    """The highest threshold, in hundredths, that finds this share of each group.

    >>> highest_threshold([np.array([0.2, 0.305, 0.6, 0.9])], 0.75)
    0.3
    """
    for hundredths in range(_MAX_THRESHOLD, 0, -1):
        if all(float((group >= hundredths / 100).mean()) >= recall for group in groups):
            return hundredths / 100
    return 0.01


def news_threshold(probability: NDArray[np.float64], languages: NDArray[np.str_]) -> float:
    """The highest threshold at which hardly any article of news is lost, in each language."""
    groups = [probability]
    groups += [
        own
        for language in np.unique(languages)
        if len(own := probability[languages == language]) >= _MIN_OF_LANGUAGE
    ]
    return highest_threshold(groups, _NEWS_RECALL)


def train_pages(examples: Examples, probability: NDArray[np.float64], seed: int = 1) -> Model:
    """The model of all pages, with the figures of its cross-validation."""
    news, truth = examples.first_news, examples.truth
    rows = zip(examples.rows, probability.tolist(), strict=True)
    probability = np.array([with_rules(row, likely) for row, likely in rows])
    names = np.array(examples.collections)
    # A page that a rule refuses is lost at any threshold.
    must = (news if news.any() else truth) & (probability > 0)
    threshold = news_threshold(probability[must], np.array(examples.languages)[must])
    said = probability >= threshold
    figures: dict[str, float] = {}
    for name in sorted(set(examples.collections)):
        own = names == name
        found = Figures.of(said[own], truth[own])
        figures[f"{name} recall"] = found.recall
        if not truth[own].all():
            figures |= {f"{name} precision": found.precision, f"{name} F1": found.f1}
    return _model(examples, PAGE_TREES, threshold, figures, seed)


def train_links(examples: Examples, probability: NDArray[np.float64], seed: int = 1) -> Model:
    """The model of all links; below its threshold practically no article is lost."""
    truth, news = examples.truth, examples.news
    rows = zip(examples.rows, probability.tolist(), strict=True)
    probability = np.array([with_signs_of_an_article(dict(row), likely) for row, likely in rows])
    threshold = highest_threshold([probability[truth]], _LINK_RECALL)
    if news.any():
        threshold = min(threshold, highest_threshold([probability[news]], _NEWS_LINK_RECALL))
    said = probability >= threshold
    menus = np.array(examples.collections) == "menus"
    figures = {
        "article URLs": float(truth.sum()),
        "article URLs lost": float((~said & truth).sum()),
        "article URLs of news": float(news.sum()),
        "article URLs of news lost": float((~said & news).sum()),
        "other URLs not fetched": float((~said & ~truth).sum() / max((~truth).sum(), 1)),
        "sections not fetched": float((~said & menus).sum() / max(menus.sum(), 1)),
    }
    return _model(examples, LINK_TREES, threshold, figures, seed)


def _model(
    examples: Examples,
    settings: Boosting,
    threshold: float,
    figures: dict[str, float],
    seed: int,
) -> Model:
    trained = fit(examples, np.arange(len(examples.rows)), settings, seed)
    rounded = {name: round(figure, 4) for name, figure in figures.items()}
    return Model(trained.ensemble, threshold, examples.sizes, rounded, seed, trained.vocabularies)


#: Counts are weights; this many decimals are enough to draw and to vote.
_DECIMALS = 3


def models_to_json(models: dict[str, Model]) -> str:
    """Models by name as the text of a model file."""
    data = {
        name: {
            "threshold": model.threshold,
            "seed": model.seed,
            "trained_on": model.trained_on,
            "cross_validated": model.cross_validated,
            "vocabularies": {
                question: {"bias": vocabulary.bias, "weights": vocabulary.weights}
                for question, vocabulary in model.vocabularies.items()
            },
            "rate": model.ensemble.rate,
            "trees": [tree_to_json(tree) for tree in model.ensemble.trees],
        }
        for name, model in models.items()
    }
    return json.dumps(data, separators=(",", ":")).replace('{"classes"', '\n{"classes"') + "\n"


def tree_to_json(tree: Tree) -> dict[str, Any]:
    return {"classes": list(tree.classes), "root": _node_to_json(tree.root)}


def _node_to_json(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"counts": [round(count, _DECIMALS) for count in node.counts]}
    if node.branches:
        data["attribute"] = node.attribute
        if node.threshold is not None:
            data["threshold"] = node.threshold
        data["branches"] = {name: _node_to_json(node.branches[name]) for name in node.branches}
    return data
