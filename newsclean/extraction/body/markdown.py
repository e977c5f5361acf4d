"""Markdown (CommonMark with the tables and the strikethrough of GitHub) of clean HTML."""

from __future__ import annotations

from enum import Enum, auto
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from newsclean.extraction.body.markdown_inline import (
    inline_markdown,
    longest_backticks,
    paragraph,
    words_in,
)
from newsclean.extraction.page.columns import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsclean.extraction.body.markdown_inline import Run

    #: A run of words and inline elements, or a block.
    _Part = list[str | etree._Element] | etree._Element

# Tables as GitHub's Markdown has them.

#: Empty cells are written for a cell over several columns or rows only up to this column.
_MAX_SPANNED = 50


def _is_layout(element: etree._Element) -> bool:
    """Whether a table holds another one, or words outside of its cells."""
    parts = [element, *(part for part in element if part.tag != "caption"), *element.iter("tr")]
    return element.find(".//table") is not None or any(map(_has_loose_words, parts))


def _table_markdown(element: etree._Element) -> str:
    """The rows of a table; without a row of headings, the first line is empty."""
    rows = list(element.iter("tr"))
    lines = list(grid(rows))
    while lines and not lines[0]:
        del lines[0], rows[0]
    if not lines:
        return ""
    is_head = rows[0].find("td") is None or next(rows[0].iterancestors()).tag == "thead"
    width = max(map(len, lines))
    head = lines.pop(0) if is_head else []
    head += [""] * (width - len(head))
    lines = [head, ["---"] * width, *filter(None, lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def grid(rows: Iterable[etree._Element]) -> Iterator[list[str]]:
    """The cells of each row in their columns; columns that another cell covers are empty."""
    covered: dict[int, int] = {}  # how many rows more each column is covered
    for row in rows:
        line: list[str] = []
        following = {column: left - 1 for column, left in covered.items() if left > 1}
        for cell in row:
            while len(line) in covered:
                line.append("")
            column = len(line)
            line.append(inline_markdown([cell], one_line=True).replace("|", "\\|"))
            wide = min(column + _span(cell, "colspan"), _MAX_SPANNED)
            line += [""] * (wide - len(line))
            high = _span(cell, "rowspan")
            if high > 1:
                following.update(dict.fromkeys(range(column, wide), high - 1))
        covered = following
        while line and not line[-1]:
            line.pop()
        yield line


def _span(cell: etree._Element, name: str) -> int:
    value = cell.get(name, "")
    return max(1, int(value)) if value.isdecimal() and len(value) < 6 else 1


def _has_loose_words(element: etree._Element) -> bool:
    """Whether there are words in an element of a table that are in no cell."""
    return any(text and text.strip() for text in (element.text, *(each.tail for each in element)))


# The blocks of an article: paragraphs, headings, lists, quotes, code, figures, tables.

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl"})
#: They hold blocks, or words that are a paragraph.
_HOLDERS = frozenset(
    "p li dt dd td th caption figcaption div section article main aside header footer address "
    "body thead tbody tfoot tr".split()
)
_BLOCKS = _HOLDERS | _LISTS | _HEADINGS.keys() | {"blockquote", "pre", "table", "figure", "hr"}

_RULE = "___"  # no list begins with it
#: Two lists of one kind that follow each other are told apart by their marks.
_BULLETS, _NUMBER_ENDS = "-*", ".)"
_MAX_NUMBER = 999_999_999
#: Quotes and lists in each other: each adds a mark to every line in it. Deeper ones add none.
_MAX_NESTING = 20
_NESTED = frozenset({"blockquote", *_LISTS})


class Kind(Enum):
    PARAGRAPH = auto()
    PICTURE = auto()
    LIST = auto()
    OTHER = auto()


class Block(NamedTuple):
    text: str
    kind: Kind = Kind.OTHER
    #: the mark of a list
    mark: str = ""
    #: whether it is a list that may follow a paragraph without a blank line
    is_tight: bool = False


def render_markdown(html: str) -> str:
    """Clean HTML as Markdown.

    >>> print(render_markdown("<h2>Rain</h2><p>It <b>rains</b>.</p><ol start=3><li>1 * 1</ol>"))
    ## Rain
    <BLANKLINE>
    It **rains**.
    <BLANKLINE>
    3. 1 \\* 1
    """
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = etree.fromstring(f"<body>{html}".encode("utf-8", "replace"), parser)
    body = None if root is None else root.find("body")
    if body is not None:
        etree.strip_elements(body, *ANNOTATIONS, with_tail=False)
        _flatten(body)
    return "" if body is None else joined(_blocks_of(body))


def _flatten(body: etree._Element) -> None:
    """Make plain blocks of the quotes and lists that are nested too deep."""
    depth = 0
    for event, element in etree.iterwalk(body, ("start", "end")):
        if element.tag not in _NESTED:
            continue
        depth += 1 if event == "start" else -1
        if depth >= _MAX_NESTING and event == "end":
            element.tag = "div"


def joined(blocks: list[Block]) -> str:
    """The blocks, with blank lines between them."""
    return "\n\n".join(block.text for block in blocks)


def _blocks_of(container: etree._Element) -> list[Block]:
    """The blocks in an element, in their order."""
    blocks: list[Block] = []
    for part in _parts_of(container):
        blocks.extend(_blocks_of_part(part, blocks[-1].mark if blocks else ""))
    return blocks


def _blocks_of_part(part: _Part, mark_before: str = "") -> list[Block]:
    """A run of words as a paragraph, or the blocks of an element."""
    if isinstance(part, list):
        text = paragraph(inline_markdown(part))
        kind = Kind.PICTURE if _is_picture(part) else Kind.PARAGRAPH
        return [Block(text, kind)] if text else []
    if part.tag in _HEADINGS:
        return heading(part)
    if part.tag in _LISTS:
        return _list_block(part, mark_before)
    if part.tag == "table":
        return table(part)
    if part.tag == "pre":
        return _fenced(part)
    if part.tag == "hr":
        return [Block(_RULE)]
    if part.tag == "figure":
        return figure(part)
    blocks = _blocks_of(part)
    if part.tag == "blockquote" and blocks:
        return [Block(_indented(joined(blocks), "> "))]
    return blocks


def _parts_of(container: etree._Element) -> Iterator[_Part]:
    """What is in an element: runs of words and inline elements, and the blocks between them."""
    run: list[str | etree._Element] = [container.text or ""]
    for child in container:
        if child.tag in _BLOCKS:
            if not _is_blank(run):
                yield run
            yield child
            run = [child.tail or ""]
        else:
            run += [child, child.tail or ""]
    if not _is_blank(run):
        yield run


def _is_blank(run: list[str | etree._Element]) -> bool:
    """Whether there is nothing but white space between two blocks."""
    return len(run) == 1 and not str(run[0]).strip()


def _is_picture(run: Run) -> bool:
    """Whether a run holds pictures and no words."""
    return not any(
        node.strip() if isinstance(node, str) else words_in(node).strip() for node in run
    )


def heading(element: etree._Element) -> list[Block]:
    text = inline_markdown([element], one_line=True)
    if text.endswith("#"):  # it would be taken for the end of the heading
        hashes = len(text) - len(text.rstrip("#"))
        text = f"{text[:-hashes]}\\{text[-hashes:]}"
    return [Block(f"{_HEADINGS[element.tag]} {text}")] if text else []


def _list_block(element: etree._Element, mark_before: str) -> list[Block]:
    """A list, with another mark than a list right before it."""
    items = _definitions(element) if element.tag == "dl" else _items_of(element)
    if not items:
        return []
    is_numbered = element.tag == "ol"
    marks = _NUMBER_ENDS if is_numbered else _BULLETS
    mark = marks[1] if mark_before == marks[0] else marks[0]
    number = _start_of(element, len(items)) if is_numbered else 1
    is_loose = not all(is_tight(*pair) for item in items for pair in pairwise(item))
    between = "\n\n" if is_loose else "\n"
    written = []
    for place, item in enumerate(items, number):
        lead = f"{place}{mark} " if is_numbered else f"{mark} "
        text = between.join(block.text for block in item)
        written.append(lead + _indented(text, " " * len(lead))[len(lead) :])
    # Only a list that begins with 1 can interrupt a paragraph.
    return [Block(between.join(written), Kind.LIST, mark, not is_loose and number == 1)]


def is_tight(before: Block, block: Block) -> bool:
    """Whether a block of an item may follow another one without a blank line."""
    return block.is_tight and before.kind is Kind.PARAGRAPH


def _items_of(element: etree._Element) -> list[list[Block]]:
    """The blocks of each item; what else is in the list is an item, too."""
    return [item for item in map(_blocks_of_part, _parts_of(element)) if item]


def _definitions(element: etree._Element) -> list[list[Block]]:
    """Each term, emphasised, with its definitions below it; Markdown has no such list."""
    items: list[list[Block]] = []
    for part in _parts_of(element):
        if not isinstance(part, list) and part.tag == "dt":
            text = paragraph(inline_markdown([part], strong=True))
            items += [[Block(text, Kind.PARAGRAPH)]] if text else []
            continue
        blocks = _blocks_of_part(part)
        if not blocks or not items:
            items += [blocks] if blocks else []
            continue
        item = items[-1]
        if len(item) == 1 and item[0].kind is blocks[0].kind is Kind.PARAGRAPH:
            term, meaning = item.pop(), blocks.pop(0)
            item.append(Block(f"{term.text}\\\n{meaning.text}", Kind.PARAGRAPH))
        item += blocks
    return items


def _start_of(element: etree._Element, count: int) -> int:
    """The number of the first item, as far as Markdown can write it."""
    value = element.get("start", "")
    number = int(value) if value.isdecimal() and len(value) < 10 else 1
    return number if number + count <= _MAX_NUMBER else 1


def _indented(text: str, prefix: str) -> str:
    """A text with a prefix before each line."""
    bare = prefix.rstrip()
    return "\n".join(prefix + line if line else bare for line in text.split("\n"))


def _fenced(element: etree._Element) -> list[Block]:
    """Preformatted words as they are, in a fence that they do not hold."""
    for line_break in element.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "")
    lines = words_in(element).rstrip().split("\n")
    text = "\n".join(dropwhile(lambda line: not line.strip(), lines))
    fence = "`" * max(3, longest_backticks(text) + 1)
    return [Block(f"{fence}\n{text}\n{fence}")] if text else []


def figure(element: etree._Element) -> list[Block]:
    """What a figure shows; pictures with their captions in the lines below them."""
    blocks = _blocks_of(element)
    if {block.kind for block in blocks} != {Kind.PICTURE, Kind.PARAGRAPH}:
        return blocks
    blocks.sort(key=lambda block: block.kind is Kind.PARAGRAPH)
    return [Block("\\\n".join(block.text for block in blocks))]


def table(element: etree._Element) -> list[Block]:
    """A table with its caption above it; one that is layout as the blocks of its cells."""
    if _is_layout(element):
        return _blocks_of(element)
    blocks = [block for caption in element.findall("caption") for block in _blocks_of(caption)]
    text = _table_markdown(element)
    return [*blocks, Block(text)] if text else blocks
