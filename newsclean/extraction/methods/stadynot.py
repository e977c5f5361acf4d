"""StaDyNoT: static and dynamic noise tags (Barua, Patel and Agrawal, COMAD 2014).

What all neighbors repeat is static noise; a branch that is the least common ancestor of hyperlinks
and holds little else is dynamic noise; some tags never carry text. What is left is the article.
Each function returns a column of marks; nothing is cut out of the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step

if TYPE_CHECKING:
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.neighborhood import Keying, NeighborSupport
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


#: Section 3.3
_NON_INFORMATIVE = frozenset(
    "img link script style noscript embed object param form input caption meta textarea".split()
)


#: Two pages begin a sentence alike by chance.
MIN_FOR_LABELS = 3


@dataclass(frozen=True)
class Parameters:
    """As published, and then what today's pages need beyond it."""

    #: share of the neighbors on which a key must appear
    support: float = 1.0
    #: a candidate with fewer characters of non-link text is dynamic noise
    alpha: int = 50
    #: a candidate with a larger share of link text is dynamic noise
    beta: float = 0.20
    #: what a key is made of
    keying: Keying = "element"
    #: a mark that would take more than this share of the page's running text is not believed
    largest_share: float = 1.0
    #: running text: the words outside links that a block must have to count for that share
    running_words: int = 0
    #: a block of at most so many words is static noise if only its label stands on the neighbors,
    #: on this share of them
    labelled_words: int = 0
    label_support: float = 1.0


PAPER = Parameters()
TUNED = Parameters(
    support=0.6,
    keying="block",
    largest_share=0.4,
    running_words=10,
    labelled_words=25,
    label_support=0.6,
)


def steps(parameters: Parameters) -> tuple[Step, ...]:
    """The paper's two stages; the non-informative tags go with the second."""

    def static(page: Page, evidence: Evidence, before: Choice) -> Choice:
        return before.without("static", static_noise(page, evidence.neighbors, parameters))

    def dynamic(page: Page, evidence: Evidence, before: Choice) -> Choice:
        marked = ~before.rows
        after = before.without("dynamic", dynamic_noise(page, marked, parameters))
        return after.without("formatting", formatting_noise(page, marked, parameters))

    return Step(Stage.STATIC, static), Step(Stage.DYNAMIC, dynamic)


def static_noise(
    page: Page, neighbors: NeighborSupport | None, parameters: Parameters = PAPER
) -> Mask:
    """The text that appears on the neighbors too (section 3.1)."""
    noise = np.zeros(len(page), dtype=bool)
    if neighbors is not None and neighbors.count:
        static = neighbors.texts >= max(parameters.support * neighbors.count, 1)
        noise[page.text_rows] = static[neighbors.keys.of_text]
        if parameters.labelled_words and neighbors.count >= MIN_FOR_LABELS:
            noise[page.text_rows] |= labelled_noise(page, neighbors, parameters)
    return noise


def labelled_noise(page: Page, neighbors: NeighborSupport, parameters: Parameters) -> Mask:
    """The text rows of short blocks that begin with a text of other pages: "Read also …"."""
    label = neighbors.keys.label_of_text
    blocks = page.blocks
    short = (blocks.sum(page.words) <= parameters.labelled_words)[blocks.of_text]
    common = neighbors.texts >= max(parameters.label_support * neighbors.count, 2)
    marked: Mask = short & (label >= 0) & common[label]
    return marked


def dynamic_noise(page: Page, marked: Mask, parameters: Parameters = PAPER) -> Mask:
    """The branches that are lists of links (section 3.2)."""
    candidates = least_common_ancestors(page)
    # Filter 1: <p> is never dynamic noise.
    paragraph = page.rows(frozenset({"p"}))
    candidates = np.setdiff1d(candidates, paragraph, assume_unique=True)
    # Filter 2: hardly any text beside the links.
    total = page.subtree(page.chars)[candidates]
    linked = page.subtree(page.chars * page.in_link)[candidates]
    noise = (total - linked < parameters.alpha) | (linked > parameters.beta * total)
    return page.below(_believed(page, candidates[noise], marked, parameters))


def formatting_noise(page: Page, marked: Mask, parameters: Parameters = PAPER) -> Mask:
    """The tags that carry no text of the article, with all that they hold (section 3.3)."""
    return page.below(_believed(page, page.rows(_NON_INFORMATIVE), marked, parameters))


def least_common_ancestors(page: Page) -> Column:
    """The candidate dynamic noise tags: the least common ancestors of the page's hyperlinks.

    Any two links that follow each other have one, and no other two links add another. It is the
    parent of the highest row on the way from one to the other.
    """
    links = page.rows(frozenset({"a"}))
    if len(links) < 2:
        return np.empty(0, dtype=np.int64)
    rank = np.append(page.depth * len(page) + np.arange(len(page)), np.iinfo(np.int64).max)
    ways = np.column_stack((links[:-1] + 1, links[1:] + 1)).ravel()
    highest = np.minimum.reduceat(rank, ways)[::2] % len(page)
    return np.unique(page.parent[highest])


def _believed(page: Page, rows: Column, marked: Mask, parameters: Parameters) -> Column:
    """Of rows that look like noise, those that do not hold the article itself.

    On a page whose links outweigh its text, or that stands inside one form, the branch with the
    article passes the paper's tests too. It is known by its share of the text that runs on, is no
    link, and is not marked yet.
    """
    if parameters.largest_share >= 1:
        return rows
    running = _running_text(page, parameters.running_words)
    if not running[~marked].any():
        marked = np.zeros(len(page), dtype=bool)
    weight = page.subtree(running * ~marked)
    kept: Column = rows[weight[rows] <= parameters.largest_share * weight[0]]
    return kept


def _running_text(page: Page, words: int) -> Column:
    """Characters outside links, in blocks that have at least so many words there."""
    plain: Column = page.chars * ~page.in_link
    blocks = page.blocks
    runs = blocks.sum(page.words * ~page.in_link) >= words
    plain[page.text_rows] *= runs[blocks.of_text]
    return plain
