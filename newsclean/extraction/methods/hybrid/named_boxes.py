"""Chosen blocks that are not the article, by the name of their box or by what they ask for.

The network weighs names with all other features: a comment of three paragraphs, an author's box or
a caption may read so much like the article that its name is outweighed. If the rest of the choice
is an article by itself, the name decides. So do notices in the place of an embed that ask for
consent to show external content: they are sentences between the paragraphs.
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


#: Maximum probability of a block in such a box, or of a notice.
MAX_PROBABILITY = 0.1
#: Comments come after at least this many words of the article.
_MIN_WORDS_BEFORE_COMMENTS = 50
#: Comments may hold most of the choice only in at least this many boxes of the name side by side: a
#: column of opinions may be named `comment` as a whole.
_MIN_COMMENTS = 3
_COMMENTS, _COMMENT_AREA = "comments", "comment area"
#: For `boxes`: any box around a block counts.
_ANYWHERE = 0

#: A longer text is about consent, and does not ask for it.
_MAX_NOTICE_WORDS = 130
#: Every notice has one of these; other texts are not searched.
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


@dataclass(frozen=True)
class _Reach:
    """How far out a box may be around a block, and how much of the choice it may hold."""

    #: number of the nearest boxes with more and more text
    boxes: int
    #: of the chosen words; a name that holds more does not mean what it says
    max_share: float = 0.2


_REACH: dict[str, _Reach] = {
    _COMMENTS: _Reach(_ANYWHERE, 0.5),
    _COMMENT_AREA: _Reach(_ANYWHERE, 1.0),
    "dialog": _Reach(_ANYWHERE),
    "action": _Reach(2),
    "notice": _Reach(2),
    "details": _Reach(2),
    "author": _Reach(2),
    "signature": _Reach(1),
    "caption": _Reach(1, 0.25),
}
#: The kinds by number; 0 is none.
BOX_KINDS = ("", *hints.BOXES, *hints.NAMED_BOXES)

_FIRST_FIELD = len(hints.AROUND) + len(hints.KINDS)


def kinds_of_boxes(context: BlockContext, chosen: Mask) -> NDArray[np.int8]:
    """Return the position in `BOX_KINDS` of the box that removes each chosen block, else 0."""
    found = np.zeros(len(context), dtype=np.int8)
    if not chosen.any():  # so on a page with too many blocks, for which nothing is computed
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
    """Count the boxes of a kind around these blocks, of nested ones the innermost."""
    counts = context.branch_counts[:, field].tolist()
    innermost: list[int] = []
    for branch, parent in enumerate(context.branches.parent.tolist()):
        is_named = parent < 0 or counts[branch] > counts[parent]
        innermost.append(branch if is_named else innermost[parent])
    return len({innermost[branch] for branch in context.branches.of_block[0][blocks].tolist()})


def _inside(counts: NDArray[np.int16], boxes: int, chosen: Mask) -> Mask:
    """Return which chosen blocks are in a box of a kind.

    `counts` is the number of such elements around the block, its parent and grandparent. A name of
    the page as a whole, such as `comments-open`, is around all blocks and does not count.
    """
    outer = counts[boxes] if boxes else counts[0][chosen].min(initial=np.iinfo(np.int16).max)
    inside: Mask = chosen & (counts[0] > outer)
    return inside


def consent_notices(context: BlockContext, chosen: Mask) -> Mask:
    """Return which of the chosen blocks ask for consent to show an embed."""
    found = np.zeros(len(context), dtype=bool)
    texts = context.page.blocks.text
    blocks = np.flatnonzero(chosen & (context.words <= _MAX_NOTICE_WORDS)).tolist()
    lines = "\n".join([texts[block] for block in blocks]).lower()
    if any(stem in lines for stem in _STEMS):
        for block in blocks:
            found[block] = asks_for_consent(texts[block].lower())
    return found


def asks_for_consent(text: str) -> bool:
    """Return whether a text in lower case asks for consent to show external content.

    >>> asks_for_consent("to see this embedded content, you must agree to the use of cookies")
    True
    >>> asks_for_consent("the court ruled on embedded content of three newspapers")
    False
    """
    return bool(_EXTERNAL_CONTENT.search(text) and _CONSENT.search(text))
