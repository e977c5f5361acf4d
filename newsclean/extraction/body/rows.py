"""Turn the rows that a method has chosen into the body of the article, and render it as text.

The body has text, subheadings, list items, quotes and tables. Left out are the headline and what is
above it, the line with author and date, and captions, where a method has chosen them along with the
text; `hybrid` has learned to leave them out itself (`Choice.is_body`). Left out as well are posts
from other sites, which the HTML shows as quotes, and text that no reader sees: meant for screen
readers only, or hidden by the page's own CSS.

Frameworks that stream keep the article itself in `<div hidden>`, and some pages show theirs by
script only. So hiding is a hint: it is not followed where it would remove a good part of the text,
except for hidden boxes with a headline and a date of their own, which are the next articles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
import xxhash

from newsclean.extraction.body.embeds import QUOTES, find_embeds
from newsclean.extraction.page.tables import data_tables
from newsclean.extraction.text import comparison_key, fold_spaces, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

    from newsclean.extraction.body.embeds import Embed
    from newsclean.extraction.methods.chain import Choice
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

_HEADLINE = frozenset({"h1"})
CAPTIONS = frozenset({"figcaption"})
_PICTURES = frozenset({"img", "picture", "video"})
#: A picture in one of these is part of the running text, not of a box with its caption.
_RUNNING = frozenset({"p", "td", "body", "li"})

#: A branch with more than this share of the chosen text is not left out because of its tag.
_MAX_DROPPED_SHARE = 0.3
#: The headline is among this many first blocks, and before this share of the words.
_MAX_HEADLINE_BLOCKS = 12
_MAX_HEADLINE_SHARE = 0.25
#: Shorter texts are found in a title by chance.
_MIN_HEADLINE = 10  # characters
#: A block above the headline with more words is a paragraph.
_MAX_KICKER_WORDS = 12
#: A line with author or date is among this many blocks after the headline, and has at most this
#: many words.
_MAX_BYLINE_BLOCKS = 6
_MAX_BYLINE_WORDS = 15
_MAX_DATELINE_WORDS = 10
#: A box with a picture and at most this many words, at most this many levels above the text, holds
#: the picture and its caption.
_MAX_CAPTION_WORDS = 40
_MAX_CAPTION_LEVELS = 5

_DATE = re.compile(r"\b(?:\d{1,2}[:.]\d\d|(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})\b")


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
_DATE_OR_TIME = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d\d)(?!\d)"
)
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
#: The same for style sheets, which are long: a pattern that begins with letters is found fast.
_HIDING_RULES = (re.compile(r"display\s*:\s*none"), re.compile(r"visibility\s*:\s*hidden"))
#: A selector of one class or id, with or without a tag.
_SELECTOR = re.compile(r"[a-z0-9]*([.#][\w-]+)")


class HeadlineAndAuthors(Protocol):
    """The metadata by which headline and byline are left out."""

    @property
    def headline(self) -> str | None: ...

    @property
    def authors(self) -> list[str]: ...


@dataclass(frozen=True, eq=False)
class Body:
    """The rows of an article's text and of its HTML."""

    page: Page
    metadata: HeadlineAndAuthors
    #: rows of the plain text
    text: Mask
    #: rows of the HTML, which may hold captions
    html: Mask
    #: posts and players in the article
    embeds: tuple[Embed, ...] = ()

    @cached_property
    def headline(self) -> str | None:
        """The headline visible above the text: the longest block that is in the page's title."""
        blocks = self.page.blocks
        first = np.flatnonzero(blocks.sum(self.page.words * self.text))[:1].tolist()
        above = blocks.text[: first[0]] if first else []
        titles = _titles(self.page, self.metadata)
        most = 2 * max(map(len, titles.split("\n")))
        longest_first = sorted([t for t in above if len(t) <= most], key=len, reverse=True)
        return next((t for t in longest_first if _is_headline(t, titles)), None)


def body_of(page: Page, choice: Choice, metadata: HeadlineAndAuthors) -> Body:
    """Return the chosen rows without headline, byline, captions, embeds and hidden text."""
    text = html = choice.rows
    if not choice.is_body:
        text, html = _text_and_html(page, choice.rows, metadata)
    if (hidden := hidden_texts(page, html)) is not None:
        text, html = text & ~hidden, html & ~hidden
    embeds = find_embeds(page, html)
    posts = [embed.row for embed in embeds if page.tag[embed.row] in QUOTES]
    if posts:
        text = text & ~page.below(np.array(posts))
    return Body(page, metadata, text, html, embeds)


def _text_and_html(page: Page, chosen: Mask, metadata: HeadlineAndAuthors) -> tuple[Mask, Mask]:
    """Return the chosen rows without headline and byline: without captions, and with them."""
    html = without(page, _without_blocks(page, chosen, _head(page, chosen, metadata)), _HEADLINE)
    text = without(page, html, CAPTIONS)
    bare = _without_blocks(page, text, _captions(page, text))
    is_most_left = 2 * page.words[bare].sum() > page.words[text].sum()  # else not captions
    return bare if is_most_left else text, html


def without(page: Page, chosen: Mask, tags: frozenset[str]) -> Mask:
    """Return the chosen rows outside these tags.

    A tag that holds a good part of them stays, and so do all tags if nothing else would be left.
    """
    rows = page.rows(tags)
    if not len(rows):
        return chosen
    weight = page.subtree(page.chars * chosen)
    left = chosen & ~page.below(rows[weight[rows] <= _MAX_DROPPED_SHARE * weight[0]])
    return left if (left & page.is_text).any() else chosen


def _titles(page: Page, metadata: HeadlineAndAuthors) -> str:
    """Return the page's titles as comparison keys, a line each."""
    titles = (page.title, metadata.headline or "")
    return "\n".join([comparison_key(title, " ") for title in titles])


def _is_headline(text: str, titles: str) -> bool:
    if len(text) < _MIN_HEADLINE and text.isascii():  # most of a menu
        return False
    key = comparison_key(text, " ")
    return len(key) >= _MIN_HEADLINE and key in titles


def _head(page: Page, chosen: Mask, metadata: HeadlineAndAuthors) -> list[int]:
    """Return the chosen blocks that are headline, kicker, byline or date."""
    text = page.blocks.text
    titles = _titles(page, metadata)
    words = page.blocks.sum(page.words * chosen)
    filled = np.flatnonzero(words).tolist()
    drop: list[int] = []
    start = 0
    most = _MAX_HEADLINE_SHARE * int(words.sum()) + _MAX_KICKER_WORDS
    seen = np.cumsum(words[filled[:_MAX_HEADLINE_BLOCKS]]).tolist()
    for position, block in enumerate(filled[: len(seen)]):
        if seen[position] > most:
            break
        if _is_headline(text[block], titles):
            drop = [above for above in filled[:position] if words[above] <= _MAX_KICKER_WORDS]
            drop.append(block)
            start = position + 1
            break
    authors = [key for name in metadata.authors if (key := comparison_key(name, " "))]
    # "AP" is not in "Japan"; where words are not spaced, a name may be anywhere.
    authors = [f" {name} " if name.isascii() else name for name in authors]
    for block in filled[start : start + _MAX_BYLINE_BLOCKS]:
        count = int(words[block])
        if count > 2 * _MAX_DATELINE_WORDS:
            break
        named = count <= _MAX_BYLINE_WORDS and any(
            name in f" {comparison_key(text[block], ' ')} " for name in authors
        )
        if named or (count <= _MAX_DATELINE_WORDS and _DATE.search(text[block])):
            drop.append(block)
    return drop


def _captions(page: Page, chosen: Mask) -> list[int]:
    """Return the blocks that share a small box with a picture and nothing else."""
    pictures = page.rows(_PICTURES)
    if not len(pictures):
        return []
    pictured = np.zeros(len(page), dtype=np.int64)
    pictured[pictures] = 1
    pictured = page.subtree(pictured)
    words = page.words * chosen
    within = page.subtree(words)
    counts = page.blocks.sum(words)
    found = []
    for block in np.flatnonzero((counts > 0) & (counts <= _MAX_CAPTION_WORDS)).tolist():
        box = int(page.parent[page.blocks.row[block]])
        for _ in range(_MAX_CAPTION_LEVELS):
            if box < 0 or within[box] > _MAX_CAPTION_WORDS:
                break
            if pictured[box] and page.tag[box] not in _RUNNING:
                found.append(block)
                break
            box = page.parents[box]
    return found


def _without_blocks(page: Page, rows: Mask, blocks: list[int]) -> Mask:
    if not blocks:
        return rows
    dropped = np.zeros(len(page.blocks), dtype=bool)
    dropped[blocks] = True
    left = rows.copy()
    left[page.text_rows[dropped[page.blocks.of_text]]] = False
    return left


def render_text(page: Page, chosen: Mask) -> str:
    """Return the chosen text, with a blank line between paragraphs and a line per table row.

    >>> from newsclean.extraction.page import Page
    >>> from newsclean.extraction.methods.chain import Choice
    >>> page = Page.from_html("<p>Rain, <b>then</b> snow.<ul><li>One<li>Two</ul>")
    >>> print(render_text(page, Choice.everything(page).rows))
    Rain, then snow.
    <BLANKLINE>
    One
    <BLANKLINE>
    Two
    """
    rows = page.text_rows[chosen[page.text_rows]]
    in_table = data_tables(page, chosen) if page.elements("table") else None
    paragraphs: list[str] = []
    pieces: list[str] = []
    last_block = -1
    last_line = -1  # the `tr` of the last text

    def table_of(line: int) -> int:
        return _ancestor(page, line, "table")

    def flush(line: int) -> None:
        nonlocal last_line
        text = _normalize_space(visible_text("".join(pieces)))
        pieces.clear()
        if not text:
            return
        if line >= 0 and line == last_line:
            paragraphs[-1] += f"\t{text}"
        elif line >= 0 and last_line >= 0 and table_of(line) == table_of(last_line):
            paragraphs[-1] += f"\n{text}"
        else:
            paragraphs.append(text)
        last_line = line

    line = -1
    before = -1  # the number of the last text among all texts of the page
    places = np.flatnonzero(chosen[page.text_rows]).tolist()
    blocks = page.block[rows].tolist()
    for row, block, place in zip(rows.tolist(), blocks, places, strict=True):
        if block != last_block:
            flush(line)
            last_block = block
            line = _ancestor(page, row, "tr") if in_table is not None and in_table[row] else -1
        elif place > before + 1:
            pieces.append(" ")  # in place of texts that are left out
        before = place
        pieces.append(page.text[row])
    flush(line)
    return "\n\n".join(paragraphs)


def _normalize_space(text: str) -> str:
    """Return a text with single spaces, and the line feeds of `<br>`."""
    if "\n" not in text:
        return fold_spaces(text)
    return "\n".join(filter(None, map(fold_spaces, text.split("\n"))))


def _ancestor(page: Page, row: int, tag: str) -> int:
    while row >= 0 and page.tag[row] != tag:
        row = page.parents[row]
    return row


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
            and any(len(line) <= _MAX_DATE_LINE and _DATE_OR_TIME.search(line) for line in lines)
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
