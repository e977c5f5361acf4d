"""Score the blocks of a page, and decide which are the article.

`score_blocks` runs the model over the page alone. `decide` adds what the neighbors know, the names
of boxes and the structure of the page, and falls back on other strategies if nothing is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods import coreex, stadynot
from newsclean.extraction.methods.chain import Choice, Stage, Step, with_markup
from newsclean.extraction.methods.hybrid.comment_series import comments
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS, block_features
from newsclean.extraction.methods.hybrid.network import MAX_READ, ModelError
from newsclean.extraction.methods.hybrid.structure import (
    MAX_PROBABILITY,
    consent_notices,
    kinds_of_boxes,
    whole_tables,
    with_headings,
    without_copy_in_one_block,
    without_dates_above,
    without_headline,
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

#: Minimum probability of a block of the article.
THRESHOLD = 0.5

#: A page of more blocks is not one to read, and would take gigabytes of memory.
MAX_BLOCKS = 50_000

#: A text on this share of at least this many neighbors is not part of the article.
_STATIC_SUPPORT = 0.5
_MIN_FOR_STATIC = 2
#: What a text of some words loses, in log-odds, if any neighbor has it or its label is the site's.
#: If two articles share a text, the network outweighs this. Headings do not lose: two articles may
#: share one by chance.
FOR_REPEATED = 3.0
_MIN_REPEATED_WORDS = 5
#: A slot counts if at least this many neighbors have it and all agree, with so much in log-odds.
#: That it held the article says less than that it never did: boxes between paragraphs share it.
MIN_FOR_SLOTS = 3
_FOR_ARTICLE = 0.5
_FOR_NOISE = 2.0
#: If fewer words are chosen, another strategy is tried.
MIN_WORDS = 20


@dataclass(frozen=True, eq=False)
class BlockScores:
    """What a model says about a page alone; computed once, then passed along."""

    model: Model
    context: BlockContext
    #: of the network alone, and after the words of doubtful blocks were considered
    network_probability: _Floats
    probability: _Floats

    @cached_property
    def predictions(self) -> Hashes:
        """The keys that tell the neighbors which slots of the page held its article."""
        chosen = self.probability >= THRESHOLD
        context = self.context
        return prediction_keys(context.slots, context.words, chosen, self.model.salt)

    @cached_property
    def slot_keys(self) -> Hashes:
        """The keys of the predictions that neighbors may have for the page's slots."""
        return slot_keys(self.context.slots, self.model.salt)


def check_features(model: Model) -> None:
    """Refuse a model that was trained on features other than those of this version."""
    groups_of(model)


@lru_cache(MAX_READ)
def groups_of(model: Model) -> tuple[str, ...]:
    """Return the groups of features that a model was trained on; others are not computed."""
    known = set(model.feature_names)
    of_group = _features_by_group()
    used = tuple(group for group, features in of_group.items() if known.issuperset(features))
    if [feature for group in used for feature in of_group[group]] != model.feature_names:
        raise ModelError(f"{model.path} was trained on other features: train it anew")
    return used


@cache
def _features_by_group() -> dict[str, tuple[str, ...]]:
    """Return the names of the features of each group."""
    context = BlockContext(Page.from_html("<p>It rains."))
    return {group: tuple(compute(context)) for group, compute in FEATURE_GROUPS.items()}


def features_for(model: Model, context: BlockContext) -> NDArray[np.float32]:
    """Return the features that a model was trained on, a row for each block."""
    return block_features(context, groups_of(model))[1]


def has_scores(context: BlockContext) -> bool:
    """Whether a page has text, and not too many blocks for the network."""
    return 0 < len(context) <= MAX_BLOCKS


def score_blocks(page: Page, model: Model) -> BlockScores:
    context = BlockContext(page)
    if not has_scores(context):
        nothing = np.zeros(len(context))
        return BlockScores(model, context, nothing, nothing)
    words, ranges = context.words, context.ranges[1:]
    # Without a name for the features, which are large: the network frees them.
    alone = model.network(features_for(model, context), words, ranges).astype(float)
    probability = model.vocabulary.adjusted(alone, context.words, page.blocks.text)
    return BlockScores(model, context, alone, probability)


@dataclass(frozen=True, eq=False)
class Decision:
    """The blocks of the article, and why they were chosen."""

    scores: BlockScores
    #: the probability of each block with neighbors, names of boxes and notices
    probability: _Floats
    #: text of the site, which the neighbors repeat
    static: Mask
    #: text of some words on any neighbor, or with a label that the neighbors repeat
    repeated: Mask
    #: what the slot of each block adds, in log-odds
    slot: _Floats
    #: the kind of box around a block that does not hold the article (position in `BOX_KINDS`)
    box: NDArray[np.int8]
    #: notices that ask for consent to show an embed
    consent: Mask
    #: comments in a series of signed lines, and what follows them
    comments: Mask
    chosen: Mask
    #: `network`; `lowered`: the network with a lower threshold; `coreex`: the chain of stadynot
    #: and coreex; `longest`: the longest block; `nothing`: the page has no text
    strategy: str


def decide(page: Page, scores: BlockScores, neighbors: NeighborSupport | None = None) -> Decision:
    """Choose the blocks of the article; on a page with text there are always some."""
    context, n = scores.context, len(scores.probability)
    static, repeated, slot = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool), np.zeros(n)
    probability = scores.probability
    if neighbors is not None and neighbors.count and n:
        near = neighbors.count
        support = neighbors.texts[neighbors.keys.of_text[page.blocks.start]]
        repeated = (support > 0) & (context.words >= _MIN_REPEATED_WORDS) & ~context.in_heading
        if near >= _MIN_FOR_STATIC:
            static = support >= _STATIC_SUPPORT * near
        if near >= stadynot.MIN_FOR_LABELS:
            label = neighbors.keys.label_of_text[page.blocks.start]
            repeated |= (label >= 0) & (neighbors.texts[label] >= _STATIC_SUPPORT * near)
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
    after = comments(context, likely)
    other = (box > 0) | consent | after
    probability = np.where(other, np.minimum(probability, MAX_PROBABILITY), probability)
    chosen, strategy = _choose(page, scores, probability, static)
    chosen = whole_tables(page, context, chosen) & ~static | chosen
    chosen = with_headings(context, chosen, probability)
    chosen = without_repeated_copy(page, context, chosen)
    chosen = without_copy_in_one_block(page, context, chosen)
    chosen = without_later_articles(page, context, chosen)
    chosen = without_headline(page, context, chosen)
    chosen = without_dates_above(page, context, chosen)
    return Decision(
        scores, probability, static, repeated, slot, box, consent, after, chosen, strategy
    )


def _choose(
    page: Page, scores: BlockScores, probability: _Floats, static: Mask
) -> tuple[Mask, str]:
    """Return enough blocks for an article, and the first strategy that finds them.

    Text that the site repeats is not part of it, unless the page has nothing else.
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
            raise TypeError("hybrid needs the block scores of the page (Method.score_blocks)")
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
