"""The keys of a page: what its neighborhood counts, and what the page asks it (StaDyNoT 3.1).

The paper's key of a text is `tag-name : tag-attribute : tag_data`; ours leaves the attributes out
and takes a whole block as the data, so that a word in bold does not count as repeated text. Beside
texts, a page has keys for the slots of its template and for facts about its site.
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
from newsclean.extraction.page.slots import BlockPaths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Keying
    from newsclean.extraction.page import Page


#: Predictions for slots that are remembered: at most half of a page's keys.
_MAX_PREDICTIONS = MAX_KEYS // 2

#: The label of a text that has no tag of its own around it.
_LABEL = re.compile(r"[^:：]{2,30}[:：](?=\s)")


def page_keys(page: Page, keying: Keying, scores: BlockScores | None = None) -> PageKeys:
    """Return all keys of a page; those of slots need the scores of its blocks."""
    metadata = metadata_of(page, scores)
    asked = tuple(metadata.asked_facts)
    keys = replace(
        text_keys(page, keying),
        facts=_fact_hashes(metadata.known_facts),
        asked=asked,
        asked_keys=_fact_hashes(asked),
        metadata=metadata,
    )
    if scores is None:
        return keys
    return replace(keys, predictions=scores.predictions[:_MAX_PREDICTIONS], slots=scores.slot_keys)


def text_keys(page: Page, keying: Keying = "block") -> PageKeys:
    """Return the keys of a page's texts.

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
    labels = {}  # by block: its first piece, or what is before a colon
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


def metadata_of(page: Page, scores: BlockScores | None = None) -> PageMetadata:
    """Return the metadata of a page, by the page alone."""
    json_ld = None if scores is None else scores.context.json_ld  # already parsed
    return PageMetadata(page.elements, page.url, json_ld, cache(lambda: _lines_of(page)))


def _lines_of(page: Page) -> Lines:
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
    return Lines(blocks.text, in_h1, BlockPaths(page).line_slots)


def _fact_hashes(facts: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(fact_hash, facts), np.uint64, len(facts))
