"""StaDyNoT: static and dynamic noise tags (Barua, Patel and Agrawal, COMAD 2014).

Text that all neighbors repeat is static noise; a branch that is the least common ancestor of
hyperlinks and holds little else is dynamic noise; some tags never carry text. What is left is the
article. Each function returns a column of marks; nothing is cut out of the page.
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


#: Tags without information (section 3.3)
_NON_INFORMATIVE = frozenset(
    "img link script style noscript embed object param form input caption meta textarea".split()
)
#: Neighbors from which on labels count: two pages begin a sentence alike by chance.
MIN_FOR_LABELS = 3


@dataclass(frozen=True)
class Parameters:
    """As published, and then what today's pages need."""

    #: share of the neighbors on which a key must appear (3.1)
    support: float = 1.0
    #: a candidate with fewer characters of non-link text is dynamic noise (3.2)
    alpha: int = 50
    #: a candidate with a larger share of link text is dynamic noise (3.2)
    beta: float = 0.20
    #: what a key is made of
    keying: Keying = "element"
    #: a branch with more than this share of the page's running text is not marked
    largest_share: float = 1.0
    #: running text is in blocks of at least this many words outside links
    running_words: int = 0
    #: a block of at most this many words is static noise if its label alone is on this share of the
    #: neighbors
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
    """Return the paper's two stages; its post-processing goes with the second."""

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
    """Mark text that appears on the neighbors too (section 3.1)."""
    noise = np.zeros(len(page), dtype=bool)
    if neighbors is not None and neighbors.count:
        static = neighbors.texts >= max(parameters.support * neighbors.count, 1)
        noise[page.text_rows] = static[neighbors.keys.of_text]
        if parameters.labelled_words and neighbors.count >= MIN_FOR_LABELS:
            noise[page.text_rows] |= labelled_noise(page, neighbors, parameters)
    return noise


def labelled_noise(page: Page, neighbors: NeighborSupport, parameters: Parameters) -> Mask:
    """Mark the text rows of short blocks with a label of other pages, such as "Read also"."""
    label = neighbors.keys.label_of_text
    blocks = page.blocks
    short = (blocks.sum(page.words) <= parameters.labelled_words)[blocks.of_text]
    common = neighbors.texts >= max(parameters.label_support * neighbors.count, 2)
    marked: Mask = short & (label >= 0) & common[label]
    return marked


def dynamic_noise(page: Page, marked: Mask, parameters: Parameters = PAPER) -> Mask:
    """Mark branches that are lists of links (section 3.2)."""
    candidates = least_common_ancestors(page)
    # Filter 1: <p> is never dynamic noise.
    paragraph = page.rows(frozenset({"p"}))
    candidates = np.setdiff1d(candidates, paragraph, assume_unique=True)
    # Filter 2: hardly any text beside the links.
    total = page.subtree(page.chars)[candidates]
    linked = page.subtree(page.chars * page.in_link)[candidates]
    noise = (total - linked < parameters.alpha) | (linked > parameters.beta * total)
    return page.below(_without_article(page, candidates[noise], marked, parameters))


def least_common_ancestors(page: Page) -> Column:
    """Return the candidate dynamic noise tags: the least common ancestors of hyperlinks.

    Those of two successive links are all there are: the parent of the highest row between the two.
    """
    links = page.rows(frozenset({"a"}))
    if len(links) < 2:
        return np.empty(0, dtype=np.int64)
    rank = np.append(page.depth * len(page) + np.arange(len(page)), np.iinfo(np.int64).max)
    ways = np.column_stack((links[:-1] + 1, links[1:] + 1)).ravel()
    highest = np.minimum.reduceat(rank, ways)[::2] % len(page)
    return np.unique(page.parent[highest])


def formatting_noise(page: Page, marked: Mask, parameters: Parameters = PAPER) -> Mask:
    """Mark tags that carry no text of the article, with their contents (section 3.3)."""
    return page.below(_without_article(page, page.rows(_NON_INFORMATIVE), marked, parameters))


def _without_article(page: Page, rows: Column, marked: Mask, parameters: Parameters) -> Column:
    """Return the rows that look like noise, without those that hold the article itself.

    On a page with more links than text, or inside one form, the branch with the article passes the
    paper's filters, too. It is recognised by its share of the running text not marked yet.
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
    """Return the characters outside links, in blocks of at least this many words there."""
    plain: Column = page.chars * ~page.in_link
    blocks = page.blocks
    runs = blocks.sum(page.words * ~page.in_link) >= words
    plain[page.text_rows] *= runs[blocks.of_text]
    return plain
