"""Clean HTML that keeps its formatting and is safe to show.

The chosen rows are written again from a short list of tags; whatever else the page contained is
not copied. nh3 then goes over the result, so that safety does not rest on this module alone.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import nh3
import numpy as np

from newsclean.render.body import CAPTIONS, without
from newsclean.render.tables import CELLS, data_tables

if TYPE_CHECKING:
    from lxml import etree

    from newsclean.page import Page
    from newsclean.page.columns import Mask

INLINE = frozenset("a abbr b cite code del em i ins kbd mark q s small strong sub sup u".split())
#: They hold words directly; words anywhere else become a paragraph.
HOLDERS = frozenset("li dd dt td th caption figcaption h2 h3 h4 h5 h6 pre".split())
CONTAINERS = frozenset(["ul", "ol", "dl", "blockquote", "figure"])
TABLE = frozenset("table thead tbody tfoot tr td th caption".split())
STRUCTURE = HOLDERS | CONTAINERS | TABLE

TAGS = set(INLINE | STRUCTURE | {"p", "br", "img"})
ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
SCHEMES = {"http", "https", "mailto"}

#: Where pages that load their pictures late keep the address.
PICTURE_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")
SMALLEST_PICTURE = 32  # pixels; below are icons and counters


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
    return nh3.clean(
        _Writer(page, chosen, images).write(),
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
    )


class _Writer:
    """Writes block after block; between two blocks, closes and opens what differs."""

    def __init__(self, page: Page, chosen: Mask, images: bool) -> None:
        self.page = page
        self.chosen = chosen
        self.base = base_url(page)
        self.data = data_tables(page, chosen)
        self.pictures = self._pictures() if images else {}
        self.parts: list[str] = []
        self.open: list[int] = []
        self.ancestors: dict[int, tuple[list[int], list[int]]] = {}

    def write(self) -> str:
        texts = self.page.text_rows[self.chosen[self.page.text_rows]]
        rows = np.union1d(texts, np.array(list(self.pictures), dtype=np.int64))
        edges = np.flatnonzero(np.diff(self.page.block[rows])) + 1
        for block in np.split(rows, edges):
            if len(block):
                self._block(block.tolist())
        self._structure([])
        return "".join(self.parts)

    def _block(self, rows: list[int]) -> None:
        structure, _ = self._above(rows[0])
        again = bool(structure) and structure == self.open
        self._structure(structure)
        holder = self.page.tag[structure[-1]] if structure else ""
        if holder == "pre":
            if not again:
                self._preformatted(structure[-1])
        elif holder in HOLDERS:
            self._inline(rows, "<br>" if again else "", "")
        elif any(row not in self.pictures for row in rows):
            self._inline(rows, "<p>", "</p>")
        elif holder == "figure":
            self._inline(rows, "", "")
        else:
            self._inline(rows, "<figure>", "</figure>")

    def _structure(self, rows: list[int]) -> None:
        """Close and open so that just these tags are open."""
        same = 0
        for old, new in zip(self.open, rows, strict=False):
            if old != new:
                break
            same += 1
        self.parts.extend(f"</{self.page.tag[row]}>" for row in reversed(self.open[same:]))
        self.parts.extend(self._tag(row) for row in rows[same:])
        self.open = rows

    def _inline(self, rows: list[int], before: str, after: str) -> None:
        """The words of one block with their emphasis and links."""
        self.parts.append(before)
        opened: list[int] = []
        for place, row in enumerate(rows):
            _, inline = self._above(row)
            while opened and opened != inline[: len(opened)]:
                self.parts.append(f"</{self.page.tag[opened.pop()]}>")
            text = self.page.text.get(row, "")
            words = text.lstrip()
            if place:
                self.parts.append("<br>" if text[:1] == "\n" else text[: len(text) - len(words)])
            for new in inline[len(opened) :]:
                self.parts.append(self._tag(new))
                opened.append(new)
            self.parts.append(self.pictures.get(row) or escape(words, quote=False))
        self.parts[-1] = self.parts[-1].rstrip()
        self.parts.extend(f"</{self.page.tag[row]}>" for row in reversed(opened))
        self.parts.append(after)

    def _above(self, row: int) -> tuple[list[int], list[int]]:
        """The structural and the inline tags around a row, outermost first."""
        parent = int(self.page.parent[row])
        known = self.ancestors.get(parent)
        if known is None:
            structure: list[int] = []
            inline: list[int] = []
            while parent >= 0:
                tag = self.page.tag[parent]
                if not self.chosen[parent]:
                    pass
                elif tag in INLINE:
                    if tag != "a" or self._address(parent):
                        inline.append(parent)
                elif tag in STRUCTURE and (tag not in TABLE or self.data[parent]):
                    structure.append(parent)
                parent = int(self.page.parent[parent])
            known = structure[::-1], inline[::-1]
            self.ancestors[int(self.page.parent[row])] = known
        return known

    def _tag(self, row: int) -> str:
        tag = self.page.tag[row]
        if tag == "a":
            return f'<a href="{escape(self._address(row) or "")}">'
        element = self.page.element[row]
        spans = "".join(
            f' {name}="{value}"'
            for name in ("colspan", "rowspan")
            if tag in CELLS and element is not None and (value := element.get(name, "")).isdecimal()
        )
        return f"<{tag}{spans}>"

    def _address(self, row: int) -> str | None:
        element = self.page.element[row]
        return None if element is None else absolute(element.get("href"), self.base)

    def _preformatted(self, row: int) -> None:
        element = self.page.element[row]
        text = "" if element is None else "".join(map(str, element.itertext()))
        self.parts.append(escape(text, quote=False))

    def _pictures(self) -> dict[int, str]:
        found = {}
        for row in self.page.rows(frozenset({"img"})).tolist():
            element = self.page.element[row]
            if not self._near_text(row) or element is None or _is_tiny(element):
                continue
            sources = (absolute(element.get(name), self.base) for name in PICTURE_SOURCES)
            source = next(filter(None, sources), None)
            if source:
                alt = " ".join((element.get("alt") or "").split())
                found[row] = f'<img src="{escape(source)}" alt="{escape(alt)}">'
        return found

    def _near_text(self, row: int) -> bool:
        """Whether a picture stands in what was chosen: itself, or the figure around it."""
        if self.chosen[row]:
            return True
        while row >= 0 and self.page.tag[row] != "figure":
            row = int(self.page.parent[row])
        return row >= 0 and bool(self.chosen[row])


def base_url(page: Page) -> str | None:
    """The URL against which the page's own are resolved."""
    for element in page.elements("base"):
        href = element.get("href")
        if href:
            return absolute(href, page.url) or page.url
    return page.url


def absolute(url: str | None, base: str | None) -> str | None:
    """A URL made absolute, or None if it is no place that a reader can go to.

    >>> absolute("/a?b=1", "https://example.org/news/x")
    'https://example.org/a?b=1'
    >>> absolute("javascript:alert(1)", "https://example.org/")
    """
    if not url or not url.strip():
        return None
    try:
        joined = urljoin(base or "", url.strip())
        parts = urlsplit(joined)
    except ValueError:
        return None
    if parts.scheme not in SCHEMES or not (parts.netloc or parts.scheme == "mailto"):
        return None
    return joined


def _is_tiny(element: etree._Element) -> bool:
    sizes = (element.get("width", ""), element.get("height", ""))
    return any(size.isdecimal() and int(size) < SMALLEST_PICTURE for size in sizes)
