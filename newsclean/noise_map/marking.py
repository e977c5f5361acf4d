"""What became of each block of a page, and what spoke for and against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid import explain
from newsclean.noise_map.head_lines import byline_blocks, date_blocks, headline_block
from newsclean.noise_map.sentences import move_labels, sentence
from newsclean.noise_map.support import Support, support_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.methods.hybrid import Reason
    from newsclean.extraction.page.columns import Mask


class BlockKind(StrEnum):
    """What a block is to the article. Their order is that of the legend."""

    ARTICLE = "article"
    HEADLINE = "headline"
    BYLINE = "byline"
    DATE = "date"
    CAPTION = "caption"
    STATIC = "static"
    DYNAMIC = "dynamic"
    OTHER = "other"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    BlockKind.ARTICLE: "Article",
    BlockKind.HEADLINE: "Headline",
    BlockKind.BYLINE: "Byline",
    BlockKind.DATE: "Date",
    BlockKind.CAPTION: "Caption",
    BlockKind.STATIC: "Static noise",
    BlockKind.DYNAMIC: "Dynamic noise",
    BlockKind.OTHER: "Other noise",
}


@dataclass(frozen=True)
class MarkedBlock:
    """A block, what it is taken for, and the reasons."""

    number: int
    kind: BlockKind
    text: str
    tag: str
    words: int
    #: why, in one sentence
    sentence: str
    #: what spoke for it (more than 0) and against it, in log-odds, largest first
    moves: tuple[tuple[str, float], ...] = ()
    #: of the network by the page itself, None for a method without one
    probability: float | None = None


def mark_blocks(extraction: Extraction) -> list[MarkedBlock]:
    """All blocks of a page, in document order."""
    page, blocks = extraction.page, extraction.page.blocks
    kinds = _block_kinds(extraction)
    reasons = _reasons(extraction)
    words = blocks.sum(page.words).tolist()
    neighbors = extraction.evidence.neighbors
    last = extraction.method.name.split("+")[-1]
    corrected_by = extraction.flips.by
    marked = []
    for number, kind in enumerate(kinds):
        reason = reasons[number] if reasons else None
        support = Support(0, 0)
        if neighbors is not None:
            support = support_of(neighbors, int(blocks.start[number]))
        marked.append(
            MarkedBlock(
                number=number,
                kind=kind,
                text=blocks.text[number],
                tag=page.tag[int(page.parent[blocks.row[number]])],
                words=words[number],
                sentence=sentence(kind, reason, support, last, corrected_by.get(number, ())),
                moves=move_labels(reason) if reason is not None else (),
                probability=None if reason is None else reason.probability,
            )
        )
    return marked


def _block_kinds(extraction: Extraction) -> list[BlockKind]:
    """What each block is taken for, by what most of its letters are."""
    page, blocks, body = extraction.page, extraction.page.blocks, extraction.body
    noise = extraction.choice.noise
    nothing = np.zeros(len(page), dtype=bool)
    caption = body.html & ~body.text
    for picture in extraction.pictures:
        caption[list(picture.caption.rows)] = True
    embeds = np.array([embed.row for embed in body.embeds], dtype=np.int64)
    posts = page.below(embeds) if len(embeds) else nothing
    # In the order in which the steps decide: of two, the first one counts.
    masks: list[tuple[BlockKind, Mask]] = [
        (BlockKind.ARTICLE, body.text | (posts & body.html)),
        (BlockKind.CAPTION, caption),
        (BlockKind.STATIC, noise.get("static", nothing)),
        (BlockKind.DYNAMIC, noise.get("dynamic", nothing)),
    ]
    weights = np.stack([blocks.sum(page.chars * mask) for _, mask in masks])
    half = blocks.sum(page.chars) / 2
    kinds = [BlockKind.OTHER] * len(blocks)
    for block in range(len(blocks)):
        for place, (kind, _) in enumerate(masks):
            if weights[place, block] >= max(half[block], 1):
                kinds[block] = kind
                break
    free = [n for n, kind in enumerate(kinds) if kind is not BlockKind.ARTICLE]
    _mark_head(extraction, kinds, set(free))
    return kinds


def _mark_head(extraction: Extraction, kinds: list[BlockKind], free: set[int]) -> None:
    for n in date_blocks(extraction) & free:
        kinds[n] = BlockKind.DATE
    for n in byline_blocks(extraction) & free:
        kinds[n] = BlockKind.BYLINE
    headline = headline_block(extraction)
    if headline is not None and headline in free:
        kinds[headline] = BlockKind.HEADLINE


def _reasons(extraction: Extraction) -> Sequence[Reason]:
    """The reasons of `hybrid` for each block; none of other methods."""
    return explain(extraction.page, extraction.evidence)


def counts_by_kind(blocks: Sequence[MarkedBlock]) -> list[tuple[BlockKind, int, int]]:
    """Blocks and words of each kind that the page has."""
    found = []
    for kind in BlockKind:
        own = [block for block in blocks if block.kind is kind]
        if own:
            found.append((kind, len(own), sum(block.words for block in own)))
    return found
