"""Fits the network of `hybrid` to examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.lab.training.layers import (
    Batch,
    Ranges,
    Weights,
    initial_weights,
    loss_and_gradients,
)
from newsclean.methods.hybrid.network import CLIP, MAX_WEIGHT, ROUNDS, Network

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.lab.training.examples import Example

    Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Settings:
    """How the network is trained."""

    width: int = 32
    epochs: int = 12
    batch_size: int = 12
    learning_rate: float = 4e-3
    #: share of the steps in which the learning rate rises, before it falls
    warm_up: float = 0.1
    weight_decay: float = 1e-2
    #: a longer gradient is shortened to this
    max_gradient_norm: float = 1.0
    #: share of the hidden values that are left out at random
    dropout: float = 0.25
    #: share of the groups of features that are left out of a page at random
    feature_dropout: float = 0.12
    #: how much the loss by page counts beside the loss by block
    page_loss_weight: float = 1.0
    #: how much pages of small collections count
    collection_weights: tuple[tuple[str, float], ...] = (
        ("big9", 1.2),
        ("cleanportal", 2.0),
        ("fundus", 2.0),
        ("fundus-eval", 2.0),
    )
    #: how much pages of other kinds count: running text is much the same there. On listings and the
    #: like the teasers are the text, which is the opposite of what an article's page teaches.
    kind_weights: tuple[tuple[str, float], ...] = (
        ("documentation", 0.3),
        ("forum", 0.3),
        ("product", 0.3),
        ("service", 0.3),
    )
    seed: int = 1


ARTICLE = "article"

#: Empty blocks between two pages: further than a round reaches.
GAP = max(reach * apart for reach, apart in ROUNDS)

#: A block counts by its share of the article's words, within these bounds; a shorter article
#: counts as one of MIN_ARTICLE_WORDS.
MIN_IMPORTANCE, MAX_IMPORTANCE = 0.004, 0.5
MIN_ARTICLE_WORDS = 100


def fit(
    examples: Sequence[Example],
    settings: Settings,
    dropout_columns: Sequence[Sequence[int]],
    advance: Callable[[], object] = lambda: None,
) -> Network:
    """A network for these examples; the same ones give the same network.

    `dropout_columns` holds the columns of each group of features that is left out of a page at
    times, so that no group is relied on alone. `advance` is called after each epoch.
    """
    random = np.random.default_rng(settings.seed)
    everything = np.concatenate([example.features for example in examples])
    mean = everything.mean(axis=0, dtype=np.float64).astype(np.float32)
    scale = (1 / (everything.std(axis=0, dtype=np.float64) + 1e-3)).astype(np.float32)
    del everything
    pages = [
        (example, np.clip((example.features - mean) * scale, -CLIP, CLIP)) for example in examples
    ]
    weights = initial_weights(len(mean), len(examples[0].ranges), settings.width, random)
    steps = max(len(pages) // settings.batch_size, 1)
    optimizer = AdamW(weights, settings, settings.epochs * steps)
    for _ in range(settings.epochs):
        order = random.permutation(len(pages))
        for step in range(steps):
            taken = order[step * settings.batch_size : (step + 1) * settings.batch_size]
            batch = batch_of([pages[k] for k in taken], settings, dropout_columns, random)
            optimizer.step(batch, random)
        advance()
    return network_of(weights, mean, scale)


class AdamW:
    """Adam with decoupled weight decay; the learning rate rises at first, then falls to 0.

    Loshchilov and Hutter, Decoupled Weight Decay Regularization (2019).
    """

    def __init__(self, weights: Weights, settings: Settings, steps: int) -> None:
        self.weights = weights
        self.settings = settings
        self.steps = steps
        self.done = 0
        self._mean = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._mean_square = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def step(self, batch: Batch, random: np.random.Generator) -> float:
        """Change the weights a little; the loss before."""
        settings = self.settings
        shape = len(batch.values), settings.width
        keep = 1 - settings.dropout
        masks = [
            (random.random(shape, dtype=np.float32) < keep)
            * (batch.real[:, None] / np.float32(keep))
            for _ in range(len(ROUNDS) + 1)
        ]
        loss, gradients = loss_and_gradients(self.weights, batch, masks, settings.page_loss_weight)
        norm = float(np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values())))
        shorter = min(1.0, settings.max_gradient_norm / max(norm, 1e-12))
        self.done += 1
        rate = self.learning_rate()
        for name, weight in self.weights.items():
            gradient = gradients[name] * np.float32(shorter)
            mean, mean_square = self._mean[name], self._mean_square[name]
            mean += np.float32(0.1) * (gradient - mean)
            mean_square += np.float32(0.001) * (gradient * gradient - mean_square)
            size = np.sqrt(mean_square / (1 - 0.999**self.done)) + 1e-8
            weight *= np.float32(1 - rate * settings.weight_decay)
            weight -= (rate / (1 - 0.9**self.done) * mean / size).astype(np.float32)
        return loss

    def learning_rate(self) -> float:
        """The learning rate of the next step."""
        rising = max(self.settings.warm_up * self.steps, 1.0)
        if self.done < rising:
            share = self.done / rising
        else:
            share = 1 - (self.done - rising) / max(self.steps - rising, 1.0)
        return self.settings.learning_rate * float(1 - np.cos(np.pi * max(share, 0.0))) / 2


def batch_of(
    pages: Sequence[tuple[Example, Floats]],
    settings: Settings,
    dropout_columns: Sequence[Sequence[int]],
    random: np.random.Generator,
) -> Batch:
    """Pages, each with its evidence brought to one scale, as one batch."""
    sizes = np.array([len(values) for _, values in pages])
    starts = np.cumsum([GAP, *(sizes + GAP)])
    length = int(starts[-1])
    values = np.zeros((length, pages[0][1].shape[1]), dtype=np.float32)
    weight, real, target, importance, counted = np.zeros((5, length), dtype=np.float32)
    ranges = np.zeros((len(pages[0][0].ranges), 2, length), dtype=np.int64)
    page_of = np.zeros(length, dtype=np.int64)
    page_weight = [weight_of(example.gold, settings) for example, _ in pages]
    for number, ((example, own), start) in enumerate(zip(pages, starts.tolist(), strict=False)):
        here = slice(start, start + len(own))
        values[here] = own
        for columns in dropout_columns:
            if random.random() < settings.feature_dropout:
                values[here, columns] = 0
        weight[here] = np.minimum(example.words, MAX_WEIGHT)
        real[here] = 1
        target[here] = example.is_article
        importance[here] = importance_of(example) * page_weight[number]
        counted[here] = example.words * ~example.optional
        page_of[here] = number
        for level, (low, high) in enumerate(example.ranges):
            ranges[level, 0, here] = low + start
            ranges[level, 1, here] = high + start
    ends = starts[:-1] + sizes
    return Batch(
        values=values,
        weight=weight,
        real=real,
        branches=[Ranges.of(low, high, weight) for low, high in ranges],
        pages=Ranges.of(starts[:-1][page_of], ends[page_of], weight),
        page_of=page_of,
        target=target,
        importance=importance,
        counted=counted,
        page_weight=np.array(page_weight, dtype=np.float32),
    )


def importance_of(example: Example) -> Floats:
    """How much each block of a page counts."""
    article = max(example.words[example.is_article].sum(), MIN_ARTICLE_WORDS)
    importance: Floats = (
        np.clip(example.words / article, MIN_IMPORTANCE, MAX_IMPORTANCE) * ~example.optional
    )
    return importance


def weight_of(gold: Gold, settings: Settings) -> float:
    """How much a page counts."""
    of_kind = {ARTICLE: 1.0, **dict(settings.kind_weights)}
    return dict(settings.collection_weights).get(gold.collection, 1.0) * of_kind.get(gold.kind, 0.0)


def network_of(weights: Weights, mean: Floats, scale: Floats) -> Network:
    return Network(
        mean=mean,
        scale=scale,
        first=(weights["first"], weights["first_bias"]),
        rounds=tuple(
            (weights[f"context{k}"], weights[f"page{k}"], weights[f"bias{k}"])
            for k in range(len(ROUNDS))
        ),
        last=(weights["last"], weights["last_bias"]),
    )
