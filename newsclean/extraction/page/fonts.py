"""The size and colour of each row's text, as far as the page's own markup gives them.

That is `<font>`, headings, `<small>`, `<big>` and `style` attributes, but no style sheets. A link
has the colour of the text around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.extraction.page.columns import Column, Page


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


@dataclass(eq=False)
class Fonts:
    """The fonts of a page; sizes and colours are read on first use.

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
