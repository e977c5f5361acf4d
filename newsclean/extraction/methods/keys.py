"""The keys by which a neighborhood recognises a piece of text (StaDyNoT 3.1).

The paper's key is `tag-name : tag-attribute : tag_data`; the product's leaves the attributes out
and takes a whole block as the data, so that a word in bold does not count as repeated text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.extraction.metadata import PageMetadata
from newsclean.extraction.metadata.page_sources import Lines
from newsclean.extraction.metadata.site_facts import fact_hash
from newsclean.extraction.neighborhood import MAX_KEYS, PageKeys
from newsclean.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Keying
    from newsclean.extraction.page import Page


#: Verdicts on the slots of a page's template that are remembered: not more than half of its keys.
MAX_VERDICTS = MAX_KEYS // 2

#: A text that begins so has a label, even without a tag of its own around it.
_LABEL = re.compile(r"[^:：]{2,30}[:：](?=\s)")


def text_keys(page: Page, keying: Keying = "block") -> PageKeys:
    """The keys of a page's texts.

    >>> from newsclean.extraction.page import Page
    >>> a = Page.from_html("<p>Contact us</p><p>Rain in Bergen")
    >>> b = Page.from_html("<h1>Snow in Oslo</h1><p>Contact  us</p>")
    >>> np.isin(text_keys(a).texts, text_keys(b).texts).tolist()
    [True, False]
    """
    return _block_keys(page) if keying == "block" else _element_keys(page)


def _block_keys(page: Page) -> PageKeys:
    blocks = page.blocks
    texts = blocks.text
    ends = np.append(blocks.start[1:], len(page.text_rows))
    rows = blocks.row.tolist()
    labels = {}  # by block
    for block, pieces in enumerate((ends - blocks.start).tolist()):
        if pieces > 1:
            labels[block] = page.text[rows[block]].strip()
        elif (":" in texts[block] or "：" in texts[block]) and (
            found := _LABEL.match(texts[block])
        ):
            labels[block] = found[0]
    rows += [rows[block] for block in labels]
    texts = [*texts, *labels.values()]
    names = [page.tag[row] for row in page.parent[rows].tolist()] if rows else []
    label = np.full(len(blocks), -1, dtype=np.int64)
    label[list(labels)] = len(blocks) + np.arange(len(labels))
    return PageKeys(
        texts=_hashes(names, texts),
        samples=texts,
        chars=np.append(blocks.sum(page.chars), np.zeros(len(labels), dtype=np.int64)),
        of_text=blocks.of_text,
        label_of_text=label[blocks.of_text],
    )


def _element_keys(page: Page) -> PageKeys:
    rows = page.text_rows
    owners, of_text = np.unique(page.parent[rows], return_inverse=True)
    pieces: list[list[str]] = [[] for _ in owners]
    for row, unit in zip(rows.tolist(), of_text.tolist(), strict=True):
        pieces[unit].append(page.text[row])
    texts = [" ".join("".join(piece).split()) for piece in pieces]
    return PageKeys(
        texts=_hashes([_signature(page, row) for row in owners.tolist()], texts),
        samples=texts,
        chars=np.bincount(of_text, page.chars[rows], len(owners)).astype(np.int64),
        of_text=of_text,
        label_of_text=np.full(len(rows), -1, dtype=np.int64),
    )


def _hashes(names: list[str], texts: list[str]) -> NDArray[np.uint64]:
    digest = xxhash.xxh3_64_intdigest
    hashes = [digest(f"{name}:{text}".encode()) for name, text in zip(names, texts, strict=True)]
    return np.fromiter(hashes, np.uint64, len(texts))


def _signature(page: Page, row: int) -> str:
    element = page.element[row]
    pairs = [] if element is None else [[str(part) for part in pair] for pair in element.items()]
    return f"{page.tag[row]}:{' '.join('='.join(pair) for pair in sorted(pairs))}"


# The metadata of a page, and what of it neighbors count.

#: Elements within a line.
_INLINE = frozenset("a abbr b bdi cite em font i label small span strong u".split())
#: Characters of a slot.
_MAX_SLOT = 200

_DIGIT = re.compile(r"\d")


def metadata_of(page: Page, scores: BlockScores | None = None) -> PageMetadata:
    """What a page says about itself, whatever its neighbors tell."""
    json_ld = None if scores is None else scores.context.json_ld  # parsed once
    return PageMetadata(page.elements, page.url, json_ld, cache(lambda: _lines_of(page)))


def _lines_of(page: Page) -> Lines:
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
    return Lines(blocks.text, in_h1, lambda line: _slots_of(page, int(blocks.row[line]), names))


def _slots_of(page: Page, row: int, names: dict[int, str] | None = None) -> list[str]:
    """The places of a text in the site's template: of the element that holds it, and of its line's.

    `names` remembers what elements are called, for who asks for several texts of a page.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html('<div class="post-12 head"><p id=by>By <b>Ann Lee</b></p></div><p>Hi')
    >>> [_slots_of(page, row) for row in page.text_rows.tolist()]
    [['p.by<div.head'], ['b<p.by', 'p.by<div.head'], []]
    """
    names = {} if names is None else names
    inner = outer = page.parents[row]
    while page.tag[outer] in _INLINE and page.parents[outer] >= 0:
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
    return slot[:_MAX_SLOT] if has_words else ""


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
        facts=_fact_hashes(metadata.known_facts),
        asked=asked,
        asked_keys=_fact_hashes(asked),
        metadata=metadata,
    )


def _fact_hashes(facts: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(fact_hash, facts), np.uint64, len(facts))


# What the title of a page says, and which parts of it may be the headline.

#: A part of a title with fewer letters than this may be the name of the site or a section.
_SHORTEST_PART = 12
#: What a longer title says from here on is not a title.
_MAX_TITLE = 2000  # characters

#: Between the parts of a title.
SEPARATOR = re.compile(r"\s*[|»«·•]\s*|\s+[-–—:/]+\s+|:\s+")


def title_of(page: Page) -> str:
    """What the page's first `<title>` says, with single spaces."""
    title = next(("".join(map(str, e.itertext())) for e in page.elements("title")), "")
    return " ".join(title.split())[:_MAX_TITLE]


def title_names(title: str) -> Iterator[str]:
    """The title, its parts between separators, and all but its first or last part, folded.

    >>> list(title_names("Rain goes on in Bergen | News"))
    ['raingoesoninbergennews', 'raingoesoninbergen', 'raingoesoninbergen']
    """
    if whole := comparison_key(title):
        yield whole
    parts = SEPARATOR.split(title)
    for part in (*parts, "".join(parts[1:]), "".join(parts[:-1])):
        if len(name := comparison_key(part)) >= _SHORTEST_PART:
            yield name
