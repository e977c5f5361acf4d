"""C4.5: decision trees (Quinlan, C4.5: Programs for Machine Learning, 1993).

A tree grows by the test with the best gain ratio among those with at least average gain
(chapter 2), deals with missing values by fractions of cases (chapter 3), and is pruned where a
leaf, or its largest branch alone, promises no more errors (chapter 4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from newsclean.extraction.is_article.trees import HIGH, LOW, TINY, Node, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.extraction.is_article.trees import Case, Value

_Floats = NDArray[np.float64]

MISSING = -1


@dataclass(frozen=True, eq=False)
class Cases:
    """Training cases in columns: numbers with NaN where missing, nominal values as codes."""

    columns: dict[str, NDArray[Any]]
    #: for each nominal attribute the values of the codes
    values: dict[str, tuple[str, ...]]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    weight: _Floats

    @classmethod
    def of(
        cls, rows: Sequence[Case], labels: Sequence[str], classes: Sequence[str] | None = None
    ) -> Cases:
        """Cases and their classes; an attribute with names among its values is nominal."""
        columns: dict[str, NDArray[Any]] = {}
        values: dict[str, tuple[str, ...]] = {}
        for name in dict.fromkeys(name for row in rows for name in row):
            column = [row.get(name) for row in rows]
            names = {value for value in column if isinstance(value, str)}
            if names:
                values[name] = tuple(sorted(names))
                code = {value: number for number, value in enumerate(values[name])}
                columns[name] = np.array([code.get(str(value), MISSING) for value in column])
            else:
                numbers = [np.nan if value is None else float(value) for value in column]
                columns[name] = np.array(numbers)
        classes = tuple(classes or sorted(set(labels)))
        codes = np.array([classes.index(label) for label in labels], dtype=np.int64)
        return cls(columns, values, codes, classes, np.ones(len(codes)))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> _Floats:
        """The weight of each class."""
        return np.bincount(self.labels, self.weight, len(self.classes)).astype(float)

    def take(self, rows: NDArray[Any], weight: _Floats | None = None) -> Cases:
        """The cases of some rows, with other weights if given."""
        return replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            labels=self.labels[rows],
            weight=self.weight[rows] if weight is None else weight,
        )

    def rows(self) -> list[dict[str, Value]]:
        """The cases one by one, as they were given."""
        columns: dict[str, list[Value]] = {}
        for name, column in self.columns.items():
            if name in self.values:
                names = self.values[name]
                columns[name] = [None if code == MISSING else names[code] for code in column]
            else:
                columns[name] = [None if value != value else value for value in column.tolist()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def only(self, names: Sequence[str]) -> Cases:
        """The cases with some of their attributes."""
        return replace(self, columns={name: self.columns[name] for name in names})


#: Of a test its gain, the weights of its branches, its threshold if it has one.
_Found = tuple[float, _Floats, float | None]

#: A test is of use if at least two of its branches have this many cases.
_MIN_CASES = 2.0
#: CF: the smaller, the more is pruned.
_CONFIDENCE = 0.25


@dataclass(frozen=True)
class Split:
    """What can be asked of cases, and how much the answer says."""

    attribute: str
    gain: float
    split_info: float
    threshold: float | None = None

    @property
    def gain_ratio(self) -> float:
        return self.gain / self.split_info if self.split_info > TINY else 0.0


def learn(
    cases: Cases,
    *,
    min_cases: float = _MIN_CASES,
    confidence: float | None = _CONFIDENCE,
    max_depth: int = 60,
) -> Tree:
    """The tree of these cases, pruned unless `confidence` is None."""
    if not len(cases):
        raise ValueError("a tree needs at least one case")
    root = grow(cases, min_cases, max_depth)
    if confidence is not None:
        root = prune(root, cases, confidence)
    return Tree(root, cases.classes)


def info(counts: _Floats) -> float:
    """info(T): the bits needed to name the class of a case.

    >>> round(info(np.array([3.0, 2.0])), 2)
    0.97
    """
    return float(_infos(counts))


def _infos(counts: _Floats) -> _Floats:
    """info of each set; the classes are the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / np.where(total > 0, total, 1)
    bits: _Floats = -(share * np.log2(np.where(share > 0, share, 1))).sum(axis=-1)
    return bits


def split_on(cases: Cases, name: str, min_cases: float = _MIN_CASES) -> Split | None:
    """The best test on an attribute, or None if it does not part the cases."""
    column = cases.columns[name]
    nominal = name in cases.values
    known = column != MISSING if nominal else ~np.isnan(column)
    whole = float(cases.weight.sum())
    part = cases if known.all() else cases.take(np.flatnonzero(known))
    if not len(part) or (len(part) < 2 * min_cases - TINY and cases.weight.max(initial=0) <= 1):
        return None
    share = float(part.weight.sum()) / whole
    found = _nominal(part, name, min_cases) if nominal else _continuous(part, name, min_cases)
    if found is None:
        return None
    gain, sizes, threshold = found
    sizes = np.append(sizes, whole * (1 - share))  # chapter 3: missing values are a branch here
    return Split(name, share * gain, info(sizes), threshold)


def _nominal(cases: Cases, name: str, min_cases: float) -> _Found | None:
    """A branch for each value."""
    number = len(cases.values[name])
    flat = cases.columns[name] * len(cases.classes) + cases.labels
    flat_counts = np.bincount(flat, cases.weight, number * len(cases.classes)).astype(float)
    counts = flat_counts.reshape(number, len(cases.classes))
    sizes = counts.sum(axis=1)
    if np.count_nonzero(sizes >= min_cases - TINY) < 2:
        return None
    after = float((sizes * _infos(counts)).sum() / sizes.sum())
    return info(counts.sum(axis=0)) - after, sizes, None


def _continuous(cases: Cases, name: str, min_cases: float) -> _Found | None:
    """The best threshold: half way between two neighboring values."""
    order = np.argsort(cases.columns[name], kind="stable")
    column = cases.columns[name][order]
    by_class = np.zeros((len(order), len(cases.classes)))
    by_class[np.arange(len(order)), cases.labels[order]] = cases.weight[order]
    low = np.cumsum(by_class, axis=0)
    whole = low[-1]
    sizes = low.sum(axis=1)
    total = sizes[-1]
    cuts = np.flatnonzero(
        (column[:-1] < column[1:])
        & (sizes[:-1] >= min_cases - TINY)
        & (total - sizes[:-1] >= min_cases - TINY)
    )
    if not len(cuts):
        return None
    low, sizes = low[cuts], sizes[cuts]
    after = (sizes * _infos(low) + (total - sizes) * _infos(whole - low)) / total
    best = int(np.argmin(after))
    threshold = float((column[cuts[best]] + column[cuts[best] + 1]) / 2)
    if not threshold < column[cuts[best] + 1]:  # neighbors so near that their mean is the upper
        threshold = float(column[cuts[best]])
    return info(whole) - float(after[best]), np.array([sizes[best], total - sizes[best]]), threshold


def best_split(cases: Cases, min_cases: float = _MIN_CASES) -> Split | None:
    """The test with the best gain ratio among those with at least average gain."""
    tests = [split_on(cases, name, min_cases) for name in cases.columns]
    useful = [test for test in tests if test is not None and test.gain > TINY]
    if not useful:
        return None
    average = sum(test.gain for test in useful) / len(useful)
    return max(
        (test for test in useful if test.gain >= average - TINY),
        key=lambda test: test.gain_ratio,
    )


def parts_of(cases: Cases, test: Split | Node) -> dict[str, Cases]:
    """The cases of each branch; one with a missing value is in each, by a fraction of itself."""
    assert test.attribute is not None
    column = cases.columns[test.attribute]
    if test.threshold is None:
        missing = column == MISSING
        branches = {
            value: np.flatnonzero(column == code)
            for code, value in enumerate(cases.values[test.attribute])
        }
    else:
        missing = np.isnan(column)
        branches = {
            LOW: np.flatnonzero(column <= test.threshold),
            HIGH: np.flatnonzero(column > test.threshold),
        }
    lost = np.flatnonzero(missing)
    sizes = {name: float(cases.weight[rows].sum()) for name, rows in branches.items()}
    known = sum(sizes.values())
    parts: dict[str, Cases] = {}
    for name, rows in branches.items():
        share = sizes[name] / known if known else 1 / len(branches)
        if not share:
            continue
        weight = np.concatenate((cases.weight[rows], cases.weight[lost] * share))
        parts[name] = cases.take(np.concatenate((rows, lost)), weight)
    return parts


def grow(cases: Cases, min_cases: float = _MIN_CASES, max_depth: int = 60) -> Node:
    """A tree whose leaves have one class, or nothing more to ask."""
    counts = cases.counts
    node = Node(tuple(counts.tolist()))
    if max_depth <= 0 or node.errors < TINY or node.total < 2 * min_cases - TINY:
        return node
    test = best_split(cases, min_cases)
    if test is None:
        return node
    branches = {
        name: grow(part, min_cases, max_depth - 1) for name, part in parts_of(cases, test).items()
    }
    return replace(node, attribute=test.attribute, threshold=test.threshold, branches=branches)


def prune(node: Node, cases: Cases, confidence: float = _CONFIDENCE) -> Node:
    """The tree, a subtree replaced by a leaf or by its largest branch where that errs no more."""
    if not node.branches:
        return node
    parts = parts_of(cases, node)
    branches = {
        name: prune(branch, parts[name], confidence) if name in parts else branch
        for name, branch in node.branches.items()
    }
    node = replace(node, branches=branches)
    leaf = Node(node.counts)
    as_tree = predicted_errors(node, confidence)
    as_leaf = predicted_errors(leaf, confidence)
    largest = max(branches, key=lambda name: branches[name].total)
    raised = _refit(branches[largest], cases)
    as_branch = predicted_errors(raised, confidence)
    if as_leaf <= min(as_tree, as_branch) + 0.1:  # Quinlan's own program is as lenient
        return leaf
    if as_branch <= as_tree + 0.1:
        return prune(raised, cases, confidence)
    return node


def _refit(node: Node, cases: Cases) -> Node:
    """The same tests with the counts of other cases."""
    counts = tuple(cases.counts.tolist())
    if not node.branches:
        return Node(counts)
    parts = parts_of(cases, node)
    nothing = cases.take(np.zeros(0, dtype=np.int64))
    branches = {
        name: _refit(branch, parts.get(name, nothing)) for name, branch in node.branches.items()
    }
    return replace(node, counts=counts, branches=branches)


def predicted_errors(node: Node, confidence: float = _CONFIDENCE) -> float:
    """The errors to expect on as many unseen cases: the upper limit for each leaf."""
    if node.branches:
        return sum(predicted_errors(branch, confidence) for branch in node.branches.values())
    if node.total <= TINY:
        return 0.0
    return node.total * upper_limit(node.errors, node.total, confidence)


@lru_cache(100_000)
def upper_limit(errors: float, total: float, confidence: float = _CONFIDENCE) -> float:
    """U_CF(E, N): the error rate that is exceeded with a probability of `confidence` only.

    >>> [round(upper_limit(0, total), 3) for total in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    """
    none: float = 1 - confidence ** (1 / total)
    if errors < TINY:
        return none
    if errors < 1:
        one = upper_limit(1.0, total, confidence) if total > 1 else 1.0
        return none + errors * (one - none)
    if errors + 0.5 >= total:
        return 1.0
    z = NormalDist().inv_cdf(1 - confidence)
    rate = (errors + 0.5) / total
    spread = z * sqrt(rate / total - rate * rate / total + z * z / (4 * total * total))
    return (rate + z * z / (2 * total) + spread) / (1 + z * z / total)
