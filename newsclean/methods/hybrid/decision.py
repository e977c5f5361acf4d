"""From evidence to the article: what the network, the words and the neighbors say, a choice.

`judge` works a page out once, and the page keeps the result: learning the page (its verdicts on
slots) and choosing its article need the same.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import proxy

import numpy as np

from newsclean.methods import coreex, stadynot
from newsclean.methods.chain import Choice, Stage, Step
from newsclean.methods.hybrid import profile
from newsclean.methods.hybrid.evidence import page_evidence
from newsclean.methods.hybrid.network import Model, Network
from newsclean.methods.hybrid.structure import (
    once,
    whole_tables,
    without_headline,
    without_tail,
)
from newsclean.methods.hybrid.surroundings import Surroundings
from newsclean.methods.markup import with_markup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from newsclean.neighborhood import Known
    from newsclean.page import Page
    from newsclean.page.columns import Mask

    Floats = NDArray[np.float64]

#: A block is part of the article from this probability on.
THRESHOLD = 0.5
#: A text that stands on this share of at least so many neighbors is none of the article's.
STATIC_SUPPORT = 0.5
FEWEST_FOR_STATIC = 2
#: A text of some words that stands on any neighbor is hardly the article's, nor is one whose label
#: is the site's: in log-odds. What two articles share, the network is surer of.
FOR_REPEATED = 3.0
FEWEST_REPEATED = 5
#: A slot speaks if so many neighbors have it and all agree; how loud, in log-odds. That the article
#: stood there says less than that it never did: boxes stand between paragraphs, in their slot.
FEWEST_FOR_SLOTS = 3
FOR_ARTICLE = 0.5
FOR_NOISE = 2.0
#: An article of fewer words is none; another way is then tried.
FEWEST_WORDS = 20

#: A page of more blocks is no page to read, and would take memory by the gigabyte.
MOST_BLOCKS = 50_000

#: The fold whose sites the network must not have seen; None: the network for use.
_fold: ContextVar[int | None] = ContextVar("fold", default=None)


@contextmanager
def unseen_by_network(fold: int | None) -> Iterator[None]:
    """Use the network that was trained without the sites of a fold."""
    token = _fold.set(fold)
    try:
        yield
    finally:
        _fold.reset(token)


@dataclass(frozen=True, eq=False)
class Judged:
    """What the network, and the vocabulary, say of a page by itself."""

    at: Surroundings
    network: Network
    questions: list[str]
    values: NDArray[np.float32]
    #: of the network alone, and once the words of doubtful blocks were asked
    alone: Floats
    probability: Floats

    @cached_property
    def verdicts(self) -> profile.Hashes:
        """The keys by which the page tells its neighbors which slots held its article."""
        chosen = self.probability >= THRESHOLD
        return profile.verdict_keys(self.at.slots, self.at.words, chosen)


def judge(page: Page) -> Judged:
    """The probability of each block of a page by itself; a page is judged once."""
    fold = _fold.get()
    key = f"hybrid {fold}"
    judged = page.notes.get(key)
    if not isinstance(judged, Judged):
        at = Surroundings(proxy(page))  # the page keeps it: with a page of its own none would end
        model = Model.shipped()
        network = model.network(fold)
        if 0 < len(at) <= MOST_BLOCKS:
            questions, values = page_evidence(at)
            alone = network(values, at.words, at.ranges[1:]).astype(float)
            probability = model.vocabulary(fold).asked(alone, at.words, page.blocks.text)
        else:
            questions, values = [], np.empty((0, 0), np.float32)
            alone = probability = np.zeros(len(at))
        judged = page.notes[key] = Judged(at, network, questions, values, alone, probability)
    return judged


@dataclass(frozen=True, eq=False)
class Decision:
    """The blocks of the article, and what decided."""

    judged: Judged
    #: the probability of each block once the neighbors have spoken
    probability: Floats
    #: text of the site, by what the neighbors repeat
    static: Mask
    #: text of some words that any neighbor has, or with a label that the neighbors repeat
    repeated: Mask
    #: what the slots say of each block, in log-odds
    slot: Floats
    chosen: Mask
    #: `network`; `lowered`: the network with a lower threshold; `coreex`: the chain of stadynot
    #: and coreex; `longest`: the longest block; `nothing`: the page has no text
    way: str


def decide(page: Page, known: Known | None) -> Decision:
    """The article's blocks; on a page with text there are always some."""
    judged = judge(page)
    at, n = judged.at, len(judged.probability)
    static, repeated, slot = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool), np.zeros(n)
    probability = judged.probability
    if known is not None and known.neighbors and n:
        near = known.neighbors
        support = known.support[known.keys.of_text[page.blocks.start]]
        repeated = (support > 0) & (at.words >= FEWEST_REPEATED)
        if near >= stadynot.FEWEST_FOR_LABELS:
            label = known.keys.label_of_text[page.blocks.start]
            repeated |= (label >= 0) & (known.support[label] >= STATIC_SUPPORT * near)
        if near >= FEWEST_FOR_STATIC:
            static = support >= STATIC_SUPPORT * near
        if near >= stadynot.FEWEST_FOR_LABELS:
            labelled = stadynot.labelled_noise(page, known, stadynot.TUNED)
            static |= labelled[page.blocks.start]
        article, noise = profile.verdicts(at.slots, known).T
        asked = article + noise
        speaks = asked >= FEWEST_FOR_SLOTS
        slot = np.where(speaks & (noise == 0), FOR_ARTICLE, 0.0)
        slot[speaks & (article == 0)] = -FOR_NOISE
        odds = np.clip(probability, 1e-6, 1 - 1e-6)
        probability = 1 / (1 + (1 - odds) / odds * np.exp(FOR_REPEATED * repeated - slot))
        probability = np.where(static, 0.0, probability)
    chosen, way = _choose(page, judged, probability, static)
    chosen = once(page, at, whole_tables(page, at, chosen) & ~static | chosen)
    chosen = without_headline(page, at, chosen)
    return Decision(judged, probability, static, repeated, slot, chosen, way)


def _choose(page: Page, judged: Judged, probability: Floats, static: Mask) -> tuple[Mask, str]:
    """Blocks that make an article of some size, found in the first way that finds any.

    What the site repeats is none of it, unless the page has nothing else.
    """
    at = judged.at
    enough = min(FEWEST_WORDS, float(at.words.sum()) / 2) if len(at) else 0.0
    chosen = without_tail(at, probability >= THRESHOLD, probability)
    if not len(at):
        return chosen, "nothing"
    if at.words[chosen].sum() >= enough:
        return chosen, "network"
    if static.all():
        probability, static = judged.probability, np.zeros(len(at), dtype=bool)
    lowered = (probability >= probability.max() / 2) & ~static
    if probability.max() > 0 and at.words[lowered].sum() >= enough:
        return lowered, "lowered"
    rows = _without_network(page)[page.blocks.row] & ~static
    if at.words[rows].sum() >= enough:
        return rows, "coreex"
    return np.arange(len(at)) == np.where(static, 0, at.words).argmax(), "longest"


def _without_network(page: Page) -> Mask:
    marked = stadynot.dynamic_noise(page, np.zeros(len(page), dtype=bool), stadynot.TUNED)
    return coreex.choose(page, ~marked, coreex.CHAINED)[0]


def steps() -> tuple[Step, ...]:
    def content(page: Page, known: Known | None, before: Choice) -> Choice:
        decision = decide(page, known)
        of_text = page.blocks.of_text
        texts = np.zeros(len(page), dtype=bool)
        texts[page.text_rows] = decision.chosen[of_text]
        static = np.zeros(len(page), dtype=bool)
        static[page.text_rows] = decision.static[of_text]
        static |= before.noise.get("static", False)
        dynamic = page.in_link & page.is_text & ~texts & ~static
        words = decision.judged.at.words * decision.chosen
        sureness = float((words * decision.probability).sum() / max(words.sum(), 1.0))
        return replace(
            before,
            rows=with_markup(page, texts & before.rows),
            score=sureness,
            sureness=sureness,
            noise={**before.noise, "static": static, "dynamic": dynamic},
            way=decision.way,
            is_body=decision.way == "network",
        )

    return (Step(Stage.CONTENT, content),)
