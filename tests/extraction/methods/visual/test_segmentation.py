"""Blocks of a page as it looks, without a browser: the boxes are drawn here."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.browser.snapshot import Snapshot
from newsclean.extraction.methods.visual.segmentation import Block, Box, segment

SCREEN = (1000, 1000)


@dataclass
class Node:
    """An element with its box, or a text if it has words."""

    box: tuple[float, float, float, float]
    children: list["Node"] = field(default_factory=list)
    words: str = ""
    tag: str = "div"
    inline: bool = False
    shown: bool = True


def snapshot_of(root: Node) -> Snapshot:
    rows: list[tuple[Node, int]] = []
    ends: list[int] = []

    def walk(node: Node, parent: int) -> None:
        row = len(rows)
        rows.append((node, parent))
        ends.append(row)
        for child in node.children:
            walk(child, row)
        ends[row] = len(rows) - 1

    walk(root, -1)
    nodes = [node for node, _ in rows]
    boxes = np.array([node.box for node in nodes], dtype=np.float32)
    boxes[:, 2:] -= boxes[:, :2]
    size = len(nodes)
    return Snapshot(
        url=None,
        screen=SCREEN,
        size=(root.box[2], root.box[3]),
        tag=["#text" if node.words else node.tag for node in nodes],
        parent=np.array([parent for _, parent in rows]),
        end=np.array(ends),
        box=boxes,
        font_size=np.full(size, 16, dtype=np.float32),
        font_weight=np.full(size, 400, dtype=np.float32),
        color=np.zeros(size, dtype=np.int64),
        inline=np.array([node.inline or bool(node.words) for node in nodes]),
        shown=np.array([node.shown for node in nodes]),
        text={row: node.words for row, node in enumerate(nodes) if node.words},
        address={},
    )


def column(*heights: float, tag: str = "p") -> Node:
    """Paragraphs one under the other, 1000 pixels wide."""
    tops = np.cumsum([0, *heights]).tolist()
    children = [
        Node((0, top, 1000, end), [Node((0, top, 1000, end), words="It rains.")], tag=tag)
        for top, end in pairwise(tops)
    ]
    return Node((0, 0, 1000, tops[-1]), children)


def areas(root: Node) -> list[float]:
    """As shares of the screen."""
    return [block.box.area / 1_000_000 for block in segment(snapshot_of(root))]


def test_a_page_under_a_quarter_of_the_screen_is_one_block() -> None:
    assert areas(column(100, 100)) == [0.2]


def test_nodes_are_split_until_they_are_under_a_quarter_of_the_screen() -> None:
    inner = column(100, 120)
    large = column(200, 240)
    for node in [large, *large.children]:
        left, top, right, bottom = node.box
        node.box = left, top + 220, right, bottom + 220
        for text in node.children:
            if text.words:
                text.box = node.box
    root = Node((0, 0, 1000, 660), [inner, large])
    assert areas(root) == [0.22, 0.2, 0.24]


def test_small_siblings_are_merged() -> None:
    assert areas(column(30, 30, 200, 40, 20)) == [0.06, 0.2, 0.06]


def test_merging_stops_below_the_size_that_would_be_split() -> None:
    assert areas(column(240, 20, 240)) == [0.24, 0.02, 0.24]


def test_a_long_paragraph_is_never_torn_apart() -> None:
    text = Node((0, 0, 1000, 900), words="It rains.")
    link = Node((0, 0, 500, 20), [Node((0, 0, 500, 20), words="a lot")], tag="a", inline=True)
    assert areas(Node((0, 0, 1000, 900), [text, link], tag="p")) == [0.9]


def test_what_is_not_shown_is_in_no_block() -> None:
    root = column(200, 200)
    for node in [root.children[1], *root.children[1].children]:
        node.shown = False
    blocks = segment(snapshot_of(root))
    assert [block.first for block in blocks] == [1]


def test_a_tree_as_deep_as_any_is_no_error() -> None:
    node = Node((0, 0, 1000, 2000), words="It rains.")
    for _ in range(600):
        node = Node((0, 0, 1000, 2000), [node])
    assert areas(node) == [2.0]


@st.composite
def pages(draw: st.DrawFn, depth: int = 4) -> Node:
    """A page that is cut into rows and columns again and again, as pages are."""

    def cut(box: tuple[float, float, float, float], levels: int) -> Node:
        left, top, right, bottom = box
        node = Node(box, tag=draw(st.sampled_from(["div", "p", "li"])))
        if not levels or draw(st.integers(0, 4)) == 0:
            node.children = [Node(box, words="Rain", shown=draw(st.integers(0, 5)) > 0)]
            return node
        weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))
        edges = np.cumsum([0, *weights]) / sum(weights)
        is_row = draw(st.booleans())
        for a, b in pairwise(edges.tolist()):
            if is_row:
                inner = left + a * (right - left), top, left + b * (right - left), bottom
            else:
                inner = left, top + a * (bottom - top), right, top + b * (bottom - top)
            node.children.append(cut(inner, levels - 1))
        return node

    height = draw(st.integers(200, 6000))
    return cut((0.0, 0.0, 1000.0, float(height)), depth)


def overlap(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return min(across, down)


@settings(max_examples=200)
@given(pages())
def test_blocks_do_not_overlap_and_cover_all_visible_text(root: Node) -> None:
    snapshot = snapshot_of(root)
    blocks = segment(snapshot)
    for row in snapshot.text:
        inside = [block for block in blocks if block.first <= row <= block.last]
        assert len(inside) == 1 or not snapshot.shown[row]
        assert len(inside) <= 1
    for at, one in enumerate(blocks):
        other: Block
        for other in blocks[at + 1 :]:
            assert one.last < other.first
            assert overlap(one.box, other.box) <= 1.5
