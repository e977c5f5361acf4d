"""Fits the network of `hybrid` to examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

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
    from newsclean.lab.training.settings import Settings

    Floats = NDArray[np.floating[Any]]


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
    targets: Sequence[Floats] | None = None,
) -> Network:
    """A network for these examples; the same ones give the same network.

    `dropout_columns` holds the columns of each group of features that is left out of a page at
    times, so that no group is relied on alone. `advance` is called after each epoch. `targets` say
    for each example how much each block is the article's; without them its labels do.
    """
    targets = targets or [example.is_article.astype(np.float32) for example in examples]
    random = np.random.default_rng(settings.seed)
    everything = np.concatenate([example.features for example in examples])
    mean = everything.mean(axis=0, dtype=np.float64).astype(np.float32)
    scale = (1 / (everything.std(axis=0, dtype=np.float64) + 1e-3)).astype(np.float32)
    del everything
    pages = [
        (example, inputs_of(example, mean, scale, settings.conventions), target)
        for example, target in zip(examples, targets, strict=True)
    ]
    inputs = len(mean) + len(settings.conventions)
    weights = initial_weights(inputs, len(examples[0].ranges), settings.width, random)
    weights["first"][len(mean) :] = 0
    weight = np.array([weight_of(example.gold, settings) for example in examples])
    chance = np.minimum(weight, 1)
    size = settings.batch_size
    optimizer = AdamW(weights, settings, settings.epochs * max(round(chance.sum() / size), 1))
    for _ in range(settings.epochs):
        order = random.permutation(np.flatnonzero(random.random(len(pages)) < chance))
        for start in range(0, max(len(order) - size + 1, 1), size):
            taken = order[start : start + size]
            if not len(taken):
                continue
            batch = batch_of([pages[k] for k in taken], settings, dropout_columns, random)
            optimizer.apply(gradients_of(weights, batch, settings, random))
        advance()
    return network_of(weights, mean, scale)


def inputs_of(example: Example, mean: Floats, scale: Floats, conventions: Sequence[str]) -> Floats:
    """The features of each block brought to one scale, and the convention of the page's gold."""
    own = [float(example.gold.collection == name) for name in conventions]
    features = np.clip((example.features - mean) * scale, -CLIP, CLIP)
    convention = np.tile(np.array(own, dtype=np.float32), (len(features), 1))
    return np.concatenate((features, convention), axis=1)


class Pace(Protocol):
    """What the optimizer reads of the settings of a training."""

    @property
    def learning_rate(self) -> float: ...

    @property
    def warm_up(self) -> float: ...

    @property
    def weight_decay(self) -> float: ...

    @property
    def max_gradient_norm(self) -> float: ...


class AdamW:
    """Adam with decoupled weight decay; the learning rate rises at first, then falls to 0.

    Loshchilov and Hutter, Decoupled Weight Decay Regularization (2019).
    """

    def __init__(self, weights: Weights, settings: Pace, steps: int) -> None:
        self.weights = weights
        self.settings = settings
        self.steps = steps
        self.done = 0
        self._mean = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._mean_square = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def apply(self, gradients: Weights) -> None:
        """Change the weights a little."""
        settings = self.settings
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

    def learning_rate(self) -> float:
        """The learning rate of the next step."""
        rising = max(self.settings.warm_up * self.steps, 1.0)
        if self.done < rising:
            share = self.done / rising
        else:
            share = 1 - (self.done - rising) / max(self.steps - rising, 1.0)
        return self.settings.learning_rate * float(1 - np.cos(np.pi * max(share, 0.0))) / 2


def gradients_of(
    weights: Weights, batch: Batch, settings: Settings, random: np.random.Generator
) -> Weights:
    """The gradients of the loss on a batch, with some hidden values left out."""
    shape = len(batch.values), settings.width
    keep = 1 - settings.dropout
    kept = batch.real[:, None] / np.float32(keep)
    masks = [
        (random.integers(0, 256, shape, dtype=np.uint8) < 256 * keep) * kept
        for _ in range(len(ROUNDS) + 1)
    ]
    return loss_and_gradients(weights, batch, masks, settings.page_loss_weight)[1]


def batch_of(
    pages: Sequence[tuple[Example, Floats, Floats]],
    settings: Settings,
    dropout_columns: Sequence[Sequence[int]],
    random: np.random.Generator,
) -> Batch:
    """Pages, each with its evidence brought to one scale and its targets, as one batch."""
    sizes = np.array([len(values) for _, values, _ in pages])
    starts = np.cumsum([GAP, *(sizes + GAP)])
    length = int(starts[-1])
    values = np.zeros((length, pages[0][1].shape[1]), dtype=np.float32)
    weight, real, target, importance, counted = np.zeros((5, length), dtype=np.float32)
    levels = len(pages[0][0].ranges)
    low, high = np.zeros((2, levels + 1, length), dtype=np.int64)
    page_of = np.zeros(length, dtype=np.int64)
    page_weight = [max(weight_of(example.gold, settings), 1.0) for example, *_ in pages]
    for number, (page, start) in enumerate(zip(pages, starts.tolist(), strict=False)):
        example, own, wanted = page
        here = slice(start, start + len(own))
        values[here] = own
        for columns in dropout_columns:
            if random.random() < settings.feature_dropout:
                values[here, columns] = 0
        weight[here] = np.minimum(example.words, MAX_WEIGHT)
        real[here] = 1
        target[here] = wanted
        importance[here] = importance_of(example) * page_weight[number]
        counted[here] = example.words * ~example.optional
        page_of[here] = number
        for level, (first, after) in enumerate(example.ranges):
            low[level, here] = first + start
            high[level, here] = after + start
        low[levels, here], high[levels, here] = here.start, here.stop
    return Batch(
        values=values,
        weight=weight,
        real=real,
        ranges=Ranges.of(low, high, weight),
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
    """How much a page counts; one that counts less than 1 is shown that seldom, in full.

    A part of a collection, named behind a colon, counts as the collection unless it is named, too.
    """
    of_kind = {ARTICLE: 1.0, **dict(settings.kind_weights)}
    weights = dict(settings.collection_weights)
    whole = gold.collection.partition(":")[0]
    weight = weights.get(gold.collection, weights.get(whole, 1.0))
    return weight * of_kind.get(gold.kind, 0.0)


def network_of(weights: Weights, mean: Floats, scale: Floats) -> Network:
    """The network without the inputs for the conventions: as if all of them were 0."""
    return Network(
        mean=mean,
        scale=scale,
        first=(weights["first"][: len(mean)], weights["first_bias"]),
        rounds=tuple(
            (weights[f"context{k}"], weights[f"page{k}"], weights[f"bias{k}"])
            for k in range(len(ROUNDS))
        ),
        last=(weights["last"], weights["last_bias"]),
    )
