"""Find text that no reader sees: meant for screen readers only, or hidden by the page's own CSS.

Frameworks that stream keep the article itself in `<div hidden>`, and some pages show theirs by
script only. So hiding is a hint: it is not followed where it would remove a good part of the text,
except for hidden boxes with a headline and a date of their own, which are the next articles.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.extraction.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


#: Hidden text with more than this share of the chosen characters is the article, visible later.
_MAX_SHARE = 0.2
#: Without hidden boxes that are articles of their own, at least this much must be left.
_MIN_ARTICLE_WORDS = 100
#: Such a box has a headline among its first blocks, and a date in a short line after it.
_HEADLINES = frozenset({"h1", "h2", "h3"})
_MAX_BLOCKS_TO_HEADLINE = 3
_MAX_BLOCKS_TO_DATE = 6
_MAX_DATE_LINE = 80  # characters
_MAX_NAME = 500  # characters of a class
_MAX_STYLE = 2_000_000  # characters of the page's own style sheets

#: Style sheets whose hidden names are remembered, by their hashes: pages of a site share them.
_MAX_SHEETS = 300
_MAX_REMEMBERED = 500  # names of one
_names_by_sheet: dict[int, frozenset[str]] = {}

_FOR_SCREEN_READERS = re.compile(
    r"(?:^|[\s_-])(?:sr-?only|visually-?hidden|hidden-?visually|screen-?readers?(?:-?text|-?only)?|"
    r"a11y-?(?:hidden|text|only)|assistive-?text|show-for-sr|element-invisible)(?:$|[\s_-])",
    re.I,
)
_DATE = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d)(?!\d)")
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
#: The same for style sheets, which are long: a pattern that begins with letters is found fast.
_HIDING_RULES = (re.compile(r"display\s*:\s*none"), re.compile(r"visibility\s*:\s*hidden"))
#: A selector of one class or id, with or without a tag.
_SELECTOR = re.compile(r"[a-z0-9]*([.#][\w-]+)")


class HiddenTexts:
    """The hidden texts of a page; each element around them is looked at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        #: by row: the outermost hidden element at or around it, -1 if there is none
        self._box: dict[int, int] = {-1: -1}

    @cached_property
    def _names(self) -> frozenset[str]:
        return _hidden_names(self.page)

    def among(self, texts: Iterable[int]) -> list[int]:
        """Return the hidden ones of these rows."""
        box, parents, find = self._box, self.page.parents, self._find_box
        return [row for row in texts if (box[up] if (up := parents[row]) in box else find(up)) >= 0]

    def box(self, text: int) -> int:
        """Return the outermost hidden element around a text, -1 if there is none."""
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
    """Return the chosen texts that no reader sees; None if there are none, or too many."""
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
    """Return the hidden texts in boxes after the first text that are articles of their own."""
    boxes = {row: hiding.box(row) for row in texts}
    title = comparison_key(page.title, " ")
    others = {
        box for box in set(boxes.values()) if box > first and _is_other_article(page, box, title)
    }
    return [row for row in texts if boxes[row] in others]


def _is_other_article(page: Page, box: int, title: str) -> bool:
    """Return whether a box begins with a headline, an `h1` or a link, and a date.

    The page's own headline does not count.
    """
    blocks = page.blocks
    low, high = blocks.row.searchsorted((box, page.end[box] + 1)).tolist()
    for block in range(low, min(low + _MAX_BLOCKS_TO_HEADLINE, high)):
        row = int(blocks.row[block])
        tags = set()
        while row >= box:
            tags.add(page.tag[row])
            row = page.parents[row]
        if _HEADLINES.isdisjoint(tags):
            continue
        lines = blocks.text[block + 1 : min(block + 1 + _MAX_BLOCKS_TO_DATE, high)]
        return (
            ("h1" in tags or bool(page.in_link[blocks.row[block]]))
            and comparison_key(blocks.text[block], " ") not in title
            and any(len(line) <= _MAX_DATE_LINE and _DATE.search(line) for line in lines)
        )
    return False


def _hides(element: etree._Element, names: frozenset[str]) -> bool:
    attributes = element.keys()
    if not attributes:  # most paragraphs
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
    """Return the classes and ids that the page's own CSS hides on screens of any size.

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
            if len(_names_by_sheet) >= _MAX_SHEETS:
                _names_by_sheet.clear()
            if len(names) <= _MAX_REMEMBERED:
                _names_by_sheet[key] = names
        found |= names
    return found


def _names_hidden_by(css: str) -> frozenset[str]:
    found: set[str] = set()
    place = depth = 0
    lowered = css.lower()
    if len(lowered) != len(css):  # a letter became two: the places would differ
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
