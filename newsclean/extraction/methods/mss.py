"""MSS: the maximum scoring subsequence (in Identifying Online News Articles, 2019).

Text leaves are grouped into segments; a segment that looks like running text scores its length, any
other one loses it; the article is the stretch of segments with the highest sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step
from newsclean.extraction.page.columns import line_breaking_around
from newsclean.extraction.page.fonts import Fonts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.browser.rendering import ComputedFonts
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


# All maximal scoring subsequences in linear time (Ruzzo and Tompa, ISMB 1999).
#
# A subsequence is a stretch of scores without gaps. It is maximal if every shorter stretch within
# it scores less, and no longer stretch around it has that property. Maximal ones never overlap.


class Stretch(NamedTuple):
    """The scores from `start` up to, but not including, `stop`, and their sum."""

    start: int
    stop: int
    score: float


def maximal_subsequences(scores: Iterable[float]) -> list[Stretch]:
    """The maximal scoring subsequences, in the order in which they stand.

    >>> maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])  # the paper's example
    [Stretch(start=0, stop=1, score=4),
     Stretch(start=2, stop=3, score=3),
     Stretch(start=4, stop=11, score=7)]
    """
    # For each candidate: where it starts and stops, the totals left of it (L) and up to its end
    # (R), and the nearest candidate before it whose L is smaller, -1 if there is none. A search
    # follows these links, and a candidate that one search has passed no other will see again.
    starts: list[int] = []
    stops: list[int] = []
    left: list[float] = []
    right: list[float] = []
    smaller: list[int] = []
    total: float = 0
    for place, score in enumerate(scores):
        before, total = total, total + score
        if score <= 0:
            continue
        start = place
        j = len(starts) - 1
        while True:
            while j >= 0 and left[j] >= before:  # step 1
                j = smaller[j]
            if j < 0 or right[j] >= total:  # steps 2 and 3
                break
            start, before, link = starts[j], left[j], smaller[j]  # step 4
            for column in (starts, stops, left, right, smaller):
                del column[j:]
            j = link
        starts.append(start)
        stops.append(place + 1)
        left.append(before)
        right.append(total)
        smaller.append(j)
    return [
        Stretch(start, stop, until - before)
        for start, stop, before, until in zip(starts, stops, left, right, strict=True)
    ]


def best_subsequence(scores: NDArray[np.float64]) -> Stretch:
    """The first of the maximal scoring subsequences with the highest score; an empty one for none.

    >>> best_subsequence(np.array([4.0, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5]))
    Stretch(start=4, stop=11, score=7.0)
    """
    if not len(scores):
        return Stretch(0, 0, 0.0)
    totals = np.zeros(len(scores) + 1)
    np.cumsum(scores, out=totals[1:])
    lowest = np.minimum.accumulate(totals[:-1])
    gains = totals[1:] - lowest
    last = int(gains.argmax())
    if gains[last] <= 0:
        return Stretch(0, 0, 0.0)
    # Of several beginnings with the same score, the last one: what stands before it adds nothing.
    start = last - int((totals[last::-1] == lowest[last]).argmax())
    return Stretch(start, last + 1, float(gains[last]))


#: Characters of a word with the space behind it, on average.
WORD = 6


@dataclass(frozen=True)
class Parameters:
    """As published (Scoring of text segments), and then what today's pages need beyond it."""

    #: c1: the least share of a segment's text in the page's most common font size
    size: float = 0.7
    #: c2: the least share in the page's most common colour
    color: float = 0.2
    #: c3: the largest share inside hyperlinks
    link: float = 0.5
    #: characters that each segment has to outweigh, so that many short ones are no article
    cost: float = 0.0
    #: what a character of a segment weighs where F is -1
    weight_noise: float = 1.0
    #: and where most of the segment has been marked as noise by an earlier method
    weight_marked: float = 1.0
    #: the segments are the page's blocks, which an empty line ends too
    lines: bool = False
    #: the length of a segment is that of its words, which makes scripts without spaces equal
    by_words: bool = False
    #: a maximal subsequence that scores this share of the best one is part of the article, too
    also: float = 1.0
    #: segments of links in the midst of the article are left out
    drop_links: bool = False


PAPER = Parameters()
TUNED = Parameters(
    size=0.0,
    cost=40,
    lines=True,
    by_words=True,
    also=0.4,
    drop_links=True,
)
#: After a method that has marked the noise.
CHAINED = replace(TUNED, cost=20, also=0.6)


@dataclass(frozen=True, eq=False)
class Segments:
    """Successive text leaves that belong together."""

    page: Page
    #: position in `page.text_rows` of each segment's first text
    start: Column

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def of_text(self) -> Column:
        """The segment of each text row, counted from 0."""
        first = np.zeros(len(self.page.text_rows), dtype=np.int64)
        first[self.start] = 1
        return np.cumsum(first) - 1

    @cached_property
    def first(self) -> Column:
        """The first text row of each segment."""
        return self.page.text_rows[self.start]

    @cached_property
    def last(self) -> Column:
        """The last text row of each segment."""
        stop: Column = np.append(self.start[1:], len(self.page.text_rows))
        return self.page.text_rows[stop - 1]

    def sum(self, values: Column) -> NDArray[np.float64]:
        """The sum of a page column over each segment."""
        if not len(self):
            return np.empty(0)
        return np.add.reduceat(values[self.page.text_rows], self.start).astype(float)


@dataclass(frozen=True, eq=False)
class Shares:
    """Of each segment its length, and the shares of its text that F looks at."""

    length: NDArray[np.float64]
    size: NDArray[np.float64]
    color: NDArray[np.float64]
    link: NDArray[np.float64]
    #: marked as noise before
    marked: NDArray[np.float64]


def steps(parameters: Parameters) -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        fonts = None if evidence.rendering is None else evidence.rendering.fonts(page)
        rows, score = choose(page, before.rows, parameters, fonts)
        return replace(before, rows=rows, score=score)

    return (Step(Stage.CONTENT, content),)


def choose(
    page: Page,
    eligible: Mask,
    parameters: Parameters = PAPER,
    fonts: Fonts | ComputedFonts | None = None,
) -> tuple[Mask, float]:
    """The rows of the best scoring stretch of segments, and its score.

    Without `fonts`, those of the page's own markup.
    """
    segments = group(page, parameters)
    shares = measure(page, segments, eligible, parameters, fonts)
    found = maximal_subsequences(values(shares, parameters).tolist())
    best = max(found, key=lambda stretch: stretch.score, default=None)
    chosen = np.zeros(len(page), dtype=bool)
    if best is None:
        return chosen, 0.0
    for stretch in found:
        if stretch is best or (
            parameters.also < 1 and stretch.score >= parameters.also * best.score
        ):
            # The pictures between the texts are the article's, too.
            chosen[segments.first[stretch.start] : segments.last[stretch.stop - 1] + 1] = True
    if parameters.drop_links:
        links = shares.link > parameters.link
        chosen[page.text_rows[links[segments.of_text]]] = False
    return chosen & eligible, float(best.score)


def group(page: Page, parameters: Parameters = PAPER) -> Segments:
    """Text leaves in document order, successive ones under the same line-break node together."""
    blocks = page.blocks
    if parameters.lines or not len(blocks):
        return Segments(page, blocks.start)
    node = line_breaking_around(page, blocks.row)
    first = np.ones(len(blocks), dtype=bool)
    first[1:] = node[1:] != node[:-1]
    return Segments(page, blocks.start[first])


def measure(
    page: Page,
    segments: Segments,
    eligible: Mask,
    parameters: Parameters = PAPER,
    fonts: Fonts | ComputedFonts | None = None,
) -> Shares:
    """StringLength, p_size, p_color and p_link of each segment."""
    fonts = fonts or Fonts(page)
    counted = page.chars * eligible
    chars = segments.sum(page.chars)
    share = 1 / chars
    everything = np.ones(len(segments))

    def usual(look: Column) -> NDArray[np.float64]:
        return segments.sum(page.chars * (look == most_common(look, counted))) * share

    return Shares(
        length=segments.sum(page.words) * WORD if parameters.by_words else chars,
        # Where any share will do, none is computed.
        size=usual(fonts.size) if parameters.size > 0 else everything,
        color=usual(fonts.color) if parameters.color > 0 else everything,
        link=segments.sum(page.chars * page.in_link) * share,
        marked=segments.sum(page.chars * ~eligible) * share,
    )


def most_common(look: Column, chars: Column) -> int:
    """The size or colour in which most of the page's text is written."""
    return int(np.bincount(look, chars).argmax())


def values(shares: Shares, parameters: Parameters = PAPER) -> NDArray[np.float64]:
    """v: F times the length of each segment."""
    is_text = (
        (shares.size >= parameters.size)
        & (shares.color >= parameters.color)
        & (shares.link <= parameters.link)
    )
    f = np.where(is_text, 1.0, -parameters.weight_noise)
    f[shares.marked > 0.5] = -parameters.weight_marked
    value: NDArray[np.float64] = f * shares.length - parameters.cost
    return value
