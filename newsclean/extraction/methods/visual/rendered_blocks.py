"""The rectangular blocks of a rendered page (section III, first phase).

From the root down, a node is split into its children until they are under 25 % of the screen; what
is under 5 % of it is merged with a sibling. "Screen space" is read as the window in which the page
is shown, not the whole page. Of a line of text the parts are never torn apart, so that a long
paragraph can be larger.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

import numpy as np

from newsclean.extraction.page.columns import TEXT
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.browser.snapshot import Snapshot

    _Floats = NDArray[np.float64]

#: Elements that show something without any text.
_SHOWING = frozenset(
    "audio button canvas embed iframe img input object picture select svg textarea video".split()
)

#: Pixels by which boxes may overlap: browsers round.
_TOUCHING = 1.0


@dataclass(frozen=True)
class Thresholds:
    """Shares of the screen."""

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
        """The smallest box that holds both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Block(NamedTuple):
    """Rows of a snapshot that follow each other, and their place on the page."""

    first: int
    last: int
    box: Box


class Part(NamedTuple):
    """What a node is split into: a child, or children that share a line."""

    first: int
    last: int
    box: Box
    tag: str
    #: whether it can be split further
    is_node: bool


def segment(snapshot: Snapshot, thresholds: Thresholds = PAPER) -> list[Block]:
    """The blocks of a page in document order: no row is in two, all text that is shown in one."""
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
                blocks += merge(parts, begin, at, boxes, largest, smallest)
                begin = at + 1
                if part is not None:
                    open_nodes.append(part)
    return sorted(blocks)


def merge(
    parts: list[Part],
    begin: int,
    end: int,
    boxes: NDArray[np.float64],
    largest: float,
    smallest: float,
) -> list[Block]:
    """The blocks of siblings that are split no further: small ones are merged with a neighbor.

    With one of the same tag rather than another, and with the smaller one rather than the larger;
    not beyond the size at which it would be split again, nor around a third sibling.
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
    """Whether a joined box covers siblings that neither of its two boxes has covered before."""
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
    """Of each row the place of what it shows, and whether it begins lines of its own."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.tag = snapshot.tag
        self.end: list[int] = snapshot.end.tolist()
        parent: list[int] = snapshot.parent.tolist()
        shown: list[bool] = snapshot.shown.tolist()
        inline: list[bool] = snapshot.inline.tolist()
        place: list[list[float]] = snapshot.box.tolist()
        text = snapshot.text
        #: None for what shows nothing
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
        """What a node is split into."""
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


# The 33 features of a block (Table I), under the paper's names.
#
# The paper names them and does not define them; `_DEFINITIONS` does, in one line each. `Rel…` is
# read as the share of the whole page that a block has.

#: In the order of Table I, with its spelling.
_DEFINITIONS = {
    "RelBlock_No_of_Extn_Link": "its external links, as a share of the page's",
    "Block_No_of_Extn_Link": "links to other sites: another registered domain",
    "Block_No_of_Intl_Link": "links to the page's own site",
    "RelBlock_No_of_Inlt_Link": "its internal links, as a share of the page's",
    "Block_no_of_iframe_extn": "frames with a page of another site",
    "RelBlock_no_of_iframe_ext": "its external frames, as a share of the page's",
    "Block_no_of_iframe": "frames",
    "Block_width": "width in pixels",
    "Block_no_of_hyperlink": "links (`a` with `href`)",
    "RelBlock_width": "width, as a share of the page's",
    "Block_no_of_script": "scripts",
    "Block_no_of_script_Intl": "scripts in the page itself, or from its site",
    "RelBlock_no_of_Script_Intl": "its internal scripts, as a share of the page's",
    "Block_No_of_Script_Extn": "scripts from other sites",
    "Block_Link_Length": "characters of shown text inside links",
    "RelBlock_textlength": "its text length, as a share of the page's",
    "RelBlock_no_of_Script_Ext": "its external scripts, as a share of the page's",
    "Block_left": "distance from the left edge of the page in pixels",
    "Block_top": "distance from the top of the page in pixels",
    "RelBlock_no_of_img_Ext": "its external pictures, as a share of the page's",
    "Block_no_of_img_Extn": "pictures from other sites",
    "Block_height": "height in pixels",
    "Block_no_of_img_intl": "pictures in the page itself, or from its site",
    "Block_fontsize": "computed font size in pixels, mean over its characters",
    "Block_no_of_table": "tables",
    "Block_no_of_img": "pictures (`img`)",
    "Block_fontwt": "computed font weight (400 is normal), mean over its characters",
    "Block_no_of_iframe_intl": "frames with a page of the same site",
    "RelBlock_img_intl": "its internal pictures, as a share of the page's",
    "Relno_of_iframe_intl": "its internal frames, as a share of the page's",
    "Rel_block_height": "height, as a share of the page's",
    "Block_Textlen": "characters of shown text",
    "RelBlock_no_of_table": "its tables, as a share of the page's",
}
FEATURES = tuple(_DEFINITIONS)

#: Elements that have an address.
_LINKED = {"a": "link", "iframe": "iframe", "img": "img", "script": "script"}


def block_features(snapshot: Snapshot, blocks: Sequence[Block]) -> _Floats:
    """A row for each block, a column for each of `FEATURES`."""
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)

    def per_block(values: NDArray[np.generic]) -> _Floats:
        total = np.zeros(len(snapshot) + 1)
        np.cumsum(values, out=total[1:])
        return total[last + 1] - total[first]

    def share(values: _Floats, of: float) -> _Floats:
        return values / of if of else np.zeros(len(values))

    boxes = np.array([block.box for block in blocks], dtype=float).reshape(-1, 4)
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    chars = snapshot.chars * snapshot.shown
    textlen = per_block(chars)
    at_least_one = np.maximum(textlen, 1)
    counts = _counts(snapshot)
    number = {name: per_block(column) for name, column in counts.items()}
    relative = {name: share(number[name], column.sum()) for name, column in counts.items()}
    values = {
        "Block_width": width,
        "RelBlock_width": share(width, snapshot.size[0]),
        "Block_height": height,
        "Rel_block_height": share(height, snapshot.size[1]),
        "Block_left": boxes[:, 0],
        "Block_top": boxes[:, 1],
        "Block_fontsize": per_block(chars * snapshot.font_size) / at_least_one,
        "Block_fontwt": per_block(chars * snapshot.font_weight) / at_least_one,
        "Block_Textlen": textlen,
        "RelBlock_textlength": share(textlen, float(chars.sum())),
        "Block_Link_Length": per_block(chars * _in_links(snapshot)),
        "Block_no_of_hyperlink": number["link"],
        "Block_No_of_Extn_Link": number["link ext"],
        "RelBlock_No_of_Extn_Link": relative["link ext"],
        "Block_No_of_Intl_Link": number["link int"],
        "RelBlock_No_of_Inlt_Link": relative["link int"],
        "Block_no_of_iframe": number["iframe"],
        "Block_no_of_iframe_extn": number["iframe ext"],
        "RelBlock_no_of_iframe_ext": relative["iframe ext"],
        "Block_no_of_iframe_intl": number["iframe int"],
        "Relno_of_iframe_intl": relative["iframe int"],
        "Block_no_of_script": number["script"],
        "Block_no_of_script_Intl": number["script int"],
        "RelBlock_no_of_Script_Intl": relative["script int"],
        "Block_No_of_Script_Extn": number["script ext"],
        "RelBlock_no_of_Script_Ext": relative["script ext"],
        "Block_no_of_img": number["img"],
        "Block_no_of_img_intl": number["img int"],
        "RelBlock_img_intl": relative["img int"],
        "Block_no_of_img_Extn": number["img ext"],
        "RelBlock_no_of_img_Ext": relative["img ext"],
        "Block_no_of_table": number["table"],
        "RelBlock_no_of_table": relative["table"],
    }
    return np.stack([values[name] for name in FEATURES], axis=1)


def _counts(snapshot: Snapshot) -> dict[str, _Floats]:
    """Which rows are links, frames, scripts, pictures and tables, of this site and of others."""
    size = len(snapshot)
    counts = {
        f"{kind}{side}": np.zeros(size)
        for kind in _LINKED.values()
        for side in ("", " int", " ext")
    }
    counts["table"] = np.array([tag == "table" for tag in snapshot.tag], dtype=float)
    own = _own_domain(snapshot)
    for row, tag in enumerate(snapshot.tag):
        kind = _LINKED.get(tag)
        if kind is None or (kind == "link" and row not in snapshot.address):
            continue
        domain = _domain_of(snapshot, snapshot.address.get(row, ""))
        counts[kind][row] = 1
        counts[f"{kind} {'int' if domain in (None, own) else 'ext'}"][row] = 1
    return counts


def _own_domain(snapshot: Snapshot) -> str | None:
    """The registered domain of the page; of an unknown address, the one that it links to most."""
    if site := site_of(snapshot.url):
        return registered_domain(site)
    linked = Counter(
        domain
        for row, address in snapshot.address.items()
        if snapshot.tag[row] == "a" and (domain := _domain_of(snapshot, address))
    )
    return linked.most_common(1)[0][0] if linked else None


def _domain_of(snapshot: Snapshot, address: str) -> str | None:
    """The registered domain to which an address leads; None if it names none."""
    try:
        site = site_of(urljoin(snapshot.url or "", address.strip()))
    except ValueError:
        return None
    return registered_domain(site) if site else None


def _in_links(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which rows are inside a link."""
    rows = np.array([row for row in snapshot.address if snapshot.tag[row] == "a"], dtype=np.int64)
    begun = np.bincount(rows, minlength=len(snapshot))
    ended = np.bincount(snapshot.end[rows] + 1, minlength=len(snapshot) + 1)
    inside: NDArray[np.bool_] = np.cumsum(begun - ended[:-1]) > 0
    return inside
