"""Pieces of clean HTML: the attributes of a tag, preformatted text, ruby annotations."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from lxml import etree

from newsclean.page.tags import ANNOTATIONS, BREAKS, SILENT, TAG_BITS
from newsclean.render.html_tags import INLINE, NUMBERS

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: What stays within `<pre>`: all but what needs an attribute.
INLINE_IN_PRE = INLINE - {"a", "abbr", "ruby"}


def kept_attributes(tag: str, element: etree._Element) -> str:
    """The attributes of an element that are written with its tag; links and embeds have others."""
    if tag == "abbr" and (title := element.get("title")):
        return f' title="{escape(" ".join(title.split()))}"'
    if tag not in NUMBERS:  # as most are
        return ""
    values = ((name, element.get(name, "")) for name in NUMBERS[tag])
    numbers = (pair for pair in values if pair[1].removeprefix("-").isdecimal())
    return "".join(f' {name}="{value}"' for name, value in numbers)


def preformatted(root: etree._Element) -> str:
    """The words of a `<pre>` with their white space and emphasis, without what is not text."""
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
        if element.tag in INLINE_IN_PRE and not silent and event in ("start", "end"):
            parts.append(f"<{'/' if event == 'end' else ''}{element.tag}>")
        raw = element.text if event == "start" else element.tail
        if raw and not silent and not (event == "end" and element is root):
            written = raw
            parts.append(escape(raw, quote=False))
    return "".join(parts)


def ruby_annotations(page: Page, chosen: Mask) -> dict[int, str]:
    """How words are read: the annotations in each `<ruby>` that was chosen, by their rows."""
    found: dict[int, str] = {}
    if not any(map(page.elements, ANNOTATIONS)):
        return found
    rows = page.rows(ANNOTATIONS)
    for row in rows[chosen[page.parent[rows]]].tolist():
        element, tag = page.element[row], page.tag[row]
        if element is None or page.tag[page.parents[row]] != "ruby":
            continue
        words = " ".join("".join(map(str, element.itertext())).split())
        found[row] = f"<{tag}>{escape(words, quote=False)}</{tag}>"
    return found
