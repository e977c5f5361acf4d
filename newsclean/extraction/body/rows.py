"""Turn the rows that a method has chosen into the body of the article, and render it as text.

The body has text, subheadings, list items, quotes and tables. Left out are the headline and what is
above it, the line with author and date, and captions, where a method has chosen them along with the
text; `hybrid` has learned to leave them out itself (`Choice.is_body`). Left out as well are hidden
text and posts from other sites, which the HTML shows as quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from newsclean.extraction.body.embeds import QUOTES, find_embeds
from newsclean.extraction.body.hidden import hidden_texts
from newsclean.extraction.page.tables import data_tables
from newsclean.extraction.text import comparison_key, fold_spaces, visible_text

if TYPE_CHECKING:
    from newsclean.extraction.body.embeds import Embed
    from newsclean.extraction.methods import Choice
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
    >>> from newsclean.extraction.methods import Choice
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
