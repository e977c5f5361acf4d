"""Fits the network of `hybrid` to examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.methods.hybrid.network import CLIP, HEAVIEST, ROUNDS, Network
from newsclean.training.layers import Batch, Ranges, Weights, begin, loss_and_slopes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from newsclean.evaluate.corpus import Gold
    from newsclean.training.examples import Example

    Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Settings:
    """How the network is trained."""

    width: int = 32
    epochs: int = 12
    pages_a_step: int = 12
    rate: float = 4e-3
    #: share of the steps in which the rate rises, before it falls
    warm_up: float = 0.1
    decay: float = 1e-2
    #: the longest step's slope
    steepest: float = 1.0
    #: share of the hidden values that are left out at random
    dropout: float = 0.25
    #: share of the kinds of evidence that are left out of a page at random
    silence: float = 0.12
    #: how much the loss by page counts beside the loss by block
    by_page: float = 1.0
    #: how much pages of small collections count
    weights: tuple[tuple[str, float], ...] = (
        ("big9", 1.2),
        ("cleanportal", 2.0),
        ("fundus", 2.0),
        ("fundus-eval", 2.0),
    )
    #: how much pages of other kinds count: running text is much the same there. On listings and the
    #: like the teasers are the text, which is the opposite of what an article's page teaches.
    others: tuple[tuple[str, float], ...] = (
        ("documentation", 0.3),
        ("forum", 0.3),
        ("product", 0.3),
        ("service", 0.3),
    )
    seed: int = 1


ARTICLE = "article"

#: Empty blocks between two pages: further than a round reaches.
GAP = max(reach * apart for reach, apart in ROUNDS)

#: A block counts by its share of the article's words, within these bounds; a short article has so
#: many words at least.
LEAST, MOST = 0.004, 0.5
SHORT = 100


def fit(
    examples: Sequence[Example],
    settings: Settings,
    kinds: Sequence[Sequence[int]],
    seen: Callable[[], object] = lambda: None,
) -> Network:
    """A network for these examples; the same ones give the same network.

    `kinds` holds the columns of each kind of evidence that is left out of a page at times, so that
    no kind is relied on alone. `seen` is called after each epoch.
    """
    random = np.random.default_rng(settings.seed)
    everything = np.concatenate([example.values for example in examples])
    mean = everything.mean(axis=0, dtype=np.float64).astype(np.float32)
    scale = (1 / (everything.std(axis=0, dtype=np.float64) + 1e-3)).astype(np.float32)
    del everything
    pages = [
        (example, np.clip((example.values - mean) * scale, -CLIP, CLIP)) for example in examples
    ]
    weights = begin(len(mean), len(examples[0].ranges), settings.width, random)
    steps = max(len(pages) // settings.pages_a_step, 1)
    descent = Descent(weights, settings, settings.epochs * steps)
    for _ in range(settings.epochs):
        order = random.permutation(len(pages))
        for step in range(steps):
            taken = order[step * settings.pages_a_step : (step + 1) * settings.pages_a_step]
            batch = batch_of([pages[k] for k in taken], settings, kinds, random)
            descent.step(batch, random)
        seen()
    return network_of(weights, examples[0].questions, mean, scale)


class Descent:
    """Adam with decoupled weight decay; the rate rises at first and then falls to nothing."""

    def __init__(self, weights: Weights, settings: Settings, steps: int) -> None:
        self.weights = weights
        self.settings = settings
        self.steps = steps
        self.done = 0
        self._slope = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self._square = {name: np.zeros_like(weight) for name, weight in weights.items()}

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
        loss, slopes = loss_and_slopes(self.weights, batch, masks, settings.by_page)
        length = float(np.sqrt(sum(float((slope**2).sum()) for slope in slopes.values())))
        shorter = min(1.0, settings.steepest / max(length, 1e-12))
        self.done += 1
        rate = self.rate()
        for name, weight in self.weights.items():
            slope = slopes[name] * np.float32(shorter)
            first, second = self._slope[name], self._square[name]
            first += np.float32(0.1) * (slope - first)
            second += np.float32(0.001) * (slope * slope - second)
            size = np.sqrt(second / (1 - 0.999**self.done)) + 1e-8
            weight *= np.float32(1 - rate * settings.decay)
            weight -= (rate / (1 - 0.9**self.done) * first / size).astype(np.float32)
        return loss

    def rate(self) -> float:
        """How far the next step goes."""
        rising = max(self.settings.warm_up * self.steps, 1.0)
        if self.done < rising:
            share = self.done / rising
        else:
            share = 1 - (self.done - rising) / max(self.steps - rising, 1.0)
        return self.settings.rate * float(1 - np.cos(np.pi * max(share, 0.0))) / 2


def batch_of(
    pages: Sequence[tuple[Example, Floats]],
    settings: Settings,
    kinds: Sequence[Sequence[int]],
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
        for columns in kinds:
            if random.random() < settings.silence:
                values[here, columns] = 0
        weight[here] = np.minimum(example.words, HEAVIEST)
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
    article = max(example.words[example.is_article].sum(), SHORT)
    importance: Floats = np.clip(example.words / article, LEAST, MOST) * ~example.optional
    return importance


def weight_of(gold: Gold, settings: Settings) -> float:
    """How much a page counts."""
    of_kind = {ARTICLE: 1.0, **dict(settings.others)}
    return dict(settings.weights).get(gold.collection, 1.0) * of_kind.get(gold.kind, 0.0)


def network_of(weights: Weights, questions: Sequence[str], mean: Floats, scale: Floats) -> Network:
    return Network(
        questions=tuple(questions),
        mean=mean,
        scale=scale,
        first=(weights["first"], weights["first_bias"]),
        rounds=tuple(
            (weights[f"heard{k}"], weights[f"page{k}"], weights[f"bias{k}"])
            for k in range(len(ROUNDS))
        ),
        last=(weights["last"], weights["last_bias"]),
    )
