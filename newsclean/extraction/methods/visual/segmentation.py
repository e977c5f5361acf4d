"""Cut a rendered page into rectangular blocks (section III, first phase).

From the root down, a node is split into its children until they are under 25 % of the screen; nodes
under 5 % are merged with a sibling. "Screen space" is read as the window that shows the page, not
the whole page. A line of text is never split, so that a long paragraph can be larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from newsclean.extraction.page.columns import TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Snapshot

#: Elements that show something without any text.
_SHOWING = frozenset(
    "audio button canvas embed iframe img input object picture select svg textarea video".split()
)

#: Pixels by which boxes may overlap: browsers round.
_TOUCHING = 1.0


@dataclass(frozen=True)
class Thresholds:
    """Shares of the screen between which the size of a block is."""

    largest: float = 0.25
    smallest: float = 0.05


PAPER = Thresholds()


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return max(self.right - self.left, 0.0) * max(self.bottom - self.top, 0.0)

    def around(self, other: Box) -> Box:
        """Return the smallest box that holds both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Block(NamedTuple):
    """Successive rows of a snapshot, and their place on the page."""

    first: int
    last: int
    box: Box


class Part(NamedTuple):
    """A part of a node that is split: a child, or children that share a line."""

    first: int
    last: int
    box: Box
    tag: str
    #: whether it can be split further
    is_node: bool


def segment(snapshot: Snapshot, thresholds: Thresholds = PAPER) -> list[Block]:
    """Return the blocks in document order: all visible text is in one, and no row in two."""
    if not len(snapshot):
        return []
    tree = _Tree(snapshot)
    if tree.boxes[0] is None:
        return []
    screen = float(snapshot.screen[0] * snapshot.screen[1])
    largest, smallest = thresholds.largest * screen, thresholds.smallest * screen
    blocks: list[Block] = []
    open_nodes = [Part(0, int(snapshot.end[0]), tree.boxes[0], snapshot.tag[0], is_node=True)]
    while open_nodes:
        node = open_nodes.pop()
        parts = tree.parts(node.first)
        if node.box.area < largest or not any(part.is_node for part in parts):
            blocks.append(Block(*node[:3]))
            continue
        boxes = np.array([part.box for part in parts])
        begin = 0
        for at, part in enumerate([*parts, None]):
            if part is None or (part.is_node and part.box.area >= largest):
                blocks += _merged(parts, begin, at, boxes, largest, smallest)
                begin = at + 1
                if part is not None:
                    open_nodes.append(part)
    return sorted(blocks)


def _merged(
    parts: list[Part],
    begin: int,
    end: int,
    boxes: NDArray[np.float64],
    largest: float,
    smallest: float,
) -> list[Block]:
    """Return the blocks of siblings that are not split further; small ones are merged.

    A sibling of the same tag is preferred, then the smaller one. The result is smaller than a node
    that would be split, and does not cover a third sibling.
    """
    groups = [(at, at, parts[at].box) for at in range(begin, end)]
    at = 0
    while at < len(groups):
        first, last, box = groups[at]
        best: tuple[bool, float, int, Box] | None = None
        for other in (at + 1, at - 1) if box.area < smallest else ():
            if not 0 <= other < len(groups):
                continue
            low, high, other_box = groups[other]
            joined = box.around(other_box)
            if joined.area >= largest:
                continue
            if _holds_others(joined, (box, other_box), boxes, min(first, low), max(last, high)):
                continue
            near, far = (last, low) if other > at else (first, high)
            option = parts[near].tag != parts[far].tag, other_box.area, other, joined
            if best is None or option[:2] < best[:2]:
                best = option
        if best is None:
            at += 1
            continue
        other, joined = best[2:]
        at, gone = min(at, other), max(at, other)
        groups[at] = groups[at][0], groups[gone][1], joined
        del groups[gone]
    return [Block(parts[a].first, parts[b].last, box) for a, b, box in groups]


def _holds_others(
    joined: Box, alone: tuple[Box, Box], boxes: NDArray[np.float64], first: int, last: int
) -> bool:
    """Return whether a joined box covers siblings that neither of its two boxes covers."""
    covered = _overlaps(joined, boxes)
    covered[first : last + 1] = False
    if not covered.any():
        return False
    for box in alone:
        covered &= ~_overlaps(box, boxes)
    return bool(covered.any())


def _overlaps(box: Box, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    across = np.minimum(box.right, boxes[:, 2]) - np.maximum(box.left, boxes[:, 0])
    down = np.minimum(box.bottom, boxes[:, 3]) - np.maximum(box.top, boxes[:, 1])
    overlaps: NDArray[np.bool_] = (across > _TOUCHING) & (down > _TOUCHING)
    return overlaps


class _Tree:
    """The box of what each row shows, and whether the row begins lines of its own."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.tag = snapshot.tag
        self.end: list[int] = snapshot.end.tolist()
        parent: list[int] = snapshot.parent.tolist()
        shown: list[bool] = snapshot.shown.tolist()
        inline: list[bool] = snapshot.inline.tolist()
        place: list[list[float]] = snapshot.box.tolist()
        text = snapshot.text
        #: None for a row that shows nothing
        self.boxes: list[Box | None] = [None] * len(snapshot)
        self.is_block: list[bool] = [False] * len(snapshot)
        for row in range(len(snapshot) - 1, -1, -1):
            box = self.boxes[row]
            is_content = row in text or self.tag[row] in _SHOWING
            if shown[row] and (box is not None or is_content):
                left, top, width, height = place[row]
                own = Box(left, top, left + width, top + height)
                box = own if box is None else own.around(box)
                self.is_block[row] |= not inline[row] and self.tag[row] != TEXT
            if box is None:
                continue
            self.boxes[row] = box
            up = parent[row]
            if up >= 0:
                around = self.boxes[up]
                self.boxes[up] = box if around is None else around.around(box)
                self.is_block[up] |= self.is_block[row]

    def parts(self, node: int) -> list[Part]:
        """Return the parts of a node."""
        parts: list[Part] = []
        in_line = False
        child = node + 1
        while child <= self.end[node]:
            box = self.boxes[child]
            last = self.end[child]
            if box is not None:
                if self.is_block[child]:
                    parts.append(Part(child, last, box, self.tag[child], is_node=True))
                elif in_line:
                    line = parts[-1]
                    parts[-1] = line._replace(last=last, box=line.box.around(box))
                else:
                    parts.append(Part(child, last, box, TEXT, is_node=False))
                in_line = not self.is_block[child]
            child = last + 1
        return parts
