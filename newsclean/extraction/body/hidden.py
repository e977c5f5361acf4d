"""Text that nobody sees: for screen readers alone, or hidden by the page's own CSS.

Frameworks that stream keep the article itself in `<div hidden>`, and some pages show theirs by
script only. So hiding is a hint: what would take a good part of the text away is not followed, but
for hidden boxes with a headline and a date of their own, which are the articles to come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.text import comparison_key, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


#: Hidden text with more than this share of the chosen characters is the article, shown later.
_MAX_SHARE = 0.2
#: Beside hidden boxes that are articles of their own, at least this much of the page's own is left.
_MIN_ARTICLE_WORDS = 100
#: Such a box has its headline among its first blocks, and its date in a short line after that.
_HEADLINES = frozenset({"h1", "h2", "h3"})
_MAX_BLOCKS_TO_HEADLINE = 3
_MAX_BLOCKS_TO_DATE = 6
_MAX_DATE_LINE = 80  # characters
_MAX_NAME = 500  # characters of a class
_MAX_STYLE = 2_000_000  # characters of the page's own style sheets

#: Style sheets of which the hidden names are remembered: a site's pages have the same ones.
MAX_SHEETS = 300
MAX_REMEMBERED = 500  # names of one
_names_by_sheet: dict[int, frozenset[str]] = {}

_FOR_SCREEN_READERS = re.compile(
    r"(?:^|[\s_-])(?:sr-?only|visually-?hidden|hidden-?visually|screen-?readers?(?:-?text|-?only)?|"
    r"a11y-?(?:hidden|text|only)|assistive-?text|show-for-sr|element-invisible)(?:$|[\s_-])",
    re.I,
)
_DATE = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d)(?!\d)")
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
#: The same for style sheets, which are long: each begins with letters that are found fast.
_HIDING_RULES = (re.compile(r"display\s*:\s*none"), re.compile(r"visibility\s*:\s*hidden"))
#: A selector of one class or id, with or without a tag.
_SELECTOR = re.compile(r"[a-z0-9]*([.#][\w-]+)")


class HiddenTexts:
    """Which texts of a page a reader does not see; each element around them is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        #: the outermost hidden element around or at a row, -1 if there is none
        self._box: dict[int, int] = {-1: -1}

    @cached_property
    def _names(self) -> frozenset[str]:
        return _hidden_names(self.page)

    def among(self, texts: Iterable[int]) -> list[int]:
        """The hidden ones of these rows."""
        box, parents, find = self._box, self.page.parents, self._find_box
        return [row for row in texts if (box[up] if (up := parents[row]) in box else find(up)) >= 0]

    def box(self, text: int) -> int:
        """The outermost hidden element around a text, -1 if there is none."""
        up = self.page.parents[text]
        return self._box[up] if up in self._box else self._find_box(up)

    def _find_box(self, row: int) -> int:
        unknown = []
        while row not in self._box:
            unknown.append(row)
            row = self.page.parents[row]
        box = self._box[row]
        for inner in reversed(unknown):
            element = self.page.element[inner]
            if box < 0 and element is not None and _hides(element, self._names):
                box = inner
            self._box[inner] = box
        return box


def hidden_texts(page: Page, chosen: Mask) -> Mask | None:
    """The chosen texts that a reader does not see; None if there are none, or too many."""
    texts = page.text_rows[chosen[page.text_rows]]
    hiding = HiddenTexts(page)
    found = hiding.among(texts.tolist())
    if not found:
        return None
    if page.chars[found].sum() > _MAX_SHARE * page.chars[texts].sum():
        found = _in_other_articles(page, hiding, found, int(texts[0]))
        if page.words[texts].sum() - page.words[found].sum() < _MIN_ARTICLE_WORDS:
            return None
    hidden = np.zeros(len(page), dtype=bool)
    hidden[found] = True
    return hidden if found else None


def _in_other_articles(page: Page, hiding: HiddenTexts, texts: list[int], first: int) -> list[int]:
    """The hidden texts in boxes after the first text that are articles of their own."""
    boxes = {row: hiding.box(row) for row in texts}
    title = comparison_key(page.title, " ")
    others = {
        box for box in set(boxes.values()) if box > first and _is_other_article(page, box, title)
    }
    return [row for row in texts if boxes[row] in others]


def _is_other_article(page: Page, box: int, title: str) -> bool:
    """Whether a box begins with a headline that is a link or of the first rank, and a date.

    The page's own headline is not one of another article.
    """
    blocks = page.blocks
    low, high = blocks.row.searchsorted((box, page.end[box] + 1)).tolist()
    for block in range(low, min(low + _MAX_BLOCKS_TO_HEADLINE, high)):
        row = int(blocks.row[block])
        tags = {page.tag[row]} | {page.tag[up] for up in _up_to(page, row, box)}
        if _HEADLINES.isdisjoint(tags):
            continue
        lines = blocks.text[block + 1 : min(block + 1 + _MAX_BLOCKS_TO_DATE, high)]
        return (
            ("h1" in tags or bool(page.in_link[row]))
            and comparison_key(blocks.text[block], " ") not in title
            and any(len(line) <= _MAX_DATE_LINE and _DATE.search(line) for line in lines)
        )
    return False


def _up_to(page: Page, row: int, box: int) -> Iterator[int]:
    while (row := page.parents[row]) >= box:
        yield row


def _hides(element: etree._Element, names: frozenset[str]) -> bool:
    attributes = element.keys()
    if not attributes:  # as most paragraphs are
        return False
    if "hidden" in attributes or (
        "style" in attributes and _HIDES.search(element.get("style", ""))
    ):
        return True
    class_ = element.get("class") if "class" in attributes else None
    if class_ and _is_for_screen_readers(class_[:_MAX_NAME]):
        return True
    if not names:
        return False
    return f"#{element.get('id')}" in names or any(
        f".{name}" in names for name in (class_ or "").split()
    )


@lru_cache(20_000)
def _is_for_screen_readers(name: str) -> bool:
    return _FOR_SCREEN_READERS.search(name) is not None


def _hidden_names(page: Page) -> frozenset[str]:
    """The classes and ids that the page's own CSS hides, on screens of any size.

    >>> from newsclean.extraction.page import Page
    >>> css = ".a, #b{display:none} @media print{.c{display:none}} .d .e{display:none}"
    >>> sorted(_hidden_names(Page.from_html(f"<style>{css}</style><p>Rain")))
    ['#b', '.a']
    """
    found: frozenset[str] = frozenset()
    left = _MAX_STYLE
    for style in page.elements("style"):
        css = style.text or ""
        left -= len(css)
        if left < 0:
            break
        key = xxhash.xxh3_64_intdigest(css.encode("utf-8", "surrogatepass"))
        names = _names_by_sheet.get(key)
        if names is None:
            names = _names_hidden_by(css)
            if len(_names_by_sheet) >= MAX_SHEETS:
                _names_by_sheet.clear()
            if len(names) <= MAX_REMEMBERED:
                _names_by_sheet[key] = names
        found |= names
    return found


def _names_hidden_by(css: str) -> frozenset[str]:
    """The classes and ids that one style sheet hides."""
    found: set[str] = set()
    place = depth = 0
    lowered = css.lower()
    if len(lowered) != len(css):  # a letter became two: the places would be others
        lowered = css
    for start in sorted(m.start() for rule in _HIDING_RULES for m in rule.finditer(lowered)):
        depth += css.count("{", place, start) - css.count("}", place, start)
        before, place = place, start
        if depth != 1:  # within @media
            continue
        opened = css.rfind("{", before, place)
        begins = max(css.rfind(sign, before, opened) for sign in "};/")
        if opened >= 0:
            selectors = css[max(begins, before - 1) + 1 : opened].split(",")
            matches = (_SELECTOR.fullmatch(selector.strip()) for selector in selectors)
            found.update(match[1] for match in matches if match)
    return frozenset(found)


# What is said of a picture: its caption, and who made it.

_MAX_CAPTION_WORDS = 80
#: A text beside a picture that nothing calls a caption is one up to this many words.
_MAX_UNNAMED_WORDS = 40
_MAX_CREDIT_WORDS = 15
_MAX_CAPTION_CLASS = 300  # characters of a class
#: A box with at most this many words may have its caption several times.
_MAX_VERSIONS_WORDS = 4 * _MAX_CAPTION_WORDS
#: A caption with this many words that are all in another one is a copy of it.
_MIN_COPIED_WORDS = 5
#: Their words are for hands, not for eyes: "Enlarge", "Share".
_CONTROLS = frozenset("button select option label noscript".split())

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
    if len(texts) > 1 and page.words[texts].sum() <= _MAX_VERSIONS_WORDS:
        texts = _one_version(page, texts, chosen, hidden)
    if not texts:
        return Caption()
    rows = [row for row in texts if _is_below(page, row, box, "figcaption", _CAPTION)]
    if not rows and (figure is not None or not is_lead):
        rows = texts
    most = _MAX_CAPTION_WORDS if figure is not None else _MAX_UNNAMED_WORDS
    if not rows or _count_words(page, rows) > most:
        return Caption()
    credited = {row for row in texts if _is_below(page, row, box, _CREDIT_TAGS, _CREDIT)}
    if _count_words(page, credited) > _MAX_CREDIT_WORDS:
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
    return [row for row in rows if not _is_below(page, row, box, _CONTROLS, None)]


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
        is_long = key.count(" ") > _MIN_COPIED_WORDS
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
            if any(_is_named(names, name[:_MAX_CAPTION_CLASS]) for name in named if name):
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
