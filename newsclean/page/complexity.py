"""What a page may cost: pages that would cost more are refused before a tree is made of them.

Time and memory grow with the size of a page and not faster, whatever is in it. Two things in a page
could change that. libxml2 takes time by the square of the attributes of one tag; and a page of
hardly anything but tags takes a hundred times its size in memory. The parser itself counts both,
without making a tree, on the few pages that may have too many.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from lxml import etree

#: A page with more elements, or with more attributes on one of them, is not one for readers: of
#: 1,874 pages in five collections none has more than 15,793 elements, or 136 attributes on one.
MAX_ELEMENTS = 500_000
MAX_ATTRIBUTES = 500
#: The shortest tag: `<b>`.
MIN_TAG = 3  # bytes

# Wherever a tag may begin, in a script or a comment too, it is read as the parser would read it. A
# long name or value counts as several attributes, so that no attempt goes on for long.
_MANY_ATTRIBUTES = re.compile(
    rb"<[a-zA-Z][^\s/>]{0,40}+(?:[\s/]*+[^\s/>][^\s/>=]{0,39}+"
    rb"(?:=\"[^\"]*+\"|\s*+=\s*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\s>]{0,40}+))?+){%d}+"
    % MAX_ATTRIBUTES
)


def excess_of(source: bytes) -> str | None:
    """What a page, as UTF-8, has too much of; None for all others.

    >>> excess_of(b"<p>It has rained")
    >>> excess_of(b"<p " + b" ".join(b"a%d" % n for n in range(600)) + b">It has rained")
    'more than 500 attributes on one <p>'
    """
    many_elements = len(source) > MIN_TAG * MAX_ELEMENTS and source.count(b"<") > MAX_ELEMENTS
    if not many_elements and not _MANY_ATTRIBUTES.search(source):
        return None
    counter = _Counter()
    target: Any = counter  # the parser asks for no method that it does not have
    parser = etree.HTMLParser(recover=True, huge_tree=True, encoding="utf-8", target=target)
    # A page that is not one is reported by who parses it.
    with suppress(etree.XMLSyntaxError, _TooComplexError):
        etree.fromstring(source, parser)
    return counter.excess


class _TooComplexError(Exception):
    """The parser need not go on."""


class _Counter:
    """Takes the tags from the parser; no tree is made of them."""

    def __init__(self) -> None:
        self.elements = 0
        self.excess: str | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if len(attributes) > MAX_ATTRIBUTES:
            self.excess = f"more than {MAX_ATTRIBUTES:,} attributes on one <{tag[:20]}>"
        elif self.elements > MAX_ELEMENTS:
            self.excess = f"more than {MAX_ELEMENTS:,} elements"
        if self.excess:
            raise _TooComplexError

    def close(self) -> None:
        """The parser asks for it."""
