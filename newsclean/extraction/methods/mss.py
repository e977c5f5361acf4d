"""MSS: the maximum scoring subsequence (in Identifying Online News Articles, 2019).

The slides' three parts: successive text leaves are grouped into segments; a segment that looks like
running text scores its length, any other one minus its length; the article is the stretch of
segments with the highest sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step
from newsclean.extraction.page.columns import Blocks, line_breaking_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.browser.snapshot import ComputedFonts
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

#: Average characters of a word with the space after it.
WORD = 6


#: Pixels, in browsers
_DEFAULT_SIZE = 16.0
_BLACK = "#000000"
#: `<font size=1>` to 7; 3 is the default
_FONT_SIZES = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: Ratios to the size of the text around
_TAG_SIZES = {
    **dict(zip(_HEADINGS, (2.0, 1.5, 1.17, 1.0, 0.83, 0.67), strict=True)),
    "small": 1 / 1.2,
    "big": 1.2,
}
_NAMED_SIZES = dict(
    zip("xx-small x-small small medium large x-large xx-large".split(),
        (9.0, 10.0, 13.0, 16.0, 18.0, 24.0, 32.0), strict=True)
)  # fmt: skip
_NAMED_RATIOS = {"smaller": 1 / 1.2, "larger": 1.2}
#: Pixels of a unit, and ratios to the size around
_UNITS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "rem": 16.0,
}
_RATIOS = {"em": 1.0, "%": 0.01}
_LARGEST_SIZE = 1000.0
_SIZING = frozenset({"font", *_TAG_SIZES})
_COLORING = frozenset({"font"})
#: The properties of a `style` attribute that matter here, and their values.
_Declarations = Sequence[tuple[str, str]]
_SET = re.compile(r"(?:^|;)\s*(font-size|font|color)\s*:\s*([^;!]+)", re.IGNORECASE)
_LENGTH = re.compile(r"(?<![\w.#])(\d{0,6}(?:\.\d{1,6})?)(px|pt|pc|in|cm|mm|rem|em|%)(?![\w%])")
_FONT_SIZE = re.compile(r"\s*([+-]?)(\d)")
_RGB = re.compile(r"rgba?\((\d{1,3})[, ]+(\d{1,3})[, ]+(\d{1,3})\b")
_HEX = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})$")
_NAME = re.compile(r"[a-z]+$")
_NO_COLORS = frozenset("inherit initial unset revert currentcolor".split())


@dataclass(frozen=True)
class Parameters:
    """As published ("Scoring of text segments"), and then what today's pages need."""

    #: c1: the least share of a segment's text in the page's most common font size
    size: float = 0.7
    #: c2: the least share in the page's most common colour
    color: float = 0.2
    #: c3: the largest share inside hyperlinks
    link: float = 0.5
    #: characters that each segment has to outweigh: many short segments are no article
    cost: float = 0.0
    #: the weight of a character if F is -1
    weight_noise: float = 1.0
    #: and if an earlier method has marked most of the segment as noise
    weight_marked: float = 1.0
    #: segments are the page's blocks, which an empty line also ends
    lines: bool = False
    #: the length of a segment is its number of words, for scripts without spaces
    by_words: bool = False
    #: a maximal subsequence with this share of the best score is part of the article, too
    also: float = 1.0
    #: segments of links inside the article are left out
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
    """Return the rows of the best scoring stretch of segments, and its score.

    Without `fonts`, those of the page's own markup count.
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
            # with the pictures between the texts
            chosen[segments.row[stretch.start] : segments.last[stretch.stop - 1] + 1] = True
    if parameters.drop_links:
        links = shares.link > parameters.link
        chosen[page.text_rows[links[segments.of_text]]] = False
    return chosen & eligible, float(best.score)


def group(page: Page, parameters: Parameters = PAPER) -> Blocks:
    """Group successive text leaves with the same nearest line-break node (part 1)."""
    if parameters.lines:
        return page.blocks
    return Blocks.of(page, line_breaking_around(page, page.text_rows))


@dataclass(frozen=True, eq=False)
class Shares:
    """The length of each segment, and the shares of its text on which F depends."""

    length: NDArray[np.float64]
    size: NDArray[np.float64]
    color: NDArray[np.float64]
    link: NDArray[np.float64]
    #: marked as noise by an earlier method
    marked: NDArray[np.float64]


def measure(
    page: Page,
    segments: Blocks,
    eligible: Mask,
    parameters: Parameters = PAPER,
    fonts: Fonts | ComputedFonts | None = None,
) -> Shares:
    """Measure StringLength, p_size, p_color and p_link of each segment (part 2)."""
    fonts = fonts or Fonts(page)
    counted = page.chars * eligible
    chars = segments.sum(page.chars)
    share = 1 / chars
    everything = np.ones(len(segments))

    def usual(look: Column) -> NDArray[np.float64]:
        return segments.sum(page.chars * (look == most_common(look, counted))) * share

    return Shares(
        length=(segments.sum(page.words) * WORD if parameters.by_words else chars).astype(float),
        # A share that makes no difference is not computed.
        size=usual(fonts.size) if parameters.size > 0 else everything,
        color=usual(fonts.color) if parameters.color > 0 else everything,
        link=segments.sum(page.chars * page.in_link) * share,
        marked=segments.sum(page.chars * ~eligible) * share,
    )


def most_common(look: Column, chars: Column) -> int:
    """Return the size or colour of most of the page's text."""
    return int(np.bincount(look, chars).argmax())


def values(shares: Shares, parameters: Parameters = PAPER) -> NDArray[np.float64]:
    """Return v: F times the length of each segment (part 2)."""
    is_text = (
        (shares.size >= parameters.size)
        & (shares.color >= parameters.color)
        & (shares.link <= parameters.link)
    )
    f = np.where(is_text, 1.0, -parameters.weight_noise)
    f[shares.marked > 0.5] = -parameters.weight_marked
    value: NDArray[np.float64] = f * shares.length - parameters.cost
    return value


class Stretch(NamedTuple):
    """The scores from `start` up to, but not including, `stop`, and their sum."""

    start: int
    stop: int
    score: float


def maximal_subsequences(scores: Iterable[float]) -> list[Stretch]:
    """Find all maximal scoring subsequences in linear time (part 3; Ruzzo and Tompa, ISMB 1999).

    A subsequence is a stretch of scores without gaps. It is maximal if every shorter stretch within
    it scores less, and no longer stretch around it has that property. Maximal ones never overlap.

    >>> maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])  # the paper's example
    [Stretch(start=0, stop=1, score=4),
     Stretch(start=2, stop=3, score=3),
     Stretch(start=4, stop=11, score=7)]
    """
    # For each candidate: where it starts and stops, the totals left of it (L) and up to its end
    # (R), and the nearest candidate before it with a smaller L, -1 if there is none. Step 1 follows
    # these links, and never visits a candidate twice: that makes the time linear.
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
    """Return the first maximal scoring subsequence with the highest score, else an empty one.

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
    # Of several beginnings with the same score the last one: what is before it adds nothing.
    start = last - int((totals[last::-1] == lowest[last]).argmax())
    return Stretch(start, last + 1, float(gains[last]))


@dataclass(eq=False)
class Fonts:
    """The size and colour of each row's text, as far as the page's own markup gives them.

    That is `<font>`, headings, `<small>`, `<big>` and `style` attributes, but no style sheets. A
    link has the colour of the text around it. Both are read on first use.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html('<h1>Rain</h1><p>It rained. <b style="color:red">A lot.</b>')
    >>> fonts = Fonts(page)
    >>> fonts.size[page.text_rows].tolist(), fonts.color[page.text_rows].tolist()
    ([32, 16, 16], [0, 0, 1])
    """

    page: Page

    @cached_property
    def size(self) -> Column:
        """The size of each row in pixels."""
        size = np.full(len(self.page), _DEFAULT_SIZE)
        for row in sorted({*self._styles, *self.page.rows(_SIZING).tolist()}):
            # Inner elements come later, and overwrite this.
            own = _own_size(self.page, row, self._styles.get(row, ()), float(size[row]))
            if own is not None:
                size[row : self.page.end[row] + 1] = own
        pixels: Column = np.rint(size).astype(np.int64)
        return pixels

    @cached_property
    def color(self) -> Column:
        """A number for the colour of each row; 0 is black."""
        color = np.zeros(len(self.page), dtype=np.int64)
        numbers = {_BLACK: 0}
        for row in sorted({*self._styles, *self.page.rows(_COLORING).tolist()}):
            own = _own_color(self.page, row, self._styles.get(row, ()))
            if own is not None:
                color[row : self.page.end[row] + 1] = numbers.setdefault(own, len(numbers))
        return color

    @cached_property
    def _styles(self) -> dict[int, _Declarations]:
        """The declarations of fonts in `style` attributes, by row."""
        return {
            row: declarations
            for row, element in enumerate(self.page.element)
            if element is not None
            and (style := element.get("style"))
            and (declarations := _SET.findall(style))
        }


def _own_size(page: Page, row: int, style: _Declarations, around: float) -> float | None:
    """Return the size that an element sets, None if it sets none."""
    tag, element = page.tag[row], page.element[row]
    size = around * _TAG_SIZES[tag] if tag in _TAG_SIZES else None
    if tag == "font" and element is not None:
        size = _font_size(element.get("size") or "")
    for name, value in style:
        if name.lower() != "color":
            size = _length(value.lower(), around) or size
    return size


def _own_color(page: Page, row: int, style: _Declarations) -> str | None:
    """Return the colour that an element sets, None if it sets none."""
    element = page.element[row]
    color = None
    if page.tag[row] == "font" and element is not None:
        color = _color(element.get("color") or "")
    for name, value in style:
        if name.lower() == "color":
            color = _color(value) or color
    return color


def _font_size(value: str) -> float | None:
    """Read `<font size>`: a number from 1 to 7, or a step from 3."""
    found = _FONT_SIZE.match(value)
    if not found:
        return None
    sign, digit = found.groups()
    step = int(digit) if not sign else 3 + int(sign + digit)
    return _FONT_SIZES[min(max(step, 1), 7) - 1]


def _length(value: str, around: float) -> float | None:
    """Read `font-size`, or the first size in `font`; None if there is none."""
    found = _LENGTH.search(value)
    if found and found[1] not in ("", "."):
        number, unit = float(found[1]), found[2]
        pixels = number * (_UNITS[unit] if unit in _UNITS else _RATIOS[unit] * around)
        return min(pixels, _LARGEST_SIZE)
    for word in value.split():
        if word in _NAMED_SIZES:
            return _NAMED_SIZES[word]
        if word in _NAMED_RATIOS:
            return around * _NAMED_RATIOS[word]
    return None


def _color(value: str) -> str | None:
    """Return one spelling for each colour, None if the value is no colour."""
    value = value.strip().lower()
    if found := _RGB.match(value):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in found.groups())
    if found := _HEX.match(value):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * digit for digit in found[1])
        return f"#{digits}"
    if _NAME.match(value) and value not in _NO_COLORS:
        return _BLACK if value == "black" else value
    return None
