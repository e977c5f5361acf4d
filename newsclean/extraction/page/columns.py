"""The page as flat columns in document order: one parse, one walk, many readers.

A row is an element or a piece of text. The subtree of row `i` is the range `i … end[i]`, so that
with prefix sums the counts of any subtree are two subtractions, and no method touches the tree.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newsclean.extraction.page.decode import as_utf8, looks_binary, other_contents, other_type
from newsclean.extraction.page.markup_repair import (
    as_browsers_read,
    close_tags,
    excess_of,
    may_be_unclosed,
)
from newsclean.extraction.page.stated import (
    MAX_SHOWN,
    MIN_BLOCK_WORDS,
    stated_text,
    with_stated_text,
)
from newsclean.extraction.text import count_words, fold_spaces
from newsclean.urls import base_url

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Mask = NDArray[np.bool_]
Column = NDArray[np.int64]

#: The tag of a piece of text.
TEXT = "#text"

#: A block ends where one of these tags begins or ends.
LINE_BREAKING = frozenset(
    """
    address article aside blockquote body button canvas caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6
    header hgroup hr html iframe legend li main map marquee menu nav noscript object ol optgroup
    option p picture pre search section select summary table tbody td tfoot th thead tr ul video
    audio
    """.split()
)

#: They say how a word is read, not what the text says.
ANNOTATIONS = frozenset({"rt", "rp", "rtc"})
#: Tags whose text is code, or for the browser or a form, never for the reader.
TEXTLESS = ANNOTATIONS.union("script style title math svg datalist template textarea".split())

#: What the walk does at a tag, in one look-up per node; a silent tag breaks no line.
BREAKS, SILENT, _NEW_LINE, _NO_ELEMENT = 1, 2, 3, 4
TAG_BITS: dict[object, int] = {
    **dict.fromkeys(LINE_BREAKING, BREAKS),
    **dict.fromkeys(TEXTLESS, SILENT),
    "br": _NEW_LINE,
    **dict.fromkeys((etree.Comment, etree.PI, etree.Entity), _NO_ELEMENT),
}

#: Inline elements around most texts; with more, all rows of the page are searched.
_MAX_INLINE = 4

#: Maximum characters of a title.
_MAX_TITLE = 2000
_TITLE_SEPARATOR = re.compile(r"\s*[|»«·•]\s*|\s+[-–—:/]+\s+|:\s+")


class PageError(ValueError):
    """A page that cannot be used; `reason` is a short name for logs and stats."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(eq=False)
class Page:
    """One parsed page; build it with `Page.from_html` or `Page.from_tree`."""

    url: str | None
    root: etree._Element
    #: tag name of each row, `#text` for text
    tag: list[str]
    #: the lxml element of each row, None for text
    element: list[etree._Element | None]
    parent: Column
    end: Column
    #: number of the run of inline text to which a row belongs; a line-breaking tag starts a new one
    block: Column
    #: words and characters of a text row, 0 for elements
    words: Column
    chars: Column
    #: text by row, white space folded; a leading space or line feed and a trailing space keep what
    #: stood between it and its inline neighbors
    text: dict[int, str]
    text_rows: Column
    #: whether the parser gave up before the end because the page is nested too deeply
    is_cut: bool = False
    #: `json-ld` or `state` if the text comes from a script because the page shows hardly any
    text_source: str | None = None

    @classmethod
    def from_html(
        cls, html: str | bytes, url: str | None = None, content_type: str | None = None
    ) -> Page:
        """Parse a document; bytes are decoded as browsers do.

        >>> page = Page.from_html("<p>Hello, <b>world</b>!</p>")
        >>> page.tag
        ['html', 'body', 'p', '#text', 'b', '#text', '#text']
        >>> int(page.words.sum())
        3
        """
        if not isinstance(html, str | bytes):
            raise TypeError(f"a page is HTML as str or bytes, not {type(html).__name__}")
        if other := other_type(content_type):
            raise PageError("not-html", f"not an HTML page: it is {other}")
        if isinstance(html, bytes):
            if looks_binary(html):
                raise PageError("not-html", "not an HTML page: the content is binary")
            source = as_utf8(html, content_type)
        else:
            source = html.encode("utf-8", "surrogatepass")
        source = as_browsers_read(source.replace(b"\x00", b""))
        if not source or source.isspace():
            raise PageError("empty", "the page is empty")
        if other := other_contents(source):
            raise PageError("not-html", f"not an HTML page: it is {other}")
        page = cls._parsed(source, url)
        if may_be_unclosed(page) and (closed := close_tags(source)) != source:
            page = cls._parsed(closed, url)
        return page

    @classmethod
    def _parsed(cls, source: bytes, url: str | None) -> Page:
        if excess := excess_of(source):
            raise PageError("too-complex", f"the page is too complex: it has {excess}")
        parser = etree.HTMLParser(
            recover=True,
            huge_tree=True,
            encoding="utf-8",
            remove_comments=True,
            remove_pis=True,
            collect_ids=False,
        )
        try:
            root = etree.fromstring(source, parser)
        except etree.XMLSyntaxError as error:
            raise PageError("not-html", f"not an HTML page: {error}") from None
        if root is None:
            raise PageError("empty", "the page has no element")
        page = cls.from_tree(root, url)
        last = parser.error_log.last_error
        page.is_cut = last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT
        return page

    @classmethod
    def from_tree(cls, root: etree._Element, url: str | None = None) -> Page:
        """Walk a tree that is parsed already, that of a Scrapy selector for instance.

        If the page shows hardly any text and its scripts hold a long one, walk a copy with it.
        """
        page = cls(url=url, root=root, **_walk(root))
        shown = page._shown_words()
        if shown < MAX_SHOWN and (stated := stated_text(page.elements("script"), shown)):
            copy = with_stated_text(root, stated)
            page = cls(url=url, root=copy, **_walk(copy), text_source=stated.source)
        return page

    def _shown_words(self) -> int:
        """Count the words outside links in blocks of some length."""
        words = self.blocks.sum(self.words)
        if not (words >= MIN_BLOCK_WORDS).any():
            return 0
        plain = self.blocks.sum(self.words * ~self.in_link)
        return int(plain[plain >= MIN_BLOCK_WORDS].sum())

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def tags(self) -> list[str]:
        """The tag names of the page, each once."""
        return self._tags[0]

    @property
    def tag_number(self) -> Column:
        """The position in `tags` of each row's tag."""
        return self._tags[1]

    def elements(self, tag: str) -> Sequence[etree._Element]:
        """Return the elements of a tag, in document order."""
        return self._elements_by_tag.get(tag, ())

    @cached_property
    def base_url(self) -> str | None:
        """The URL against which the page's links are resolved."""
        return base_url(self.elements("base"), self.url)

    @cached_property
    def title(self) -> str:
        """The text of the first `<title>`, white space folded."""
        title = next(("".join(map(str, e.itertext())) for e in self.elements("title")), "")
        return " ".join(title.split())[:_MAX_TITLE]

    @property
    def title_parts(self) -> list[str]:
        """The title, cut where sites add their name or a section."""
        return _TITLE_SEPARATOR.split(self.title)

    @cached_property
    def is_text(self) -> Mask:
        return self.chars > 0

    @cached_property
    def blocks(self) -> Blocks:
        return Blocks.of(self, self.block[self.text_rows])

    @cached_property
    def parents(self) -> list[int]:
        """The column `parent` as a list, which is faster for climbing from row to row."""
        rows: list[int] = self.parent.tolist()
        return rows

    @cached_property
    def ends(self) -> list[int]:
        """The column `end` as a list."""
        rows: list[int] = self.end.tolist()
        return rows

    @cached_property
    def depth(self) -> Column:
        """The number of ancestors of each row."""
        ended = np.bincount(self.end + 1, minlength=len(self) + 1)
        return np.cumsum(1 - ended[:-1]) - 1

    @cached_property
    def link(self) -> Column:
        """The row of the `<a>` around each row (or the row itself), -1 outside links."""
        rows = self.rows(frozenset({"a"}))
        if len(rows):
            reach = np.maximum.accumulate(self.end[rows])
            rows = rows[np.concatenate(([True], reach[:-1] < rows[1:]))]
        steps = np.zeros(len(self) + 1, dtype=np.int64)
        steps[rows] = rows + 1
        steps[self.end[rows] + 1] -= rows + 1
        return np.cumsum(steps[:-1]) - 1

    @cached_property
    def in_link(self) -> Mask:
        return self.link >= 0

    @cached_property
    def _elements_by_tag(self) -> dict[str, list[etree._Element]]:
        by_tag: defaultdict[str, list[Any]] = defaultdict(list)
        for tag, element in zip(self.tag, self.element, strict=True):
            by_tag[tag].append(element)
        by_tag.pop(TEXT, None)  # cheaper than a check for each row
        return dict(by_tag)

    @cached_property
    def _tags(self) -> tuple[list[str], Column]:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        of_row = np.fromiter(map(numbers.__getitem__, self.tag), np.int64, len(self))
        return list(numbers), of_row

    def rows(self, tags: frozenset[str] | set[str]) -> Column:
        """Return the rows of any of these tags, in document order."""
        if tags.isdisjoint(self.tags):
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self.tagged(tags))

    def tagged(self, tags: frozenset[str] | set[str]) -> Mask:
        """Return which rows have any of these tags."""
        names, number = self._tags
        return np.fromiter(map(tags.__contains__, names), np.bool_, len(names)).take(number)

    def subtree(self, values: NDArray[np.generic]) -> Column:
        """Return the sum of a column over each row's subtree.

        >>> page = Page.from_html("<p>one two <b>three</b></p>")
        >>> page.subtree(page.words).tolist()
        [3, 3, 3, 2, 1, 1]
        """
        total = np.zeros(len(values) + 1, dtype=np.int64)
        np.cumsum(values, out=total[1:])
        return total[self.end + 1] - total[:-1]

    def below(self, rows: Column) -> Mask:
        """Return which rows lie in the subtrees of these rows (themselves included)."""
        begun = np.bincount(rows, minlength=len(self))
        ended = np.bincount(self.end[rows] + 1, minlength=len(self) + 1)
        return np.cumsum(begun - ended[:-1]) > 0

    def path(self, row: int) -> str:
        """Return the path-string of a row (StaDyNoT 3.2): positions among siblings, with tags.

        >>> page = Page.from_html("<html><head></head><body><p>a</p><p>b</p></body></html>")
        >>> page.path(page.tag.index("p"))
        '0(html)-1(body)-0(p)'
        """
        steps: list[str] = []
        while row >= 0:
            up = int(self.parent[row])
            element = self.element[row]
            if element is not None:
                position = (
                    0 if up < 0 else sum(1 for _ in element.itersiblings("*", preceding=True))
                )
                steps.append(f"{position}({self.tag[row]})")
            row = up
        return "-".join(reversed(steps))


def _walk(root: etree._Element) -> dict[str, Any]:
    """Return the columns of a page, under the names that `Page` gives them."""
    # The hot path of the project: each node is visited once, and only what cannot be computed from
    # whole columns afterwards is stored. Hence the bound methods and the single look-up per tag: a
    # tenth of a microsecond is a tenth of the walk. A node has ended when the parent of the next
    # one is further out; that check is cheaper than the end events of `etree.iterwalk`.
    tags: list[str] = []
    elements: list[etree._Element | None] = []
    parents: list[int] = []
    ends: list[int] = []
    blocks: list[int] = []
    text_rows: list[int] = []
    raws: list[str] = []
    gaps: list[str] = []
    add_tag, add_element, add_parent = tags.append, elements.append, parents.append
    add_end, add_block = ends.append, blocks.append
    bits_of = TAG_BITS.get
    outside: Any = root.getparent()
    node = outside  # the innermost open node
    open_nodes: list[tuple[Any, int, int]] = []  # the node around, its row and this one's bits
    row = -1  # the last row that was added
    parent = -1
    block = 0
    silent = 0  # open elements of TEXTLESS
    gap = ""  # white space between the last text and the next one
    breaks = 0  # <br> since the last text

    for new in [*root.iter(), None]:
        around = outside if new is None else new.getparent()
        starts = False
        while not starts:
            starts = node is around
            if starts:
                if new is None:
                    break
                tag = new.tag
                bits = bits_of(tag, 0)
                open_nodes.append((node, parent, bits))
                node = new
                if bits:
                    if bits == BREAKS:
                        block += 1
                        breaks = 0
                        gap = ""
                    elif bits == _NEW_LINE:
                        breaks += 1
                        gap = "\n"
                    elif bits == SILENT:
                        silent += 1
                    else:  # a comment, which text may follow
                        break
                row += 1
                add_tag(tag)
                add_element(new)
                add_parent(parent)
                add_end(row)
                add_block(block)
                parent = row
                raw = None if silent else new.text
            else:
                ended = node
                node, outer, bits = open_nodes.pop()
                ends[parent] = row  # after a comment set too early: its parent is still open
                parent = outer
                if bits == BREAKS:
                    block += 1
                    breaks = 0
                    gap = ""
                elif bits == SILENT:
                    silent -= 1
                raw = None if silent or parent < 0 else ended.tail
            if not raw:
                continue
            if raw.isspace():
                gap = gap or " "
                continue
            if breaks > 1:
                block += 1
            breaks = 0
            row += 1
            text_rows.append(row)
            raws.append(raw)
            gaps.append(gap)
            gap = ""
            add_tag(TEXT)
            add_element(None)
            add_parent(parent)
            add_end(row)
            add_block(block)

    rows = _column(text_rows)
    texts = list(map(fold_spaces, raws))
    words, chars = np.zeros((2, len(tags)), dtype=np.int64)
    words[rows] = _column(list(map(count_words, texts)))
    chars[rows] = _column(list(map(len, texts)))
    return {
        "tag": tags,
        "element": elements,
        "parent": _column(parents),
        "end": _column(ends),
        "block": _column(blocks),
        "words": words,
        "chars": chars,
        "text": dict(zip(text_rows, map(_spaced, texts, raws, gaps), strict=True)),
        "text_rows": rows,
    }


def _column(numbers: list[int]) -> NDArray[np.int64]:
    # twice as fast as np.array, which checks the type of each number
    return np.fromiter(numbers, np.int64, len(numbers))


def _spaced(text: str, raw: str, gap: str) -> str:
    """Return a folded text with the white space that stood around it."""
    if len(text) == len(raw):
        return gap + text
    if not gap and raw[0].isspace():
        gap = " "
    return f"{gap}{text} " if raw[-1].isspace() else gap + text


@dataclass(eq=False)
class Blocks:
    """Text blocks: runs of inline text between two line breaks, in document order.

    A block is what a reader sees as one paragraph, list item, caption, menu entry or table cell.
    Its text rows follow each other, so that it is a range of `page.text_rows`. Blocks hold the
    page's texts, not the page: a circular reference would keep it in memory.
    """

    text_rows: Column
    #: the text of each text row
    pieces: Collection[str]
    #: position in `page.text_rows` of each block's first text
    start: Column
    #: block of each text row, counted from 0
    of_text: Column

    @classmethod
    def of(cls, page: Page, number: Column) -> Blocks:
        """Return the runs of text rows that have the same number."""
        first = np.ones(len(number), dtype=bool)
        first[1:] = number[1:] != number[:-1]
        return cls(
            text_rows=page.text_rows,
            pieces=page.text.values(),
            start=np.flatnonzero(first),
            of_text=np.cumsum(first) - 1,
        )

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def row(self) -> Column:
        """The first text row of each block."""
        return self.text_rows[self.start]

    @cached_property
    def last(self) -> Column:
        """The last text row of each block."""
        ends: Column = np.append(self.start, len(self.text_rows))[1:]
        return self.text_rows[ends - 1]

    def sum(self, values: Column) -> Column:
        """Return the sum of a page column over each block's text rows."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        return np.add.reduceat(values[self.text_rows], self.start)

    @cached_property
    def text(self) -> list[str]:
        """The text of each block, white space folded.

        >>> from newsclean.extraction.page import Page
        >>> Page.from_html("<p>Hel<b>lo</b> you</p><li>one<br>two").blocks.text
        ['Hello you', 'one two']
        """
        pieces = list(self.pieces)
        edges = [*self.start.tolist(), len(pieces)]
        return [
            pieces[a].strip() if b - a == 1 else " ".join("".join(pieces[a:b]).split())
            for a, b in pairwise(edges)
        ]


def nearest(page: Page, marked: Mask) -> Column:
    """Return the first marked row on the way from each row to the root, itself included.

    Without any, that is the root.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<div><p>one <b>two</b></p> three</div>")
    >>> [page.tag[row] for row in nearest(page, np.isin(np.arange(len(page)), page.rows({"p"})))]
    ['html', 'html', 'html', 'p', 'p', 'p', 'p', 'html']
    """
    ends = marked.copy()
    ends[0] = True
    up: Column = np.where(ends, np.arange(len(page)), page.parent)
    while not (settled := ends[up]).all():
        up = np.where(settled, up, up[up])  # each round doubles the steps
    return up


def line_breaking_around(page: Page, texts: Column) -> Column:
    """Return the line-breaking element around each of these text rows, else the root."""
    breaks = page.tagged(LINE_BREAKING)
    breaks[0] = True
    up = page.parent[texts]
    for _ in range(_MAX_INLINE):
        up = np.where(breaks[up], up, page.parent[up])
    return up if breaks[up].all() else nearest(page, breaks)[texts]
