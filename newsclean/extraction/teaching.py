"""Teach a site: turn what a person says of its pages into corrections.

In: labelled pages, all known pages of the site, its present corrections. Out: new corrections and a
preview of what they would change; nothing is saved. `newsclean teach` and the browser both call
`teach`, so the same labels of the same page make the same corrections.

A correction does not apply where the method is far surer than it was on the labelled page. So when
everything in a place is labelled as wrong, the page with a block in exactly that place of which the
method is surest is labelled in the same way: the bound is then that of the site, not of one page.
The preview names that page, and it is accepted with the others.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.corrections import FIELDS, Correction, Slot
from newsclean.extraction.corrections.correction_files import MAX_SAMPLE
from newsclean.extraction.corrections.site_corrections import confidence_in, taken_blocks
from newsclean.extraction.page.slots import BlockPaths
from newsclean.extraction.text import comparison_key, single_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.extraction.corrections import Conflict, Corrections
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

#: How much surer the method must be of another page, in log-odds: a part of the rule's bound.
_MIN_SURER = 0.25

#: A block of the article is found in its text by runs of this many words ...
_RUN = 3
#: ... of which this share must be there.
_MIN_SHARE = 0.6
#: A block of fewer words is found by its place between longer ones.
_MIN_LONG = 8
#: Words by which a long block may begin earlier, or end later, than its place says.
_SLACK = 3

_UNKNOWN_PAGE = "unknown"
_WORD = re.compile(r"\w+")


class LabelError(ValueError):
    """A label of a block that the page does not have, or two labels of one block."""


@dataclass(frozen=True)
class LabelledPage:
    """A page and what a person says of it.

    `include` and `exclude` are numbers of blocks (`extraction.page.blocks`). The person agrees with
    what the extraction has of all others, unless `article` has the right answer for every block.

    >>> from newsclean import Extractor, Page
    >>> words = "<p>It has rained for nine days in Bergen, and nobody knows when it will end.</p>"
    >>> html = f"<h1>Rain</h1>{words}<div class=promo>Read it all in our paper.</div>{words}"
    >>> labelled = LabelledPage(Extractor("coreex")(Page.from_html(html)), exclude={2})
    >>> [slot.path for slot in labelled.correction().contradictions]
    ['html body div.promo']
    """

    extraction: Extraction
    include: Collection[int] = ()
    exclude: Collection[int] = ()
    article: Mask | None = None
    #: the block of each field: `headline`, `byline`, `date`
    fields: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    #: what the correction calls the page, if not by its URL
    name: str | None = None
    #: the day of the correction, if not today
    date: str | None = None

    def correction(self) -> Correction:
        """Return what is learned: not the text but the slots. Raise `LabelError`."""
        self._check()
        extraction, page = self.extraction, self.extraction.page
        took = taken_blocks(page, extraction.uncorrected_body.text)
        right = taken_blocks(page, extraction.body.text)
        if self.article is not None:  # blocks without a letter or digit stay as they are
            has_words = [any(map(str.isalnum, text)) for text in page.blocks.text]
            right = np.where(np.array(has_words, dtype=bool), self.article, took)
        right[list(self.include)] = True
        right[list(self.exclude)] = False
        paths = BlockPaths(page)
        return Correction(
            page=_page_name(self.name or page.url),
            date=self.date or datetime.now(UTC).date().isoformat(),
            method=extraction.method.name,
            slots=_slots(extraction, paths, took, right),
            fields={name: paths[self.fields[name]] for name in FIELDS if name in self.fields},
            note=single_line(self.note, 1000),
        )

    def _check(self) -> None:
        blocks = len(self.extraction.page.blocks)
        numbers = (*self.include, *self.exclude, *self.fields.values())
        if wrong := [number for number in numbers if not 0 <= number < blocks]:
            raise LabelError(f"there is no block {wrong[0]}: the page has {blocks}, counted from 0")
        if both := sorted(set(self.include) & set(self.exclude)):
            raise LabelError(f"block {both[0]} cannot be included and excluded at once")
        if unknown := [name for name in self.fields if name not in FIELDS]:
            raise LabelError(f"no field is called {unknown[0]!r}; there are {', '.join(FIELDS)}")

    def without_effect(self, after: Corrections) -> list[str]:
        """Return the texts of the labelled blocks that these corrections leave as they are."""
        corrected = replace(self.extraction, corrections=after.unlimited())
        taken = taken_blocks(corrected.page, corrected.body.text)
        wanted = dict.fromkeys(self.include, True) | dict.fromkeys(self.exclude, False)
        texts = corrected.page.blocks.text
        return [texts[block] for block, belongs in wanted.items() if bool(taken[block]) != belongs]


def _page_name(name: str | None) -> str:
    return single_line(name, 2000) if name else _UNKNOWN_PAGE


def _slots(extraction: Extraction, paths: BlockPaths, took: Mask, right: Mask) -> tuple[Slot, ...]:
    """Return the labels of all blocks by path and by what the method took, wrong ones first."""
    log_odds = extraction.log_odds
    texts = extraction.page.blocks.text
    found: dict[tuple[str, bool], Slot] = {}
    for block, (taken, belongs) in enumerate(zip(took.tolist(), right.tolist(), strict=True)):
        key = paths[block], taken
        slot = found.get(key) or Slot(*key)
        if taken == belongs:
            found[key] = replace(slot, right=slot.right + 1)
            continue
        odds = None if log_odds is None else round(float(log_odds[block]), 4)
        if slot.wrong and confidence_in(taken, slot.log_odds) >= confidence_in(taken, odds):
            odds = slot.log_odds
        text = slot.text or single_line(texts[block][:MAX_SAMPLE], MAX_SAMPLE)
        found[key] = replace(slot, wrong=slot.wrong + 1, log_odds=odds, text=text)
    return tuple(sorted(found.values(), key=lambda slot: not slot.wrong))


@dataclass(frozen=True)
class Proposal:
    """Corrections made from labels, and what they would change."""

    #: ready to be accepted: they remember the preview
    corrections: tuple[Correction, ...]
    #: pages labelled in the same way because the method is surer there
    also: tuple[Extraction, ...]
    #: the present corrections with the new ones
    after: Corrections
    #: the pages in the order in which they were given
    preview: Preview
    #: conflicts in which a new correction takes part
    conflicts: tuple[Conflict, ...]
    #: labelled blocks that stay as they are because most blocks of their slot are right
    without_effect: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to accept: the method and earlier corrections agree."""
        is_agreed = all(each.is_empty for each in self.corrections)
        return is_agreed and not self.preview.changed and not self.conflicts


def teach(
    labelled: Sequence[LabelledPage], pages: Sequence[Extraction], before: Corrections
) -> Proposal:
    """Make corrections from labelled pages. `pages` are all known pages of the site, with these."""
    made = [each.correction() for each in labelled]
    urls = {each.extraction.page.url for each in labelled}
    others = [page for page in pages if page.page.url not in urls]
    alike: dict[str, LabelledPage] = {}
    for each, correction in zip(labelled, made, strict=True):
        if (surest := _surest_alike(each, correction, others, before)) is not None:
            alike.setdefault(_page_name(surest.extraction.page.url), surest)
    made += [each.correction() for each in alike.values()]
    after = before.with_(*made)
    shown = preview(pages, before, after)
    ids = {each.id for each in made}
    return Proposal(
        tuple(map(shown.shown_in, made)),
        tuple(each.extraction for each in alike.values()),
        after,
        shown,
        tuple(each for each in after.conflicts if ids & {each.belongs, each.noise}),
        tuple(text for each in labelled for text in each.without_effect(after)),
    )


def _surest_alike(
    labelled: LabelledPage,
    correction: Correction,
    others: Sequence[Extraction],
    before: Corrections,
) -> LabelledPage | None:
    """Label the page of which the method is surest in the labelled places; None if none is."""
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
    if confidence < max(bounds.values()) + _MIN_SURER:
        return None
    return LabelledPage(
        replace(page, corrections=before),
        include=[block for block, taken in blocks.items() if not taken],
        exclude=[block for block, taken in blocks.items() if taken],
        note=labelled.note,
    )


def _blocks_in(page: Extraction, places: Collection[tuple[str, bool]]) -> dict[int, bool]:
    """Return the blocks in these places, by path and side, and whether the method took them."""
    took = taken_blocks(page.page, page.uncorrected_body.text).tolist()
    paths = BlockPaths(page.page)
    return {block: taken for block, taken in enumerate(took) if (paths[block], taken) in places}


def _confidence(page: Extraction, blocks: Collection[int]) -> float:
    """Return the log-odds of the block of which the method is surest."""
    odds = page.log_odds
    return 0.0 if odds is None else max(abs(float(odds[block])) for block in blocks)


@dataclass(frozen=True)
class BlockChange:
    """One block that enters the article, or leaves it."""

    block: int
    is_added: bool
    words: int
    text: str


@dataclass(frozen=True)
class PageChange:
    """What would change on one page."""

    url: str | None
    blocks: tuple[BlockChange, ...]
    #: headline, byline or date: what it was, and what it would be
    fields: dict[str, tuple[str, str]]
    #: words of the article before, and after
    before: int
    after: int

    def __bool__(self) -> bool:
        return bool(self.blocks or self.fields)

    @property
    def added_words(self) -> int:
        return sum(change.words for change in self.blocks if change.is_added)

    @property
    def removed_words(self) -> int:
        return sum(change.words for change in self.blocks if not change.is_added)

    @property
    def share(self) -> float:
        """The changed words, as a share of the article before."""
        return (self.added_words + self.removed_words) / max(self.before, 1)


@dataclass(frozen=True)
class Preview:
    """What would change, page by page."""

    pages: tuple[PageChange, ...]

    @property
    def changed(self) -> tuple[PageChange, ...]:
        return tuple(page for page in self.pages if page)

    @property
    def share(self) -> float:
        """The largest share of a page that would change."""
        return max((page.share for page in self.pages), default=0.0)

    def shown_in(self, correction: Correction) -> Correction:
        """Return the correction with the size of the change that a person has seen.

        A change far larger than that, on a page that comes later, is held back and reported.
        """
        return replace(correction, shown_pages=len(self.pages), shown_share=round(self.share, 4))


def preview(
    extractions: Iterable[Extraction], before: Corrections | None, after: Corrections | None
) -> Preview:
    """Compare pages under two sets of corrections, without scoring any page again.

    Nothing is held back: the person who accepts the change has seen all of it.
    """
    after = None if after is None else after.unlimited()
    return Preview(
        tuple(
            _change_between(replace(each, corrections=before), replace(each, corrections=after))
            for each in extractions
        )
    )


def _change_between(old: Extraction, new: Extraction) -> PageChange:
    page = old.page
    words = page.blocks.sum(page.words)
    took, takes = (taken_blocks(page, each.body.text) for each in (old, new))
    changes = tuple(
        BlockChange(block, bool(takes[block]), int(words[block]), page.blocks.text[block])
        for block in (took != takes).nonzero()[0].tolist()
    )
    fields = {}
    if old.corrected_fields != new.corrected_fields:
        pairs = {name: (_field(old, name), _field(new, name)) for name in FIELDS}
        fields = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return PageChange(page.url, changes, fields, int(words[took].sum()), int(words[takes].sum()))


def _field(extraction: Extraction, name: str) -> str:
    metadata = extraction.metadata
    if name == "headline":
        return extraction.headline or ""
    return ", ".join(metadata.authors) if name == "byline" else metadata.date_published or ""


def blocks_beginning(page: Page, words: str) -> list[int]:
    """Return the blocks that begin with these words, ignoring case and punctuation.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p>Sign up – it’s free!<p>It rains.<p>Sign here")
    >>> blocks_beginning(page, "sign"), blocks_beginning(page, "SIGN UP it's")
    ([0, 2], [0])
    """
    key = comparison_key(words, " ").strip()
    if not key:
        return []
    texts = (comparison_key(text, " ").strip() for text in page.blocks.text)
    return [block for block, text in enumerate(texts) if text.startswith(key)]


def blocks_in_text(page: Page, text: str) -> Mask:
    """Return the blocks that belong to the article with this text.

    First the long blocks most of whose runs of words are in the text, in the order of the text: a
    second copy, or a teaser with the same words, is out of order. Then the short blocks that are in
    the text between their long neighbors.

    >>> from newsclean.extraction.page import Page
    >>> html = "<p>Rain<p>Menu<p>Rain<p>It rains in Bergen today, as it did on Monday<p>Bergen"
    >>> text = "Rain\\n\\nIt rains in Bergen today, as it did on Monday"
    >>> blocks_in_text(Page.from_html(html), text).tolist()
    [False, False, True, True, False]
    """
    gold = _words(text)
    blocks = [_words(block) for block in page.blocks.text]
    places = _in_order(_long_blocks(blocks, gold))
    found = np.zeros(len(blocks), dtype=bool)
    found[list(places)] = True
    edges = [(-1, 0), *((block, place + len(blocks[block])) for block, place in places.items())]
    ends = [*places.items(), (len(blocks), len(gold))]
    for (before, low), (after, high) in zip(edges, ends, strict=True):
        # Backwards before the first long block: a headline comes after the menu.
        numbers = range(before + 1, after)
        window = gold[max(low - _SLACK, 0) : high + _SLACK]
        for block in numbers if before >= 0 else reversed(numbers):
            words = blocks[block]
            if words and (place := _place(words, window)) is not None:
                found[block] = True
                del window[place : place + len(words)]
    return found


def _long_blocks(blocks: list[list[str]], gold: list[str]) -> list[tuple[int, int]]:
    """Return the long blocks that are in the text, each with the place where it begins there."""
    runs: dict[tuple[str, ...], list[int]] = {}
    for place, run in enumerate(_runs(gold)):
        runs.setdefault(run, []).append(place)
    found = []
    for block, words in enumerate(blocks):
        if len(words) < _MIN_LONG:
            continue
        own = [runs.get(run, []) for run in _runs(words)]
        there = [(start, places) for start, places in enumerate(own) if places]
        if len(there) < _MIN_SHARE * len(own):
            continue
        # Runs that are in the text once tell the place; repeated ones may be elsewhere.
        offsets = [places[0] - start for start, places in there if len(places) == 1]
        offsets = offsets or [places[0] - start for start, places in there]
        found.append((block, max(int(np.median(offsets)), 0)))
    return found


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(_RUN)), strict=False)


def _in_order(found: list[tuple[int, int]]) -> dict[int, int]:
    """Return the longest series of blocks whose places in the text rise."""
    tails: list[int] = []  # the smallest place with which a series of each length ends
    last: list[int] = []  # its number among the found blocks
    before: list[int] = []
    for number, (_, place) in enumerate(found):
        length = bisect_left(tails, place)
        tails[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    series = []
    number = last[-1] if last else -1
    while number >= 0:
        series.append(found[number])
        number = before[number]
    return dict(reversed(series))


def _place(words: list[str], window: list[str]) -> int | None:
    for place in range(len(window) - len(words) + 1):
        if window[place : place + len(words)] == words:
            return place
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
