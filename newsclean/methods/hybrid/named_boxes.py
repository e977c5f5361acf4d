"""Boxes whose name says outright that they hold something else than the article.

The network weighs names with all other features, and a comment of three paragraphs, an author's box
or a caption may outweigh its name by how much it reads like the article. Where the rest of what was
chosen is an article by itself, the name decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid import hints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.context import BlockContext
    from newsclean.page.columns import Mask

#: A block in such a box is part of the article with at most this probability.
MAX_PROBABILITY = 0.1
#: Before the comments there are at least this many words of the article.
MIN_WORDS_BEFORE_COMMENTS = 50
#: Comments hold most of the choice only if at least this many boxes are named so, side by side: a
#: column of opinions may be named `comment` as a whole.
MIN_COMMENTS = 3
COMMENTS, COMMENT_AREA = "comments", "comment area"
#: Any box around a block counts.
ANYWHERE = 0


@dataclass(frozen=True)
class Reach:
    """Which boxes around a block count, and how much of the choice they may hold."""

    #: how many of the nearest boxes that hold more and more text
    boxes: int
    #: of the chosen words; a name that would take more does not mean what it says
    max_share: float = 0.2


REACH: dict[str, Reach] = {
    COMMENTS: Reach(ANYWHERE, 0.5),
    COMMENT_AREA: Reach(ANYWHERE, 1.0),
    "dialog": Reach(ANYWHERE),
    "action": Reach(2),
    "notice": Reach(2),
    "details": Reach(2),
    "author": Reach(2),
    "signature": Reach(1),
    "caption": Reach(1, 0.25),
}
#: The kinds by number; 0 is none.
KINDS = ("", *hints.BOXES, *hints.NAMED_BOXES)

_FIRST_FIELD = len(hints.AROUND) + len(hints.KINDS)


def kinds_of_boxes(context: BlockContext, chosen: Mask) -> NDArray[np.int8]:
    """For each chosen block the number of the kind of box that it is in, 0 if that may hold it."""
    found = np.zeros(len(context), dtype=np.int8)
    if not chosen.any():  # as on a page with too many blocks, of which nothing more is computed
        return found
    fields = context.around[_FIRST_FIELD:]
    words = context.words * chosen
    total = float(words.sum())
    for number in np.flatnonzero(fields[:, 0].any(axis=1)).tolist():
        kind = KINDS[number + 1]
        inside = _inside(fields[number], REACH[kind].boxes, chosen) & (found == 0)
        if not inside.any():
            continue
        holds_little = words[inside].sum() <= REACH[kind].max_share * total
        if kind == COMMENTS and not holds_little:
            holds_little = _separate_boxes(context, _FIRST_FIELD + number, inside) >= MIN_COMMENTS
        if kind in (COMMENTS, COMMENT_AREA):
            holds_little &= words[: inside.argmax()].sum() >= MIN_WORDS_BEFORE_COMMENTS
        if holds_little:
            found[inside] = number + 1
    return found


def _separate_boxes(context: BlockContext, field: int, blocks: Mask) -> int:
    """How many boxes of a kind hold these blocks, of boxes in each other the innermost."""
    counts = context.branch_counts[:, field].tolist()
    innermost: list[int] = []
    for branch, parent in enumerate(context.branches.parent.tolist()):
        is_named = parent < 0 or counts[branch] > counts[parent]
        innermost.append(branch if is_named else innermost[parent])
    return len({innermost[branch] for branch in context.branches.of_block[0][blocks].tolist()})


def _inside(counts: NDArray[np.int16], boxes: int, chosen: Mask) -> Mask:
    """Which chosen blocks are in a box of a kind.

    `counts` says how many elements of its name are around the block, its parent and grandparent. A
    name that the page as a whole has, as `comments-open`, is around all of them.
    """
    outer = counts[boxes] if boxes else counts[0][chosen].min(initial=np.iinfo(np.int16).max)
    inside: Mask = chosen & (counts[0] > outer)
    return inside
