"""What is said of a picture: its caption, and who made it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from newsclean.metadata.text import comparison_key, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.page import Page
    from newsclean.page.columns import Mask
    from newsclean.render.hidden import HiddenTexts

MAX_CAPTION_WORDS = 80
#: A text beside a picture that nothing calls a caption is one up to this many words.
MAX_UNNAMED_WORDS = 40
MAX_CREDIT_WORDS = 15
MAX_NAME = 300  # characters of a class
#: A box with at most this many words may have its caption several times.
MAX_VERSIONS_WORDS = 4 * MAX_CAPTION_WORDS
#: A caption with this many words that are all in another one is a copy of it.
MIN_COPIED_WORDS = 5
#: Their words are for hands, not for eyes: "Enlarge", "Share".
CONTROLS = frozenset("button select option label noscript".split())

_CAPTION = re.compile(
    r"caption|legend|leyenda|bildunter|bildtext|didascalia|piedefoto|pie-de|epigrafe|undertekst"
)
_CREDIT = re.compile(
    r"credit|copyright|photographer|fotograf|rights|source|quelle|agency|byline|autor|author|"
    r"attribution"
)
_CREDIT_TAGS = frozenset({"small", "cite"})
_CREDIT_TEXT = re.compile(
    r"[\s(\[|–—-]{0,8}(?:\b(?:photo(?:s|graph)?|foto(?:s|graf\w*)?|image|images|picture|"
    r"bild(?:er)?|credits?|cr[ée]dits?(?: photo)?|cr[ée]ditos?|source|quelle|fuente|fonte)"
    r"\s?(?::|/| by )|©|\(c\)|copyright)\s*(?P<credit>.{2,120})$",
    re.I,
)


@dataclass(frozen=True)
class Caption:
    """The words below a picture."""

    #: without the credit
    text: str = ""
    credit: str = ""
    #: the text rows that the HTML must add to show it, because the article has not chosen them
    rows: tuple[int, ...] = ()


def find_caption(
    page: Page, chosen: Mask, hidden: HiddenTexts, picture: int, frame: int, is_lead: bool
) -> Caption:
    """The caption of a picture, from the element that holds it and no other picture."""
    figure = _figure_around(page, picture, frame)
    box = frame if figure is None else figure
    texts = _texts_below(page, box)
    if len(texts) > 1 and page.words[texts].sum() <= MAX_VERSIONS_WORDS:
        texts = _one_version(page, texts, chosen, hidden)
    if not texts:
        return Caption()
    rows = [row for row in texts if _is_below(page, row, box, "figcaption", _CAPTION)]
    if not rows and (figure is not None or not is_lead):
        rows = texts
    most = MAX_CAPTION_WORDS if figure is not None else MAX_UNNAMED_WORDS
    if not rows or _count_words(page, rows) > most:
        return Caption()
    credited = {row for row in texts if _is_below(page, row, box, _CREDIT_TAGS, _CREDIT)}
    if _count_words(page, credited) > MAX_CREDIT_WORDS:
        credited = set()
    rows = sorted({*rows, *credited})
    text = _joined(page, [row for row in rows if row not in credited])
    credit = _joined(page, sorted(credited)).strip(" ()[]|–—")
    if labelled := _CREDIT_TEXT.match(credit):
        credit = labelled["credit"].strip(" ()[]|–—")
    if not credit and (match := _CREDIT_TEXT.search(text)):
        credit = match["credit"].strip(" ()[]|–—")
        text = text[: match.start()].strip()
    return Caption(text, credit, tuple(row for row in rows if not chosen[row]))


def _count_words(page: Page, rows: Iterable[int]) -> int:
    return sum(int(page.words[row]) for row in rows)


def _figure_around(page: Page, row: int, frame: int) -> int | None:
    """The `figure` around a picture: within the box that holds no other picture, or that box."""
    while row >= frame and row >= 0:
        if page.tag[row] == "figure":
            return row
        row = page.parents[row]
    return None


def _texts_below(page: Page, box: int) -> list[int]:
    find = page.text_rows.searchsorted
    rows = page.text_rows[find(box) : find(page.ends[box] + 1)].tolist()
    return [row for row in rows if not _is_below(page, row, box, CONTROLS, None)]


def _one_version(page: Page, texts: list[int], chosen: Mask, hidden: HiddenTexts) -> list[int]:
    """The texts that are visible, and each of them once.

    Some pages have a caption twice, for narrow screens and for wide ones, or below the picture and
    on it.
    """
    unseen = set(hidden.among(texts))
    seen = [row for row in texts if row not in unseen] or texts
    blocks = [list(rows) for _, rows in groupby(seen, page.block.__getitem__)]
    if len(blocks) < 2:
        return seen
    keys = {rows[0]: comparison_key(_joined(page, rows), " ") for rows in blocks}
    # What is in the body already first, then the version that says most.
    blocks.sort(key=lambda rows: (not chosen[rows[0]], -len(keys[rows[0]])))
    said: list[str] = []
    kept: list[int] = []
    for rows in blocks:
        key = f" {keys[rows[0]]} "
        is_long = key.count(" ") > MIN_COPIED_WORDS
        if key.isspace() or not any(key == one or (is_long and key in one) for one in said):
            kept += rows
            said.append(key)
    return sorted(kept)


def _is_below(
    page: Page,
    row: int,
    box: int,
    tags: str | frozenset[str],
    names: re.Pattern[str] | None,
) -> bool:
    """Whether a row of a box is inside one of these tags, or inside an element of such a name."""
    while row > box:
        row = page.parents[row]
        if row == box and names is not None:
            return page.tag[row] == tags
        element = page.element[row]
        if page.tag[row] == tags or (not isinstance(tags, str) and page.tag[row] in tags):
            return True
        if names is not None and element is not None:
            named = (element.get("class"), element.get("itemprop"))
            if any(_is_named(names, name[:MAX_NAME]) for name in named if name):
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
    return " ".join(visible_text("".join(parts)).split())
