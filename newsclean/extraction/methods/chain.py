"""Steps that choose, and chains of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.keys import MAX_PREDICTIONS, metadata_of, text_keys, with_facts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.browser.rendering import Rendering
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Keying, NeighborSupport, PageKeys
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


class Stage(IntEnum):
    """Where a step belongs on the way of a page."""

    STATIC = 1
    DYNAMIC = 2
    CONTENT = 3


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of a page beside its own columns."""

    #: of a method with a network: what it says of each block
    scores: BlockScores | None = None
    #: in how many neighbors its texts and slots appear
    neighbors: NeighborSupport | None = None
    #: how a browser shows it
    rendering: Rendering | None = None


@dataclass(frozen=True, eq=False)
class Choice:
    """The rows of a page that are left as the article, and how sure the method is."""

    rows: Mask
    score: float = 0.0
    #: the rows marked on the way, by kind of noise
    noise: dict[str, Mask] = field(default_factory=dict)
    #: which strategy found it, where a method has several
    strategy: str | None = None
    #: whether headline, byline and captions have been left out already
    is_body: bool = False
    #: the mean probability of the chosen words; None for a method without probabilities
    confidence: float | None = None
    #: the probability of each block that it is the article's; None as above
    block_probability: NDArray[np.float64] | None = None

    @classmethod
    def everything(cls, page: Page) -> Choice:
        return cls(np.ones(len(page), dtype=bool))

    @property
    def last_resort(self) -> bool:
        """Whether the method itself found nothing, and another strategy did."""
        return self.strategy not in (None, "network")

    def without(self, kind: str, marks: Mask) -> Choice:
        """This choice after rows have been marked as noise."""
        return replace(self, rows=self.rows & ~marks, noise={**self.noise, kind: marks})


@dataclass(frozen=True)
class Step:
    stage: Stage
    run: Callable[[Page, Evidence, Choice], Choice]
    #: whether it can do nothing with a page that was not rendered
    needs_rendering: bool = False


@dataclass(frozen=True)
class Method:
    """A chain of steps under its name."""

    name: str
    steps: tuple[Step, ...]
    #: what the keys of a page's texts are made of
    keying: Keying
    #: scores the blocks of a page by itself; None for a method without a network
    scorer: Callable[[Page], BlockScores] | None = None
    #: the fingerprint of the model that scores them
    model: str | None = None

    @property
    def needs_rendering(self) -> bool:
        """Whether it works on rendered pages only."""
        return any(step.needs_rendering for step in self.steps)

    def score_blocks(self, page: Page) -> BlockScores | None:
        """What the method's network says of a page, if the method has one."""
        return None if self.scorer is None else self.scorer(page)

    def keys(self, page: Page, scores: BlockScores | None = None) -> PageKeys:
        """The keys by which a neighborhood counts the page."""
        keys = with_facts(text_keys(page, self.keying), metadata_of(page, scores))
        if scores is None:
            return keys
        return replace(
            keys, predictions=scores.predictions[:MAX_PREDICTIONS], slots=scores.slot_keys
        )

    def choose(self, page: Page, evidence: Evidence | None = None) -> Choice:
        """Return what the method takes for the article; without evidence, by the page itself."""
        evidence = evidence or Evidence(self.score_blocks(page))
        choice = Choice.everything(page)
        for stage in Stage:
            choice = self.run_stage(stage, page, evidence, choice)
        return choice

    def run_stage(self, stage: Stage, page: Page, evidence: Evidence, choice: Choice) -> Choice:
        """Run the steps of one stage on what the stages before it have left."""
        for step in self.steps:
            if step.stage is stage:
                choice = step.run(page, evidence, choice)
        return choice


# Tags whose text a method does not read, unless a page has most of its text in one.


def ignored(page: Page, tags: frozenset[str], eligible: Mask, largest_share: float) -> Mask:
    """What lies in these tags; one with more than this share of the page's plain text is read."""
    rows = page.rows(tags)
    if not len(rows):
        return np.zeros(len(page), dtype=bool)
    plain = page.subtree(page.chars * (eligible & ~page.in_link))
    return page.below(rows[plain[rows] <= largest_share * plain[0]])


# From chosen texts to chosen rows, for the methods that choose texts and not branches.

#: An element belongs to the article when at least this share of its characters does.
_SHARE = 0.5


def with_markup(page: Page, texts: Mask) -> Mask:
    """The chosen text rows and the elements that belong to them.

    An element without text, a picture for instance, belongs to them between two chosen texts.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p>menu</p><img><p>A long <b>story</b></p><img><p>its end</p><img>")
    >>> chosen = page.is_text & (np.arange(len(page)) > page.text_rows[0])
    >>> [page.tag[row] for row in np.flatnonzero(with_markup(page, chosen))]
    ['html', 'body', 'p', '#text', 'b', '#text', 'img', 'p', '#text']
    """
    all_chars = page.subtree(page.chars)
    chosen_chars = page.subtree(page.chars * texts)
    mostly = chosen_chars >= _SHARE * all_chars
    # The texts before and after an empty element, with one at either end that is not chosen.
    chosen = np.concatenate(([False], texts[page.text_rows], [False]))
    before = np.cumsum(page.is_text)
    between = chosen[before] & chosen[np.minimum(before + 1, len(chosen) - 1)]
    rows: Mask = np.where(all_chars > 0, mostly, between)
    return rows
