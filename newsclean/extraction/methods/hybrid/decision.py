"""The probability that each block of a page is the article's, by the page itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods import coreex, stadynot
from newsclean.extraction.methods.chain import Choice, Stage, Step, with_markup
from newsclean.extraction.methods.hybrid.context import (
    BlockContext,
    is_heading,
    without_headline,
)
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS, block_features
from newsclean.extraction.methods.hybrid.named_boxes import (
    MAX_PROBABILITY,
    consent_notices,
    kinds_of_boxes,
)
from newsclean.extraction.methods.hybrid.network import MAX_READ, ModelError
from newsclean.extraction.methods.hybrid.structure import (
    whole_tables,
    with_headings,
    without_copy_in_one_block,
    without_later_articles,
    without_repeated_copy,
    without_tail,
)
from newsclean.extraction.page import Page
from newsclean.extraction.page.slots import neighbor_predictions, prediction_keys, slot_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.methods.hybrid.network import Model
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page.columns import Mask
    from newsclean.extraction.page.slots import Hashes

    _Floats = NDArray[np.float64]

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
    network_probability: _Floats
    probability: _Floats

    @cached_property
    def predictions(self) -> Hashes:
        """The keys by which the page reports to its neighbors which slots held its article."""
        chosen = self.probability >= THRESHOLD
        context = self.context
        return prediction_keys(context.slots, context.words, chosen, self.model.salt)

    @cached_property
    def slot_keys(self) -> Hashes:
        """The keys of the predictions that neighbors may have for the page's slots."""
        return slot_keys(self.context.slots, self.model.salt)


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


# From block scores to the article: what the model and the neighbors say, and a choice.

#: A text that appears on this share of at least this many neighbors is not the article's.
_STATIC_SUPPORT = 0.5
_MIN_FOR_STATIC = 2
#: A text of some words that appears on any neighbor is hardly the article's, nor is one whose label
#: is the site's: in log-odds. Of what two articles share, the network is surer, but for headings,
#: which two articles may share by chance.
FOR_REPEATED = 3.0
_MIN_REPEATED_WORDS = 5
#: A slot counts if at least this many neighbors have it and all agree; how much, in log-odds. That
#: it held the article says less than that it never did: boxes between paragraphs share their slot.
MIN_FOR_SLOTS = 3
_FOR_ARTICLE = 0.5
_FOR_NOISE = 2.0
#: An article of fewer words is not one; another strategy is then tried.
MIN_WORDS = 20


@dataclass(frozen=True, eq=False)
class Decision:
    """The blocks of the article, and what decided."""

    scores: BlockScores
    #: the probability of each block once the neighbors, the names of boxes and notices were
    #: considered
    probability: _Floats
    #: text of the site, by what the neighbors repeat
    static: Mask
    #: text of some words that any neighbor has, or with a label that the neighbors repeat
    repeated: Mask
    #: what the slots say of each block, in log-odds
    slot: _Floats
    #: the kind of box that holds a block and not the article, by number (`named_boxes.KINDS`)
    box: NDArray[np.int8]
    #: notices that ask for consent to show an embed
    consent: Mask
    chosen: Mask
    #: `network`; `lowered`: the network with a lower threshold; `coreex`: the chain of stadynot
    #: and coreex; `longest`: the longest block; `nothing`: the page has no text
    strategy: str


def decide(page: Page, scores: BlockScores, neighbors: NeighborSupport | None = None) -> Decision:
    """The article's blocks; on a page with text there are always some."""
    context, n = scores.context, len(scores.probability)
    static, repeated, slot = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool), np.zeros(n)
    probability = scores.probability
    if neighbors is not None and neighbors.count and n:
        near = neighbors.count
        support = neighbors.texts[neighbors.keys.of_text[page.blocks.start]]
        repeated = (support > 0) & (context.words >= _MIN_REPEATED_WORDS) & ~is_heading(context)
        if near >= stadynot.MIN_FOR_LABELS:
            label = neighbors.keys.label_of_text[page.blocks.start]
            repeated |= (label >= 0) & (neighbors.texts[label] >= _STATIC_SUPPORT * near)
        if near >= _MIN_FOR_STATIC:
            static = support >= _STATIC_SUPPORT * near
        if near >= stadynot.MIN_FOR_LABELS:
            labelled = stadynot.labelled_noise(page, neighbors, stadynot.TUNED)
            static |= labelled[page.blocks.start]
        article, noise = neighbor_predictions(context.slots, neighbors.slots).T
        counts = article + noise >= MIN_FOR_SLOTS
        slot = np.where(counts & (noise == 0), _FOR_ARTICLE, 0.0)
        slot[counts & (article == 0)] = -_FOR_NOISE
        odds = np.clip(probability, 1e-6, 1 - 1e-6)
        probability = 1 / (1 + (1 - odds) / odds * np.exp(FOR_REPEATED * repeated - slot))
        probability = np.where(static, 0.0, probability)
    likely = probability >= THRESHOLD
    box, consent = kinds_of_boxes(context, likely), consent_notices(context, likely)
    other = (box > 0) | consent
    probability = np.where(other, np.minimum(probability, MAX_PROBABILITY), probability)
    chosen, strategy = _choose(page, scores, probability, static)
    chosen = with_headings(context, chosen, probability)
    chosen = whole_tables(page, context, chosen) & ~static | chosen
    chosen = without_repeated_copy(page, context, chosen)
    chosen = without_copy_in_one_block(page, context, chosen)
    chosen = without_later_articles(page, context, chosen)
    chosen = without_headline(page, context, chosen)
    return Decision(scores, probability, static, repeated, slot, box, consent, chosen, strategy)


def _choose(
    page: Page, scores: BlockScores, probability: _Floats, static: Mask
) -> tuple[Mask, str]:
    """Blocks that make an article of some size, by the first strategy that finds any.

    What the site repeats is not part of it, unless the page has nothing else.
    """
    context = scores.context
    enough = min(MIN_WORDS, float(context.words.sum()) / 2) if len(context) else 0.0
    chosen = without_tail(context, probability >= THRESHOLD, probability)
    if not len(context):
        return chosen, "nothing"
    if context.words[chosen].sum() >= enough:
        return chosen, "network"
    if static.all():
        probability, static = scores.probability, np.zeros(len(context), dtype=bool)
    lowered = (probability >= probability.max() / 2) & ~static
    if probability.max() > 0 and context.words[lowered].sum() >= enough:
        return lowered, "lowered"
    rows = _without_network(page)[page.blocks.row] & ~static
    if context.words[rows].sum() >= enough:
        return rows, "coreex"
    return np.arange(len(context)) == np.where(static, 0, context.words).argmax(), "longest"


def _without_network(page: Page) -> Mask:
    marked = stadynot.dynamic_noise(page, np.zeros(len(page), dtype=bool), stadynot.TUNED)
    return coreex.choose(page, ~marked, coreex.CHAINED)[0]


def steps() -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        if evidence.scores is None:
            raise TypeError("hybrid chooses by the block scores of the page, and there are none")
        decision = decide(page, evidence.scores, evidence.neighbors)
        of_text = page.blocks.of_text
        texts = np.zeros(len(page), dtype=bool)
        texts[page.text_rows] = decision.chosen[of_text]
        static = np.zeros(len(page), dtype=bool)
        static[page.text_rows] = decision.static[of_text]
        static |= before.noise.get("static", False)
        dynamic = page.in_link & page.is_text & ~texts & ~static
        words = evidence.scores.context.words * decision.chosen
        confidence = float((words * decision.probability).sum() / max(words.sum(), 1.0))
        return replace(
            before,
            rows=with_markup(page, texts & before.rows),
            score=confidence,
            confidence=confidence,
            block_probability=decision.probability,
            noise={**before.noise, "static": static, "dynamic": dynamic},
            strategy=decision.strategy,
            is_body=decision.strategy == "network",
        )

    return (Step(Stage.CONTENT, content),)
