"""The keys by which a neighborhood knows a piece of text again (StaDyNoT 3.1).

The paper's key is `tag-name : tag-attribute : tag_data`; the product's leaves the attributes out
and takes a whole block as the data, so that a word in bold does not count as repeated text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import xxhash

from newsclean.methods.hybrid import judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.page import Page
    from newsclean.page.columns import Column

#: Keys of one page that are remembered, so that no page, however large, makes a memory large.
KEYS_A_PAGE = 4_000

#: A text that begins so has a label, even without a tag of its own around it.
_LABEL = re.compile(r"[^:：]{2,30}[:：](?=\s)")

#: `element`: tag, attributes and own text of each element, as published; `block`: tag and text of
#: each text block, and of the label with which a block begins ("Read also", "Image copyright").
Keying = Literal["element", "block"]


@dataclass(frozen=True, eq=False)
class PageKeys:
    """The keys of one page: a 64-bit hash for each unit of text, and which text row is in which."""

    hashes: NDArray[np.uint64]
    #: a unit's text, for people to read
    texts: list[str]
    #: characters of each unit, 0 for a label, whose block has them already
    chars: Column
    #: unit of each text row
    of_text: Column
    #: unit of the label with which the text of a text row's unit begins, -1 if it has none
    label_of_text: Column
    #: what the page says of the slots of its template
    verdicts: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.hashes)

    @cached_property
    def remembered(self) -> NDArray[np.uint64]:
        """The keys that a neighborhood keeps: each once, and not more than it can hold."""
        texts = np.unique(self.hashes)[: KEYS_A_PAGE - len(self.verdicts)]
        return np.union1d(texts, self.verdicts) if len(self.verdicts) else texts


def page_keys(page: Page, keying: Keying = "block", *, profile: bool = False) -> PageKeys:
    """The keys of a page's texts; with `profile` also its verdicts on the slots of its template.

    >>> from newsclean.page import Page
    >>> a = Page.from_html("<p>Contact us</p><p>Rain in Bergen")
    >>> b = Page.from_html("<h1>Snow in Oslo</h1><p>Contact  us</p>")
    >>> np.isin(page_keys(a).hashes, page_keys(b).hashes).tolist()
    [True, False]
    """
    keys = _block_keys(page) if keying == "block" else _element_keys(page)
    if profile:
        keys = replace(keys, verdicts=judge(page).verdicts[: KEYS_A_PAGE // 2])
    return keys


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
        hashes=_hashes(names, texts),
        texts=texts,
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
        hashes=_hashes([_signature(page, row) for row in owners.tolist()], texts),
        texts=texts,
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
