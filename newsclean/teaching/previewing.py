"""What corrections would change on other pages, before anybody accepts them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from newsclean.extraction.corrections.site_corrections import taken_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.extraction.corrections import Correction, Corrections
    from newsclean.extraction.extractor import Extraction


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
        """The changed words, as a share of the article's before."""
        return (self.added_words + self.removed_words) / max(self.before, 1)


@dataclass(frozen=True)
class Preview:
    """What would change, page by page, in the order in which they came."""

    pages: tuple[PageChange, ...]

    @property
    def changed(self) -> tuple[PageChange, ...]:
        return tuple(page for page in self.pages if page)

    @property
    def share(self) -> float:
        """The largest share of a page that would change."""
        return max((page.share for page in self.pages), default=0.0)

    def shown_in(self, correction: Correction) -> Correction:
        """A correction that remembers what was shown of it when it was accepted.

        Corrections change more than that, on pages that come later, only with a report.
        """
        return replace(correction, shown_pages=len(self.pages), shown_share=round(self.share, 4))


def preview(
    extractions: Iterable[Extraction], before: Corrections | None, after: Corrections | None
) -> Preview:
    """What would change on these pages if one set of corrections took the place of another.

    The extractions are reused: no page is read or scored again. Nothing is held back: whoever
    accepts it has seen all.
    """
    after = None if after is None else after.unlimited()
    return Preview(
        tuple(
            change_between(
                replace(extraction, corrections=before), replace(extraction, corrections=after)
            )
            for extraction in extractions
        )
    )


def change_between(old: Extraction, new: Extraction) -> PageChange:
    """What differs between two extractions of one page."""
    page = old.page
    words = page.blocks.sum(page.words)
    took, takes = (taken_blocks(page, each.body.text) for each in (old, new))
    changes = tuple(
        BlockChange(block, bool(takes[block]), int(words[block]), page.blocks.text[block])
        for block in (took != takes).nonzero()[0].tolist()
    )
    fields = {}
    if old.corrected_fields != new.corrected_fields:
        pairs = {
            name: (_field(old, name), _field(new, name)) for name in ("headline", "byline", "date")
        }
        fields = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return PageChange(page.url, changes, fields, int(words[took].sum()), int(words[takes].sum()))


def _field(extraction: Extraction, name: str) -> str:
    metadata = extraction.metadata
    if name == "headline":
        return extraction.headline or ""
    return ", ".join(metadata.authors) if name == "byline" else metadata.date_published or ""
