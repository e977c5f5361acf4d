"""From what a person says of a page's blocks to a correction, and what it would change.

`teach` is the one way for both faces, `newsclean teach` and the browser: the same labels of the
same page make the same correction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from newsclean.corrections import FIELDS, BlockPaths, Correction, Slot
from newsclean.corrections.applying import taken_blocks
from newsclean.corrections.correction import MAX_SAMPLE
from newsclean.corrections.rule import confidence_in
from newsclean.metadata.text import single_line
from newsclean.teaching.previewing import Preview, preview

if TYPE_CHECKING:
    from newsclean.corrections import Conflict, Corrections
    from newsclean.extraction import Extraction
    from newsclean.page.columns import Mask

UNKNOWN_PAGE = "unknown"


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
    made = [
        label(
            each.extraction,
            include=each.include,
            exclude=each.exclude,
            article=each.article,
            fields=each.fields,
            note=each.note,
            page=each.page,
        )
        for each in labelled
    ]
    after = before.with_(*made)
    shown = preview(pages, before, after)
    ids = {each.id for each in made}
    return Taught(
        tuple(map(shown.shown_in, made)),
        after,
        shown,
        tuple(each for each in after.conflicts if ids & {each.belongs, each.noise}),
        tuple(text for each in labelled for text in _without_effect(each, after)),
    )


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
