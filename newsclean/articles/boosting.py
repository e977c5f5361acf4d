"""A few C4.5 trees that vote: each is grown on the cases that those before it found hard.

Boosting as in Quinlan's Bagging, Boosting, and C4.5 (1996), with votes by confidence (Schapire and
Singer, 1999): a leaf votes with half the log-odds of its class, so that the votes of all trees add
up to a probability, and the way through each tree tells what spoke for and what against.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.articles.c45 import CONFIDENCE, learn
from newsclean.articles.drawing import condition
from newsclean.articles.trees import HIGH, LOW, Tree

if TYPE_CHECKING:
    from newsclean.articles.trees import Case, Cases, Node

#: The vote of a leaf, or attribute, threshold, branches, and the branches with their shares.
Plan = Any

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
        return [_vote(plan, case) for plan in self._plans]

    @cached_property
    def _plans(self) -> list[Plan]:
        return [_plan(tree.root, self.rate) for tree in self.trees]


def _plan(node: Node, rate: float) -> Plan:
    """A tree as its questions and its leaves' votes alone: a page has to pass all trees."""
    if not node.branches:
        return node_vote(node, rate)
    whole = sum(branch.total for branch in node.branches.values())
    plans = {name: _plan(branch, rate) for name, branch in node.branches.items()}
    shares = [(node.branches[name].total / whole, plan) for name, plan in plans.items()]
    return node.attribute, node.threshold, plans, shares


def _vote(plan: Plan, case: Case) -> float:
    """The vote for a case; where its value is missing, the mean of the branches by their size."""
    while plan.__class__ is tuple:
        attribute, threshold, plans, shares = plan
        value = case.get(attribute)
        if value is None or (threshold is None and value not in plans):
            vote = 0.0
            for share, branch in shares:
                vote += share * _vote(branch, case)
            return vote
        plan = plans[value if threshold is None else LOW if value <= threshold else HIGH]
    leaf: float = plan
    return leaf


def node_vote(node: Node, rate: float) -> float:
    """What a node would vote if it were a leaf."""
    first, second = node.counts
    return rate * 0.5 * log((first + PRIOR) / (second + PRIOR))


@dataclass(frozen=True)
class Reason:
    """What one question of one tree did to its vote."""

    attribute: str
    #: the answer in words
    answer: str
    change: float


def reasons(tree: Tree, case: Case, rate: float = RATE) -> list[Reason]:
    """The way of a case through a tree: each answer, and how far it moved the vote."""
    found: list[Reason] = []
    node = tree.root
    while node.branches:
        assert node.attribute is not None
        taken = node.outcome(case)
        before = node_vote(node, rate)
        if taken is None:
            change = _vote(_plan(node, rate), case) - before
            found.append(Reason(node.attribute, f"{node.attribute} unknown", change))
            return found
        below = node.branches[taken]
        found.append(
            Reason(node.attribute, condition(node, taken), node_vote(below, rate) - before)
        )
        node = below
    return found


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
        plan = _plan(tree.root, rate)
        votes = np.array([_vote(plan, row) for row in rows])
        weight = cases.weight * np.exp(-side * votes)
        cases = replace(cases, weight=weight * (total / weight.sum()))
    return Ensemble(tuple(grown), rate)
