"""Find the pictures of an article, with their captions and credits.

In: a page and the chosen rows. Out: the pictures in document order. Inner pictures are between the
chosen texts; the lead picture is above them, beside the headline. Logos, portraits of authors,
icons, counters, share buttons and teasers are left out: by their size, their names, or the links
and words in the box around them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, islice
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from newsclean.extraction.body.picture_sources import (
    Source,
    address_key,
    best_source,
    file_key,
    is_named_as_site,
    is_named_otherwise,
    is_tiny,
)
from newsclean.extraction.body.rows import HiddenTexts
from newsclean.extraction.text import comparison_key, fold_spaces, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml import etree
    from numpy.typing import NDArray

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

_MAX_CAPTION_WORDS = 80
#: A text beside a picture that nothing names a caption may have this many words.
_MAX_UNNAMED_WORDS = 40
_MAX_CREDIT_WORDS = 15
_MAX_CLASS = 300  # characters of a class
#: Up to this many words, a box may hold several versions of one caption.
_MAX_VERSIONS_WORDS = 4 * _MAX_CAPTION_WORDS
#: A caption of this many words that is part of another one is a copy of it.
_MIN_COPIED_WORDS = 5
#: Controls, whose words are not about the picture: "Enlarge", "Share".
_CONTROLS = frozenset("button select option label noscript".split())

_CAPTION = re.compile(
    r"caption|legend|leyenda|bildunter|bildtext|didascalia|piedefoto|pie-de|epigrafe|undertekst"
)
_CREDIT = re.compile(
    r"credit|copyright|photographer|fotograf|rights|source|quelle|agency|byline|autor|author|"
    r"attribution"
)
_CAPTION_TAGS = frozenset({"figcaption"})
_CREDIT_TAGS = frozenset({"small", "cite"})
_CREDIT_TEXT = re.compile(
    r"[\s(\[|–—-]{0,8}(?:\b(?:photo(?:s|graph)?|foto(?:s|graf\w*)?|image|images|picture|"
    r"bild(?:er)?|credits?|cr[ée]dits?(?: photo)?|cr[ée]ditos?|source|quelle|fuente|fonte)"
    r"\s?(?::|/| by )|©|\(c\)|copyright)\s*(?P<credit>.{2,120})$",
    re.I,
)
_AROUND_CREDIT = " ()[]|–—"


_IMAGES = frozenset({"img", "amp-img"})
_FIGURES = frozenset({"figure"})
#: Pictures of a page that are read; a page with more is not an article.
_MAX_PICTURES = 2000
#: Pictures above the text that are read.
_MAX_ABOVE = 12
#: The lead is at most this many words above the text; the picture that the head names may be
#: further above, or have this many words of the text above it.
_MAX_LEAD_WORDS = 150
_MAX_NAMED_LEAD_WORDS = 400
_MAX_WORDS_ABOVE_LEAD = 80
#: Never in the box of one picture: the box would be the page's head, a teaser or a list.
_OUTSIDE = frozenset("h1 h2 h3 h4 h5 h6 time form nav".split())
#: A picture in one of these is the site's, if the element holds nothing of the article.
_SITE = frozenset("nav footer form button aside menu template".split())
#: A box of pictures has at most this many words for each, and more words outside links than in.
_MAX_BOX_WORDS = 80
#: A box is at most this many levels above its picture.
_MAX_LEVELS = 40
_MAX_SOURCES = 20  # of one picture


@dataclass(frozen=True)
class Caption:
    """The words about a picture."""

    #: without the credit
    text: str = ""
    credit: str = ""
    #: its text rows that are not chosen, and so must be added to the HTML
    rows: tuple[int, ...] = ()


def find_caption(
    page: Page, chosen: Mask, hidden: HiddenTexts, picture: int, frame: int, is_lead: bool
) -> Caption:
    """Return the caption of a picture.

    `frame` is the largest element that holds it and no other picture.
    """
    figure = _figure_around(page, picture, frame)
    box = frame if figure is None else figure
    texts = _texts_below(page, box)
    if len(texts) > 1 and page.words[texts].sum() <= _MAX_VERSIONS_WORDS:
        texts = _one_version(page, texts, chosen, hidden)
    if not texts:
        return Caption()
    rows = texts
    if page.tag[box] not in _CAPTION_TAGS:
        rows = [row for row in texts if _is_inside(page, row, box, _CAPTION_TAGS, _CAPTION)]
    if not rows and (figure is not None or not is_lead):
        rows = texts
    most = _MAX_CAPTION_WORDS if figure is not None else _MAX_UNNAMED_WORDS
    if not rows or _count_words(page, rows) > most:
        return Caption()
    credited = {row for row in texts if _is_inside(page, row, box, _CREDIT_TAGS, _CREDIT)}
    if _count_words(page, credited) > _MAX_CREDIT_WORDS:
        credited = set()
    rows = sorted({*rows, *credited})
    text = _joined(page, [row for row in rows if row not in credited])
    credit = _joined(page, sorted(credited)).strip(_AROUND_CREDIT)
    if labelled := _CREDIT_TEXT.match(credit):
        credit = labelled["credit"].strip(_AROUND_CREDIT)
    if not credit and (match := _CREDIT_TEXT.search(text)):
        credit = match["credit"].strip(_AROUND_CREDIT)
        text = text[: match.start()].strip()
    return Caption(text, credit, tuple(row for row in rows if not chosen[row]))


def _count_words(page: Page, rows: Iterable[int]) -> int:
    return sum(int(page.words[row]) for row in rows)


def _figure_around(page: Page, row: int, frame: int) -> int | None:
    """Return the `figure` around a picture, in the frame or the frame itself."""
    while row >= frame and row >= 0:
        if page.tag[row] == "figure":
            return row
        row = page.parents[row]
    return None


def _texts_below(page: Page, box: int) -> list[int]:
    """Return the texts of a box outside of controls."""
    if page.tag[box] in _CONTROLS:
        return []
    find = page.text_rows.searchsorted
    rows = page.text_rows[find(box) : find(page.ends[box] + 1)].tolist()
    return [row for row in rows if not _is_inside(page, row, box, _CONTROLS)]


def _one_version(page: Page, texts: list[int], chosen: Mask, hidden: HiddenTexts) -> list[int]:
    """Return the visible texts, each once.

    A page may have a caption twice: for narrow and for wide screens, or below and on the picture.
    """
    unseen = set(hidden.among(texts))
    seen = [row for row in texts if row not in unseen] or texts
    blocks = [list(rows) for _, rows in groupby(seen, page.block.__getitem__)]
    if len(blocks) < 2:
        return seen
    keys = {rows[0]: comparison_key(_joined(page, rows), " ") for rows in blocks}
    # The version that is in the body already first, then the longest.
    blocks.sort(key=lambda rows: (not chosen[rows[0]], -len(keys[rows[0]])))
    said: list[str] = []
    kept: list[int] = []
    for rows in blocks:
        key = f" {keys[rows[0]]} "
        is_long = key.count(" ") > _MIN_COPIED_WORDS
        if key.isspace() or not any(key == one or (is_long and key in one) for one in said):
            kept += rows
            said.append(key)
    return sorted(kept)


def _is_inside(
    page: Page, row: int, box: int, tags: frozenset[str], names: re.Pattern[str] | None = None
) -> bool:
    """Return whether one of these tags, or an element of such a name, is around a row in a box."""
    while (row := page.parents[row]) > box:
        if page.tag[row] in tags:
            return True
        element = page.element[row]
        if names is not None and element is not None:
            named = (element.get("class"), element.get("itemprop"))
            if any(_is_named(names, name[:_MAX_CLASS]) for name in named if name):
                return True
    return False


@lru_cache(20_000)
def _is_named(names: re.Pattern[str], name: str) -> bool:
    return names.search(name.lower()) is not None


def _joined(page: Page, rows: list[int]) -> str:
    parts: list[str] = []
    for place, row in enumerate(rows):
        if place and page.block[row] != page.block[rows[place - 1]]:
            parts.append(" ")
        parts.append(page.text[row])
    return fold_spaces(visible_text("".join(parts)))


class PictureFields(TypedDict):
    """What an article says of a picture."""

    url: str
    caption: str | None
    credit: str | None
    width: int | None
    height: int | None
    #: `lead` or `inner`
    role: str


@dataclass(frozen=True)
class Picture:
    """One picture and its row."""

    row: int
    source: Source
    alt: str
    caption: Caption
    #: whether it is above the text, beside the headline
    is_lead: bool

    def to_dict(self) -> PictureFields:
        return {
            "url": self.source.url,
            "caption": self.caption.text or None,
            "credit": self.caption.credit or None,
            "width": self.source.width,
            "height": self.source.height,
            "role": "lead" if self.is_lead else "inner",
        }


def find_pictures(page: Page, chosen: Mask, named: str | None = None) -> tuple[Picture, ...]:
    """Return the pictures of the article whose rows are chosen, in document order.

    `named` is the URL of the picture in the page's head: a hint which one is the lead.
    """
    if not any(map(page.elements, _IMAGES)):
        return ()
    texts = page.text_rows[chosen[page.text_rows]]
    first, last = (int(texts[0]), int(texts[-1])) if len(texts) else (-1, -1)
    near = _near(page, chosen, first, last)
    if not len(near):
        return ()
    return tuple(_Finder(page, chosen, first, last).find(near, file_key(named or "")))


def _near(page: Page, chosen: Mask, first: int, last: int) -> Column:
    """Return the pictures that are chosen, between the chosen texts, or not far above them."""
    rows = page.rows(_IMAGES)[:_MAX_PICTURES]
    near = chosen[rows] | chosen[page.parent[rows]]
    if page.elements("figure"):
        figures = page.rows(_FIGURES)
        if len(figures := figures[chosen[figures]]):
            near |= page.below(figures)[rows]
    if first >= 0:
        words_until = np.cumsum(page.words) - page.words
        above = words_until[first] - words_until[rows]
        far = above > _MAX_NAMED_LEAD_WORDS
        far[: max(int(np.searchsorted(rows, first)) - _MAX_ABOVE, 0)] = True
        near |= (rows < last) & ~far
    return rows[near]


class _Finder:
    def __init__(self, page: Page, chosen: Mask, first: int, last: int) -> None:
        self.page = page
        self.base = page.base_url
        #: the first and the last chosen text
        self.first, self.last = first, last
        self.chosen = chosen
        self.boxes = _Boxes(page, chosen)
        self.hidden = HiddenTexts(page)

    def find(self, near: Column, named: str) -> list[Picture]:
        holding = _Elements(self.page, near, self.boxes.words_until)
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
        self.boxes.pictures = list(sources)
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
        pictures = max(boxes.pictures_in(box), 1)
        max_linked = max(words, 6) / (3 if boxes.is_more_than_pictures(box) else 2)
        return words <= _MAX_BOX_WORDS * pictures and boxes.linked_words_in(box) <= max_linked

    def _lead(self, sources: dict[int, Source], inner: set[int], named: str) -> int | None:
        """Return the picture above the text that the head names, or else the nearest."""
        boxes = self.boxes
        words_until = boxes.words_until
        above = [row for row in sources if row < self.first]
        fitting = []
        for row in above:
            frame = boxes.frame(row)
            words = words_until[self.first] - words_until[self.page.ends[frame] + 1]
            is_named = bool(named) and file_key(sources[row].url) == named
            if words > (_MAX_NAMED_LEAD_WORDS if is_named else _MAX_LEAD_WORDS):
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
            if read <= _MAX_WORDS_ABOVE_LEAD and named and file_key(sources[row].url) == named:
                return row
        return None

    def _picture(self, row: int, source: Source, is_lead: bool) -> Picture:
        element = self.page.element[row]
        alt = "" if element is None else element.get("alt") or ""
        frame = self.boxes.frame(row)
        caption = find_caption(self.page, self.chosen, self.hidden, row, frame, is_lead)
        return Picture(row, source, fold_spaces(visible_text(alt)), caption, is_lead)


class _Boxes:
    """The elements around pictures that hold nothing of the text, and the words in them."""

    def __init__(self, page: Page, chosen: Mask) -> None:
        self.page = page
        #: the rows of the pictures that may be the article's, sorted
        self.pictures: list[int] = []
        # Lists, because single values are looked up.
        self.words_until = _prefix_sum(page.words)
        self._chosen_until = _prefix_sum(page.is_text & chosen)
        self._boxes: dict[int, int] = {}
        #: by row: whether an element is named as the site's, and whether a picture is in such a one
        self._named_as_site: dict[int, bool] = {}
        self._of_site: dict[int, bool] = {}

    @cached_property
    def _linked_until(self) -> list[int]:
        return _prefix_sum(self.page.words * self.page.in_link)

    @cached_property
    def _outside_until(self) -> list[int]:
        return _prefix_sum(self.page.tagged(_OUTSIDE))

    def box(self, row: int) -> int:
        """Return the largest element around a picture that holds nothing of the text."""
        if row in self._boxes:
            return self._boxes[row]
        page, box = self.page, row
        for _ in range(_MAX_LEVELS):
            up = page.parents[box]
            if up < 0 or self._count(self._chosen_until, up) or page.tag[up] == "body":
                break
            box = up
        self._boxes[row] = box
        return box

    def frame(self, row: int) -> int:
        """Return the largest element around a picture with no other picture and few words."""
        page = self.page
        for _ in range(_MAX_LEVELS):
            up = page.parents[row]
            if (
                up < 0
                or page.tag[up] == "body"
                or self._count(self._chosen_until, up)
                or self.words_in(up) > _MAX_BOX_WORDS
                or self.pictures_in(up) > 1
                or self.is_more_than_pictures(up)
            ):
                break
            row = up
        return row

    def is_of_site(self, row: int) -> bool:
        """Return whether an element around a picture, up to its box, is named as the site's."""
        if row not in self._of_site:
            parents, least = self.page.parents, max(self.box(row), 0)
            up = parents[row]
            while up >= least and not self._is_named_as_site(up):
                up = parents[up]
            self._of_site[row] = up >= least
        return self._of_site[row]

    def _is_named_as_site(self, row: int) -> bool:
        if row not in self._named_as_site:
            element = self.page.element[row]
            self._named_as_site[row] = self.page.tag[row] in _SITE or (
                element is not None and is_named_as_site(element)
            )
        return self._named_as_site[row]

    def words_in(self, row: int) -> int:
        return self._count(self.words_until, row)

    def linked_words_in(self, row: int) -> int:
        return self._count(self._linked_until, row)

    def is_more_than_pictures(self, row: int) -> bool:
        """Return whether an element holds what is never in the box of one picture."""
        return self._count(self._outside_until, row) > 0

    def pictures_in(self, row: int) -> int:
        return bisect_right(self.pictures, self.page.ends[row]) - bisect_left(self.pictures, row)

    def _count(self, until: list[int], row: int) -> int:
        return until[self.page.ends[row] + 1] - until[row]


def _prefix_sum(values: NDArray[np.generic]) -> list[int]:
    total = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    return total.tolist()


class _Elements:
    """The elements that hold a picture: itself, its sources, and its copies in `noscript`."""

    def __init__(self, page: Page, pictures: Column, words_until: Sequence[int]) -> None:
        self.page = page
        self._copies = _noscript_copies(page, pictures, words_until)
        self._sources: dict[int, list[etree._Element]] = {}

    def of(self, row: int) -> list[etree._Element]:
        """Return the elements that hold the picture of a row; none for a copy of another one."""
        page = self.page
        if row not in self._copies:
            return []
        found = [page.element[row]]
        around = page.parents[row]
        while page.tag[around] == "source":  # libxml2 puts what follows a source inside it
            around = page.parents[around]
        if page.tag[around] == "picture":
            found += self._sources_in(around)
        found += [page.element[copy] for copy in self._copies[row][:_MAX_SOURCES]]
        return [element for element in found if element is not None]

    def _sources_in(self, picture: int) -> list[etree._Element]:
        """Return the `source` elements of a `picture`, found once for all pictures in it."""
        if picture not in self._sources:
            element = self.page.element[picture]
            found = () if element is None else element.iter("source")
            self._sources[picture] = list(islice(found, _MAX_SOURCES))
        return self._sources[picture]


def _noscript_copies(
    page: Page, pictures: Column, words_until: Sequence[int]
) -> dict[int, list[int]]:
    """Return the copies in `noscript` of each picture; one that copies none is a picture itself.

    `words_until` counts the words before each row: there are none between a picture and its copy.
    """
    if not page.elements("noscript"):
        return {row: [] for row in pictures.tolist()}
    noscripts = page.rows(frozenset({"noscript"}))
    hidden = page.below(noscripts)
    shown = pictures[~hidden[pictures]]
    copies: dict[int, list[int]] = {row: [] for row in shown.tolist()}
    for row in pictures[hidden[pictures]].tolist():
        place = int(np.searchsorted(shown, row))
        around = int(page.parent[noscripts[np.searchsorted(noscripts, row) - 1]])
        within = max(page.parents[around], 0)
        for other in shown[max(place - 1, 0) : place + 1].tolist():
            low, high = min(row, other), max(row, other)
            is_inside = within <= low and high <= page.ends[within]
            if is_inside and words_until[low] == words_until[high]:
                copies[other].append(row)
                break
        else:
            copies[row] = []
    return dict(sorted(copies.items()))
