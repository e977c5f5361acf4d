"""Where the text stands that the filter by the n-th ancestor loses; used by boilerpipe.py."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from newsclean.lab.evaluate.alignment import align, tokens
from newsclean.methods import tree_filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

#: A group of paragraphs is the article's if so much of its text is in the gold.
SHARE = 0.5

OTHER_GROUP = "the group that wins is not the article's"
DEEPER = "deeper in the branch of the group that wins"
HIGHER = "higher up, around that branch"
BESIDE = "in a branch beside it"
ONLY_SHOWN = "nowhere: only the headline, byline or caption differs"
CAUSES = (DEEPER, BESIDE, HIGHER, OTHER_GROUP, ONLY_SHOWN)
#: What may hold text that stands deeper; the first that does is counted.
HOLDERS = ("blockquote", "table", "figure", "aside", "li", "section", "article", "div")


@dataclass
class Loss:
    """Where the gold text stands that the filter has lost on a page."""

    cause: str
    #: of text that stands deeper, the tag that holds most of it
    holder: str = ""
    #: of text in a branch beside: how many groups hold gold text, and whether the largest lost one
    #: has the tag and class of the one that wins
    groups: int = 0
    alike: bool = False


def loss(page: Page, chosen: Mask, gold: str) -> Loss:
    """Where most of the gold text stands that was chosen before the filter and not after it."""
    rows = page.text_rows[chosen[page.text_rows]]
    in_gold = gold_chars(page, rows.tolist(), gold)
    kept = tree_filter.largest_group(page, chosen, tree_filter.PAPER)[0][rows]
    group = tree_filter.ancestors(page, tree_filter.paragraphs(page, rows), tree_filter.PAPER.n)
    winner = int(group[kept][0])
    if in_gold[kept].sum() < SHARE * page.chars[rows][kept].sum():
        return Loss(OTHER_GROUP)
    lost: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    beside: Counter[int] = Counter()
    for place in np.flatnonzero(~kept & (in_gold > 0)).tolist():
        other, chars = int(group[place]), int(in_gold[place])
        if winner < other <= page.end[winner]:
            lost[DEEPER] += chars
            holders[holder(page, int(rows[place]), winner)] += chars
        elif other < winner <= page.end[other]:
            lost[HIGHER] += chars
        else:
            lost[BESIDE] += chars
            beside[other] += chars
    most = max(lost, key=lambda name: lost[name], default=ONLY_SHOWN)
    if most == DEEPER:
        return Loss(most, holder=holders.most_common(1)[0][0])
    if most == BESIDE:
        largest = beside.most_common(1)[0][0]
        groups = len(np.unique(group[in_gold > 0]))
        return Loss(most, groups=groups, alike=_look(page, largest) == _look(page, winner))
    return Loss(most)


def holder(page: Page, row: int, winner: int) -> str:
    """Which of the tags that may hold it does, between the winner and the row."""
    tags = set()
    while (row := int(page.parent[row])) > winner:
        tags.add(page.tag[row])
    return next((tag for tag in HOLDERS if tag in tags), "another")


def _look(page: Page, row: int) -> tuple[str, str | None]:
    element = page.element[row]
    return page.tag[row], None if element is None else element.get("class")


def gold_chars(page: Page, rows: Sequence[int], gold: str) -> Column:
    """How many characters of each text row are in the gold, by an alignment of the words."""
    words = [tokens(page.text[row]) for row in rows]
    row_of = [n for n, found in enumerate(words) for _ in found]
    joined = list(chain.from_iterable(words))
    chars = np.zeros(len(rows), dtype=np.int64)
    for place, _ in align(joined, tokens(gold)):
        chars[row_of[place]] += len(joined[place])
    return chars
