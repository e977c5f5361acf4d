"""A few C4.5 trees that vote: each is grown on the cases that those before it found hard.

Boosting as in Quinlan's Bagging, Boosting, and C4.5 (1996), with votes by confidence.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.articles.voting import Ensemble, plan_of, vote_of
from newsclean.lab.trees.c45 import CONFIDENCE, learn

if TYPE_CHECKING:
    from newsclean.articles.trees import Tree
    from newsclean.lab.trees.cases import Cases

#: Number of trees, questions in a row, and cases that a branch needs.
TREES = 30
MAX_DEPTH = 4
MIN_CASES = 8.0
#: How much of its vote a tree gets: small steps, and the later ones see more.
RATE = 0.35
#: The share of the attributes that a tree may ask for, so that the trees differ.
ATTRIBUTES = 0.4


def boost(
    cases: Cases,
    *,
    trees: int = TREES,
    max_depth: int = MAX_DEPTH,
    min_cases: float = MIN_CASES,
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
        tree = learn(
            cases.only(some), min_cases=min_cases, confidence=confidence, max_depth=max_depth
        )
        if not tree.root.branches:
            continue
        grown.append(tree)
        plan = plan_of(tree.root, rate)
        votes = np.array([vote_of(plan, row) for row in rows])
        weight = cases.weight * np.exp(-side * votes)
        cases = replace(cases, weight=weight * (total / weight.sum()))
    return Ensemble(tuple(grown), rate)
