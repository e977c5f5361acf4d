"""From labels of one page to corrections that hold on all pages which have the same place.

A correction speaks up to a bound: not where the method is far surer than it was on the labelled
page. If a person says of a place that nothing in it belongs to the article, the kept page that has
a block in exactly this place of which the method is surest is labelled alike, so that the bound is
that of the site and not of the page that was clicked. It is shown with the others, and accepted
with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from newsclean.corrections import BlockPaths
from newsclean.corrections.applying import taken_blocks
from newsclean.teaching import label

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from newsclean.corrections import Correction, Corrections
    from newsclean.serve.library import ShownPage


#: How much surer the method must be of another page, in log-odds: a part of the rule's bound.
MIN_SURER = 0.25


@dataclass(frozen=True)
class SamePlace:
    """A page that has blocks in a place of the lesson."""

    page: ShownPage
    include: list[int]
    exclude: list[int]
    #: how confident the method is of the one of which it is surest, in log-odds
    confidence: float


def lessons(
    correction: Correction,
    named: Collection[int],
    taught: str,
    pages: Sequence[ShownPage],
    before: Corrections,
) -> list[Correction]:
    """The correction of the page that was clicked, and that of the surest page."""
    places = named_places(correction, named, taught, pages)
    others = [page for page in pages if page.kept.name != taught]
    found = [one for page in others if (one := same_place(page, places)) is not None]
    if not places or not found:
        return [correction]
    surest = max(found, key=lambda one: one.confidence)
    bound = max(
        abs(slot.log_odds or 0.0)
        for slot in correction.contradictions
        if (slot.path, slot.taken) in places
    )
    if surest.confidence < bound + MIN_SURER:
        return [correction]
    extraction = replace(surest.page.extraction, corrections=before)
    also = label(
        extraction,
        include=surest.include,
        exclude=surest.exclude,
        note=correction.note,
        page=extraction.page.url or surest.page.kept.name,
    )
    return [correction, also]


def named_places(
    correction: Correction, named: Collection[int], taught: str, pages: Sequence[ShownPage]
) -> set[tuple[str, bool]]:
    """The places of the named blocks in which the method was right nowhere on that page."""
    page = next((each for each in pages if each.kept.name == taught), None)
    if page is None:
        return set()
    paths = BlockPaths(page.extraction.page)
    own = {paths[block] for block in named}
    wrong = {(slot.path, slot.taken) for slot in correction.contradictions if not slot.right}
    return {(path, taken) for path, taken in wrong if path in own}


def same_place(page: ShownPage, places: set[tuple[str, bool]]) -> SamePlace | None:
    """The blocks of a page that are in these places, and of which the method thinks alike."""
    extraction = page.extraction
    took = taken_blocks(extraction.page, extraction.uncorrected_body.text).tolist()
    paths = BlockPaths(extraction.page)
    blocks = [n for n, taken in enumerate(took) if (paths[n], taken) in places]
    odds = extraction.log_odds
    if not blocks or odds is None:
        return None
    return SamePlace(
        page,
        [n for n in blocks if not took[n]],
        [n for n in blocks if took[n]],
        max(abs(float(odds[n])) for n in blocks),
    )
