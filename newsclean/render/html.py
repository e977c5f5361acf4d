"""Clean HTML that keeps its formatting and is safe to show.

The chosen rows are written anew from a short list of tags; whatever else the page contained is
not copied. nh3 then goes over the result, so that safety does not rest on this module alone.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import nh3
import numpy as np
from lxml import etree

from newsclean.metadata.text import visible_text
from newsclean.metadata.urls import LINK_SCHEMES, base_url, resolve_link
from newsclean.page.tags import BREAKS, SILENT, TAG_BITS
from newsclean.render.body import CAPTIONS, without
from newsclean.render.tables import data_tables

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask

INLINE = frozenset("a abbr b cite code del em i ins kbd mark q s small strong sub sup u".split())
#: What stays within `<pre>`: all but what needs an attribute.
INLINE_IN_PRE = INLINE - {"a", "abbr"}
#: They hold words directly; words anywhere else become a paragraph.
HOLDERS = frozenset("li dd dt td th caption figcaption h2 h3 h4 h5 h6 pre".split())
CONTAINERS = frozenset(["ul", "ol", "dl", "blockquote", "figure"])
#: What a list may hold; around anything else it is only indentation.
LISTS = {"ul": {"li"}, "ol": {"li"}, "dl": {"dt", "dd"}}
TABLE = frozenset("table thead tbody tfoot tr td th caption".split())
STRUCTURE = HOLDERS | CONTAINERS | TABLE

TAGS = set(INLINE | STRUCTURE | {"p", "br", "img"})
ATTRIBUTES = {
    "a": {"href"},
    "abbr": {"title"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
#: Attributes that must be whole numbers.
NUMBERS = {"ol": ("start",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}

#: Where pages that load their pictures late keep the address.
PICTURE_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")
#: Tags in tags of one kind, inline or structural; of those further in, the words are shown.
MAX_NESTED = 50
MIN_PICTURE_SIZE = 32  # pixels; below are icons and counters

_CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    url_schemes=set(LINK_SCHEMES),
    link_rel="noopener noreferrer",
)


def render_html(page: Page, chosen: Mask, *, images: bool = True) -> str:
    """The chosen rows as clean HTML.

    >>> from newsclean.page import Page
    >>> from newsclean.methods import Choice
    >>> page = Page.from_html("<div onclick=x()>Rain, <b>then</b> <a href=javascript:x()>snow</a>")
    >>> render_html(page, Choice.everything(page).rows)
    '<p>Rain, <b>then</b> snow</p>'
    """
    if not images:
        chosen = without(page, chosen, CAPTIONS)
    return _CLEANER.clean(visible_text(_Writer(page, chosen, images).write()))


class _Writer:
    """Writes block after block; between two blocks, closes and opens what differs."""

    def __init__(self, page: Page, chosen: Mask, images: bool) -> None:
        self.page = page
        self.chosen = chosen
        self.base = base_url(page.elements("base"), page.url)
        self.data = data_tables(page, chosen)
        self.texts_until = np.cumsum(page.is_text)
        self.chosen_until = np.cumsum(page.is_text & chosen)
        self.pictures = self._pictures() if images else {}
        self.parts: list[str] = []
        self.open: list[int] = []
        #: structural and inline tags from the root down to a row
        self.around: dict[int, tuple[list[int], list[int]]] = {-1: ([], [])}

    def write(self) -> str:
        texts = self.page.text_rows[self.chosen[self.page.text_rows]]
        rows = np.union1d(texts, np.array(list(self.pictures), dtype=np.int64))
        edges = np.flatnonzero(np.diff(self.page.block[rows])) + 1
        for block in np.split(rows, edges):
            if len(block):
                self._write_block(block.tolist())
        self._open_structure([])
        return "".join(self.parts)

    def _write_block(self, rows: list[int]) -> None:
        if not any(
            row in self.pictures or visible_text(self.page.text[row]).strip() for row in rows
        ):
            return
        structure, _ = self._tags_above(rows[0])
        continues = bool(structure) and structure == self.open
        self._open_structure(structure)
        holder = self.page.tag[structure[-1]] if structure else ""
        if holder == "pre" and self._is_whole(structure[-1]):
            if not continues:
                self._write_preformatted(structure[-1])
        elif holder in HOLDERS:
            self._write_inline(rows, "<br>" if continues else "", "")
        elif any(row not in self.pictures for row in rows):
            self._write_inline(rows, "<p>", "</p>")
        elif holder == "figure":
            self._write_inline(rows, "", "")
        else:
            self._write_inline(rows, "<figure>", "</figure>")

    def _open_structure(self, rows: list[int]) -> None:
        """Close and open so that just these tags are open."""
        same = 0
        for old, new in zip(self.open, rows, strict=False):
            if old != new:
                break
            same += 1
        self.parts.extend(f"</{self.page.tag[row]}>" for row in reversed(self.open[same:]))
        self.parts.extend(self._start_tag(row) for row in rows[same:])
        self.open = rows

    def _write_inline(self, rows: list[int], before: str, after: str) -> None:
        """The words of one block with their emphasis and links."""
        self.parts.append(before)
        opened: list[int] = []
        for place, row in enumerate(rows):
            _, inline = self._tags_above(row)
            while opened and opened != inline[: len(opened)]:
                self.parts.append(f"</{self.page.tag[opened.pop()]}>")
            text = self.page.text.get(row, "")
            words = text.lstrip()
            if place:
                space = text[: len(text) - len(words)]
                if not space and self.texts_until[row - 1] > self.texts_until[rows[place - 1]]:
                    space = " "  # words that were left out were between them
                self.parts.append("<br>" if space == "\n" else space)
            for new in inline[len(opened) :]:
                self.parts.append(self._start_tag(new))
                opened.append(new)
            self.parts.append(self.pictures.get(row) or escape(words, quote=False))
        self.parts[-1] = self.parts[-1].rstrip()
        self.parts.extend(f"</{self.page.tag[row]}>" for row in reversed(opened))
        self.parts.append(after)

    def _tags_above(self, row: int) -> tuple[list[int], list[int]]:
        """The structural and the inline tags around a row, outermost first."""
        structure, inline = self._tags_around(int(self.page.parent[row]))
        if structure and self.page.tag[structure[-1]] in LISTS:
            structure = structure[:-1]
        return structure, inline

    def _tags_around(self, row: int) -> tuple[list[int], list[int]]:
        unknown = []
        while row not in self.around:
            unknown.append(row)
            row = int(self.page.parent[row])
        structure, inline = self.around[row]
        for ancestor in reversed(unknown):
            tag = self.page.tag[ancestor]
            holder = self.page.tag[structure[-1]] if structure else ""
            if not self.chosen[ancestor]:
                pass
            elif tag in INLINE:
                if len(inline) < MAX_NESTED and (tag != "a" or self._link_url(ancestor)):
                    inline = [*inline, ancestor]
            elif holder == "pre" or len(structure) == MAX_NESTED:
                pass  # its words are shown as they are
            elif tag in STRUCTURE and (tag not in TABLE or self.data[ancestor]):
                misplaced = holder in LISTS and tag not in LISTS[holder]
                structure = [*(structure[:-1] if misplaced else structure), ancestor]
            self.around[ancestor] = structure, inline
        return structure, inline

    def _start_tag(self, row: int) -> str:
        tag = self.page.tag[row]
        if tag == "a":
            return f'<a href="{escape(self._link_url(row) or "")}">'
        element = self.page.element[row]
        written = ""
        if element is not None and tag in NUMBERS:
            for name in NUMBERS[tag]:
                value = element.get(name, "")
                if value.removeprefix("-").isdecimal():
                    written += f' {name}="{value}"'
        elif element is not None and tag == "abbr" and (title := element.get("title")):
            written = f' title="{escape(" ".join(title.split()))}"'
        return f"<{tag}{written}>"

    def _link_url(self, row: int) -> str | None:
        element = self.page.element[row]
        return None if element is None else resolve_link(element.get("href"), self.base)

    def _is_whole(self, row: int) -> bool:
        """Whether there is text below a row, and all of it was chosen."""
        end = int(self.page.end[row])
        texts = self.texts_until[end] - self.texts_until[row]
        return bool(texts and texts == self.chosen_until[end] - self.chosen_until[row])

    def _write_preformatted(self, row: int) -> None:
        """The words of a `<pre>` with their white space and emphasis, without what is not text."""
        root = self.page.element[row]
        silent = 0
        written = "\n"
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            bits = TAG_BITS.get(element.tag, 0) if event in ("start", "end") else 0
            if (element.tag == "br" and event == "start") or (
                bits & BREAKS and element is not root and written[-1:] != "\n"
            ):
                written = "\n"
                self.parts.append(written)
            if bits & SILENT:
                silent += 1 if event == "start" else -1
            if element.tag in INLINE_IN_PRE and not silent and event in ("start", "end"):
                self.parts.append(f"<{'/' if event == 'end' else ''}{element.tag}>")
            raw = element.text if event == "start" else element.tail
            if raw and not silent and not (event == "end" and element is root):
                written = raw
                self.parts.append(escape(raw, quote=False))

    def _pictures(self) -> dict[int, str]:
        """The pictures in what was chosen: themselves, or the tag or the figure around them.

        Methods mark pictures as what carries no text; that does not make them noise here.
        """
        found = {}
        pictures = self.page.rows(frozenset({"img"}))
        figures = self.page.rows(frozenset({"figure"}))
        near = self.chosen | self.page.below(figures[self.chosen[figures]])
        for row in pictures[near[pictures] | near[self.page.parent[pictures]]].tolist():
            element = self.page.element[row]
            if element is None or _is_tiny(element):
                continue
            sources = (resolve_link(element.get(name), self.base) for name in PICTURE_SOURCES)
            source = next(filter(None, sources), None)
            if source:
                alt = " ".join((element.get("alt") or "").split())
                found[row] = f'<img src="{escape(source)}" alt="{escape(alt)}">'
        return found


def _is_tiny(element: etree._Element) -> bool:
    sizes = (element.get("width", ""), element.get("height", ""))
    return any(size.isdecimal() and float(size) < MIN_PICTURE_SIZE for size in sizes)
