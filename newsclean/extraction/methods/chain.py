"""The protocol of the methods: each narrows down which rows of a page are the article.

A method is one step or a few. A step belongs to a `Stage`, and is a function of the page, the
`Evidence` on it and the `Choice` so far; it returns a smaller choice. To add a method, write a
module with

- `Parameters`, a frozen dataclass, and its sets `PAPER` (as published) and `TUNED` (those that
  measure best, and the default),
- `steps(parameters)`, which returns the steps,

and name it in `registry.METHODS`: the crawl, the library and the command line then know it. A
method that takes all paragraphs for the article:

>>> from newsclean.extraction.page import Page
>>> def paragraphs(page: Page, evidence: Evidence, before: Choice) -> Choice:
...     return replace(before, rows=before.rows & page.below(page.rows({"p"})))
>>> method = Method("paragraphs", (Step(Stage.CONTENT, paragraphs),))
>>> page = Page.from_html("<h2>News</h2><p>It rains.")
>>> [page.text[row] for row in page.text_rows if method.choose(page).rows[row]]
['It rains.']
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.extraction.metadata.page_metadata import PageMetadata
from newsclean.extraction.metadata.page_sources import Lines, fact_hash
from newsclean.extraction.neighborhood import MAX_KEYS, PageKeys
from newsclean.extraction.page.slots import BlockPaths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Rendering
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Keying, NeighborSupport
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Mask

#: An element belongs to the article if at least this share of its characters does.
_MIN_SHARE = 0.5


#: Predictions for slots that are remembered: at most half of a page's keys.
_MAX_PREDICTIONS = MAX_KEYS // 2
#: The label of a text that has no tag of its own around it.
_LABEL = re.compile(r"[^:：]{2,30}[:：](?=\s)")


class Stage(IntEnum):
    """When a step runs; the pipelines of a crawl run one stage each."""

    #: mark what the neighbors repeat
    STATIC = 1
    #: mark noise of this page alone
    DYNAMIC = 2
    #: choose from what is left
    CONTENT = 3


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about a page beside its own columns."""

    #: probabilities of its blocks, for a method with a network
    scores: BlockScores | None = None
    #: on how many neighbors its texts and slots appear
    neighbors: NeighborSupport | None = None
    #: how a browser shows it, if it was rendered
    rendering: Rendering | None = None


@dataclass(frozen=True, eq=False)
class Choice:
    """The rows of a page that are left as the article, and how sure the method is."""

    rows: Mask
    score: float = 0.0
    #: the rows marked as noise so far, by kind
    noise: dict[str, Mask] = field(default_factory=dict)
    #: the strategy that found it, of a method with several
    strategy: str | None = None
    #: whether headline, byline and captions are left out already
    is_body: bool = False
    #: the mean probability of the chosen words; None for a method without a network
    confidence: float | None = None
    #: the probability of each block; None for a method without a network
    block_probability: NDArray[np.float64] | None = None

    @classmethod
    def everything(cls, page: Page) -> Choice:
        return cls(np.ones(len(page), dtype=bool))

    @property
    def last_resort(self) -> bool:
        """Whether the method itself found nothing, so that a fallback chose."""
        return self.strategy not in (None, "network")

    def without(self, kind: str, marks: Mask) -> Choice:
        """Return this choice without rows that are noise of a kind."""
        return replace(self, rows=self.rows & ~marks, noise={**self.noise, kind: marks})


@dataclass(frozen=True)
class Step:
    """One step of a method."""

    stage: Stage
    run: Callable[[Page, Evidence, Choice], Choice]
    #: whether it works on rendered pages only
    needs_rendering: bool = False


@dataclass(frozen=True)
class Method:
    """A chain of steps under its name."""

    name: str
    steps: tuple[Step, ...]
    #: what the keys of a page's texts are made of
    keying: Keying = "block"
    #: computes the probabilities of a page's blocks; None for a method without a network
    scorer: Callable[[Page], BlockScores] | None = None
    #: the fingerprint of the scorer's model
    model: str | None = None

    @property
    def needs_rendering(self) -> bool:
        return any(step.needs_rendering for step in self.steps)

    def score_blocks(self, page: Page) -> BlockScores | None:
        """Run the method's network over a page, if it has one."""
        return None if self.scorer is None else self.scorer(page)

    def keys(self, page: Page, scores: BlockScores | None = None) -> PageKeys:
        """Return the keys by which a neighborhood counts the page."""
        return page_keys(page, self.keying, scores)

    def choose(self, page: Page, evidence: Evidence | None = None) -> Choice:
        """Return the article; without evidence, by the page alone."""
        evidence = evidence or Evidence(self.score_blocks(page))
        choice = Choice.everything(page)
        for stage in Stage:
            choice = self.run_stage(stage, page, evidence, choice)
        return choice

    def run_stage(self, stage: Stage, page: Page, evidence: Evidence, choice: Choice) -> Choice:
        """Run the steps of one stage on what the stages before have left."""
        for step in self.steps:
            if step.stage is stage:
                choice = step.run(page, evidence, choice)
        return choice


def ignored(page: Page, tags: frozenset[str], eligible: Mask, largest_share: float) -> Mask:
    """Return the rows in these tags, unless one has more than this share of the plain text."""
    rows = page.rows(tags)
    if not len(rows):
        return np.zeros(len(page), dtype=bool)
    plain = page.subtree(page.chars * (eligible & ~page.in_link))
    return page.below(rows[plain[rows] <= largest_share * plain[0]])


def with_markup(page: Page, texts: Mask) -> Mask:
    """Return chosen text rows with their elements, for methods that choose texts, not branches.

    An element without text, such as a picture, belongs to them if it is between two chosen texts.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p>menu</p><img><p>A long <b>story</b></p><img><p>its end</p><img>")
    >>> chosen = page.is_text & (np.arange(len(page)) > page.text_rows[0])
    >>> [page.tag[row] for row in np.flatnonzero(with_markup(page, chosen))]
    ['html', 'body', 'p', '#text', 'b', '#text', 'img', 'p', '#text']
    """
    all_chars = page.subtree(page.chars)
    chosen_chars = page.subtree(page.chars * texts)
    mostly = chosen_chars >= _MIN_SHARE * all_chars
    # Whether the texts before and after each row are chosen; before the first there is none.
    chosen = np.concatenate(([False], texts[page.text_rows], [False]))
    before = np.cumsum(page.is_text)
    between = chosen[before] & chosen[np.minimum(before + 1, len(chosen) - 1)]
    rows: Mask = np.where(all_chars > 0, mostly, between)
    return rows


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
