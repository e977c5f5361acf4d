"""Training the shipped models, and measuring them on publishers that they have not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.articles.link_target import Address, address_features, with_signs_of_an_article
from newsclean.articles.model import Model
from newsclean.articles.rules import with_rules
from newsclean.lab.trees.boosting import boost
from newsclean.lab.trees.c45 import learn
from newsclean.lab.trees.cases import Cases
from newsclean.lab.trees.experiment import READERABLE, TREES
from newsclean.lab.trees.labelled import ARTICLE, CLASSES, OTHER, Figures, folds_of
from newsclean.lab.trees.vocabulary import (
    WordedPages,
    cross_fitted_scores,
    fit_vocabularies,
    scores_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from newsclean.articles.page_words import PageWords
    from newsclean.articles.trees import Case
    from newsclean.articles.vocabulary import Vocabulary
    from newsclean.articles.voting import Ensemble
    from newsclean.lab.trees.labelled import Labelled

FOLDS = 10
#: The share of the articles of news collections that must be known for articles.
NEWS_RECALL = 0.99
#: No threshold is higher, in hundredths: a wrong "no" costs more than a wrong "yes".
MAX_THRESHOLD = 50
#: The shares of article URLs that must not be taken for something else: of news, and of all.
NEWS_LINK_RECALL = 0.99
LINK_RECALL = 0.988
#: Links of a page's menu are sections; at most this many of each publisher are used.
MAX_SECTIONS_PER_PUBLISHER = 12
#: A page of a collection of news counts for this many others: news is what a crawl meets.
NEWS_WEIGHT = 5.0
#: What the page model and the link model are made of.
PAGE_TREES = {"trees": 100, "max_depth": 4, "min_cases": 5.0, "rate": 0.2, "attributes": 0.4}
LINK_TREES = {"trees": 20, "max_depth": 3, "min_cases": 10.0, "rate": 0.3, "attributes": 0.6}


@dataclass(frozen=True, eq=False)
class Examples:
    """Cases with their classes, collections and folds; pages also with words and publishers."""

    rows: list[Case]
    labels: list[str]
    collections: list[str]
    fold: NDArray[np.int64]
    words: list[PageWords] = field(default_factory=list)
    publishers: list[str] = field(default_factory=list)

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
    def sizes(self) -> dict[str, int]:
        names = map(" ".join, zip(self.collections, self.labels, strict=True))
        return dict(sorted(Counter(names).items()))


def page_examples(pages: Sequence[Labelled], folds: int = FOLDS, seed: int = 1) -> Examples:
    """The pages of all collections by their features."""
    return Examples(
        [page.page for page in pages],
        [page.label for page in pages],
        [page.collection for page in pages],
        folds_of(pages, folds, seed),
        [page.words for page in pages if page.words is not None],
        [page.publisher for page in pages],
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
            if url not in seen and taken[page.publisher] < MAX_SECTIONS_PER_PUBLISHER:
                seen.add(url)
                taken[page.publisher] += 1
                targets.append((url, OTHER, "menus"))
        for url, label, collection in targets:
            rows.append(address_features(Address.of(url)))
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


def fit(
    examples: Examples, rows: NDArray[np.int64], settings: dict[str, float], seed: int
) -> Trained:
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
    weighted = replace(known, weight=np.where(examples.news[rows], NEWS_WEIGHT, 1.0))
    return Trained(boost(weighted, **settings, seed=seed), vocabularies)  # type: ignore[arg-type]


def cross_validate(
    examples: Examples,
    settings: dict[str, float],
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
    for hundredths in range(MAX_THRESHOLD, 0, -1):
        if all(float((group >= hundredths / 100).mean()) >= recall for group in groups):
            return hundredths / 100
    return 0.01


def train_pages(examples: Examples, probability: NDArray[np.float64], seed: int = 1) -> Model:
    """The model of all pages, with the figures of its cross-validation."""
    news, truth = examples.news, examples.truth
    rows = zip(examples.rows, probability.tolist(), strict=True)
    probability = np.array([with_rules(row, likely) for row, likely in rows])
    names = np.array(examples.collections)
    must = news if news.any() else truth
    groups = [probability[must & (names == name)] for name in np.unique(names[must])]
    threshold = highest_threshold(groups, NEWS_RECALL)
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
    threshold = highest_threshold([probability[truth]], LINK_RECALL)
    if news.any():
        threshold = min(threshold, highest_threshold([probability[news]], NEWS_LINK_RECALL))
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


def compare(pages: Sequence[Labelled], folds: int = FOLDS, seed: int = 1) -> dict[str, Figures]:
    """The paper's trees and trafilatura's function on the same pages of mixed collections.

    Nothing where all of those are of one publisher: no tree would be left to judge them.
    """
    fold = folds_of(pages, folds, seed)
    mixed = {page.collection for page in pages if page.label == OTHER}
    kept = np.array([page.collection in mixed for page in pages])
    truth = np.array([page.label == ARTICLE for page in pages])
    found: dict[str, Figures] = {}
    if len(np.unique(fold[kept])) < 2:
        return found
    cases = Cases.of([page.paper for page in pages], [page.label for page in pages], CLASSES)
    for name, attributes in TREES.items():
        said = np.zeros(len(pages), dtype=bool)
        for number in range(folds):
            tree = learn(cases.only(attributes).take(np.flatnonzero((fold != number) & kept)))
            for row in np.flatnonzero(fold == number).tolist():
                said[row] = tree.classify(pages[row].paper) == ARTICLE
        found[name] = Figures.of(said[kept], truth[kept])
    if all(page.readerable is not None for page in pages):
        said = np.array([bool(page.readerable) for page in pages])
        found[READERABLE] = Figures.of(said[kept], truth[kept])
    return found


def _model(
    examples: Examples,
    settings: dict[str, float],
    threshold: float,
    figures: dict[str, float],
    seed: int,
) -> Model:
    trained = fit(examples, np.arange(len(examples.rows)), settings, seed)
    rounded = {name: round(figure, 4) for name, figure in figures.items()}
    return Model(trained.ensemble, threshold, examples.sizes, rounded, seed, trained.vocabularies)
