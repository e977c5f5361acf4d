"""Turn clean HTML into Markdown: CommonMark with GitHub's tables and strikethrough.

This module writes blocks: paragraphs, headings, lists, quotes, code, figures, tables. The words in
them are written by `markdown_inline`.
"""

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

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl"})
#: They hold blocks, or words that become a paragraph.
_HOLDERS = frozenset(
    "p li dt dd td th caption figcaption div section article main aside header footer address "
    "body thead tbody tfoot tr".split()
)
_BLOCKS = _HOLDERS | _LISTS | _HEADINGS.keys() | {"blockquote", "pre", "table", "figure", "hr"}

_RULE = "___"  # cannot be read as a list
#: Two lists of one kind that follow each other have different marks.
_BULLETS, _NUMBER_ENDS = "-*", ".)"
_MAX_NUMBER = 999_999_999
#: Nested quotes and lists, each of which marks every line in it. Deeper ones become plain blocks.
_MAX_NESTING = 20
_NESTED = frozenset({"blockquote", *_LISTS})
#: A cell that spans columns or rows is followed by empty ones only up to this column.
_MAX_SPANNED = 50


class _Kind(Enum):
    PARAGRAPH = auto()
    PICTURE = auto()
    LIST = auto()
    OTHER = auto()


class _Block(NamedTuple):
    text: str
    kind: _Kind = _Kind.OTHER
    #: the mark of a list
    mark: str = ""
    #: for a list: whether it may follow a paragraph without a blank line
    is_tight: bool = False


def render_markdown(html: str) -> str:
    """Return clean HTML as Markdown.

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
    if body is None:
        return ""
    etree.strip_elements(body, *ANNOTATIONS, with_tail=False)
    _flatten(body)
    return _joined(_blocks_of(body))


def _flatten(body: etree._Element) -> None:
    """Turn quotes and lists that are nested too deep into plain blocks."""
    depth = 0
    for event, element in etree.iterwalk(body, ("start", "end")):
        if element.tag not in _NESTED:
            continue
        depth += 1 if event == "start" else -1
        if depth >= _MAX_NESTING and event == "end":
            element.tag = "div"


def _joined(blocks: list[_Block]) -> str:
    return "\n\n".join(block.text for block in blocks)


def _blocks_of(container: etree._Element) -> list[_Block]:
    blocks: list[_Block] = []
    for part in _parts_of(container):
        blocks.extend(_blocks_of_part(part, blocks[-1].mark if blocks else ""))
    return blocks


def _blocks_of_part(part: _Part, mark_before: str = "") -> list[_Block]:
    """Return a run of words as a paragraph, or the blocks of an element."""
    if isinstance(part, list):
        text = paragraph(inline_markdown(part))
        kind = _Kind.PICTURE if _is_picture(part) else _Kind.PARAGRAPH
        return [_Block(text, kind)] if text else []
    if part.tag in _HEADINGS:
        return _heading(part)
    if part.tag in _LISTS:
        return _list_block(part, mark_before)
    if part.tag == "table":
        return _table(part)
    if part.tag == "pre":
        return _fenced(part)
    if part.tag == "hr":
        return [_Block(_RULE)]
    if part.tag == "figure":
        return _figure(part)
    blocks = _blocks_of(part)
    if part.tag == "blockquote" and blocks:
        return [_Block(_indented(_joined(blocks), "> "))]
    return blocks


def _parts_of(container: etree._Element) -> Iterator[_Part]:
    """Yield the runs of words and inline elements in an element, and the blocks between them."""
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
    return len(run) == 1 and not str(run[0]).strip()


def _is_picture(run: Run) -> bool:
    """Return whether a run has pictures and no words."""
    return not any(
        node.strip() if isinstance(node, str) else words_in(node).strip() for node in run
    )


def _heading(element: etree._Element) -> list[_Block]:
    text = inline_markdown([element], one_line=True)
    if text.endswith("#"):  # would be read as the end of the heading
        hashes = len(text) - len(text.rstrip("#"))
        text = f"{text[:-hashes]}\\{text[-hashes:]}"
    return [_Block(f"{_HEADINGS[element.tag]} {text}")] if text else []


def _list_block(element: etree._Element, mark_before: str) -> list[_Block]:
    """Return a list, with another mark than a list right before it."""
    items = _definitions(element) if element.tag == "dl" else _items_of(element)
    if not items:
        return []
    is_numbered = element.tag == "ol"
    marks = _NUMBER_ENDS if is_numbered else _BULLETS
    mark = marks[1] if mark_before == marks[0] else marks[0]
    number = _start_of(element, len(items)) if is_numbered else 1
    is_loose = not all(_is_tight(*pair) for item in items for pair in pairwise(item))
    between = "\n\n" if is_loose else "\n"
    written = []
    for place, item in enumerate(items, number):
        lead = f"{place}{mark} " if is_numbered else f"{mark} "
        text = between.join(block.text for block in item)
        written.append(lead + _indented(text, " " * len(lead))[len(lead) :])
    # Only a list that begins with 1 may follow a paragraph without a blank line.
    return [_Block(between.join(written), _Kind.LIST, mark, not is_loose and number == 1)]


def _is_tight(before: _Block, block: _Block) -> bool:
    """Return whether a block of an item may follow another without a blank line."""
    return block.is_tight and before.kind is _Kind.PARAGRAPH


def _items_of(element: etree._Element) -> list[list[_Block]]:
    """Return the blocks of each item; anything else in the list is an item, too."""
    return [item for item in map(_blocks_of_part, _parts_of(element)) if item]


def _definitions(element: etree._Element) -> list[list[_Block]]:
    """Return each term in bold with its definitions below: Markdown has no such list."""
    items: list[list[_Block]] = []
    for part in _parts_of(element):
        if not isinstance(part, list) and part.tag == "dt":
            text = paragraph(inline_markdown([part], strong=True))
            items += [[_Block(text, _Kind.PARAGRAPH)]] if text else []
            continue
        blocks = _blocks_of_part(part)
        if not blocks or not items:
            items += [blocks] if blocks else []
            continue
        item = items[-1]
        if len(item) == 1 and item[0].kind is blocks[0].kind is _Kind.PARAGRAPH:
            term, meaning = item.pop(), blocks.pop(0)
            item.append(_Block(f"{term.text}\\\n{meaning.text}", _Kind.PARAGRAPH))
        item += blocks
    return items


def _start_of(element: etree._Element, count: int) -> int:
    """Return the number of the first item, 1 if Markdown cannot count from there."""
    value = element.get("start", "")
    number = int(value) if value.isdecimal() and len(value) < 10 else 1
    return number if number + count <= _MAX_NUMBER else 1


def _indented(text: str, prefix: str) -> str:
    bare = prefix.rstrip()
    return "\n".join(prefix + line if line else bare for line in text.split("\n"))


def _fenced(element: etree._Element) -> list[_Block]:
    """Return preformatted words as they are, in a fence longer than any in them."""
    for line_break in element.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "")
    lines = words_in(element).rstrip().split("\n")
    text = "\n".join(dropwhile(lambda line: not line.strip(), lines))
    fence = "`" * max(3, longest_backticks(text) + 1)
    return [_Block(f"{fence}\n{text}\n{fence}")] if text else []


def _figure(element: etree._Element) -> list[_Block]:
    """Return the blocks of a figure; a caption is in the line below its picture."""
    blocks = _blocks_of(element)
    if {block.kind for block in blocks} != {_Kind.PICTURE, _Kind.PARAGRAPH}:
        return blocks
    blocks.sort(key=lambda block: block.kind is _Kind.PARAGRAPH)
    return [_Block("\\\n".join(block.text for block in blocks))]


def _table(element: etree._Element) -> list[_Block]:
    """Return a table with its caption above it, or the blocks in the cells of a layout table."""
    if _is_layout(element):
        return _blocks_of(element)
    blocks = [block for caption in element.findall("caption") for block in _blocks_of(caption)]
    text = _table_markdown(element)
    return [*blocks, _Block(text)] if text else blocks


def _is_layout(element: etree._Element) -> bool:
    """Return whether a table holds another one, or words outside its cells."""
    parts = [element, *(part for part in element if part.tag != "caption"), *element.iter("tr")]
    return element.find(".//table") is not None or any(map(_has_loose_words, parts))


def _table_markdown(element: etree._Element) -> str:
    """Return the rows of a table; without a header row, the first line is empty."""
    rows = list(element.iter("tr"))
    lines = list(_grid(rows))
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


def _grid(rows: Iterable[etree._Element]) -> Iterator[list[str]]:
    """Yield the cells of each row by column; a column that another cell spans is empty."""
    covered: dict[int, int] = {}  # by column: how many more rows a cell spans
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
    """Return whether an element of a table has words outside its cells."""
    return any(text and text.strip() for text in (element.text, *(each.tail for each in element)))
