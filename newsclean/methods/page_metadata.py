"""The metadata of a page, and what of it neighbors count."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata import PageMetadata
from newsclean.metadata.headline_area import Lines
from newsclean.metadata.site_facts import fact_hash

#: Elements within a line.
INLINE = frozenset("a abbr b bdi cite em font i label small span strong u".split())
#: Characters of a slot.
MAX_SLOT = 200

_DIGIT = re.compile(r"\d")

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.methods.hybrid.scoring import BlockScores
    from newsclean.neighborhood import PageKeys
    from newsclean.page import Page


def metadata_of(page: Page, scores: BlockScores | None = None) -> PageMetadata:
    """What a page says about itself, whatever its neighbors tell."""
    json_ld = None if scores is None else scores.context.json_ld  # parsed once
    return PageMetadata(page.elements, page.url, json_ld, cache(lambda: lines_of(page)))


def lines_of(page: Page) -> Lines:
    """What a page shows, line by line."""
    blocks = page.blocks
    if not len(blocks):
        return Lines()
    in_h1: list[int] = []
    row, past = -1, 0
    for _ in page.elements("h1"):
        row = page.tag.index("h1", row + 1)
        first, end = blocks.row.searchsorted((row, page.end[row] + 1)).tolist()
        in_h1 += range(max(first, past), end)  # headings may be in headings
        past = max(past, end)
    names: dict[int, str] = {}
    return Lines(blocks.text, in_h1, lambda line: slots_of(page, int(blocks.row[line]), names))


def slots_of(page: Page, row: int, names: dict[int, str] | None = None) -> list[str]:
    """The places of a text in the site's template: of the element that holds it, and of its line's.

    `names` remembers what elements are called, for who asks for several texts of a page.

    >>> from newsclean.page import Page
    >>> page = Page.from_html('<div class="post-12 head"><p id=by>By <b>Ann Lee</b></p></div><p>Hi')
    >>> [slots_of(page, row) for row in page.text_rows.tolist()]
    [['p.by<div.head'], ['b<p.by', 'p.by<div.head'], []]
    """
    names = {} if names is None else names
    inner = outer = page.parents[row]
    while page.tag[outer] in INLINE and page.parents[outer] >= 0:
        outer = page.parents[outer]
    slots = (_slot(page, inner, names), _slot(page, outer, names) if outer != inner else "")
    return list(filter(None, dict.fromkeys(slots)))


def _slot(page: Page, row: int, names: dict[int, str]) -> str:
    """An element's tag and classes, and its parent's; empty if they have no class."""
    levels = [level for level in (row, page.parents[row]) if level >= 0]  # the root has no parent
    for level in levels:
        if level not in names:
            names[level] = _name(page, level)
    slot = "<".join([names[level] for level in levels])
    has_words = any(names[level] != page.tag[level] for level in levels)
    return slot[:MAX_SLOT] if has_words else ""


def _name(page: Page, row: int) -> str:
    """An element's tag and classes; words with digits are often those of one article."""
    element = page.element[row]
    values = () if element is None else map(element.get, ("class", "id", "itemprop"))
    words = " ".join(value for value in values if value).split()
    return ".".join([page.tag[row], *(word for word in words if not _DIGIT.search(word))])


def with_facts(keys: PageKeys, metadata: PageMetadata) -> PageKeys:
    """The keys of a page with what its metadata teaches of its site, and asks."""
    asked = tuple(metadata.asked_facts)
    return replace(
        keys,
        facts=_hashes(metadata.known_facts),
        asked=asked,
        asked_keys=_hashes(asked),
        metadata=metadata,
    )


def _hashes(facts: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(fact_hash, facts), np.uint64, len(facts))
