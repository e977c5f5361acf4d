"""What the body holds: text, subheadings, list items, quotes, tables.

It does not hold the headline and what is above it, the line with author and date, and the
captions of pictures, wherever a method has chosen them along with the text. `hybrid` has learned to
leave them out itself (`Choice.is_body`). Nor does it hold what nobody sees, and posts from
elsewhere, which the HTML shows as quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from newsclean.extraction.body.embeds import QUOTES, find_embeds
from newsclean.extraction.body.hidden import hidden_texts
from newsclean.extraction.page.tables import data_tables
from newsclean.text import comparison_key, fold_spaces, visible_text

if TYPE_CHECKING:
    from newsclean.extraction.body.embeds import Embed
    from newsclean.extraction.methods import Choice
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


HEADLINE = frozenset({"h1"})
CAPTIONS = frozenset({"figcaption"})
_PICTURES = frozenset({"img", "picture", "video"})
#: Around these a picture is part of the running text, not of a box with its caption.
RUNNING = frozenset({"p", "td", "body", "li"})

#: A tag name says little about a branch that holds this much of the chosen text.
_MAX_DROPPED_SHARE = 0.3
#: The headline is among at most this many first blocks, and before this share of the words.
_MAX_HEADLINE_BLOCKS = 12
_MAX_HEADLINE_SHARE = 0.25
#: Shorter titles are found in any text by chance.
_MIN_HEADLINE = 10  # characters
#: A block above the headline with more words than this is a paragraph.
_MAX_KICKER_WORDS = 12
#: A line with author or date is among at most this many blocks after the headline, and has at
#: most this many words.
_MAX_BYLINE_BLOCKS = 6
_MAX_BYLINE_WORDS = 15
_MAX_DATELINE_WORDS = 10
#: A box with a picture and at most this many words, at most this many levels above the text, is a
#: picture and its caption.
_MAX_CAPTION_WORDS = 40
_MAX_CAPTION_LEVELS = 5

_DATE = re.compile(r"\b(?:\d{1,2}[:.]\d\d|(?:19|20)\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})\b")


class HeadlineAndAuthors(Protocol):
    """What a body must know of the page's metadata, to leave headline and byline out."""

    @property
    def headline(self) -> str | None: ...

    @property
    def authors(self) -> list[str]: ...


@dataclass(frozen=True, eq=False)
class Body:
    """The rows of an article by where they are shown."""

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
        """The headline as the page shows it above the text, if it is there.

        It is the longest block there that appears in the page's title as well.
        """
        blocks = self.page.blocks
        first = np.flatnonzero(blocks.sum(self.page.words * self.text))[:1].tolist()
        above = blocks.text[: first[0]] if first else []
        titles = _titles(self.page, self.metadata)
        most = 2 * max(map(len, titles.split("\n")))
        longest_first = sorted([t for t in above if len(t) <= most], key=len, reverse=True)
        return next((t for t in longest_first if _is_headline(t, titles)), None)


def body_of(page: Page, choice: Choice, metadata: HeadlineAndAuthors) -> Body:
    """The chosen rows without headline, byline, captions, embeds and hidden text."""
    body = _chosen_body(page, choice, metadata)
    text, html = body.text, body.html
    if (hidden := hidden_texts(page, html)) is not None:
        text, html = text & ~hidden, html & ~hidden
    embeds = find_embeds(page, html)
    posts = [embed.row for embed in embeds if page.tag[embed.row] in QUOTES]
    if posts:
        text = text & ~page.below(np.array(posts))
    return replace(body, text=text, html=html, embeds=embeds)


def _chosen_body(page: Page, choice: Choice, metadata: HeadlineAndAuthors) -> Body:
    chosen = choice.rows
    if choice.is_body:
        return Body(page, metadata, chosen, chosen)
    titles = _titles(page, metadata)
    html = without(
        page, _without_blocks(page, chosen, _head(page, chosen, titles, metadata)), HEADLINE
    )
    text = without(page, html, CAPTIONS)
    bare = _without_blocks(page, text, _captions(page, text))
    if 2 * page.words[bare].sum() > page.words[text].sum():  # else they are not captions
        text = bare
    return Body(page, metadata, text, html)


def without(page: Page, chosen: Mask, tags: frozenset[str]) -> Mask:
    """The chosen rows outside these tags, unless a tag holds a good part of them, or all do."""
    rows = page.rows(tags)
    if not len(rows):
        return chosen
    weight = page.subtree(page.chars * chosen)
    left = chosen & ~page.below(rows[weight[rows] <= _MAX_DROPPED_SHARE * weight[0]])
    return left if (left & page.is_text).any() else chosen


def _titles(page: Page, metadata: HeadlineAndAuthors) -> str:
    """What the page is called, as comparison keys, a line each."""
    titles = (page.title, metadata.headline or "")
    return "\n".join([comparison_key(title, " ") for title in titles])


def _is_headline(text: str, titles: str) -> bool:
    if len(text) < _MIN_HEADLINE and text.isascii():  # as most of a menu is
        return False
    key = comparison_key(text, " ")
    return len(key) >= _MIN_HEADLINE and key in titles


def _head(page: Page, chosen: Mask, titles: str, metadata: HeadlineAndAuthors) -> list[int]:
    """The chosen blocks that are headline, kicker, byline or date."""
    text = page.blocks.text
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
    # "AP" does not sign what says "Japan"; where words are not spaced, any place will do.
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
    """The blocks that share a small box with a picture and nothing else."""
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
            if pictured[box] and page.tag[box] not in RUNNING:
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


# Plain text: one blank line between paragraphs, a line for each row of a table.


def render_text(page: Page, chosen: Mask) -> str:
    """The chosen text.

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
    last_line = -1  # row of the <tr> in which the last text was

    def flush(line: int) -> None:
        nonlocal last_line
        text = _normalize_space(visible_text("".join(pieces)))
        pieces.clear()
        if not text:
            return
        if line >= 0 and line == last_line:
            paragraphs[-1] += f"\t{text}"
        elif line >= 0 and last_line >= 0 and _table(page, line) == _table(page, last_line):
            paragraphs[-1] += f"\n{text}"
        else:
            paragraphs.append(text)
        last_line = line

    line = -1
    before = -1  # place of the last text among all texts of the page
    places = np.flatnonzero(chosen[page.text_rows]).tolist()
    blocks = page.block[rows].tolist()
    for row, block, place in zip(rows.tolist(), blocks, places, strict=True):
        if block != last_block:
            flush(line)
            last_block = block
            line = _ancestor(page, row, "tr") if in_table is not None and in_table[row] else -1
        elif place > before + 1:
            pieces.append(" ")  # words that were left out were between them
        before = place
        pieces.append(page.text[row])
    flush(line)
    return "\n\n".join(paragraphs)


def _normalize_space(text: str) -> str:
    """A text with single spaces, and the line feeds of `<br>`."""
    if "\n" not in text:
        return fold_spaces(text)
    return "\n".join(filter(None, map(fold_spaces, text.split("\n"))))


def _table(page: Page, row: int) -> int:
    return _ancestor(page, row, "table")


def _ancestor(page: Page, row: int, tag: str) -> int:
    while row >= 0 and page.tag[row] != tag:
        row = page.parents[row]
    return row
