"""A small network over the blocks of a page, in NumPy.

Each block's features become a vector; then, in two rounds, each block receives messages from the
blocks around it in document order, from the branches of the tree that hold it, and from the page as
a whole. An article is mostly one stretch and one branch: this is how the answer for a block comes
to depend on that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.page.columns import Column

    Floats = NDArray[np.float32]

#: Features are cut off at this many standard deviations from their mean.
CLIP = 4.0
#: How many blocks before and after send messages, and how far apart they are, in each round.
ROUNDS = ((2, 1), (2, 2))
#: Multiplications that one thread does alone.
PIECE = 1 << 18
#: A block of more words counts for the branch and the page as one of this many.
MAX_WEIGHT = 200.0


@dataclass(frozen=True, eq=False)
class Network:
    """The weights, as training writes them."""

    mean: Floats
    scale: Floats
    first: tuple[Floats, Floats]
    #: for each round the weights of a block's context (blocks and branches), of the page, the bias
    rounds: tuple[tuple[Floats, Floats, Floats], ...]
    last: tuple[Floats, Floats]

    def __call__(
        self, values: Floats, words: NDArray[np.float64], ranges: Sequence[tuple[Column, Column]]
    ) -> Floats:
        """The probability of each block, given all of them in document order."""
        n = len(values)
        weight = np.minimum(words, MAX_WEIGHT)
        weights = weight[:, None]
        branches = _Branches.of(ranges, weight)
        x = values - self.mean
        x *= self.scale
        np.clip(x, -CLIP, CLIP, out=x)
        hidden = np.maximum(_product(x, self.first[0]) + self.first[1], 0)
        width = hidden.shape[1]
        for (reach, apart), (context_weights, page, bias) in zip(ROUNDS, self.rounds, strict=True):
            margin = reach * apart
            padded = np.zeros((n + 2 * margin, width), dtype=np.float32)
            padded[margin : margin + n] = hidden
            total = np.zeros((n + 1, width))
            np.cumsum(hidden * weights, axis=0, out=total[1:])
            whole = (total[-1] / branches.weight).astype(np.float32)
            near = [padded[start : start + n] for start in range(0, 2 * margin + 1, apart)]
            beside = len(near) * width
            messages = _product(np.concatenate(near, axis=1), context_weights[:beside])
            messages += branches.messages(total, context_weights[beside:].reshape(-1, width, width))
            messages += whole @ page + bias
            hidden = hidden + np.maximum(messages, 0, out=messages)
        logit = hidden @ self.last[0] + self.last[1]
        probability: Floats = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
        return probability


@dataclass(frozen=True, eq=False)
class _Branches:
    """The branches of the tree that hold the blocks, level by level.

    Blocks that follow each other share a branch mostly: it is worked out once for such a run.
    """

    #: the first block of the branch of each run, the first one behind it, and one by its weight
    low: Column
    high: Column
    share: NDArray[np.float64]
    #: the run of each block, a row a level, and where the runs of each level end
    run: Column
    ends: list[int]
    #: of the page
    weight: float

    @classmethod
    def of(cls, ranges: Sequence[tuple[Column, Column]], weight: NDArray[np.float64]) -> _Branches:
        low, high = np.array(ranges).transpose(1, 0, 2)
        begins = np.ones(low.shape, dtype=bool)
        begins[:, 1:] = (low[:, 1:] != low[:, :-1]) | (high[:, 1:] != high[:, :-1])
        run = np.cumsum(begins).reshape(low.shape) - 1
        low, high = low[begins], high[begins]
        sums = np.zeros(len(weight) + 1)
        np.cumsum(weight, out=sums[1:])
        share = 1 / (sums[high] - sums[low])
        return cls(low, high, share, run, (run[:, -1] + 1).tolist(), float(sums[-1]))

    def messages(self, total: NDArray[np.float64], weights: Floats) -> Floats:
        """The messages of its branches to each block, given sums over the blocks before each."""
        sums = total.take(self.high, axis=0) - total.take(self.low, axis=0)
        means = (sums * self.share[:, None]).astype(np.float32)
        levels = zip([0, *self.ends], self.ends, weights, strict=False)
        of_runs = [_product(means[start:end], weight) for start, end, weight in levels]
        of_blocks: Floats = np.concatenate(of_runs).take(self.run, axis=0).sum(axis=0)
        return of_blocks


def _product(rows: Floats, weights: Floats) -> Floats:
    """A matrix product in pieces, each so small that no second thread is woken for it.

    A page's blocks are few: threads would cost more than they bring, and a crawl has its own.
    """
    step = max(PIECE // weights.size, 1)
    if len(rows) <= step:
        return rows @ weights
    return np.concatenate([rows[k : k + step] @ weights for k in range(0, len(rows), step)])
