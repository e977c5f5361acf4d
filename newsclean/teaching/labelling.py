"""From what a person says of a page's blocks to a correction, and what it would change.

`teach` is the one way for both faces, `newsclean teach` and the browser: the same labels of the
same page make the same corrections.

A correction applies up to a bound: not where the method is far surer than it was on the labelled
page. If a person says of a place that nothing in it belongs to the article, the page that has a
block in exactly this place of which the method is surest is labelled alike, so that the bound is
that of the site and not of the page that was labelled. It is named with what would change, and
accepted with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.corrections import FIELDS, BlockPaths, Correction, Slot
from newsclean.extraction.corrections.flip_rule import confidence_in
from newsclean.extraction.corrections.site_corrections import MAX_SAMPLE, taken_blocks
from newsclean.teaching.previewing import Preview, preview
from newsclean.text import single_line

if TYPE_CHECKING:
    from newsclean.extraction.corrections import Conflict, Corrections
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page.columns import Mask

UNKNOWN_PAGE = "unknown"
#: How much surer the method must be of another page, in log-odds: a part of the rule's bound.
MIN_SURER = 0.25


class LabelError(ValueError):
    """A label that cannot be: of a block that the page does not have, or two of one block."""


@dataclass(frozen=True)
class LabelledPage:
    """A page and what a person says of it, as `label` takes it."""

    extraction: Extraction
    include: Collection[int] = ()
    exclude: Collection[int] = ()
    article: Mask | None = None
    fields: Mapping[str, int] | None = None
    note: str = ""
    page: str | None = None


@dataclass(frozen=True)
class Taught:
    """The corrections that labels make, and what they would change; nothing is saved."""

    #: ready to be accepted: they remember what was shown
    corrections: tuple[Correction, ...]
    #: pages that are labelled alike, because the method is surer there
    also: tuple[Extraction, ...]
    after: Corrections
    #: of the pages in the order in which they were given
    preview: Preview
    #: pairs of which one is among the new corrections
    conflicts: tuple[Conflict, ...]
    #: labelled blocks that stay as they are, because their slot holds others that are right
    without_effect: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to accept: the method, and earlier corrections, agree."""
        says_nothing = all(each.is_empty for each in self.corrections)
        return says_nothing and not self.preview.changed and not self.conflicts


def teach(
    labelled: Sequence[LabelledPage], pages: Sequence[Extraction], before: Corrections
) -> Taught:
    """Make corrections of labels. `pages` are all known pages of the site, these among them."""
    made = [_correction(each) for each in labelled]
    urls = {each.extraction.page.url for each in labelled}
    others = [page for page in pages if page.page.url not in urls]
    alike: dict[str, LabelledPage] = {}
    for each, correction in zip(labelled, made, strict=True):
        if (surest := _surest_alike(each, correction, others, before)) is not None:
            alike.setdefault(_name(surest.extraction.page.url), surest)
    made += map(_correction, alike.values())
    after = before.with_(*made)
    shown = preview(pages, before, after)
    ids = {each.id for each in made}
    return Taught(
        tuple(map(shown.shown_in, made)),
        tuple(each.extraction for each in alike.values()),
        after,
        shown,
        tuple(each for each in after.conflicts if ids & {each.belongs, each.noise}),
        tuple(text for each in labelled for text in _without_effect(each, after)),
    )


def _correction(labelled: LabelledPage) -> Correction:
    return label(
        labelled.extraction,
        include=labelled.include,
        exclude=labelled.exclude,
        article=labelled.article,
        fields=labelled.fields,
        note=labelled.note,
        page=labelled.page,
    )


def _surest_alike(
    labelled: LabelledPage,
    correction: Correction,
    others: Sequence[Extraction],
    before: Corrections,
) -> LabelledPage | None:
    """The page of which the method is surest in the places that were labelled, labelled alike."""
    paths = BlockPaths(labelled.extraction.page)
    own = {paths[block] for block in (*labelled.include, *labelled.exclude)}
    bounds = {
        (slot.path, slot.taken): abs(slot.log_odds)
        for slot in correction.contradictions
        if slot.path in own and not slot.right and slot.log_odds is not None
    }
    found = [(_confidence(page, blocks), page, blocks) for page in others
             if bounds and (blocks := _blocks_in(page, bounds))]  # fmt: skip
    if not found:
        return None
    confidence, page, blocks = max(found, key=lambda each: each[0])
    if confidence < max(bounds.values()) + MIN_SURER:
        return None
    return LabelledPage(
        replace(page, corrections=before),
        include=[block for block, taken in blocks.items() if not taken],
        exclude=[block for block, taken in blocks.items() if taken],
        note=labelled.note,
    )


def _blocks_in(page: Extraction, places: Collection[tuple[str, bool]]) -> dict[int, bool]:
    """The blocks in these places of which the method thinks alike: whether it took them."""
    took = taken_blocks(page.page, page.uncorrected_body.text).tolist()
    paths = BlockPaths(page.page)
    return {block: taken for block, taken in enumerate(took) if (paths[block], taken) in places}


def _confidence(page: Extraction, blocks: Collection[int]) -> float:
    """How sure the method is of the block of which it is surest, in log-odds."""
    odds = page.log_odds
    return 0.0 if odds is None else max(abs(float(odds[block])) for block in blocks)


def _without_effect(labelled: LabelledPage, after: Corrections) -> list[str]:
    corrected = replace(labelled.extraction, corrections=after.unlimited())
    taken = taken_blocks(corrected.page, corrected.body.text)
    wanted = dict.fromkeys(labelled.include, True) | dict.fromkeys(labelled.exclude, False)
    texts = corrected.page.blocks.text
    return [texts[block] for block, belongs in wanted.items() if bool(taken[block]) != belongs]


def label(
    extraction: Extraction,
    *,
    include: Collection[int] = (),
    exclude: Collection[int] = (),
    article: Mask | None = None,
    fields: Mapping[str, int] | None = None,
    note: str = "",
    page: str | None = None,
    date: str | None = None,
) -> Correction:
    """What is learned from a page of which a person says what belongs to the article.

    `include` and `exclude` are numbers of blocks (`extraction.page.blocks`); of all others the
    person agrees with what the extraction shows. Or `article` has the right answer for every block.
    `fields` are the blocks of `headline`, `byline` and `date`. `page` is its name, else its
    address. What is learned is not the text but the slot.

    >>> from newsclean import Extractor, Page
    >>> words = "It has rained for nine days in Bergen, and nobody knows when it will end. "
    >>> html = f"<h1>Rain</h1><p>{words}</p><div class=promo>Read it all in our paper.</div><p>{words}"
    >>> extraction = Extractor("coreex")(Page.from_html(html))
    >>> [slot.path for slot in label(extraction, exclude={2}).contradictions]
    ['html body div.promo']
    """  # noqa: E501
    read = extraction.page
    fields = fields or {}
    _check(len(read.blocks), include, exclude, fields)
    method_took = taken_blocks(read, extraction.uncorrected_body.text)
    right = taken_blocks(read, extraction.body.text)
    if article is not None:  # nobody says anything of a block that is a line of signs
        has_words = np.array([any(map(str.isalnum, text)) for text in read.blocks.text], dtype=bool)
        right = np.where(has_words, article, method_took)
    right[list(include)] = True
    right[list(exclude)] = False
    paths = BlockPaths(read)
    return Correction(
        page=_name(page or read.url),
        date=date or datetime.now(UTC).date().isoformat(),
        method=extraction.method.name,
        slots=_slots(extraction, paths, method_took, right),
        fields={name: paths[fields[name]] for name in FIELDS if name in fields},
        note=single_line(note, 1000),
    )


def _name(page: str | None) -> str:
    return single_line(page, 2000) if page else UNKNOWN_PAGE


def _slots(extraction: Extraction, paths: BlockPaths, took: Mask, right: Mask) -> tuple[Slot, ...]:
    """The labels of all blocks, by path and thought; the wrong ones first."""
    log_odds = extraction.log_odds
    texts = extraction.page.blocks.text
    found: dict[tuple[str, bool], Slot] = {}
    for block, (taken, belongs) in enumerate(zip(took.tolist(), right.tolist(), strict=True)):
        key = paths[block], taken
        slot = found.get(key) or Slot(*key)
        if taken == belongs:
            found[key] = Slot(*key, slot.wrong, slot.right + 1, slot.log_odds, slot.text)
            continue
        odds = None if log_odds is None else round(float(log_odds[block]), 4)
        if slot.wrong and confidence_in(taken, slot.log_odds) >= confidence_in(taken, odds):
            odds = slot.log_odds
        text = slot.text or single_line(texts[block][:MAX_SAMPLE], MAX_SAMPLE)
        found[key] = Slot(*key, slot.wrong + 1, slot.right, odds, text)
    return tuple(sorted(found.values(), key=lambda slot: not slot.wrong))


def _check(
    blocks: int, include: Collection[int], exclude: Collection[int], fields: Mapping[str, int]
) -> None:
    numbers = [*include, *exclude, *fields.values()]
    if wrong := [number for number in numbers if not 0 <= number < blocks]:
        raise LabelError(f"there is no block {wrong[0]}: the page has {blocks}, counted from 0")
    if both := sorted(set(include) & set(exclude)):
        raise LabelError(f"block {both[0]} cannot be included and excluded at once")
    if unknown := [name for name in fields if name not in FIELDS]:
        raise LabelError(f"no field is called {unknown[0]!r}; there are {', '.join(FIELDS)}")
