"""A page as Chromium shows it, as flat columns: boxes, styles and texts of the browser's own tree.

A row is an element or a piece of text, in document order; the subtree of row `i` is the range
`i … end[i]`. The tree is Chromium's, and may differ from the one of `Page`, which libxml2 builds;
`alignment.py` leads from one to the other.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from newsclean.extraction.page import PageError
from newsclean.extraction.page.columns import TEXT, TEXTLESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column


_Floats = NDArray[np.float32]
_SnapshotColumn = NDArray[np.int64]
_Mask = NDArray[np.bool_]

#: Pixels of the screen on which a page is shown.
SCREEN = (1280, 800)

#: The computed styles for which `DOMSnapshot.captureSnapshot` is asked.
STYLES = ("font-size", "font-weight", "color", "visibility", "display")
#: How the snapshot is asked for, in one call.
CAPTURE = "DOMSnapshot.captureSnapshot"
CAPTURE_OPTIONS: dict[str, Any] = {"computedStyles": list(STYLES)}

#: Attributes that are kept: where an element leads, or what it loads.
_ADDRESSES = ("href", "src")
_BLACK = "rgb(0, 0, 0)"
_DEFAULT_SIZE, _DEFAULT_WEIGHT = 16.0, 400.0
_ELEMENT, _TEXT = 1, 3
#: Nodes that are not in the page's source, or in a `<template>` there.
_ADDED = ("pseudoType", "shadowRootType")


class SnapshotError(ValueError):
    """What the browser, or a file, gave is not a snapshot of a page."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One rendered page; build it with `snapshot_of`."""

    url: str | None
    #: pixels of the screen and of the whole page: width, height
    screen: tuple[int, int]
    size: tuple[float, float]
    #: tag name of each row, `#text` for text
    tag: list[str]
    parent: _SnapshotColumn
    end: _SnapshotColumn
    #: left, top, width and height in pixels of the page; zeros for what is not shown
    box: _Floats
    font_size: _Floats
    font_weight: _Floats
    #: a number for the colour of each row; 0 is black
    color: _SnapshotColumn
    #: whether a row is part of a line: texts, links, bold words …
    inline: _Mask
    #: whether it has a place on the page, and is not hidden
    shown: _Mask
    #: text by row, white space folded, for rows whose text is the reader's
    text: dict[int, str]
    #: `href` or `src` by row, as written
    address: dict[int, str]
    #: processor time that it took to make
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def text_rows(self) -> _SnapshotColumn:
        """The rows with text, in document order, whether they are shown or not."""
        return np.fromiter(self.text, np.int64, len(self.text))

    @cached_property
    def chars(self) -> _SnapshotColumn:
        """Characters of each text row, 0 for elements."""
        chars = np.zeros(len(self), dtype=np.int64)
        chars[self.text_rows] = [len(text) for text in self.text.values()]
        return chars

    def save(self, path: Path) -> None:
        """Write it to a file, to be read again by `read_snapshot`."""
        arrays: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                arrays[field.name] = value
            else:
                rest[field.name] = list(value.items()) if isinstance(value, dict) else value
        np.savez_compressed(path, rest=np.frombuffer(json.dumps(rest).encode(), np.uint8), **arrays)


def read_snapshot(path: Path) -> Snapshot:
    """The snapshot in a file; `SnapshotError` if there is none in it."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        rest: dict[str, Any] = json.loads(arrays.pop("rest").tobytes())
        for name in ("screen", "size"):
            rest[name] = tuple(rest[name])
        for name in ("text", "address"):
            rest[name] = dict(rest[name])
        return Snapshot(**rest, **arrays)
    except (OSError, EOFError, KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"{path} is not a snapshot: {error}") from None


def snapshot_of(
    answer: dict[str, Any], url: str | None = None, screen: tuple[int, int] = SCREEN
) -> Snapshot:
    """The snapshot in an answer of `DOMSnapshot.captureSnapshot` (`CAPTURE_OPTIONS`)."""
    try:
        document, strings = answer["documents"][0], answer["strings"]
        nodes, layout = document["nodes"], document["layout"]
        kept, rows = _kept_rows(nodes, strings)
        tag, parent, text, address = _read_nodes(nodes, strings, kept, rows)
        box, styles = _read_layout(layout, rows, len(kept))
        size = float(document["contentWidth"]), float(document["contentHeight"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SnapshotError(f"not the answer of {CAPTURE}: {error!r}") from None
    # A style is computed once for each string: a page has few of them.
    look = {name: [strings[k] if k >= 0 else "" for k in column] for name, column in styles.items()}
    colors = {_BLACK: 0, "": 0}
    has_place = (box[:, 2] > 0) & (box[:, 3] > 0)
    # What is further left or above than the page begins was moved out of sight.
    has_place &= (box[:, 0] + box[:, 2] > 0) & (box[:, 1] + box[:, 3] > 0)
    return Snapshot(
        url=url,
        screen=screen,
        size=size,
        tag=tag,
        parent=parent,
        end=_ends(parent),
        box=box,
        font_size=_numbers(look["font-size"], "px", _DEFAULT_SIZE),
        font_weight=_numbers(look["font-weight"], "", _DEFAULT_WEIGHT),
        color=np.array([colors.setdefault(c, len(colors) - 1) for c in look["color"]], np.int64),
        inline=np.array(
            [name == TEXT or style.startswith("inline")
             for name, style in zip(tag, look["display"], strict=True)], dtype=bool,
        ),
        shown=has_place & np.array([v == "visible" for v in look["visibility"]], dtype=bool),
        text=text,
        address=address,
    )  # fmt: skip


def _kept_rows(nodes: dict[str, Any], strings: list[str]) -> tuple[list[int], dict[int, int]]:
    """The nodes that are elements of the page's source or texts, and the row of each."""
    parents, kinds = nodes["parentIndex"], nodes["nodeType"]
    left_out: set[int] = {node for kind in _ADDED for node in nodes.get(kind, {}).get("index", ())}
    kept: list[int] = []
    for node, kind in enumerate(kinds):
        if node in left_out or parents[node] in left_out:
            left_out.add(node)
        elif kind == _ELEMENT or (kind == _TEXT and strings[nodes["nodeValue"][node]].strip()):
            kept.append(node)
    return kept, {node: row for row, node in enumerate(kept)}


def _read_nodes(
    nodes: dict[str, Any], strings: list[str], kept: list[int], rows: dict[int, int]
) -> tuple[list[str], _SnapshotColumn, dict[int, str], dict[int, str]]:
    """Tags, parents, texts and addresses."""
    tags: list[str] = []
    parents: list[int] = []
    text: dict[int, str] = {}
    address: dict[int, str] = {}
    silent: list[bool] = []  # whether the text below is nobody's to read
    for row, node in enumerate(kept):
        parent = rows.get(nodes["parentIndex"][node], -1)
        parents.append(parent)
        around = parent >= 0 and silent[parent]
        if nodes["nodeType"][node] == _TEXT:
            tags.append(TEXT)
            silent.append(around)
            if not around:
                text[row] = " ".join(strings[nodes["nodeValue"][node]].split())
            continue
        tag = strings[nodes["nodeName"][node]].lower()
        tags.append(tag)
        silent.append(around or tag in TEXTLESS)
        attributes = nodes["attributes"][node]
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            if strings[name] in _ADDRESSES and value >= 0:
                address[row] = strings[value]
    return tags, np.array(parents, dtype=np.int64), text, address


def _read_layout(
    layout: dict[str, Any], rows: dict[int, int], count: int
) -> tuple[_Floats, dict[str, _SnapshotColumn]]:
    """The box of each row, around all of its parts, and its styles as numbers of strings."""
    corners = np.zeros((count, 4), dtype=np.float64)
    styles = {name: np.full(count, -1, dtype=np.int64) for name in STYLES}
    has_box = np.zeros(count, dtype=bool)
    for node, (left, top, width, height), style in zip(
        layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True
    ):
        row = rows.get(node)
        if row is None:
            continue
        right, bottom = left + width, top + height
        if has_box[row]:
            before = corners[row]
            corners[row] = (
                min(before[0], left), min(before[1], top),
                max(before[2], right), max(before[3], bottom),
            )  # fmt: skip
        else:
            corners[row] = left, top, right, bottom
            has_box[row] = True
            for name, value in zip(STYLES, style, strict=False):
                styles[name][row] = value
    box = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
    return box.astype(np.float32), styles


def _ends(parent: _SnapshotColumn) -> _SnapshotColumn:
    """The last row of each subtree."""
    ends = np.arange(len(parent))
    for row in range(len(parent) - 1, 0, -1):
        up = parent[row]
        if up >= 0 and ends[row] > ends[up]:
            ends[up] = ends[row]
    return ends


def _numbers(values: list[str], unit: str, default: float) -> _Floats:
    """Computed lengths or weights as numbers."""
    read = {value: _number(value.removesuffix(unit), default) for value in set(values)}
    return np.array([read[value] for value in values], dtype=np.float32)


def _number(value: str, default: float) -> float:
    try:
        return float(value)
    except ValueError:
        return default


# Which text of a snapshot is which text of a page: by the offset of their characters.
#
# Both read the same source, and leave out the same tags, so that their texts, one after the other
# and without white space, are as a rule the same. Where they differ, because libxml2 and Chromium
# build different trees of broken HTML or a script has changed the page, what both have in the same
# order is aligned; texts that only the page has get no row of the snapshot. If that leaves too
# little, the page cannot be used with the snapshot: `PageError`, with the reason `not-aligned`.

#: The least share of a page's characters that must be found in the snapshot.
_MIN_ALIGNED = 0.8

#: In place of a row, for a text that the snapshot does not have.
NONE = -1


def align(page: Page, snapshot: Snapshot) -> Column:
    """The snapshot's row of each of the page's text rows, `NONE` for a text that it lacks."""
    ours = _without_space(page.text.values())
    theirs = _without_space(snapshot.text.values())
    rows = snapshot.text_rows
    if "".join(ours) == "".join(theirs):
        places = _by_offset(ours, theirs)
    else:
        places = align_texts(ours, theirs)
    sizes = np.array([len(text) for text in ours], dtype=np.int64)
    found = places != NONE
    if sizes[found].sum() < _MIN_ALIGNED * sizes.sum():
        share = sizes[found].sum() / sizes.sum()
        raise PageError(
            "not-aligned",
            f"only {share:.0%} of the page's text is in what the browser shows of it",
        )
    aligned = np.full(len(ours), NONE, dtype=np.int64)
    aligned[found] = rows[places[found]]
    return aligned


def _without_space(texts: Iterable[str]) -> list[str]:
    return ["".join(text.split()) for text in texts]


def _by_offset(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Where each of our texts begins in theirs, if both make the same string."""
    starts = np.cumsum([0, *(len(text) for text in theirs)])[:-1]
    begins = np.cumsum([0, *(len(text) for text in ours)])[:-1]
    places: Column = np.searchsorted(starts, begins, side="right") - 1
    return places


def align_texts(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Equal texts in the same order, from those that each side has once to their neighbors.

    >>> align_texts(["Menu", "Rain", "More", "Snow"], ["Menu", "Ad", "Rain", "More"]).tolist()
    [0, 2, 3, -1]
    """
    places = np.full(len(ours), NONE, dtype=np.int64)
    for ours_at, theirs_at in _anchors(ours, theirs):
        places[ours_at] = theirs_at
    # Texts that appear several times are known by those beside them.
    last = -1
    for k in range(len(ours)):
        if places[k] == NONE and last + 1 < len(theirs) and ours[k] == theirs[last + 1]:
            places[k] = last + 1
        if places[k] != NONE:
            last = int(places[k])
    reached = np.maximum.accumulate(places)
    following = len(theirs)
    for k in range(len(ours) - 1, -1, -1):
        is_free = k == 0 or reached[k - 1] < following - 1
        if places[k] == NONE and is_free and following and ours[k] == theirs[following - 1]:
            places[k] = following - 1
        if places[k] != NONE:
            following = int(places[k])
    return places


def _anchors(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """The longest series, rising on both sides, of texts that both sides have exactly once."""
    once, counts = Counter(ours), Counter(theirs)
    place = {text: k for k, text in enumerate(theirs) if counts[text] == 1}
    pairs = [(k, place[text]) for k, text in enumerate(ours) if once[text] == 1 and text in place]
    ends: list[int] = []  # the least end of a series of each length, as in patience sorting
    at: list[int] = []  # the pair at that end
    before: list[int] = []
    for number, (_, where) in enumerate(pairs):
        length = bisect_left(ends, where)
        before.append(at[length - 1] if length else NONE)
        ends[length : length + 1] = [where]
        at[length : length + 1] = [number]
    series: list[tuple[int, int]] = []
    number = at[-1] if at else NONE
    while number != NONE:
        series.append(pairs[number])
        number = before[number]
    return series[::-1]


# A page together with what the browser shows of it.


@dataclass(frozen=True, eq=False)
class Rendering:
    """A snapshot, and which of its texts are which of the page's."""

    snapshot: Snapshot
    #: the snapshot's row of each of the page's text rows, `NONE` where it has none
    rows: Column

    @classmethod
    def of(cls, page: Page, snapshot: Snapshot) -> Rendering:
        """`PageError` if the snapshot is not one of this page."""
        return cls(snapshot, align(page, snapshot))

    def fonts(self, page: Page) -> ComputedFonts:
        """The fonts in which the browser shows the page's texts."""
        size = np.full(len(page), int(_DEFAULT_SIZE), dtype=np.int64)
        color = np.zeros(len(page), dtype=np.int64)
        found = self.rows != NONE
        texts, rows = page.text_rows[found], self.rows[found]
        size[texts] = np.rint(self.snapshot.font_size[rows])
        color[texts] = self.snapshot.color[rows]
        return ComputedFonts(size, color)


@dataclass(frozen=True, eq=False)
class ComputedFonts:
    """Size in pixels and a number for the colour of each of a page's rows, for its texts."""

    size: Column
    color: Column
