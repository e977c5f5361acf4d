"""Say for each block of a page whether it was kept or removed, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.metadata.dates import date_in_text
from newsclean.extraction.methods.hybrid.explaining import MEANINGS, explain
from newsclean.extraction.text import comparison_key, counted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.methods.hybrid.explaining import Reason
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask


#: Blocks before and after the beginning of the text that may show headline, byline or date.
_MAX_ABOVE = 25
_MAX_BELOW = 8
#: Words of a block that may be a byline or a date.
_MAX_LINE_WORDS = 20
#: Elements between an `h1` and the headline in it.
_MAX_LEVELS = 3
#: Bars of a chart.
_MAX_MOVES = 6
#: Groups of features that a sentence names on each side.
_MAX_NAMED = 2

_NEIGHBOR_MEANINGS = {
    "text": "its text or label on neighbors",
    "slot": "the same place on other pages",
}

_OPENINGS = {
    "article": "Kept as article text",
    "headline": "Recognized as the headline, which is not part of the body",
    "byline": "Recognized as the byline: it names an author",
    "date": "Recognized as the date: it shows the day of the article",
    "caption": "Kept as the caption of a picture, in the HTML only",
    "static": "Removed as static noise",
    "dynamic": "Removed as dynamic noise: a link that is not part of the text",
    "other": "Removed",
}


class BlockKind(StrEnum):
    """What a block was recognized as, in the order of the legend."""

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

    @property
    def is_noise(self) -> bool:
        return self in _NOISE


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


#: What was removed, and why in a few words.
_NOISE = {
    BlockKind.STATIC: "The site repeats these texts on other pages.",
    BlockKind.DYNAMIC: "Lists of links, and links outside the text.",
    BlockKind.OTHER: "The method did not choose these blocks.",
}


class RemovedBlocks(NamedTuple):
    """All blocks that were removed for the same reason."""

    kind: BlockKind
    why: str
    words: int
    blocks: list[MarkedBlock]


class Support(NamedTuple):
    """How many of the neighbors have a text."""

    pages: int
    of: int
    #: whether they have the label before the text, not the text itself
    is_label: bool = False

    def __str__(self) -> str:
        """
        >>> str(Support(4, 5)), str(Support(3, 5, is_label=True))
        ('on 4 of 5 neighbors', 'label on 3 of 5 neighbors')
        """
        return f"{'label ' * self.is_label}on {self.pages} of {counted(self.of, 'neighbor')}"


@dataclass(frozen=True)
class MarkedBlock:
    """A block, what it was recognized as, and why."""

    number: int
    kind: BlockKind
    text: str
    tag: str
    words: int
    #: why it was kept or removed, in a sentence and in a few words
    sentence: str
    brief: str = ""
    #: evidence for (above 0) and against keeping it, in log-odds, strongest first
    moves: tuple[tuple[str, float], ...] = ()
    #: what the network predicts from the page alone; None for other methods
    probability: float | None = None


def mark_blocks(extraction: Extraction) -> list[MarkedBlock]:
    """Return all blocks of a page, in document order."""
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
                brief=_brief(kind, reason, support),
                moves=_move_labels(reason) if reason is not None else (),
                probability=None if reason is None else reason.probability,
            )
        )
    return marked


def counts_by_kind(blocks: Sequence[MarkedBlock]) -> list[tuple[BlockKind, int, int]]:
    """Count the blocks and words of each kind on the page."""
    found = []
    for kind in BlockKind:
        own = [block for block in blocks if block.kind is kind]
        if own:
            found.append((kind, len(own), sum(block.words for block in own)))
    return found


def removed_blocks(blocks: Sequence[MarkedBlock]) -> list[RemovedBlocks]:
    """Return what was removed from the page, by kind."""
    found = []
    for kind, why in _NOISE.items():
        own = [block for block in blocks if block.kind is kind]
        if own:
            found.append(RemovedBlocks(kind, why, sum(block.words for block in own), own))
    return found


def _block_kinds(extraction: Extraction) -> list[BlockKind]:
    """Classify each block by what most of its characters are."""
    page, blocks, body = extraction.page, extraction.page.blocks, extraction.body
    noise = extraction.choice.noise
    nothing = np.zeros(len(page), dtype=bool)
    caption = body.html & ~body.text
    for picture in extraction.pictures:
        caption[list(picture.caption.rows)] = True
    embeds = np.array([embed.row for embed in body.embeds], dtype=np.int64)
    posts = page.below(embeds) if len(embeds) else nothing
    # In the order of the steps: the first mask that covers half of a block decides.
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
    for n in _date_blocks(extraction) & free:
        kinds[n] = BlockKind.DATE
    for n in _byline_blocks(extraction) & free:
        kinds[n] = BlockKind.BYLINE
    headline = _headline_block(extraction)
    if headline is not None and headline in free:
        kinds[headline] = BlockKind.HEADLINE


def _headline_block(extraction: Extraction) -> int | None:
    """Return the block with the headline: the last match in an `h1`, else the last match."""
    page, headline = extraction.page, extraction.headline
    key = comparison_key(headline or "", " ")
    if not key:
        return None
    found = [n for n in _near_text(extraction) if comparison_key(page.blocks.text[n], " ") == key]
    in_h1 = [n for n in found if _is_in_h1(page, n)]
    return next(reversed(in_h1 or found), None)


def _byline_blocks(extraction: Extraction) -> set[int]:
    """Return the short blocks outside the article that name an author."""
    names = [comparison_key(name, " ") for name in extraction.metadata.authors]
    names = [f" {name} " if name.isascii() else name for name in names if name]
    text = extraction.page.blocks.text
    return {
        n
        for n in _short_lines(extraction)
        if any(name in f" {comparison_key(text[n], ' ')} " for name in names)
    }


def _date_blocks(extraction: Extraction) -> set[int]:
    """Return the short blocks outside the article with its publication or modification day."""
    metadata = extraction.metadata
    days = {date[:10] for date in (metadata.date_published, metadata.date_modified) if date}
    if not days:
        return set()
    text = extraction.page.blocks.text
    found = set()
    for n in _short_lines(extraction):
        # Day and month may be in either order.
        dates = {date_in_text(text[n], order) for order in (None, True, False)}
        if days & {date[:10] for date in dates if date}:
            found.add(n)
    return found


def _near_text(extraction: Extraction) -> list[int]:
    """Return the blocks around the beginning of the text; all blocks if there is no text."""
    page = extraction.page
    chosen = page.blocks.sum(page.words * extraction.body.text)
    first = np.flatnonzero(chosen)[:1].tolist()
    if not first:
        return list(range(len(page.blocks)))
    return list(range(max(first[0] - _MAX_ABOVE, 0), min(first[0] + _MAX_BELOW, len(page.blocks))))


def _short_lines(extraction: Extraction) -> list[int]:
    page = extraction.page
    words = page.blocks.sum(page.words)
    chosen = page.blocks.sum(page.words * extraction.body.text)
    return [n for n in _near_text(extraction) if not chosen[n] and words[n] <= _MAX_LINE_WORDS]


def _is_in_h1(page: Page, block: int) -> bool:
    row = int(page.parent[page.blocks.row[block]])
    for _ in range(_MAX_LEVELS):
        if row < 0:
            return False
        if page.tag[row] == "h1":
            return True
        row = page.parents[row]
    return False


def _reasons(extraction: Extraction) -> Sequence[Reason]:
    """Return the reasons of `hybrid` for each block; empty for other methods."""
    return explain(extraction.page, extraction.evidence)


def support_of(neighbors: NeighborSupport, place: int) -> Support:
    """Return the support of the text at a place of `page.text_rows`."""
    own = int(neighbors.texts[neighbors.keys.of_text[place]])
    label = int(neighbors.keys.label_of_text[place])
    if label >= 0 and int(neighbors.texts[label]) > own:
        return Support(int(neighbors.texts[label]), neighbors.count, is_label=True)
    return Support(own, neighbors.count)


def sentence(
    kind: str,
    reason: Reason | None,
    support: Support,
    method: str,
    corrected_by: Collection[str] = (),
) -> str:
    """Say in one sentence why a block was kept or removed.

    >>> from newsclean.extraction.methods.hybrid.explaining import Reason
    >>> sentence("static", None, Support(4, 5), "stadynot")
    'Removed as static noise: its text is on 4 of 5 neighbors.'
    >>> against = Reason(False, 0.04, (("names", -2.0), ("tree", 0.5)), "")
    >>> sentence("other", against, Support(0, 0), "hybrid")
    'Removed: 4 % likely to be article text, from this page alone; evidence against: class and id; evidence for: the branches around the block.'
    """  # noqa: E501
    parts = [_OPENINGS[kind]]
    if corrected_by:
        parts = [
            f"{_OPENINGS[kind].partition(':')[0]} because of correction {', '.join(corrected_by)}"
        ]
    elif kind == "static":
        parts[0] += f": {_repeated(support)}"
    elif reason is None and kind in ("article", "other"):
        verb = "chosen" if kind == "article" else "not chosen"
        parts[0] += f": {verb} by {method}"
    if reason is not None:
        said = f"{_percent(reason.probability)} likely to be article text, from this page alone"
        if ":" in parts[0] or corrected_by or kind in ("headline", "caption"):
            parts.append(said)
        else:
            parts[0] += f": {said}"
        parts += _evidence(reason)
        if reason.rule and not reason.chosen:
            parts.append(reason.rule)
        if kind != "static" and reason.neighbors:
            parts.append(reason.neighbors)
    elif kind != "static" and support.pages:
        parts.append(_repeated(support))
    return "; ".join(parts) + "."


def _brief(kind: BlockKind, reason: Reason | None, support: Support) -> str:
    """Say in a few words why a block was removed.

    >>> _brief(BlockKind.STATIC, None, Support(4, 5))
    'on 4 of 5 neighbors'
    """
    if kind is BlockKind.STATIC and support.pages:
        return str(support)
    return "" if reason is None else f"{_percent(reason.probability)} likely to be article text"


def _move_labels(reason: Reason) -> tuple[tuple[str, float], ...]:
    """Return what moved the decision, neighbors included, in words and strongest first."""
    moves = [(MEANINGS.get(kind, kind), change) for kind, change in reason.moved]
    moves += [(_NEIGHBOR_MEANINGS[kind], change) for kind, change in reason.moved_by_neighbors]
    moves.sort(key=lambda move: -abs(move[1]))
    return tuple((label, round(change, 1)) for label, change in moves[:_MAX_MOVES])


def _repeated(support: Support) -> str:
    if not support.pages:
        return "the site repeats it"
    what = "the label before it" if support.is_label else "its text"
    return f"{what} is on {support.pages} of {counted(support.of, 'neighbor')}"


def _percent(probability: float) -> str:
    whole = round(100 * probability)
    if whole in (0, 100):
        return "less than 1 %" if whole == 0 else "more than 99 %"
    return f"{whole} %"


def _evidence(reason: Reason) -> list[str]:
    """Name the strongest evidence, that which agrees with the decision first."""
    sides: dict[bool, list[str]] = {reason.chosen: [], not reason.chosen: []}
    for kind, change in reason.moved:
        sides[change > 0].append(MEANINGS.get(kind, kind))
    return [
        f"evidence {'for' if is_for else 'against'}: {' and '.join(names[:_MAX_NAMED])}"
        for is_for, names in sides.items()
        if names
    ]
