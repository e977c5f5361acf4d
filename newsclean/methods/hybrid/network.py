"""A small network over the blocks of a page, in NumPy.

Each block's evidence becomes a vector; then, twice, each block hears of the blocks around it in
document order, of the branches of the tree that hold it, and of the page as a whole. An article is
mostly one stretch and one branch, and this is how the answer for a block comes to depend on that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.hybrid.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.page.columns import Column

    Floats = NDArray[np.float32]

MODEL = Path(__file__).with_name("model.npz")

#: Evidence is cut off at so many standard deviations from its mean.
CLIP = 4.0
#: How many blocks before and after are heard, and how far apart they are, in each round.
ROUNDS = ((2, 1), (2, 2))
#: Multiplications that one thread does alone.
PIECE = 1 << 18
#: A block of more words counts for the branch and the page as one of so many.
HEAVIEST = 200.0


@dataclass(frozen=True, eq=False)
class Network:
    """The weights, as training writes them."""

    questions: tuple[str, ...]
    mean: Floats
    scale: Floats
    first: tuple[Floats, Floats]
    #: for each round the weights of all that a block hears, of the page, and the bias
    rounds: tuple[tuple[Floats, Floats, Floats], ...]
    last: tuple[Floats, Floats]

    def __call__(
        self, values: Floats, words: NDArray[np.float64], ranges: Sequence[tuple[Column, Column]]
    ) -> Floats:
        """The probability of each block, given all of them in document order."""
        n = len(values)
        weight = np.minimum(words, HEAVIEST)
        weights = weight[:, None]
        branches = _Branches.of(ranges, weight)
        x = values - self.mean
        x *= self.scale
        np.clip(x, -CLIP, CLIP, out=x)
        hidden = np.maximum(_product(x, self.first[0]) + self.first[1], 0)
        width = hidden.shape[1]
        for (reach, apart), (heard, page, bias) in zip(ROUNDS, self.rounds, strict=True):
            margin = reach * apart
            padded = np.zeros((n + 2 * margin, width), dtype=np.float32)
            padded[margin : margin + n] = hidden
            total = np.zeros((n + 1, width))
            np.cumsum(hidden * weights, axis=0, out=total[1:])
            whole = (total[-1] / branches.weight).astype(np.float32)
            near = [padded[start : start + n] for start in range(0, 2 * margin + 1, apart)]
            beside = len(near) * width
            told = _product(np.concatenate(near, axis=1), heard[:beside])
            told += branches.tell(total, heard[beside:].reshape(-1, width, width))
            told += whole @ page + bias
            hidden = hidden + np.maximum(told, 0, out=told)
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

    def tell(self, total: NDArray[np.float64], weights: Floats) -> Floats:
        """What all blocks hear of their branches, given sums over the blocks before each."""
        sums = total.take(self.high, axis=0) - total.take(self.low, axis=0)
        means = (sums * self.share[:, None]).astype(np.float32)
        levels = zip([0, *self.ends], self.ends, weights, strict=False)
        told = [_product(means[start:end], heard) for start, end, heard in levels]
        heard_by_all: Floats = np.concatenate(told).take(self.run, axis=0).sum(axis=0)
        return heard_by_all


def _product(rows: Floats, weights: Floats) -> Floats:
    """A matrix product in pieces, each so small that no second thread is woken for it.

    A page's blocks are few: threads would cost more than they bring, and a crawl has its own.
    """
    step = max(PIECE // weights.size, 1)
    if len(rows) <= step:
        return rows @ weights
    return np.concatenate([rows[k : k + step] @ weights for k in range(0, len(rows), step)])


@dataclass(frozen=True, eq=False)
class Model:
    """A model file: the network for use, and one for each fold of the sites that it has seen."""

    path: Path

    @classmethod
    @cache
    def shipped(cls) -> Model:
        return cls(MODEL)

    @property
    def card(self) -> dict[str, Any]:
        """What it was trained on, and its figures."""
        with np.load(self.path) as file:
            card: dict[str, Any] = json.loads(str(file["card"]))
        return card

    @cached_property
    def sites(self) -> frozenset[int]:
        """The marks of the sites on which it was trained."""
        return frozenset(self.card["sites"])

    def network(self, fold: int | None = None) -> Network:
        """The network for use, or the one that has not seen the sites of a fold."""
        return _read(self.path, "all" if fold is None else str(fold))

    def vocabulary(self, fold: int | None = None) -> Vocabulary:
        """The vocabulary that belongs to the network."""
        return _read_words(self.path, "all" if fold is None else str(fold))


@cache
def _read(path: Path, name: str) -> Network:
    with np.load(path) as file:
        count = len(ROUNDS)
        return Network(
            questions=tuple(json.loads(str(file["questions"]))),
            mean=file[f"{name}/mean"],
            scale=file[f"{name}/scale"],
            first=(file[f"{name}/first"], file[f"{name}/first_bias"]),
            rounds=tuple(
                (file[f"{name}/heard{k}"], file[f"{name}/page{k}"], file[f"{name}/bias{k}"])
                for k in range(count)
            ),
            last=(file[f"{name}/last"], file[f"{name}/last_bias"]),
        )


@cache
def _read_words(path: Path, name: str) -> Vocabulary:
    with np.load(path) as file:
        words: list[str] = json.loads(str(file["words"]))
        return Vocabulary(dict(zip(words, file[f"{name}/words"].tolist(), strict=True)))


def write_model(
    path: Path,
    questions: Sequence[str],
    networks: dict[str, Network],
    vocabularies: dict[str, Vocabulary],
    card: dict[str, Any],
) -> None:
    """Write a model file; the same networks and vocabularies give the same bytes.

    There is a vocabulary of the same words for each network.
    """
    words = list(next(iter(vocabularies.values())).weights)
    arrays: dict[str, Any] = {
        "card": np.array(json.dumps(card, sort_keys=True)),
        "questions": np.array(json.dumps(list(questions))),
        "words": np.array(json.dumps(words)),
    }
    for name, vocabulary in vocabularies.items():
        weights = [vocabulary.weights[word] for word in words]
        arrays[f"{name}/words"] = np.array(weights, dtype=np.float16)
    for name, network in networks.items():
        arrays |= {f"{name}/mean": network.mean, f"{name}/scale": network.scale}
        arrays |= {f"{name}/first": network.first[0], f"{name}/first_bias": network.first[1]}
        for k, (heard, page, bias) in enumerate(network.rounds):
            arrays |= {f"{name}/heard{k}": heard, f"{name}/page{k}": page, f"{name}/bias{k}": bias}
        arrays |= {f"{name}/last": network.last[0], f"{name}/last_bias": network.last[1]}
    np.savez_compressed(path, **arrays)
