"""Trees that vote, each leaf with half the log-odds of its class.

The votes of all trees add up to a probability, and the path through each tree shows what spoke
for and what against. Votes by confidence are Schapire and Singer's (1999).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import TYPE_CHECKING, Any

from newsclean.articles.trees import HIGH, LOW

if TYPE_CHECKING:
    from newsclean.articles.trees import Case, Node, Tree

#: The vote of a leaf; or attribute, threshold, branches, the branches with their shares, and what
#: the node would vote if it were a leaf.
Plan = Any

#: Cases of each class that a leaf is taken to have on top of its own.
PRIOR = 1.0


@dataclass(frozen=True)
class Ensemble:
    """Trees of two classes; the first class is the one whose probability is asked for."""

    trees: tuple[Tree, ...]
    #: how much of its vote a tree gets
    rate: float

    def probability(self, case: Case) -> float:
        """How likely a case is of the first class."""
        return 1 / (1 + exp(-2 * sum(self.votes(case))))

    def votes(self, case: Case) -> list[float]:
        """The vote of each tree: above 0 for the first class, below for the second."""
        return [vote_of(plan, case) for plan in self._plans]

    def changes(self, case: Case) -> dict[str, float]:
        """How far each attribute moved the votes of all trees, up or down."""
        moved: defaultdict[str, float] = defaultdict(float)
        for plan in self._plans:
            _add_changes(plan, case, moved)
        return dict(moved)

    @cached_property
    def _plans(self) -> list[Plan]:
        return [plan_of(tree.root, self.rate) for tree in self.trees]


def plan_of(node: Node, rate: float) -> Plan:
    """A tree as its questions and its leaves' votes alone: a page has to pass all trees."""
    if not node.branches:
        return node_vote(node, rate)
    whole = sum(branch.total for branch in node.branches.values())
    plans = {name: plan_of(branch, rate) for name, branch in node.branches.items()}
    shares = [(node.branches[name].total / whole, plan) for name, plan in plans.items()]
    return node.attribute, node.threshold, plans, shares, node_vote(node, rate)


def vote_of(plan: Plan, case: Case) -> float:
    """The vote for a case; where its value is missing, the mean of the branches by their size."""
    while plan.__class__ is tuple:
        attribute, threshold, plans, shares, _ = plan
        value = case.get(attribute)
        if value is None or (threshold is None and value not in plans):
            vote = 0.0
            for share, branch in shares:
                vote += share * vote_of(branch, case)
            return vote
        plan = plans[value if threshold is None else LOW if value <= threshold else HIGH]
    leaf: float = plan
    return leaf


def _add_changes(plan: Plan, case: Case, moved: dict[str, float]) -> None:
    """Add to each attribute on the path of a case how far its answer moved the vote."""
    while plan.__class__ is tuple:
        attribute, threshold, plans, _, before = plan
        value: Any = case.get(attribute)
        if value is None or value != value or (threshold is None and value not in plans):
            moved[attribute] += vote_of(plan, case) - before
            return
        plan = plans[value if threshold is None else LOW if value <= threshold else HIGH]
        moved[attribute] += (plan[-1] if plan.__class__ is tuple else plan) - before


def node_vote(node: Node, rate: float) -> float:
    """What a node would vote if it were a leaf."""
    first, second = node.counts
    return rate * 0.5 * log((first + PRIOR) / (second + PRIOR))
