"""The probability that each block of a page is the article's, by the page itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid import slots
from newsclean.methods.hybrid.context import BlockContext
from newsclean.methods.hybrid.features import block_features
from newsclean.methods.hybrid.model import ModelError
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
    """Refuse a model that was trained on other features than those that are computed now."""
    if model.feature_names != _feature_names():
        raise ModelError(f"{model.path} was trained on other features: train it anew")


@cache
def _feature_names() -> list[str]:
    """The names of all features, read from a page with nothing but a sentence."""
    return block_features(BlockContext(Page.from_html("<p>It rains.")))[0]


def score_blocks(page: Page, model: Model) -> BlockScores:
    """Run the model over the blocks of a page."""
    context = BlockContext(page)
    if not 0 < len(context) <= MAX_BLOCKS:
        nothing = np.zeros(len(context))
        return BlockScores(model, context, np.empty((0, 0), np.float32), nothing, nothing)
    _, features = block_features(context)
    alone = model.network(features, context.words, context.ranges[1:]).astype(float)
    probability = model.vocabulary.adjusted(alone, context.words, page.blocks.text)
    return BlockScores(model, context, features, alone, probability)
