"""Tree filter: keep the content under one n-th ancestor (Viveros-Jiménez and others, 2018).

Boilerpipe chooses too much; what belongs together has an ancestor in common. Chosen paragraphs with
the same n-th ancestor are a group, and the group with most text is the article. The filter can
follow any method, as in `boilerpipe-tree` or `coreex+tree:n=3`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step, with_markup
from newsclean.extraction.page.columns import nearest

if TYPE_CHECKING:
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


#: Tags of paragraphs (section 4, step 1)
PARAGRAPHS = frozenset("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())


@dataclass(frozen=True)
class Parameters:
    #: the ancestor that paragraphs must have in common; 1 is the parent, 2 as published (table 2)
    n: int = 2

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n is {self.n}; it must be 1 (the parent) or more (2 as published)")


PAPER = Parameters()
#: Today's articles are nested more deeply, and parts of them are in boxes of their own.
TUNED = Parameters(n=7)


def steps(parameters: Parameters) -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        rows, share = largest_group(page, before.rows, parameters)
        return replace(before, rows=rows, score=before.score * share)

    return (Step(Stage.CONTENT, content),)


def largest_group(page: Page, chosen: Mask, parameters: Parameters = PAPER) -> tuple[Mask, float]:
    """Return the rows of the group with most text, the first of equal ones, and its share of it."""
    rows = page.text_rows[chosen[page.text_rows]]
    if not len(rows):
        return np.zeros(len(page), dtype=bool), 0.0
    group = _ancestors(page, paragraphs(page, rows), parameters.n)
    _, first, number = np.unique(group, return_index=True, return_inverse=True)
    chars = np.bincount(number, page.chars[rows])
    best = min(np.flatnonzero(chars == chars.max()).tolist(), key=lambda n: int(first[n]))
    texts = np.zeros(len(page), dtype=bool)
    texts[rows[number == best]] = True
    return with_markup(page, texts) & chosen, float(chars[best] / chars.sum())


def paragraphs(page: Page, rows: Column) -> Column:
    """Return the paragraph of each of these text rows: the innermost tag around it (step 1).

    A tag with a paragraph inside is none itself. Text beside that paragraph is a paragraph of its
    own: the branch of the tag that holds it.
    """
    listed = page.tagged(PARAGRAPHS)
    branch = nearest(page, listed[page.parent])[rows]
    holder, place = np.unique(page.parent[branch], return_inverse=True)
    # In document order, a tag that holds any other holds the next one.
    holds_next = np.zeros(len(holder), dtype=bool)
    holds_next[:-1] = holder[1:] <= page.end[holder[:-1]]
    holds_next |= holder < 0
    return np.where(holds_next[place], branch, holder[place])


def _ancestors(page: Page, rows: Column, n: int) -> Column:
    """Return the n-th ancestor of each row (steps 2 and 3), at most the root."""
    for _ in range(min(n, int(page.depth.max(initial=0)))):
        rows = np.maximum(page.parent[rows], 0)
    return rows
