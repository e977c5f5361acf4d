"""The probability that each block of a page is the article's, by the page itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid import slots
from newsclean.methods.hybrid.context import BlockContext
from newsclean.methods.hybrid.features import FEATURE_GROUPS, block_features
from newsclean.methods.hybrid.model import MAX_READ, ModelError
from newsclean.page import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.model import Model

    Floats = NDArray[np.float64]

#: A block is part of the article from this probability on.
THRESHOLD = 0.5

#: A page of more blocks is not one to read, and would take memory by the gigabyte.
MAX_BLOCKS = 50_000


@dataclass(frozen=True, eq=False)
class BlockScores:
    """What a model says of a page by itself; computed once, and carried along."""

    model: Model
    context: BlockContext
    #: the features, a row for each block; none for a page with too many blocks
    features: NDArray[np.float32]
    #: of the network alone, and once the words of doubtful blocks were considered
    network_probability: Floats
    probability: Floats

    @cached_property
    def verdicts(self) -> slots.Hashes:
        """The keys by which the page reports to its neighbors which slots held its article."""
        chosen = self.probability >= THRESHOLD
        context = self.context
        return slots.verdict_keys(context.slots, context.words, chosen, self.model.salt)

    @cached_property
    def slot_keys(self) -> slots.Hashes:
        """The keys of the verdicts that neighbors may have on the page's slots."""
        return slots.slot_keys(self.context.slots, self.model.salt)


def check_features(model: Model) -> None:
    """Refuse a model that was trained on other features than those that can be computed now."""
    groups_of(model)


@lru_cache(MAX_READ)
def groups_of(model: Model) -> tuple[str, ...]:
    """The groups of features that a model was trained on; the others are not computed for it."""
    known = set(model.feature_names)
    of_group = _features_by_group()
    used = tuple(group for group, features in of_group.items() if known.issuperset(features))
    if [feature for group in used for feature in of_group[group]] != model.feature_names:
        raise ModelError(f"{model.path} was trained on other features: train it anew")
    return used


@cache
def _features_by_group() -> dict[str, tuple[str, ...]]:
    """The features of each group, read from a page with nothing but a sentence."""
    context = BlockContext(Page.from_html("<p>It rains."))
    return {group: tuple(compute(context)) for group, compute in FEATURE_GROUPS.items()}


def score_blocks(page: Page, model: Model) -> BlockScores:
    """Run the model over the blocks of a page."""
    context = BlockContext(page)
    if not 0 < len(context) <= MAX_BLOCKS:
        nothing = np.zeros(len(context))
        return BlockScores(model, context, np.empty((0, 0), np.float32), nothing, nothing)
    _, features = block_features(context, groups_of(model))
    alone = model.network(features, context.words, context.ranges[1:]).astype(float)
    probability = model.vocabulary.adjusted(alone, context.words, page.blocks.text)
    return BlockScores(model, context, features, alone, probability)
