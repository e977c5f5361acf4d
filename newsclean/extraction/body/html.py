"""Write the chosen rows as clean HTML that keeps its formatting and is safe to display.

Only a short list of tags and attributes is written; nothing else of the page is copied. nh3 then
sanitizes the result, so that safety does not rest on this module alone.
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

import nh3
import numpy as np
from lxml import etree

from newsclean.extraction.body.embeds import QUOTES
from newsclean.extraction.body.pictures import find_pictures
from newsclean.extraction.body.rows import CAPTIONS, without
from newsclean.extraction.page.columns import ANNOTATIONS, BREAKS, SILENT, TAG_BITS
from newsclean.extraction.page.tables import data_tables
from newsclean.extraction.text import fold_spaces, visible_text
from newsclean.urls import LINK_SCHEMES, resolve_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.extraction.body.embeds import Embed
    from newsclean.extraction.body.pictures import Picture
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

_INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q ruby s small strong sub sup u".split()
)
#: Kept within `<pre>`: all that need no attribute.
_INLINE_IN_PRE = _INLINE - {"a", "abbr", "ruby"}
#: They hold words directly; words elsewhere become a paragraph.
_HOLDERS = frozenset("li dd dt td th caption figcaption h2 h3 h4 h5 h6 pre".split())
#: Those that may hold a figure.
_FIGURE_HOLDERS = frozenset("li dd td th".split())
_CONTAINERS = frozenset(["ul", "ol", "dl", "blockquote", "figure"])
#: What a list may hold; a list around anything else is only indentation.
_LISTS = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd"}}
_TABLE = frozenset("table thead tbody tfoot tr td th caption".split())
_STRUCTURE = _HOLDERS | _CONTAINERS | _TABLE

TAGS = set(_INLINE | _STRUCTURE | ANNOTATIONS | {"p", "br", "img"})
ATTRIBUTES = {
    "a": {"href"},
    "abbr": {"title"},
    "blockquote": {"cite"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
#: Attributes that must be whole numbers.
_NUMBERS = {"ol": ("start",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}

_CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    url_schemes=set(LINK_SCHEMES),
    link_rel="noopener noreferrer",
)

#: Nested tags, inline or structural; of deeper ones only the words are written.
_MAX_NESTED = 50

#: For more characters of HTML than this, memory is checked before nh3 runs. It takes these bytes
#: per character and per tag, as measured.
_MUCH_HTML = 1_000_000
_CLEANER_BYTES, _CLEANER_TAG_BYTES = 5, 320


def render_html(
    page: Page,
    chosen: Mask,
    *,
    images: bool = True,
    pictures: Sequence[Picture] | None = None,
    embeds: Sequence[Embed] = (),
) -> str:
    """Return the chosen rows as clean HTML, with pictures and embeds in their places.

    Without `pictures`, they are found here. Embeds, and nothing else, are written as a `blockquote`
    with a `cite` attribute.

    >>> from newsclean.extraction.page import Page
    >>> from newsclean.extraction.methods.chain import Choice
    >>> page = Page.from_html("<div onclick=x()>Rain, <b>then</b> <a href=javascript:x()>snow</a>")
    >>> render_html(page, Choice.everything(page).rows)
    '<p>Rain, <b>then</b> snow</p>'
    """
    if not images:
        chosen, pictures = without(page, chosen, CAPTIONS), ()
    elif pictures is None:
        pictures = find_pictures(page, chosen)
    return _clean(visible_text(_Writer(page, chosen, pictures, embeds).write()))


def _clean(html: str) -> str:
    """Sanitize HTML; raise MemoryError where nh3, short of memory, would end the process."""
    if len(html) > _MUCH_HTML:
        # Allocated and freed at once: Python raises where nh3 would abort.
        bytes(_CLEANER_BYTES * len(html) + _CLEANER_TAG_BYTES * html.count("<"))
    return _CLEANER.clean(html)


class _Writer:
    """Writes block after block; between two blocks, closes and opens the tags that differ."""

    def __init__(
        self, page: Page, chosen: Mask, pictures: Sequence[Picture], embeds: Sequence[Embed]
    ) -> None:
        self.page = page
        self.embeds = {embed.row: embed for embed in embeds}
        #: players have no text in the page
        self.players = {row for row in self.embeds if page.tag[row] not in QUOTES}
        if posts := self.embeds.keys() - self.players:
            chosen = chosen | page.below(np.array(sorted(posts)))
        captions = [picture.caption.rows for picture in pictures if picture.caption.rows]
        self.chosen = _with_inline(page, chosen, captions) if captions else chosen
        self.base = page.base_url
        self.data = data_tables(page, chosen) if page.elements("table") else None
        self.pictures = {picture.row: picture for picture in pictures}
        self.has_inserts = bool(captions or self.players)
        self.annotations = _ruby_annotations(page, self.chosen)
        #: link targets by row, each resolved once
        self.links: dict[int, str | None] = {}
        self.parts: list[str] = []
        self.open: list[int] = []
        #: structural and inline tags by row, from the root down
        self.around: dict[int, tuple[list[int], list[int]]] = {-1: ([], [])}

    @cached_property
    def texts_until(self) -> list[int]:
        """The number of texts up to each row."""
        until: list[int] = np.cumsum(self.page.is_text).tolist()
        return until

    @cached_property
    def chosen_until(self) -> list[int]:
        """The number of chosen texts up to each row."""
        until: list[int] = np.cumsum(self.page.is_text & self.chosen).tolist()
        return until

    def write(self) -> str:
        texts = self.page.text_rows[self.chosen[self.page.text_rows]].tolist()
        shown = [*self.pictures, *self.players, *self.annotations]
        rows = sorted({*texts, *shown}) if shown else texts
        for block in _split(rows, self.page.block[rows].tolist()):
            self._write_block(block)
        self._open_structure([])
        return "".join(self.parts)

    def _write_block(self, rows: list[int]) -> None:
        apart = [row for row in rows if self._stands_apart(row)] if self.has_inserts else []
        if apart:
            for row in apart:
                self._write_apart(row)
            rows = [row for row in rows if row not in apart]
        text = self.page.text
        if not any(row in self.pictures or _is_visible(text.get(row, "")) for row in rows):
            return
        structure, inline = self._tags_above(rows[0])
        continues = bool(structure) and structure == self.open
        self._open_structure(structure)
        holder = self.page.tag[structure[-1]] if structure else ""
        if not inline and len(rows) == 1 and rows[0] in text and holder != "pre":
            words = escape(text[rows[0]].strip(), quote=False)
            if holder in _HOLDERS:
                self.parts.append(f"<br>{words}" if continues else words)
            else:
                self.parts.append(f"<p>{words}</p>")
        elif holder == "pre" and self._is_whole(structure[-1]):
            element = self.page.element[structure[-1]]
            if not continues and element is not None:
                self.parts.append(_preformatted(element))
        elif holder in _HOLDERS:
            self._write_inline(rows, "<br>" if continues else "", "")
        elif any(row not in self.pictures for row in rows):
            self._write_inline(rows, "<p>", "</p>")
        elif holder == "figure":
            self._write_inline(rows, "", "")
        else:
            self._write_inline(rows, "<figure>", "</figure>")

    def _stands_apart(self, row: int) -> bool:
        """Return whether a row is a block of its own: a player, or a picture with a caption."""
        picture = self.pictures.get(row)
        return row in self.players or (picture is not None and bool(picture.caption.rows))

    def _write_apart(self, row: int) -> None:
        structure, _ = self._tags_above(row)
        tags = [self.page.tag[outer] for outer in structure]
        while tags and tags[-1] not in _FIGURE_HOLDERS | {"blockquote"}:
            tags.pop()
        self._open_structure(structure[: len(tags)])
        if row in self.players:
            embed = self.embeds[row]
            url, name = escape(embed.url), escape(embed.text or embed.provider, quote=False)
            self.parts.append(
                f'<blockquote cite="{url}"><p><a href="{url}">{name}</a></p></blockquote>'
            )
            return
        self.parts.append(f"<figure>{self._image(row)}<figcaption>")
        caption = list(self.pictures[row].caption.rows)
        for place, block in enumerate(_split(caption, self.page.block[caption].tolist())):
            self._write_inline(block, " " if place else "", "")
        self.parts.append("</figcaption></figure>")

    def _image(self, row: int) -> str:
        picture = self.pictures[row]
        url, width, height = picture.source
        sizes = f' width="{width}"' if width else ""
        sizes += f' height="{height}"' if height else ""
        return f'<img src="{escape(url)}" alt="{escape(picture.alt)}"{sizes}>'

    def _open_structure(self, rows: list[int]) -> None:
        """Close and open tags until exactly these are open."""
        if rows == self.open:
            return
        same = 0
        for old, new in zip(self.open, rows, strict=False):
            if old != new:
                break
            same += 1
        self.parts.extend(f"</{self.page.tag[row]}>" for row in reversed(self.open[same:]))
        self.parts.extend(self._start_tag(row) for row in rows[same:])
        self.open = rows

    def _write_inline(self, rows: list[int], before: str, after: str) -> None:
        """Write the words of one block with their emphasis and links."""
        parts = self.parts
        parts.append(before)
        opened: list[int] = []
        for place, row in enumerate(rows):
            _, inline = self._tags_above(row)
            while opened and opened != inline[: len(opened)]:
                parts.append(f"</{self.page.tag[opened.pop()]}>")
            text = self.page.text.get(row, "")
            words = text.lstrip()
            if place:
                space = text[: len(text) - len(words)]
                if not space and self.texts_until[row - 1] > self.texts_until[rows[place - 1]]:
                    space = " "  # in place of texts that are left out
                parts.append("<br>" if space == "\n" else space)
            for new in inline[len(opened) :]:
                parts.append(self._start_tag(new))
                opened.append(new)
            if row in self.pictures:
                parts.append(self._image(row))
            else:
                parts.append(self.annotations.get(row) or escape(words, quote=False))
        parts[-1] = parts[-1].rstrip()
        parts.extend(f"</{self.page.tag[row]}>" for row in reversed(opened))
        parts.append(after)

    def _tags_above(self, row: int) -> tuple[list[int], list[int]]:
        """Return the structural and the inline tags around a row, outermost first."""
        around = self.page.parents[row]
        structure, inline = self.around.get(around) or self._tags_around(around)
        if structure and self.page.tag[structure[-1]] in _LISTS:
            structure = structure[:-1]
        return structure, inline

    def _tags_around(self, row: int) -> tuple[list[int], list[int]]:
        unknown = []
        while row not in self.around:
            unknown.append(row)
            row = self.page.parents[row]
        structure, inline = self.around[row]
        for ancestor in reversed(unknown):
            tag = self.page.tag[ancestor]
            holder = self.page.tag[structure[-1]] if structure else ""
            if (tag not in _INLINE and tag not in _STRUCTURE) or not self.chosen[ancestor]:
                pass
            elif tag in _INLINE:
                if len(inline) < _MAX_NESTED and (tag != "a" or self._link_url(ancestor)):
                    inline = [*inline, ancestor]
            elif holder == "pre" or len(structure) == _MAX_NESTED:
                pass  # only its words are written
            elif tag not in _TABLE or (self.data is not None and self.data[ancestor]):
                misplaced = holder in _LISTS and tag not in _LISTS[holder]
                structure = [*(structure[:-1] if misplaced else structure), ancestor]
            self.around[ancestor] = structure, inline
        return structure, inline

    def _start_tag(self, row: int) -> str:
        tag = self.page.tag[row]
        if tag == "a":
            return f'<a href="{escape(self._link_url(row) or "")}">'
        if row in self.embeds:
            return f'<{tag} cite="{escape(self.embeds[row].url)}">'
        element = self.page.element[row]
        return f"<{tag}>" if element is None else f"<{tag}{_kept_attributes(tag, element)}>"

    def _link_url(self, row: int) -> str | None:
        if row not in self.links:
            element = self.page.element[row]
            href = None if element is None else element.get("href")
            self.links[row] = resolve_link(href, self.base)
        return self.links[row]

    def _is_whole(self, row: int) -> bool:
        """Return whether there is text below a row and all of it is chosen."""
        end = int(self.page.end[row])
        texts = self.texts_until[end] - self.texts_until[row]
        return bool(texts and texts == self.chosen_until[end] - self.chosen_until[row])


def _is_visible(text: str) -> bool:
    text = text.strip()
    return text[:1].isalnum() or bool(visible_text(text).strip())


def _with_inline(page: Page, chosen: Mask, captions: list[tuple[int, ...]]) -> Mask:
    """Return the chosen rows with the emphasis and links around the texts of captions."""
    chosen = chosen.copy()
    for row in (row for rows in captions for row in rows):
        around = page.parents[row]
        while page.tag[around] in _INLINE and not chosen[around]:
            chosen[around] = True
            around = page.parents[around]
    return chosen


def _split(rows: list[int], blocks: list[int]) -> Iterator[list[int]]:
    """Yield the rows of each block; `blocks` has the block of each row."""
    start = 0
    for _, same in groupby(blocks):
        end = start + sum(1 for _ in same)
        yield rows[start:end]
        start = end


def _kept_attributes(tag: str, element: etree._Element) -> str:
    """Return the attributes that are kept of an element, except those of links and embeds."""
    if tag == "abbr" and (title := element.get("title")):
        return f' title="{escape(fold_spaces(title))}"'
    if tag not in _NUMBERS:  # most tags
        return ""
    values = ((name, element.get(name, "")) for name in _NUMBERS[tag])
    numbers = (pair for pair in values if pair[1].removeprefix("-").isdecimal())
    return "".join(f' {name}="{value}"' for name, value in numbers)


def _preformatted(root: etree._Element) -> str:
    """Return the words of a `<pre>` with their white space and emphasis."""
    parts: list[str] = []
    silent = 0
    written = "\n"
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        bits = TAG_BITS.get(element.tag, 0) if event in ("start", "end") else 0
        if (element.tag == "br" and event == "start") or (
            bits & BREAKS and element is not root and written[-1:] != "\n"
        ):
            written = "\n"
            parts.append(written)
        if bits & SILENT:
            silent += 1 if event == "start" else -1
        if element.tag in _INLINE_IN_PRE and not silent and event in ("start", "end"):
            parts.append(f"<{'/' if event == 'end' else ''}{element.tag}>")
        raw = element.text if event == "start" else element.tail
        if raw and not silent and not (event == "end" and element is root):
            written = raw
            parts.append(escape(raw, quote=False))
    return "".join(parts)


def _ruby_annotations(page: Page, chosen: Mask) -> dict[int, str]:
    """Return the annotations in each chosen `<ruby>` by their rows: how its words are read."""
    found: dict[int, str] = {}
    if not any(map(page.elements, ANNOTATIONS)):
        return found
    rows = page.rows(ANNOTATIONS)
    for row in rows[chosen[page.parent[rows]]].tolist():
        element, tag = page.element[row], page.tag[row]
        if element is None or page.tag[page.parents[row]] != "ruby":
            continue
        words = fold_spaces("".join(map(str, element.itertext())))
        found[row] = f"<{tag}>{escape(words, quote=False)}</{tag}>"
    return found
