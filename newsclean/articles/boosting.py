"""A few C4.5 trees that vote: each is grown on the cases that those before it found hard.

Boosting as in Quinlan's Bagging, Boosting, and C4.5 (1996), with votes by confidence (Schapire and
Singer, 1999): a leaf votes with half the log-odds of its class, so that the votes of all trees add
up to a probability, and the way through each tree tells what spoke for and what against.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from newsclean.articles.c45 import CONFIDENCE, Tree, learn

if TYPE_CHECKING:
    from newsclean.articles.c45 import Case, Cases, Node

#: Number of trees, questions in a row, and cases that a branch needs.
TREES = 30
DEEPEST = 4
FEWEST = 8.0
#: How much of its vote a tree gets: small steps, and the later ones see more.
RATE = 0.35
#: Cases of each class that a leaf is taken to have on top of its own.
PRIOR = 1.0
#: The share of the attributes that a tree may ask for, so that the trees differ.
ATTRIBUTES = 0.4


@dataclass(frozen=True)
class Ensemble:
    """Trees of two classes; the first class is the one whose probability is asked for."""

    trees: tuple[Tree, ...]
    rate: float = RATE

    def probability(self, case: Case) -> float:
        """How likely a case is of the first class."""
        return 1 / (1 + exp(-2 * sum(self.votes(case))))

    def votes(self, case: Case) -> list[float]:
        """The vote of each tree: above 0 for the first class, below for the second."""
        return [vote(tree.root, case, self.rate) for tree in self.trees]


def node_vote(node: Node, rate: float) -> float:
    """What a node would vote if it were a leaf."""
    first, second = node.counts
    return rate * 0.5 * log((first + PRIOR) / (second + PRIOR))


def vote(node: Node, case: Case, rate: float) -> float:
    """The vote for a case; where its value is missing, the mean of the branches by their size."""
    while node.branches:
        taken = node.outcome(case)
        if taken is None:
            whole = sum(branch.total for branch in node.branches.values())
            return sum(
                branch.total / whole * vote(branch, case, rate) for branch in node.branches.values()
            )
        node = node.branches[taken]
    return node_vote(node, rate)


def boost(
    cases: Cases,
    *,
    trees: int = TREES,
    deepest: int = DEEPEST,
    fewest: float = FEWEST,
    rate: float = RATE,
    confidence: float | None = CONFIDENCE,
    attributes: float = ATTRIBUTES,
    seed: int = 1,
) -> Ensemble:
    """The trees of cases of two classes; each asks for its own share of the attributes."""
    if len(cases.classes) != 2:
        raise ValueError(f"boosting needs two classes, not {len(cases.classes)}")
    rows = cases.rows()
    side = np.where(cases.labels == 0, 1.0, -1.0)
    total = cases.weight.sum()
    grown: list[Tree] = []
    rng = random.Random(seed)
    names = list(cases.columns)
    for _ in range(trees):
        some = rng.sample(names, max(1, round(attributes * len(names))))
        tree = learn(cases.only(some), fewest=fewest, confidence=confidence, deepest=deepest)
        if not tree.root.branches:
            continue
        grown.append(tree)
        votes = np.array([vote(tree.root, row, rate) for row in rows])
        weight = cases.weight * np.exp(-side * votes)
        cases = replace(cases, weight=weight * (total / weight.sum()))
    return Ensemble(tuple(grown), rate)
