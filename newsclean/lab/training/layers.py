"""The network of `hybrid` forward and backward over a batch of pages, in NumPy.

What `extraction/methods/hybrid/network.py` computes for one page is computed here for several
pages one after another, with empty blocks between them, and then the gradient of the loss with
respect to each weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid.network import ROUNDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Column
    from newsclean.lab.training.optimizers import Floats, Weights

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
    """Means over ranges of blocks, level by level.

    Blocks that follow each other mostly ask for the same range: all is computed once for such a
    run of blocks, and of a step over a batch only little is left that is done block by block.
    """

    #: the range of each run, and one through its summed weight
    low: Column
    high: Column
    share: Floats
    #: the run of each block, a row a level
    of_block: Column
    #: where each run begins and ends, counted over the levels as if each had one block more
    start: Column
    stop: Column
    #: where the runs of each level end
    ends: list[int]
    lows: Bounds
    highs: Bounds

    @classmethod
    def of(cls, low: Column, high: Column, weight: Floats) -> Ranges:
        """`low` and `high` hold a row for each level."""
        begins = np.ones(low.shape, dtype=bool)
        begins[:, 1:] = (low[:, 1:] != low[:, :-1]) | (high[:, 1:] != high[:, :-1])
        run = np.cumsum(begins).reshape(low.shape) - 1
        _, start = np.nonzero(begins)
        ends = (run[:, -1] + 1).tolist()
        stop = np.append(start[1:], 0)
        stop[np.array(ends) - 1] = low.shape[1]
        low, high = low[begins], high[begins]
        sums = np.concatenate(([0.0], np.cumsum(weight, dtype=np.float64)))
        share = (1 / np.maximum(sums[high] - sums[low], 1e-6)).astype(np.float32)[:, None]
        bounds = Bounds.of(low), Bounds.of(high)
        return cls(low, high, share, run, start, stop, ends, *bounds)

    @property
    def levels(self) -> list[slice]:
        """The runs of each level."""
        return [slice(*pair) for pair in zip([0, *self.ends], self.ends, strict=False)]

    def means(self, total: NDArray[np.float64]) -> Floats:
        """The mean over the range of each run; `total` holds the running sums over blocks."""
        means: Floats = (total[self.high] - total[self.low]).astype(np.float32) * self.share
        return means

    def messages(self, means: Floats, weights: list[Floats]) -> Floats:
        """What the ranges of all levels say to each block, each level with weights of its own."""
        of_level = [
            (means[level] @ weight).take(run - level.start, axis=0)
            for level, run, weight in zip(self.levels, self.of_block, weights, strict=True)
        ]
        said: Floats = sum(of_level[1:], of_level[0])
        return said

    def by_run(self, gradient: Floats) -> Floats:
        """The sum of a gradient over the blocks of each run."""
        total = _running_sums(gradient)
        sums: Floats = (total[self.stop] - total[self.start]).astype(np.float32)
        return sums

    def back(self, gradient: Floats, into: Floats) -> None:
        """Add to running differences what a gradient of the means is for each block."""
        gradient = gradient * self.share
        into[self.lows.bound] += self.lows.sums(gradient)
        into[self.highs.bound] -= self.highs.sums(gradient)


def _running_sums(values: Floats) -> NDArray[np.float64]:
    """The sums over the rows before each, and over all of them."""
    total = np.zeros((len(values) + 1, values.shape[1]))
    np.cumsum(values, axis=0, dtype=np.float64, out=total[1:])
    return total


@dataclass(frozen=True, eq=False)
class Batch:
    """Some pages one after another, with empty blocks between them."""

    values: Floats
    #: words of a block, as far as they count for means
    weight: Floats
    #: 1 for a block, 0 for what is between two pages
    real: Floats
    #: the branches of each level, and the page as a last one
    ranges: Ranges
    page_of: Column
    #: how much a block is the article's, from 0 to 1
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
    states, active, nears, means = [hidden], [], [], []
    for k, (reach, apart) in enumerate(ROUNDS):
        margin = reach * apart
        padded = np.zeros((n + 2 * margin, hidden.shape[1]), dtype=np.float32)
        padded[margin : margin + n] = hidden
        parts = [padded[start : start + n] for start in range(0, 2 * margin + 1, apart)]
        nears.append(np.concatenate(parts, axis=1))
        means.append(batch.ranges.means(_running_sums(hidden * weight)))
        beside, levels = _split(weights, k)
        messages = nears[-1] @ beside + batch.ranges.messages(means[-1], levels)
        messages += weights[f"bias{k}"]
        active.append(messages > 0)
        hidden = (hidden + messages * active[-1]) * masks[k + 1]
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
        beside, levels = _split(weights, k)
        by_run, runs = batch.ranges.by_run(inner), batch.ranges.levels
        of_levels = [means[k][level].T @ by_run[level] for level in runs]
        gradients[f"context{k}"] = np.concatenate((nears[k].T @ inner, *of_levels[:-1]))
        gradients[f"page{k}"] = of_levels[-1]
        gradients[f"bias{k}"] = inner.sum(axis=0)
        around = inner @ beside.T
        width, margin = back.shape[1], reach * apart
        padded = np.zeros((n + 2 * margin, width), dtype=np.float32)
        for part, start in enumerate(range(0, 2 * margin + 1, apart)):
            padded[start : start + n] += around[:, part * width : (part + 1) * width]
        differences = np.zeros((n + 1, width), dtype=np.float64)
        to_means = [by_run[level] @ w.T for level, w in zip(runs, levels, strict=True)]
        batch.ranges.back(np.concatenate(to_means), differences)
        of_means = np.cumsum(differences[:-1], axis=0).astype(np.float32)
        back = back + padded[margin : margin + n] + of_means * weight
    back = (back + early_gradient[:, None] * weights["early"]) * masks[0] * (states[0] > 0)
    gradients["first"] = batch.values.T @ back
    gradients["first_bias"] = back.sum(axis=0)
    return loss, gradients


def _split(weights: Weights, k: int) -> tuple[Floats, list[Floats]]:
    """The weights of a round: for the blocks beside, and for each level, the page last."""
    context, page = weights[f"context{k}"], weights[f"page{k}"]
    width = len(page)
    beside = (2 * ROUNDS[k][0] + 1) * width
    return context[:beside], [*context[beside:].reshape(-1, width, width), page]


def _loss(
    answer: Floats, early: Floats, batch: Batch, by_page: float
) -> tuple[float, Floats, Floats]:
    """By block, weighted with its words, and by page 1 less the F1 of the words; gradients."""
    count = len(batch.page_weight)
    taken, first = _sigmoid(answer), _sigmoid(early)
    share = batch.importance / count

    def cross(probability: Floats) -> float:
        taken = batch.target * np.log(np.maximum(probability, 1e-12))
        left = (1 - batch.target) * np.log(np.maximum(1 - probability, 1e-12))
        return float(-((taken + left) * share).sum())

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
