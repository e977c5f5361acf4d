"""Find the caption of a picture and its credit: who made the picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from newsclean.extraction.text import comparison_key, fold_spaces, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.extraction.body.hidden import HiddenTexts
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


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
