"""Decision trees that vote, the vocabularies behind two of their features, and the model file.

A tree asks about a case, a mapping from attributes to values. If a value is missing or was never
seen in training, the case goes down every branch, weighted by the branch's share of the training
cases. Each leaf votes with half the log-odds of its class (Schapire and Singer, 1999). The votes of
all trees add up to a probability; the path through each tree shows which attributes moved it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from math import exp, fsum, log, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newsclean.extraction.is_article.page_features import PageWords

#: A number, the name of a nominal value, or None if it is missing.
Value = float | str | None
Case = Mapping[str, Value]
#: A tree ready to vote: the vote of a leaf, or attribute, threshold, branches by outcome, branches
#: with their shares, and what the node would vote as a leaf.
_Plan = Any

#: The two branches of a threshold.
LOW, HIGH = "<=", ">"
TINY = 1e-9
#: Cases of each class that a leaf gets on top of its own.
_PRIOR = 1.0

#: The features that vocabularies compute, and the zones of `PageWords` that each reads.
TEXT, FRAME = "text words", "frame words"
MARGIN = "margin"
ZONES = {TEXT: (MARGIN, "title"), FRAME: ("address", "frame")}
#: A vocabulary knows the language of a page if it knows this many of the words around the article,
#: and this share of them: it knows half of them in English, and one in eight in German.
_MIN_KNOWN = 25
_MIN_KNOWN_SHARE = 0.3
#: To which a vocabulary's answer is rounded.
_DECIMALS = 3

_MODEL_FILE = "model.json"


@dataclass(frozen=True)
class Node:
    """A leaf, or a test with a branch for each outcome."""

    #: weight of each class among the training cases that came here
    counts: tuple[float, ...]
    attribute: str | None = None
    #: of a continuous attribute
    threshold: float | None = None
    branches: dict[str, Node] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.counts)

    @property
    def errors(self) -> float:
        """The weight of the cases that a leaf in this place gets wrong."""
        return self.total - max(self.counts)

    @property
    def size(self) -> int:
        """The number of nodes in the tree."""
        return 1 + sum(branch.size for branch in self.branches.values())

    def outcome(self, case: Case) -> str | None:
        """Return the branch that a case takes, or None if its value is missing or unknown."""
        value = case.get(self.attribute)  # type: ignore[arg-type]
        if value is None or value != value:  # NaN
            return None
        if self.threshold is None:
            return value if value in self.branches else None
        return LOW if value <= self.threshold else HIGH  # type: ignore[operator]


@dataclass(frozen=True)
class Tree:
    """A tree with the names of its classes."""

    root: Node
    classes: tuple[str, ...]

    def distribution(self, case: Case) -> tuple[float, ...]:
        """Return the probability of each class."""
        return _distribution(self.root, case)

    def classify(self, case: Case) -> str:
        """Return the most likely class."""
        likely = self.distribution(case)
        return self.classes[max(range(len(likely)), key=likely.__getitem__)]


def _distribution(node: Node, case: Case) -> tuple[float, ...]:
    if node.branches:
        taken = node.outcome(case)
        if taken is not None:
            return _distribution(node.branches[taken], case)
        whole = sum(branch.total for branch in node.branches.values())
        if whole > 0:
            parts = [
                [branch.total / whole * likely for likely in _distribution(branch, case)]
                for branch in node.branches.values()
                if branch.total
            ]
            return tuple(map(sum, zip(*parts, strict=True)))
    total = node.total
    if total <= TINY:
        return tuple(1 / len(node.counts) for _ in node.counts)
    return tuple(count / total for count in node.counts)


@dataclass(frozen=True)
class Ensemble:
    """Trees that vote on two classes; `probability` is that of the first class."""

    trees: tuple[Tree, ...]
    #: share of its vote that a tree gets
    rate: float

    def probability(self, case: Case) -> float:
        return 1 / (1 + exp(-2 * sum(self.votes(case))))

    def votes(self, case: Case) -> list[float]:
        """Return the vote of each tree: above 0 for the first class, below 0 for the second."""
        return [vote_of(plan, case) for plan in self._plans]

    def changes(self, case: Case) -> dict[str, float]:
        """Return how far each attribute moved the votes of all trees, up or down."""
        moved: defaultdict[str, float] = defaultdict(float)
        for plan in self._plans:
            _add_changes(plan, case, moved)
        return dict(moved)

    @cached_property
    def _plans(self) -> list[_Plan]:
        return [plan_of(tree.root, self.rate) for tree in self.trees]


def plan_of(node: Node, rate: float) -> _Plan:
    """Reduce a tree to its questions and votes: every page has to pass all trees."""
    if not node.branches:
        return node_vote(node, rate)
    whole = sum(branch.total for branch in node.branches.values())
    plans = {name: plan_of(branch, rate) for name, branch in node.branches.items()}
    shares = [(node.branches[name].total / whole, plan) for name, plan in plans.items()]
    return node.attribute, node.threshold, plans, shares, node_vote(node, rate)


def vote_of(plan: _Plan, case: Case) -> float:
    """Return the vote for a case; if a value is missing, the mean of the branches by their size."""
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


def _add_changes(plan: _Plan, case: Case, moved: dict[str, float]) -> None:
    """Add to each attribute on the path of a case how far it moved the vote."""
    while plan.__class__ is tuple:
        attribute, threshold, plans, _, before = plan
        value: Any = case.get(attribute)
        if value is None or value != value or (threshold is None and value not in plans):
            moved[attribute] += vote_of(plan, case) - before
            return
        plan = plans[value if threshold is None else LOW if value <= threshold else HIGH]
        moved[attribute] += (plan[-1] if plan.__class__ is tuple else plan) - before


def node_vote(node: Node, rate: float) -> float:
    """Return what a node would vote as a leaf."""
    first, second = node.counts
    return rate * 0.5 * log((first + _PRIOR) / (second + _PRIOR))


@dataclass(frozen=True)
class Vocabulary:
    """Words by zone, each with its weight for or against an article, in log-odds.

    Menus, titles, URLs and class names of shops, forums, manuals and services have words that those
    of articles seldom have. A vocabulary of texts says nothing in a language that it does not know;
    URLs and class names are much the same in all languages.
    """

    #: by the name of a field of `PageWords`
    weights: dict[str, dict[str, float]]
    bias: float = 0.0

    def __call__(self, words: PageWords) -> float | None:
        """Return what the words of a page say, above 0 for an article; None if unknown."""
        said = self.bias
        count = 0
        for zone, weights in self.weights.items():
            distinct = set(getattr(words, zone))
            known = [weights[word] for word in distinct & weights.keys()]
            if zone == MARGIN and not is_language_known(len(known), len(distinct)):
                return None
            # exact, because a set has no order
            said += fsum(known) / sqrt(1 + len(known))
            count += len(known)
        return round(said, _DECIMALS) if count else None


def is_language_known(known: int, words: int) -> bool:
    """Whether so many known words among all words around an article mean a known language.

    >>> is_language_known(90, 150), is_language_known(40, 320), is_language_known(4, 5)
    (True, False, False)
    """
    return known >= _MIN_KNOWN and known >= _MIN_KNOWN_SHARE * words


@dataclass(frozen=True)
class Model:
    """Trees, the probability from which they say yes, and how they did on unseen publishers."""

    ensemble: Ensemble
    #: the least probability of an article, or of a link that is worth a download
    threshold: float
    #: number of training pages or links by collection and class
    trained_on: dict[str, int] = field(default_factory=dict)
    #: figures of the cross-validation by publisher
    cross_validated: dict[str, float] = field(default_factory=dict)
    seed: int = 1
    #: by the feature that each computes; links have none
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)

    def case_of(self, features: Case, words: PageWords) -> Case:
        """Return the features of a page together with what its words say."""
        said = {name: vocabulary(words) for name, vocabulary in self.vocabularies.items()}
        return {**features, **said}


@lru_cache(1)
def shipped() -> dict[str, Model]:
    """Return the models of the package: `pages` and `links`."""
    return models_from_json(files(__package__).joinpath(_MODEL_FILE).read_text("utf-8"))


def models_from_json(text: str) -> dict[str, Model]:
    """Return the models of a model file; raise `ValueError` if the text is not one."""
    try:
        data: dict[str, dict[str, Any]] = json.loads(text)
        return {
            name: Model(
                Ensemble(tuple(map(tree_from_json, model["trees"])), float(model["rate"])),
                float(model["threshold"]),
                dict(model["trained_on"]),
                dict(model["cross_validated"]),
                int(model["seed"]),
                # missing in the file of trees that do not ask for them
                {
                    name: Vocabulary(dict(vocabulary["weights"]), float(vocabulary["bias"]))
                    for name, vocabulary in model.get("vocabularies", {}).items()
                },
            )
            for name, model in data.items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a model file: {error!r}") from None


def tree_from_json(data: dict[str, Any]) -> Tree:
    """Return a tree from its JSON in a model file; raise `ValueError` if it is not one."""
    try:
        classes = tuple(map(str, data["classes"]))
        return Tree(_node_from_json(data["root"], len(classes)), classes)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a decision tree: {error!r}") from None


def _node_from_json(data: dict[str, Any], classes: int) -> Node:
    counts = tuple(map(float, data["counts"]))
    if len(counts) != classes:
        raise ValueError(f"a node has {len(counts)} counts for {classes} classes")
    if "branches" not in data:
        return Node(counts)
    threshold = data.get("threshold")
    return Node(
        counts,
        str(data["attribute"]),
        None if threshold is None else float(threshold),
        {name: _node_from_json(branch, classes) for name, branch in data["branches"].items()},
    )
