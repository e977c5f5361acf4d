"""The pictures of an article as a reader sees them, with their captions and credits.

Inner pictures are between the chosen texts; the lead picture is above them, beside the headline.
Logos, portraits of authors, icons, counters, share buttons and teasers are not pictures of the
article: they are known by their size, their names, or the links and words in the box around them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata.text import visible_text
from newsclean.metadata.urls import base_url
from newsclean.render.captions import Caption, find_caption
from newsclean.render.hidden import HiddenTexts
from newsclean.render.picture_boxes import MAX_BOX_WORDS, PictureBoxes
from newsclean.render.picture_elements import PictureElements
from newsclean.render.picture_names import address_key, file_key, is_named_otherwise, is_tiny
from newsclean.render.picture_sources import Source, best_source

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

IMAGES = frozenset({"img", "amp-img"})
FIGURES = frozenset({"figure"})

#: A picture above the text is looked for within this many words; one that the head names too,
#: within more.
MAX_LEAD_WORDS = 150
MAX_NAMED_LEAD_WORDS = 400
#: And so many pictures above it are looked at.
MAX_ABOVE = 12
#: The picture that the head names is the lead also below this many words of the text.
MAX_WORDS_ABOVE_LEAD = 80
#: Pictures that are looked at; a page with more is no article.
MAX_PICTURES = 2000


@dataclass(frozen=True)
class Picture:
    """One picture and where it is shown."""

    row: int
    source: Source
    alt: str
    caption: Caption
    #: whether it is above the text, beside the headline
    is_lead: bool

    def to_dict(self) -> dict[str, str | int | None]:
        return {
            "url": self.source.url,
            "caption": self.caption.text or None,
            "credit": self.caption.credit or None,
            "width": self.source.width,
            "height": self.source.height,
            "role": "lead" if self.is_lead else "inner",
        }


def find_pictures(page: Page, chosen: Mask, named: str | None = None) -> tuple[Picture, ...]:
    """The pictures of the article whose rows are chosen, in document order.

    `named` is the picture's address in the page's head, a hint at which one is the lead.
    """
    if not any(map(page.elements, IMAGES)):
        return ()
    texts = page.text_rows[chosen[page.text_rows]]
    first, last = (int(texts[0]), int(texts[-1])) if len(texts) else (-1, -1)
    near = _near(page, chosen, first, last)
    if not len(near):
        return ()
    return tuple(_Finder(page, chosen, first, last).find(near, file_key(named or "")))


def _near(page: Page, chosen: Mask, first: int, last: int) -> Column:
    """The pictures that are chosen, between the chosen texts, or not far above them."""
    rows = page.rows(IMAGES)[:MAX_PICTURES]
    near = chosen[rows] | chosen[page.parent[rows]]
    if page.elements("figure"):
        figures = page.rows(FIGURES)
        if len(figures := figures[chosen[figures]]):
            near |= page.below(figures)[rows]
    if first >= 0:
        words_until = np.cumsum(page.words) - page.words
        above = words_until[first] - words_until[rows]
        far = above > MAX_NAMED_LEAD_WORDS
        far[: max(int(np.searchsorted(rows, first)) - MAX_ABOVE, 0)] = True
        near |= (rows < last) & ~far
    return rows[near]


class _Finder:
    def __init__(self, page: Page, chosen: Mask, first: int, last: int) -> None:
        self.page = page
        self.base = base_url(page.elements("base"), page.url)
        #: the first and the last text that is chosen
        self.first, self.last = first, last
        self.chosen = chosen
        self.boxes = PictureBoxes(page, chosen)
        self.hidden = HiddenTexts(page)
        #: the pictures that may be the article's
        self.candidates: list[int] = []

    def find(self, near: Column, named: str) -> list[Picture]:
        holding = PictureElements(self.page, near, self.boxes.words_until)
        sources: dict[int, Source] = {}
        for row in near.tolist():
            elements = holding.of(row)
            if not elements or is_tiny(elements[0]):
                continue
            if not self.chosen[row] and self.boxes.is_of_site(row):
                continue
            source = best_source(elements, self.base)
            if source is not None and not is_named_otherwise(elements[0], source):
                sources[row] = source
        if not sources:
            return []
        self.candidates = list(sources)
        inner = {row for row in sources if self._is_inner(row)}
        lead = self._lead(sources, inner, named)
        found: list[Picture] = []
        seen: set[str] = set()
        for row, source in sources.items():
            if row not in inner and row != lead:
                continue
            key = address_key(source.url)
            if key not in seen:
                seen.add(key)
                found.append(self._picture(row, source, row == lead))
        return found

    def _is_inner(self, row: int) -> bool:
        if not self.first < row < self.last:
            return bool(self.chosen[row] or self.chosen[self.page.parent[row]])
        boxes = self.boxes
        if boxes.is_of_site(row):
            return False
        box = boxes.box(row)
        words = boxes.words_in(box)
        pictures = max(boxes.pictures_in(box, self.candidates), 1)
        max_linked = max(words, 6) / (3 if boxes.is_more_than_pictures(box) else 2)
        return words <= MAX_BOX_WORDS * pictures and boxes.linked_words_in(box) <= max_linked

    def _lead(self, sources: dict[int, Source], inner: set[int], named: str) -> int | None:
        """The picture above the text: the one that the head names, or the nearest."""
        boxes = self.boxes
        words_until = boxes.words_until
        above = [row for row in sources if row < self.first]
        fitting = []
        for row in above:
            frame = boxes.frame(row, self.candidates)
            words = words_until[self.first] - words_until[self.page.ends[frame] + 1]
            is_named = bool(named) and file_key(sources[row].url) == named
            if words > (MAX_NAMED_LEAD_WORDS if is_named else MAX_LEAD_WORDS):
                continue
            if 2 * boxes.linked_words_in(frame) > max(boxes.words_in(frame), 6):
                continue
            if not boxes.is_of_site(row):
                fitting.append((is_named, row))
        if fitting:
            return max(fitting)[1]
        if chosen := [row for row in above if row in inner]:
            return chosen[-1]
        for row in sorted(inner):
            read = words_until[row] - words_until[self.first]
            if read <= MAX_WORDS_ABOVE_LEAD and named and file_key(sources[row].url) == named:
                return row
        return None

    def _picture(self, row: int, source: Source, is_lead: bool) -> Picture:
        element = self.page.element[row]
        alt = "" if element is None else element.get("alt") or ""
        frame = self.boxes.frame(row, self.candidates)
        caption = find_caption(self.page, self.chosen, self.hidden, row, frame, is_lead)
        return Picture(row, source, " ".join(visible_text(alt).split()), caption, is_lead)
