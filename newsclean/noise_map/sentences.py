"""The reason for a block in one sentence of plain English, and its bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction.methods.hybrid import MEANINGS

if TYPE_CHECKING:
    from collections.abc import Collection

    from newsclean.extraction.methods.hybrid import Reason
    from newsclean.noise_map.support import Support

#: Bars of a chart.
_MAX_MOVES = 6
#: Groups that a sentence names, for and against.
_MAX_NAMED = 2

_NEIGHBOR_MEANINGS = {
    "text": "neighbors have its text or its label",
    "slot": "what is in its place on other pages",
}

_OPENINGS = {
    "article": "Taken as article",
    "headline": "Taken as the headline, not as text of the body",
    "byline": "Taken as the byline: it names an author",
    "date": "Taken as the date: it shows the day of the article",
    "caption": "Taken as the caption of a picture, which only the HTML shows",
    "static": "Left out as static noise",
    "dynamic": "Left out as dynamic noise: a link that is not part of the text",
    "other": "Left out",
}


def sentence(
    kind: str,
    reason: Reason | None,
    support: Support,
    method: str,
    corrected_by: Collection[str] = (),
) -> str:
    """Why a block is what it is.

    >>> from newsclean.extraction.methods.hybrid import Reason
    >>> from newsclean.noise_map.support import Support
    >>> sentence("static", None, Support(4, 5), "stadynot")
    'Left out as static noise: its text is on 4 of 5 neighbors.'
    >>> against = Reason(False, 0.04, (("names", -2.0), ("tree", 0.5)), "")
    >>> sentence("other", against, Support(0, 0), "hybrid")
    'Left out: 4 % likely to be article by the page itself; against it spoke class and id, for it the branches around the block.'
    """  # noqa: E501
    parts = [_OPENINGS[kind]]
    if corrected_by:
        parts = [f"{_OPENINGS[kind].partition(':')[0]} by the correction {', '.join(corrected_by)}"]
    elif kind == "static":
        parts[0] += f": {_repeated(support)}"
    elif reason is None and not corrected_by and kind in ("article", "other"):
        verb = "chosen" if kind == "article" else "not chosen"
        parts[0] += f": {verb} by {method}"
    if reason is not None:
        said = f"{_percent(reason.probability)} likely to be article by the page itself"
        if ":" in parts[0] or corrected_by or kind in ("headline", "caption"):
            parts.append(said)
        else:
            parts[0] += f": {said}"
        if spoke := _spoke(reason):
            parts.append(spoke)
        if reason.rule and not reason.chosen:
            parts.append(reason.rule)
        if kind != "static" and reason.neighbors:
            parts.append(reason.neighbors)
    elif kind != "static" and support.pages:
        parts.append(_repeated(support))
    return "; ".join(parts) + "."


def move_labels(reason: Reason) -> tuple[tuple[str, float], ...]:
    """What moved the decision, in words, largest first; the neighbors among them."""
    moves = [(MEANINGS.get(kind, kind), change) for kind, change in reason.moved]
    moves += [(_NEIGHBOR_MEANINGS[kind], change) for kind, change in reason.moved_by_neighbors]
    moves.sort(key=lambda move: -abs(move[1]))
    return tuple((label, round(change, 1)) for label, change in moves[:_MAX_MOVES])


def _repeated(support: Support) -> str:
    if not support.pages:
        return "the site repeats it"
    what = "the label before it" if support.is_label else "its text"
    return f"{what} is on {support.pages} of {support.of} neighbors"


def _percent(probability: float) -> str:
    whole = round(100 * probability)
    if whole in (0, 100):
        return "less than 1 %" if whole == 0 else "more than 99 %"
    return f"{whole} %"


def _spoke(reason: Reason) -> str:
    sides = {True: [], False: []}  # type: dict[bool, list[str]]
    for kind, change in reason.moved:
        sides[change > 0].append(MEANINGS.get(kind, kind))
    ours, theirs = sides[reason.chosen][:_MAX_NAMED], sides[not reason.chosen][:_MAX_NAMED]
    first, second = ("for", "against") if reason.chosen else ("against", "for")
    if ours and theirs:
        return f"{first} it spoke {' and '.join(ours)}, {second} it {' and '.join(theirs)}"
    if ours or theirs:
        return f"{first if ours else second} it spoke {' and '.join(ours or theirs)}"
    return ""
