"""Boxes whose name says outright that they hold something else than the article.

The network weighs names with all other features, and a comment of three paragraphs, an author's box
or a caption may outweigh its name by how much it reads like the article. Where the rest of what was
chosen is an article by itself, the name decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid import hints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.context import BlockContext
    from newsclean.extraction.page.columns import Mask


#: A block in such a box is part of the article with at most this probability.
MAX_PROBABILITY = 0.1
#: Before the comments there are at least this many words of the article.
_MIN_WORDS_BEFORE_COMMENTS = 50
#: Comments hold most of the choice only if at least this many boxes are named so, side by side: a
#: column of opinions may be named `comment` as a whole.
_MIN_COMMENTS = 3
_COMMENTS, _COMMENT_AREA = "comments", "comment area"
#: Any box around a block counts.
_ANYWHERE = 0


@dataclass(frozen=True)
class Reach:
    """Which boxes around a block count, and how much of the choice they may hold."""

    #: how many of the nearest boxes that hold more and more text
    boxes: int
    #: of the chosen words; a name that would take more does not mean what it says
    max_share: float = 0.2


_REACH: dict[str, Reach] = {
    _COMMENTS: Reach(_ANYWHERE, 0.5),
    _COMMENT_AREA: Reach(_ANYWHERE, 1.0),
    "dialog": Reach(_ANYWHERE),
    "action": Reach(2),
    "notice": Reach(2),
    "details": Reach(2),
    "author": Reach(2),
    "signature": Reach(1),
    "caption": Reach(1, 0.25),
}
#: The kinds by number; 0 is none.
BOX_KINDS = ("", *hints.BOXES, *hints.NAMED_BOXES)

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
        kind = BOX_KINDS[number + 1]
        inside = _inside(fields[number], _REACH[kind].boxes, chosen) & (found == 0)
        if not inside.any():
            continue
        holds_little = words[inside].sum() <= _REACH[kind].max_share * total
        if kind == _COMMENTS and not holds_little:
            holds_little = _separate_boxes(context, _FIRST_FIELD + number, inside) >= _MIN_COMMENTS
        if kind in (_COMMENTS, _COMMENT_AREA):
            holds_little &= words[: inside.argmax()].sum() >= _MIN_WORDS_BEFORE_COMMENTS
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


# Notices in the place of an embed: they ask for consent to show content of somebody else.
#
# They stand between the paragraphs, are sentences like these, and are not the article's.

#: A longer text is about consent, and does not ask for it.
_MAX_WORDS = 130
#: One of these is in every notice; texts with none of them are not searched.
_STEMS = (
    "extern", "estern", "ekstern", "eingebettet", "embedded", "third", "tiers", "intégré",
    "terceros", "incrustad", "terze", "derden", "terceiros", "zewnętrzn",
)  # fmt: skip
#: What the notice is about, and what it asks for.
_EXTERNAL_CONTENT = re.compile(
    r"extern\w{0,2} (?:redaktionell\w{0,2} )?inhalt|eingebettet\w{0,2} inhalt"
    r"|(?:external|embedded|third[- ]party) (?:content|media)"
    r"|contenus? (?:externes?|tiers|intégrés?)|contenidos? (?:externos?|de terceros|incrustados?)"
    r"|contenut\w (?:estern|di terze)|conteúdos? (?:externos?|de terceiros)"
    r"|externe (?:inhoud|content)|inhoud van derden|eksternt? innhold|eksternt? indhold"
    r"|externt innehåll|treści zewnętrzn"
)
_CONSENT = re.compile(
    r"einverstanden|einwillig|zustimm|personenbezogen|anzeigen lassen|datenschutz"
    r"|consent|agree|cookie|privacy|personal data|acceptez|accepter|données personnelles"
    r"|aceptar|consentimiento|datos personales|accett|consenso|dati personali"
    r"|aceitar|dados pessoais|toestemming|akkoord|samtyk|samtyck|zgod"
)


def asks_for_consent(text: str) -> bool:
    """Whether a text, in small letters, asks for consent to show content of somebody else.

    >>> asks_for_consent("to see this embedded content, you must agree to the use of cookies")
    True
    >>> asks_for_consent("the court ruled on embedded content of three newspapers")
    False
    """
    return bool(_EXTERNAL_CONTENT.search(text) and _CONSENT.search(text))


def consent_notices(context: BlockContext, chosen: Mask) -> Mask:
    """Which of the chosen blocks are such notices."""
    found = np.zeros(len(context), dtype=bool)
    texts = context.page.blocks.text
    blocks = np.flatnonzero(chosen & (context.words <= _MAX_WORDS)).tolist()
    lines = "\n".join([texts[block] for block in blocks]).lower()
    if any(stem in lines for stem in _STEMS):
        for block in blocks:
            found[block] = asks_for_consent(texts[block].lower())
    return found
