"""The network of `hybrid` forward and backward over a batch of pages, in NumPy.

What `newsclean.methods.hybrid.network` computes for one page is computed here for several pages
one after another, with empty blocks between them, and then the gradient of the loss with respect to
each weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.hybrid.network import ROUNDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.page.columns import Column

    Floats = NDArray[np.floating[Any]]

#: The weights by name.
Weights = dict[str, "Floats"]

#: How much the answer without structure counts in the loss; it trains the first layer well.
EARLY = 0.3


@dataclass(frozen=True, eq=False)
class Bounds:
    """At which blocks ranges begin, or end: several may do so at the same one."""

    bound: Column
    #: the ranges by their bound, and where those of each bound begin in that order
    order: Column
    start: Column

    @classmethod
    def of(cls, bounds: Column) -> Bounds:
        order = np.argsort(bounds, kind="stable")
        bound, start = np.unique(bounds[order], return_index=True)
        return cls(bound, order, start)

    def sums(self, by_range: Floats) -> Floats:
        """The sum over the ranges of each bound."""
        sums: Floats = np.add.reduceat(by_range[self.order], self.start)
        return sums


@dataclass(frozen=True, eq=False)
class Ranges:
    """Means over ranges of blocks: many blocks ask for the same range."""

    #: the ranges, and which one each block asks for
    low: Column
    high: Column
    of_block: Column
    #: one through the summed weight of each range
    share: Floats
    #: the blocks in the order of their ranges, and where each range begins in that order
    order: Column
    start: Column
    lows: Bounds
    highs: Bounds

    @classmethod
    def of(cls, low: Column, high: Column, weight: Floats) -> Ranges:
        pairs, of_block = np.unique(low * (len(weight) + 1) + high, return_inverse=True)
        lows, highs = np.divmod(pairs, len(weight) + 1)
        sums = np.concatenate(([0.0], np.cumsum(weight, dtype=np.float64)))
        size = np.maximum(sums[highs] - sums[lows], 1e-6)
        order = np.argsort(of_block, kind="stable")
        start = np.searchsorted(of_block[order], np.arange(len(pairs)))
        share = (1 / size).astype(np.float32)[:, None]
        bounds = Bounds.of(lows), Bounds.of(highs)
        return cls(lows, highs, of_block, share, order, start, *bounds)

    def means(self, total: NDArray[np.float64]) -> Floats:
        """For each block the mean over its range; `total` holds the running sums."""
        means = (total[self.high] - total[self.low]).astype(np.float32) * self.share
        found: Floats = means[self.of_block]
        return found

    def back(self, gradient: Floats, into: Floats) -> None:
        """Add to running differences what a gradient of the means is for each block."""
        by_range = np.add.reduceat(gradient[self.order], self.start) * self.share
        into[self.lows.bound] += self.lows.sums(by_range)
        into[self.highs.bound] -= self.highs.sums(by_range)


@dataclass(frozen=True, eq=False)
class Batch:
    """Some pages one after another, with empty blocks between them."""

    values: Floats
    #: words of a block, as far as they count for means
    weight: Floats
    #: 1 for a block, 0 for what is between two pages
    real: Floats
    branches: list[Ranges]
    pages: Ranges
    page_of: Column
    target: Floats
    #: how much a block counts, by its words
    importance: Floats
    #: words of a block that count for the page's agreement
    counted: Floats
    #: how much a page counts
    page_weight: Floats


def initial_weights(features: int, levels: int, width: int, random: np.random.Generator) -> Weights:
    """Random weights to begin with."""

    def linear(size: int, out: int) -> Floats:
        bound = 1 / np.sqrt(size)
        return random.uniform(-bound, bound, (size, out)).astype(np.float32)

    weights = {"first": linear(features, width), "first_bias": np.zeros(width, np.float32)}
    for k, (reach, _) in enumerate(ROUNDS):
        weights[f"context{k}"] = linear(width * (2 * reach + 1 + levels), width)
        weights[f"page{k}"] = linear(width, width)
        weights[f"bias{k}"] = np.zeros(width, np.float32)
    for name in ("last", "early"):
        weights[name] = linear(width, 1)[:, 0]
        weights[f"{name}_bias"] = np.zeros(1, np.float32)
    return weights


def loss_and_gradients(
    weights: Weights, batch: Batch, masks: list[Floats], by_page: float
) -> tuple[float, Weights]:
    """The loss of a batch, and its gradient with respect to each weight.

    `masks` leave hidden values out, after the first layer and after each round; the loss by page
    counts `by_page` times.
    """
    n = len(batch.values)
    weight = batch.weight[:, None]
    hidden = np.maximum(batch.values @ weights["first"] + weights["first_bias"], 0) * masks[0]
    states, active, contexts, wholes = [hidden], [], [], []
    for k, (reach, apart) in enumerate(ROUNDS):
        margin = reach * apart
        padded = np.zeros((n + 2 * margin, hidden.shape[1]), dtype=np.float32)
        padded[margin : margin + n] = hidden
        total = np.zeros((n + 1, hidden.shape[1]))
        np.cumsum(hidden * weight, axis=0, dtype=np.float64, out=total[1:])
        parts = [padded[start : start + n] for start in range(0, 2 * margin + 1, apart)]
        parts += [branch.means(total) for branch in batch.branches]
        contexts.append(np.concatenate(parts, axis=1))
        wholes.append(batch.pages.means(total))
        messages = contexts[-1] @ weights[f"context{k}"] + wholes[-1] @ weights[f"page{k}"]
        active.append(messages + weights[f"bias{k}"] > 0)
        hidden = (hidden + (messages + weights[f"bias{k}"]) * active[-1]) * masks[k + 1]
        states.append(hidden)
    answer = hidden @ weights["last"] + weights["last_bias"]
    early = states[0] @ weights["early"] + weights["early_bias"]
    loss, gradient, early_gradient = _loss(answer, early, batch, by_page)

    gradients: Weights = {
        "last": hidden.T @ gradient,
        "last_bias": gradient.sum(keepdims=True),
        "early": states[0].T @ early_gradient,
        "early_bias": early_gradient.sum(keepdims=True),
    }
    back = gradient[:, None] * weights["last"]
    for k, (reach, apart) in reversed(list(enumerate(ROUNDS))):
        back = back * masks[k + 1]
        inner = back * active[k]
        gradients[f"context{k}"] = contexts[k].T @ inner
        gradients[f"page{k}"] = wholes[k].T @ inner
        gradients[f"bias{k}"] = inner.sum(axis=0)
        around = inner @ weights[f"context{k}"].T
        width, margin = back.shape[1], reach * apart
        padded = np.zeros((n + 2 * margin, width), dtype=np.float32)
        for part, start in enumerate(range(0, 2 * margin + 1, apart)):
            padded[start : start + n] += around[:, part * width : (part + 1) * width]
        differences = np.zeros((n + 1, width), dtype=np.float64)
        first = 2 * reach + 1
        for level, branch in enumerate(batch.branches, first):
            branch.back(around[:, level * width : (level + 1) * width], differences)
        batch.pages.back(inner @ weights[f"page{k}"].T, differences)
        means = np.cumsum(differences[:-1], axis=0).astype(np.float32)
        back = back + padded[margin : margin + n] + means * weight
    back = (back + early_gradient[:, None] * weights["early"]) * masks[0] * (states[0] > 0)
    gradients["first"] = batch.values.T @ back
    gradients["first_bias"] = back.sum(axis=0)
    return loss, gradients


def _loss(
    answer: Floats, early: Floats, batch: Batch, by_page: float
) -> tuple[float, Floats, Floats]:
    """By block, weighted with its words, and by page 1 less the F1 of the words; gradients."""
    count = len(batch.page_weight)
    taken, first = _sigmoid(answer), _sigmoid(early)
    share = batch.importance / count

    def cross(probability: Floats) -> float:
        right = np.where(batch.target > 0, probability, 1 - probability)
        return float(-(np.log(np.maximum(right, 1e-12)) * share).sum())

    def sums(values: Floats) -> Floats:
        return np.bincount(batch.page_of, values * batch.counted, count).astype(np.float32)

    shared, both = sums(taken * batch.target), sums(taken + batch.target) + 1
    f1 = 2 * shared / both
    loss = cross(taken) + EARLY * cross(first)
    loss += by_page * float(((1 - f1) * batch.page_weight).mean())
    gain = (2 * batch.target - f1[batch.page_of]) / both[batch.page_of] * batch.counted
    gradient = (taken - batch.target) * share
    gradient -= by_page * (batch.page_weight / count)[batch.page_of] * gain * taken * (1 - taken)
    return loss, gradient.astype(np.float32), (EARLY * (first - batch.target) * share)


def _sigmoid(logit: Floats) -> Floats:
    probability: Floats = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    return probability
