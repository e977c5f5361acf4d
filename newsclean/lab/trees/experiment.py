"""The experiment that Identifying Online News Articles (2019) planned and left undone.

Hypothesis: the five features of link targets improve the tree of MSS and CoreEx. Ten folds by
publisher, twenty times, each time on articles and other pages in equal number; both trees see the
same folds. The test is the corrected resampled t-test (Nadeau and Bengio, 2003): repeated folds
share pages, and an uncorrected test would find a difference in anything.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import exp, lgamma, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from newsclean.lab.trees.c45 import learn
from newsclean.lab.trees.cases import Cases
from newsclean.lab.trees.labelled import ARTICLE, CLASSES, OTHER, Figures, Labelled, folds_of
from newsclean.lab.trees.paper_features import WITH_LINKS, WITHOUT_LINKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from newsclean.articles.trees import Tree

FOLDS = 10
REPETITIONS = 20
#: Below this p, the difference is taken for more than chance.
LEVEL = 0.05

TREES = {"MSS + CoreEx": WITHOUT_LINKS, "MSS + CoreEx + link targets": WITH_LINKS}
READERABLE = "trafilatura, is_probably_readerable"


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    name: str
    precision: float
    recall: float
    f1: float
    #: standard deviation of F1 over the repetitions, and over all folds
    spread: float
    fold_spread: float
    #: nodes of the tree, on average; 0 where there is none
    size: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What came out."""

    #: as many as are drawn each time, and the publishers of all that were ever drawn
    pages: int
    publishers: int
    rows: tuple[Row, ...]
    difference: float
    t: float
    p: float
    #: the tree with link targets, learned from all pages
    tree: Tree

    @property
    def holds(self) -> bool:
        return self.p < LEVEL and self.difference > 0

    @property
    def answer(self) -> str:
        """The answer to the paper's question in one sentence."""
        change = f"changes mean F1 by {self.difference:+.3f} (p = {self.p:.3g})"
        if self.holds:
            return f"The hypothesis holds: adding the five link-target features {change}."
        return f"The hypothesis is not confirmed: adding the five link-target features {change}."


def run_experiment(
    pages: Sequence[Labelled],
    *,
    folds: int = FOLDS,
    repetitions: int = REPETITIONS,
    seed: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> Outcome:
    """Both trees on the same folds; `pages` are of collections that have both classes."""
    pages = of_both_classes(pages)
    scores: dict[str, list[list[Figures]]] = {name: [] for name in TREES}
    readerable: list[Figures] = []
    sizes: dict[str, list[int]] = {name: [] for name in TREES}
    publishers: set[str] = set()
    for repetition in range(repetitions):
        drawn = draw_equal(pages, seed + repetition)
        publishers.update(page.publisher for page in drawn)
        fold = folds_of(drawn, folds, seed + repetition)
        filled = len(np.unique(fold))
        if filled < folds:
            raise ValueError(
                f"too few pages for {folds} folds: as many articles as other pages make "
                f"{len(drawn)}, of {filled} publishers; take more pages or fewer folds"
            )
        truth = np.array([page.label == ARTICLE for page in drawn])
        if all(page.readerable is not None for page in drawn):
            said = np.array([bool(page.readerable) for page in drawn])
            readerable.append(Figures.of(said, truth))
        cases = cases_of(drawn)
        for name, attributes in TREES.items():
            by_fold = []
            for number in range(folds):
                own = np.flatnonzero(fold == number)
                tree = learn(cases.only(attributes).take(np.flatnonzero(fold != number)))
                said = np.array([tree.classify(drawn[row].paper) == ARTICLE for row in own], bool)
                by_fold.append(Figures.of(said, truth[own]))
                sizes[name].append(tree.root.size)
            scores[name].append(by_fold)
            advance()
    rows = [_row(name, by_fold, float(np.mean(sizes[name]))) for name, by_fold in scores.items()]
    if readerable:
        rows.append(_row(READERABLE, [[figures] for figures in readerable]))
    first, second = (
        np.array([[figures.f1 for figures in by_fold] for by_fold in scores[name]]).ravel()
        for name in TREES
    )
    t, p = corrected_t_test(second - first, 1 / (folds - 1))
    return Outcome(
        pages=len(drawn),
        publishers=len(publishers),
        rows=tuple(rows),
        difference=float((second - first).mean()),
        t=t,
        p=p,
        tree=learn(cases_of(pages)),
    )


def of_both_classes(pages: Sequence[Labelled]) -> list[Labelled]:
    """The pages of the collections that have articles and others.

    An article of another collection could be recognised by its collection's habits.
    """
    found: dict[str, set[str]] = {}
    for page in pages:
        found.setdefault(page.collection, set()).add(page.label)
    kept = [page for page in pages if len(found[page.collection]) == 2]
    if not kept:
        raise ValueError("no collection has both articles and other pages")
    return kept


def draw_equal(pages: Sequence[Labelled], seed: int) -> list[Labelled]:
    """As many articles as other pages, drawn at random."""
    rng = random.Random(seed)
    by_label = {
        label: [page for page in pages if page.label == label] for label in (ARTICLE, OTHER)
    }
    number = min(map(len, by_label.values()))
    return [page for group in by_label.values() for page in rng.sample(group, number)]


def cases_of(pages: Sequence[Labelled]) -> Cases:
    return Cases.of([page.paper for page in pages], [page.label for page in pages], CLASSES)


def _row(name: str, scores: list[list[Figures]], size: float = 0.0) -> Row:
    f1 = np.array([[figures.f1 for figures in by_fold] for by_fold in scores])
    flat = [figures for by_fold in scores for figures in by_fold]
    return Row(
        name,
        precision=float(np.mean([figures.precision for figures in flat])),
        recall=float(np.mean([figures.recall for figures in flat])),
        f1=float(f1.mean()),
        spread=float(f1.mean(axis=1).std(ddof=1)) if len(f1) > 1 else 0.0,
        fold_spread=float(f1.std(ddof=1)) if f1.size > 1 else 0.0,
        size=size,
    )


def corrected_t_test(differences: NDArray[np.float64], test_to_train: float) -> tuple[float, float]:
    """t and two-sided p of paired differences over resamples that share their cases."""
    number = len(differences)
    variance = float(differences.var(ddof=1)) if number > 1 else 0.0
    mean = float(differences.mean())
    if variance == 0:
        return (0.0, 1.0) if mean == 0 else (float("inf") if mean > 0 else float("-inf"), 0.0)
    t = mean / sqrt((1 / number + test_to_train) * variance)
    return t, two_sided_p(t, number - 1)


def two_sided_p(t: float, degrees: int) -> float:
    """The probability of a t as large by chance (Student's distribution).

    >>> round(two_sided_p(2.262, 9), 3)
    0.05
    """
    factor = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * pi)
    x = np.linspace(0, abs(t), 20_001)
    density = factor * (1 + x * x / degrees) ** (-(degrees + 1) / 2)
    inside = float(((density[1:] + density[:-1]) / 2 * np.diff(x)).sum())
    return max(0.0, 1 - 2 * inside)
