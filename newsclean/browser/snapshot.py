"""A page as Chromium renders it, in flat columns: boxes, styles and texts of the browser's tree.

A row is an element or a piece of text, in document order; the subtree of row `i` is the range
`i … end[i]`. The tree is Chromium's, and may differ from that of `Page`, which libxml2 builds.
`align` finds which text of a page is which text of its snapshot:

Both trees come from the same source and leave out the same tags, so their texts, joined without
white space, are usually the same string. If they differ, because the parsers repair broken HTML
differently or a script has changed the page, what both have in the same order is aligned; texts
that only the page has get no row of the snapshot. If too little is left, the page cannot be used
with the snapshot: `PageError` with the reason `not-aligned`.
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

#: Width and height in pixels of the screen on which pages are rendered.
SCREEN = (1280, 800)

#: The computed styles to request from `DOMSnapshot.captureSnapshot`.
STYLES = ("font-size", "font-weight", "color", "visibility", "display")
#: The call that takes a snapshot.
CAPTURE = "DOMSnapshot.captureSnapshot"
CAPTURE_OPTIONS: dict[str, Any] = {"computedStyles": list(STYLES)}

#: Attributes that are kept: where an element leads, or what it loads.
_URL_ATTRIBUTES = ("href", "src")
_BLACK = "rgb(0, 0, 0)"
_DEFAULT_SIZE, _DEFAULT_WEIGHT = 16.0, 400.0
_ELEMENT, _TEXT = 1, 3
#: Nodes that are not in the page's source, or only in a `<template>`.
_ADDED = ("pseudoType", "shadowRootType")

#: The least share of a page's characters that must be found in the snapshot.
_MIN_ALIGNED = 0.8
#: In place of a row, for a text that the snapshot does not have.
NONE = -1


class SnapshotError(ValueError):
    """The browser's answer, or a file, is not a snapshot of a page."""


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
    #: left, top, width and height in pixels of the page; zeros for what is not visible
    box: _Floats
    font_size: _Floats
    font_weight: _Floats
    #: a number for the color of each row; 0 is black
    color: _SnapshotColumn
    #: whether a row is part of a line: text, links, bold words …
    inline: _Mask
    #: whether it is visible: has a place on the page, and is not hidden
    shown: _Mask
    #: text by row, white space folded, without text that is not for readers
    text: dict[int, str]
    #: `href` or `src` by row, as written
    address: dict[int, str]
    #: processor time of the rendering
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def text_rows(self) -> _SnapshotColumn:
        """The rows with text, in document order, visible or not."""
        return np.fromiter(self.text, np.int64, len(self.text))

    @cached_property
    def chars(self) -> _SnapshotColumn:
        """Characters of each text row, 0 for elements."""
        chars = np.zeros(len(self), dtype=np.int64)
        chars[self.text_rows] = [len(text) for text in self.text.values()]
        return chars

    def save(self, path: Path) -> None:
        """Write it to a file for `read_snapshot`."""
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
    """Read a snapshot from a file; `SnapshotError` if it has none."""
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


def snapshot_of(answer: dict[str, Any], url: str | None = None) -> Snapshot:
    """Build the snapshot from an answer of `DOMSnapshot.captureSnapshot` (`CAPTURE_OPTIONS`)."""
    try:
        document, strings = answer["documents"][0], answer["strings"]
        nodes, layout = document["nodes"], document["layout"]
        kept, rows = _kept_rows(nodes, strings)
        tag, parent, text, address = _read_nodes(nodes, strings, kept, rows)
        box, styles = _read_layout(layout, rows, len(kept))
        size = float(document["contentWidth"]), float(document["contentHeight"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise SnapshotError(f"not the answer of {CAPTURE}: {error!r}") from None
    look = {name: [strings[k] if k >= 0 else "" for k in column] for name, column in styles.items()}
    colors = {_BLACK: 0, "": 0}
    has_place = (box[:, 2] > 0) & (box[:, 3] > 0)
    # What lies left of the page or above it was moved out of sight.
    has_place &= (box[:, 0] + box[:, 2] > 0) & (box[:, 1] + box[:, 3] > 0)
    return Snapshot(
        url=url,
        screen=SCREEN,
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
    """Return the nodes that are elements of the page's source or texts, and the row of each."""
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
    """Return tags, parents, texts and URLs."""
    tags: list[str] = []
    parents: list[int] = []
    text: dict[int, str] = {}
    address: dict[int, str] = {}
    silent: list[bool] = []  # whether the text below is not for readers
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
            if strings[name] in _URL_ATTRIBUTES and value >= 0:
                address[row] = strings[value]
    return tags, np.array(parents, dtype=np.int64), text, address


def _read_layout(
    layout: dict[str, Any], rows: dict[int, int], count: int
) -> tuple[_Floats, dict[str, _SnapshotColumn]]:
    """Return the box around all parts of each row, and its styles as numbers of strings."""
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
    """Return the last row of each subtree."""
    ends = np.arange(len(parent))
    for row in range(len(parent) - 1, 0, -1):
        up = parent[row]
        if up >= 0 and ends[row] > ends[up]:
            ends[up] = ends[row]
    return ends


def _numbers(values: list[str], unit: str, default: float) -> _Floats:
    """Return computed lengths or weights as numbers; each distinct string is read once."""
    read = {value: _number(value.removesuffix(unit), default) for value in set(values)}
    return np.array([read[value] for value in values], dtype=np.float32)


def _number(value: str, default: float) -> float:
    try:
        return float(value)
    except ValueError:
        return default


def align(page: Page, snapshot: Snapshot) -> Column:
    """Return the snapshot's row of each text row of the page, `NONE` if it has none."""
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
            f"only {share:.0%} of the page's text is in what the browser renders",
        )
    aligned = np.full(len(ours), NONE, dtype=np.int64)
    aligned[found] = rows[places[found]]
    return aligned


def _without_space(texts: Iterable[str]) -> list[str]:
    return ["".join(text.split()) for text in texts]


def _by_offset(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Return where each of our texts begins in theirs, if both are the same string in all."""
    starts = np.cumsum([0, *(len(text) for text in theirs)])[:-1]
    begins = np.cumsum([0, *(len(text) for text in ours)])[:-1]
    places: Column = np.searchsorted(starts, begins, side="right") - 1
    return places


def align_texts(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Align equal texts in the same order, from those that both sides have once outwards.

    >>> align_texts(["Menu", "Rain", "More", "Snow"], ["Menu", "Ad", "Rain", "More"]).tolist()
    [0, 2, 3, -1]
    """
    places = np.full(len(ours), NONE, dtype=np.int64)
    for ours_at, theirs_at in _anchors(ours, theirs):
        places[ours_at] = theirs_at
    # Texts that appear several times are aligned by the texts beside them.
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
    """Return the longest series, rising on both sides, of texts that both sides have once."""
    once, counts = Counter(ours), Counter(theirs)
    place = {text: k for k, text in enumerate(theirs) if counts[text] == 1}
    pairs = [(k, place[text]) for k, text in enumerate(ours) if once[text] == 1 and text in place]
    ends: list[int] = []  # the smallest end of a series of each length (patience sorting)
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


@dataclass(frozen=True, eq=False)
class Rendering:
    """A snapshot, aligned with its page."""

    snapshot: Snapshot
    #: the snapshot's row of each text row of the page, `NONE` if it has none
    rows: Column

    @classmethod
    def of(cls, page: Page, snapshot: Snapshot) -> Rendering:
        """Align a page with its snapshot; `PageError` if it is not a snapshot of this page."""
        return cls(snapshot, align(page, snapshot))

    def fonts(self, page: Page) -> ComputedFonts:
        """Return the fonts of the page's texts in the browser."""
        size = np.full(len(page), int(_DEFAULT_SIZE), dtype=np.int64)
        color = np.zeros(len(page), dtype=np.int64)
        found = self.rows != NONE
        texts, rows = page.text_rows[found], self.rows[found]
        size[texts] = np.rint(self.snapshot.font_size[rows])
        color[texts] = self.snapshot.color[rows]
        return ComputedFonts(size, color)


@dataclass(frozen=True, eq=False)
class ComputedFonts:
    """Font size in pixels and a number for the color of each row of a page; texts only."""

    size: Column
    color: Column
