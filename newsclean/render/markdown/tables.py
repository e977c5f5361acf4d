"""Tables as GitHub's Markdown has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.render.markdown.inline import inline_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

#: Empty cells are written for a cell over several columns or rows only up to this column.
MAX_SPANNED = 50


def is_layout(element: etree._Element) -> bool:
    """Whether a table holds another one, or words outside of its cells."""
    parts = [element, *(part for part in element if part.tag != "caption"), *element.iter("tr")]
    return element.find(".//table") is not None or any(map(_has_loose_words, parts))


def table_markdown(element: etree._Element) -> str:
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
            wide = min(column + _span(cell, "colspan"), MAX_SPANNED)
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
