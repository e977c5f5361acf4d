"""Fits the network of `hybrid` and its vocabulary to examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid.network import (
    CLIP,
    MAX_WEIGHT,
    MIN_WORDS,
    ROUNDS,
    Network,
    Vocabulary,
    distinct_words,
)
from newsclean.lab.folds import publisher
from newsclean.lab.training.layers import (
    Batch,
    Ranges,
    initial_weights,
    loss_and_gradients,
)
from newsclean.lab.training.optimizers import AdamW, minimize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.lab.training.block_examples import Example
    from newsclean.lab.training.optimizers import Floats, Weights


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
    #: how much pages of a collection count: those of small ones more, those whose golds follow
    #: other conventions less
    collection_weights: tuple[tuple[str, float], ...] = (
        ("big9", 1.2),
        ("cleanportal", 2.0),
        ("daniel", 1.0),
        ("dragnet", 0.5),
        ("fundus", 2.0),
        ("fundus-eval", 2.0),
        ("htmltotext", 0.3),
        ("readability", 0.5),
        ("wwwxmu", 0.25),
    )
    #: how much pages of other kinds count: running text is much the same there. On listings and the
    #: like the teasers are the text, which is the opposite of what an article's page teaches.
    kind_weights: tuple[tuple[str, float], ...] = (
        ("documentation", 0.3),
        ("forum", 0.3),
        ("product", 0.3),
        ("service", 0.3),
    )
    #: collections whose golds follow conventions of their own on what belongs to the text. Each has
    #: an input of its own, which is 1 on its pages: what they teach of their convention is learned
    #: as the weights of that input, and these are not part of the network that comes out.
    conventions: tuple[str, ...] = (
        "chinese",
        "daniel",
        "dragnet",
        "htmltotext",
        "readability",
        "wwwxmu",
    )
    #: networks of knowledge distillation, trained first, with seeds of their own; the network then
    #: learns their mean prediction beside the labels, which count `label_share`
    teachers: int = 0
    label_share: float = 0.5
    #: of these collections only every second teacher learns
    apart: tuple[str, ...] = (
        "chinese",
        "daniel",
        "dragnet",
        "fundus-history",
        "htmltotext",
        "readability",
        "wwwxmu",
    )
    #: collections on which only running text is learned if a training goes on from a model: what
    #: that model says of headings, captions and short lines stays as it is. Their golds have date
    #: lines and bylines, and leave most subheadings out.
    running_text_only: tuple[str, ...] = ("daniel", "wwwxmu")
    #: how much the weights that a training goes on to count beside those that it starts from
    share: float = 1.0
    seed: int = 1

    def continued(self, start: Network) -> Settings:
        """How a training goes on from a network: in smaller steps.

        Collections of which only running text is learned need no input of their own.
        """
        return replace(
            self,
            width=len(start.first[1]),
            epochs=CONTINUED_EPOCHS,
            learning_rate=CONTINUED_RATE,
            conventions=tuple(n for n in self.conventions if n not in self.running_text_only),
            teachers=0,
        )

    def without(self, collections: Iterable[str]) -> Settings:
        """The same, but no page of these collections is trained on."""
        return self.weighted(dict.fromkeys(collections, 0.0))

    def weighted(self, collections: Mapping[str, float]) -> Settings:
        """The same with other weights of these collections."""
        weights = {**dict(self.collection_weights), **collections}
        return replace(self, collection_weights=tuple(sorted(weights.items())))

    def of_teachers(self) -> list[Settings]:
        """How each teacher is trained: by turns on all collections, and without those apart."""
        return [
            replace(
                self.without(self.apart if number % 2 else ()), teachers=0, seed=1 + number // 2
            )
            for number in range(self.teachers)
        ]


ARTICLE = "article"

#: A training that goes on from a model: passes over the pages, the learning rate, and the number of
#: networks, of a seed each, whose weights are averaged.
CONTINUED_EPOCHS = 4
CONTINUED_RATE = 2e-3
CONTINUED_NETWORKS = 5

#: Empty blocks between two pages: further than a round reaches.
_GAP = max(reach * apart for reach, apart in ROUNDS)

#: A block counts by its share of the article's words, within these bounds; a shorter article
#: counts as one of MIN_ARTICLE_WORDS.
_MIN_IMPORTANCE, _MAX_IMPORTANCE = 0.004, 0.5
_MIN_ARTICLE_WORDS = 100


def fit(
    examples: Sequence[Example],
    settings: Settings,
    dropout_columns: Sequence[Sequence[int]],
    advance: Callable[[], object] = lambda: None,
    targets: Sequence[Floats] | None = None,
    start: Network | None = None,
) -> Network:
    """A network for these examples; the same ones give the same network.

    `dropout_columns` holds the columns of each group of features that is left out of a page at
    times, so that no group is relied on alone. `advance` is called after each epoch. `targets` say
    for each example how much each block is the article's; without them its labels do. Training goes
    on from the network `start`, if there is one.
    """
    targets = targets or [example.is_article.astype(np.float32) for example in examples]
    random = np.random.default_rng(settings.seed)
    mean, scale = (start.mean, start.scale) if start else _scale_of(examples)
    pages = [
        (example, _inputs_of(example, mean, scale, settings.conventions), target)
        for example, target in zip(examples, targets, strict=True)
    ]
    inputs = len(mean) + len(settings.conventions)
    weights = initial_weights(inputs, len(examples[0].ranges), settings.width, random)
    weights["first"][len(mean) :] = 0
    if start:  # which has no weights for the inputs of the conventions
        own = {name: weight.copy() for name, weight in _weights_of(start).items()}
        weights["first"][: len(mean)] = own.pop("first")
        weights |= own | {"early": own["last"].copy(), "early_bias": own["last_bias"].copy()}
    weight = np.array([weight_of(example.gold, settings) for example in examples])
    chance = np.minimum(weight, 1)
    size = settings.batch_size
    optimizer = AdamW(weights, settings, settings.epochs * max(round(chance.sum() / size), 1))
    for _ in range(settings.epochs):
        order = random.permutation(np.flatnonzero(random.random(len(pages)) < chance))
        for begin in range(0, max(len(order) - size + 1, 1), size):
            taken = order[begin : begin + size]
            if not len(taken):
                continue
            batch = batch_of([pages[k] for k in taken], settings, dropout_columns, random)
            optimizer.apply(_gradients_of(weights, batch, settings, random))
        advance()
    return network_of(weights, mean, scale)


def _scale_of(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """The mean of each feature, and one divided by its deviation."""
    everything = np.concatenate([example.features for example in examples])
    mean = everything.mean(axis=0, dtype=np.float64).astype(np.float32)
    scale = (1 / (everything.std(axis=0, dtype=np.float64) + 1e-3)).astype(np.float32)
    return mean, scale


def _weights_of(network: Network) -> Weights:
    """The weights of a network by the names that they have in training."""
    weights: Weights = {"first": network.first[0], "first_bias": network.first[1]}
    for k, (context, page, bias) in enumerate(network.rounds):
        weights |= {f"context{k}": context, f"page{k}": page, f"bias{k}": bias}
    return weights | {"last": network.last[0], "last_bias": network.last[1]}


def continued_targets(
    examples: Sequence[Example], settings: Settings, network: Network
) -> list[Floats]:
    """How much each block is the article's if training goes on from a network.

    For collections that it knows, by labels and by what it says. For the others by labels, and for
    their headings, captions and short lines by what it says.
    """
    targets = []
    for example in examples:
        said = network(example.features, example.words, example.ranges)
        if example.gold.collection in settings.running_text_only:
            target = np.where(example.beside, said, example.is_article)
        else:
            share = settings.label_share
            target = share * example.is_article + (1 - share) * said
        targets.append(target.astype(np.float32))
    return targets


def mean_network(networks: Sequence[Network], start: Network, share: float) -> Network:
    """The mean of the weights of networks that went on from `start`, and, to a part, of its own."""
    every, before = [_weights_of(network) for network in networks], _weights_of(start)
    weights: Weights = {
        name: share * np.stack([one[name] for one in every]).mean(axis=0, dtype=np.float64)
        + (1 - share) * before[name]
        for name in before
    }
    rounded = {name: weight.astype(np.float32) for name, weight in weights.items()}
    return network_of(rounded, networks[0].mean, networks[0].scale)


def _inputs_of(example: Example, mean: Floats, scale: Floats, conventions: Sequence[str]) -> Floats:
    """The features of each block brought to one scale, and the convention of the page's gold."""
    own = [float(example.gold.collection == name) for name in conventions]
    features = np.clip((example.features - mean) * scale, -CLIP, CLIP)
    convention = np.tile(np.array(own, dtype=np.float32), (len(features), 1))
    return np.concatenate((features, convention), axis=1)


def _gradients_of(
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
    starts = np.cumsum([_GAP, *(sizes + _GAP)])
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
        importance[here] = _importance_of(example) * page_weight[number]
        counted[here] = example.words * ~example.optional
        if example.gold.collection in settings.running_text_only:
            counted[here] *= ~example.beside  # the loss by page would draw doubtful lines to 0
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


def _importance_of(example: Example) -> Floats:
    """How much each block of a page counts."""
    article = max(example.words[example.is_article].sum(), _MIN_ARTICLE_WORDS)
    importance: Floats = (
        np.clip(example.words / article, _MIN_IMPORTANCE, _MAX_IMPORTANCE) * ~example.optional
    )
    return importance


def weight_of(gold: Gold, settings: Settings) -> float:
    """How much a page counts; one that counts less than 1 is shown that seldom, in full."""
    of_kind = {ARTICLE: 1.0, **dict(settings.kind_weights)}
    weight = dict(settings.collection_weights).get(gold.collection, 1.0)
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


#: A word is of the language, and not of a topic or a site, if this many publishers use it.
_MIN_PUBLISHERS = 40
#: Logistic regression: steps, the first one's length, and how much weights are drawn to 0.
_STEPS = 120
_RATE = 0.08
_DECAY = 1e-5


def common_words(examples: Sequence[Example], min_publishers: int = _MIN_PUBLISHERS) -> list[str]:
    """The words that enough publishers use in their articles' pages."""
    by_publisher: dict[str, set[str]] = {}
    for example in examples:
        if example.gold.kind == ARTICLE:
            words = by_publisher.setdefault(publisher(example.gold.site), set())
            words.update(distinct_words("\n".join(example.texts)))
    counts: dict[str, int] = {}
    for words in by_publisher.values():
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, count in counts.items() if count >= min_publishers)


def fit_vocabulary(examples: Sequence[Example], words: Sequence[str]) -> Vocabulary:
    """How much each word speaks for the article, learned from blocks of articles' pages alone."""
    numbers = {word: number for number, word in enumerate(words)}
    found: list[int] = []
    sizes, targets, shares = [], [], []
    for example in examples:
        if example.gold.kind != ARTICLE:
            continue
        importance = _importance_of(example)
        for block in np.flatnonzero((example.words >= MIN_WORDS) & (importance > 0)).tolist():
            known = [
                numbers[word] for word in distinct_words(example.texts[block]) if word in numbers
            ]
            found += known
            sizes.append(len(known))
            targets.append(example.is_article[block])
            shares.append(importance[block])
    if not found:
        return Vocabulary({})
    word, count = np.array(found), np.array(sizes)
    of_word = np.repeat(np.arange(len(count)), count)
    scale = 1 / np.sqrt(1 + count)
    share = scale * shares / np.sum(shares)
    target = np.array(targets, dtype=float)

    def gradient_of(weight: Floats) -> Floats:
        said = np.bincount(of_word, weight[word], len(count)) * scale
        wrong = (1 / (1 + np.exp(-said)) - target) * share
        gradient: Floats = np.bincount(word, wrong[of_word], len(words)) + _DECAY * weight
        return gradient

    weight = minimize(gradient_of, len(words), _STEPS, _RATE)
    rounded = weight.astype(np.float16).tolist()
    return Vocabulary(dict(zip(words, rounded, strict=True)))
