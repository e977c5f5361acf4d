"""CoreEx: content extraction from online news articles (Prasad and Paepcke, CIKM 2008).

The set S of a node is those of its children that are mostly text. A node scores high if S has few
links and a good part of the page's text. The node with the highest score is the main content node,
and its S is the article.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step, ignored

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


#: Section 2.1, last paragraph
_IGNORED = frozenset("select form input textarea option script".split())


@dataclass(frozen=True)
class Parameters:
    """As published (section 2.1), and then what today's pages need."""

    weight_ratio: float = 0.99
    weight_text: float = 0.01
    threshold: float = 0.9
    #: a tag with more than this share of the page's plain text is not ignored
    largest_share: float = 1.0
    #: what an earlier method has marked as noise counts as links, instead of not at all
    noise_is_link: bool = False
    #: a link between the words of a chosen paragraph is chosen with them
    whole_blocks: bool = False


PAPER = Parameters()
TUNED = Parameters(
    weight_ratio=0.925,
    weight_text=0.075,
    threshold=0.9,
    largest_share=0.4,
    noise_is_link=True,
    whole_blocks=True,
)
#: After a method that has marked the noise, what is left is more likely to be text.
CHAINED = replace(TUNED, weight_ratio=0.9, weight_text=0.1, threshold=0.7)


@dataclass(frozen=True, eq=False)
class Counts:
    """textCnt, linkCnt, membership in S of the parent, setTextCnt and setLinkCnt of each node."""

    text: Column
    link: Column
    in_set: Mask
    set_text: NDArray[np.float64]
    set_link: NDArray[np.float64]


def steps(parameters: Parameters) -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        rows, score = choose(page, before.rows, parameters)
        return replace(before, rows=rows, score=score)

    return (Step(Stage.CONTENT, content),)


def choose(page: Page, eligible: Mask, parameters: Parameters = PAPER) -> tuple[Mask, float]:
    """Return the rows of S of the main content node, and that node's score."""
    eligible = eligible & ~ignored(page, _IGNORED, eligible, parameters.largest_share)
    counts = count(page, eligible, parameters)
    score = score_nodes(page, counts, parameters)
    node = main_content_node(page, score)
    if node < 0:
        return np.zeros(len(page), dtype=bool), 0.0
    content = page.below(np.flatnonzero(counts.in_set & (page.parent == node)))
    if parameters.whole_blocks:
        content |= page.below(_links_between(page, content & eligible, node))
    return content & eligible, float(score[node])


def count(page: Page, eligible: Mask, parameters: Parameters = PAPER) -> Counts:
    """Count for all nodes (section 2); a link is a terminal node and counts as one word."""
    words = page.words * eligible
    links = np.zeros(len(page), dtype=np.int64)
    links[np.unique(page.link[(words > 0) & page.in_link])] = 1
    if parameters.noise_is_link:
        links += page.words * ~eligible
    text = page.subtree(words * ~page.in_link + links)
    link = page.subtree(links)
    in_set = (text > 0) & (text - link > parameters.threshold * text) & (page.parent >= 0)
    members = np.flatnonzero(in_set)
    node = page.parent[members]
    set_text = np.bincount(node, text[members], len(page)).astype(float)
    set_link = np.bincount(node, link[members], len(page)).astype(float)
    if parameters.whole_blocks:
        # All links of a paragraph count for it, whether they are in S or not.
        one_block = (page.block == page.block[page.end]) & (set_text > 0)
        set_text[one_block] = text[one_block]
        set_link[one_block] = link[one_block]
    return Counts(text, link, in_set, set_text, set_link)


def score_nodes(page: Page, counts: Counts, parameters: Parameters = PAPER) -> NDArray[np.float64]:
    """Return the score of each node (section 2.1), -1 for a node whose S is empty."""
    has_set = counts.set_text > 0
    set_text = np.where(has_set, counts.set_text, 1)
    page_text = counts.text[0]
    if parameters.noise_is_link:
        page_text -= counts.link[0]
    score: NDArray[np.float64] = parameters.weight_ratio * (
        set_text - counts.set_link
    ) / set_text + parameters.weight_text * set_text / max(page_text, 1)
    score[~has_set] = -1
    return score


def main_content_node(page: Page, score: NDArray[np.float64]) -> int:
    """Return the node with the best score, of equal ones the highest, then the first; else -1."""
    best = np.flatnonzero(score >= score.max() - 1e-12)
    return int(best[np.argmin(page.depth[best])]) if score[best[0]] >= 0 else -1


def _links_between(page: Page, content: Mask, node: int) -> Column:
    """Return the children of the main content node that share a block with words of S.

    In a node of words and links side by side, a link is a child of its own, and never in S.
    """
    children = np.flatnonzero((page.parent == node) & ~content & ~page.is_text)
    running = np.unique(page.block[page.text_rows[content[page.text_rows]]])
    last = page.block[page.end[children]]
    between: Column = children[(page.block[children] == last) & np.isin(last, running)]
    return between
