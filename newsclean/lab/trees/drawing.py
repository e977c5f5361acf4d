"""Trees for people: as indented text, and as a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from newsclean.articles.trees import HIGH, LOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.articles.trees import Node, Tree
    from newsclean.articles.voting import Reason

#: Pixels of the drawing.
LEAF_WIDTH = 92
LEVEL_HEIGHT = 84
BOX_HEIGHT = 34
MARGIN = 24
#: The share of the first class, from none to all, as colours.
NO_COLOR, YES_COLOR = (214, 96, 77), (67, 147, 195)


def condition(test: Node | Reason, outcome: str | None) -> str:
    """The answer to a test, as in `words <= 57.5`, `tag = div` or `date unknown`."""
    if outcome is None:
        return f"{test.attribute} unknown"
    if test.threshold is None:
        return f"{test.attribute} = {outcome}"
    return f"{test.attribute} {outcome} {number(test.threshold)}"


def number(value: float) -> str:
    """A number as short as its size allows.

    >>> number(57.5), number(0.123456), number(1234.56)
    ('57.5', '0.123', '1235')
    """
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def as_text(tree: Tree) -> str:
    """The tree with a line a branch; leaves name their class and their cases (and errors).

    >>> from newsclean.lab.trees.c45 import learn
    >>> from newsclean.lab.trees.cases import Cases
    >>> cases = Cases.of([{"mss": 15}, {"mss": 50}, {"mss": 65}, {"mss": 70}], list("nnyy"))
    >>> print(as_text(learn(cases)))
    mss <= 57.5: n (2)
    mss > 57.5: y (2)
    """
    if not tree.root.branches:
        return _leaf(tree, tree.root)
    return "\n".join(_lines(tree, tree.root, ""))


def _lines(tree: Tree, node: Node, indent: str) -> Iterator[str]:
    for name, branch in node.branches.items():
        if branch.branches:
            yield f"{indent}{condition(node, name)}"
            yield from _lines(tree, branch, f"{indent}|   ")
        else:
            yield f"{indent}{condition(node, name)}: {_leaf(tree, branch)}"


def _leaf(tree: Tree, node: Node) -> str:
    name = tree.classes[node.counts.index(max(node.counts))]
    errors = f"/{number(node.errors)}" if node.errors >= 0.05 else ""
    return f"{name} ({number(node.total)}{errors})"


@dataclass
class _Place:
    """Where a node is drawn."""

    node: Node
    x: float
    level: int
    #: the answer that leads here, and the place of the question
    answer: str = ""
    above: _Place | None = None


def as_svg(tree: Tree, max_depth: int | None = None) -> str:
    """A drawing of the tree, or of its first levels: questions, answers, what the leaves say."""
    places: list[_Place] = []
    leaves = _lay_out(_Place(tree.root, 0, 0), places, 0, max_depth)
    levels = 1 + max(place.level for place in places)
    width = 2 * MARGIN + leaves * LEAF_WIDTH
    height = 2 * MARGIN + (levels - 1) * LEVEL_HEIGHT + BOX_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    parts += [_line(place) for place in places if place.above]
    parts += [_box(tree, place) for place in places]
    return "\n".join([*parts, "</svg>", ""])


def _lay_out(place: _Place, places: list[_Place], left: int, max_depth: int | None) -> int:
    """Give a node and all below it their places; the number of leaves."""
    places.append(place)
    node = place.node
    if not node.branches or place.level == max_depth:
        place.x = MARGIN + (left + 0.5) * LEAF_WIDTH
        return 1
    leaves = 0
    children = []
    for name, branch in node.branches.items():
        answer = name if node.threshold is None else f"{_SIGNS[name]} {number(node.threshold)}"
        child = _Place(branch, 0, place.level + 1, answer, place)
        leaves += _lay_out(child, places, left + leaves, max_depth)
        children.append(child)
    place.x = (children[0].x + children[-1].x) / 2
    return leaves


_SIGNS = {LOW: "≤", HIGH: ">"}


def _top(level: int) -> int:
    return MARGIN + level * LEVEL_HEIGHT


def _line(place: _Place) -> str:
    assert place.above is not None
    x1, y1 = place.above.x, _top(place.above.level) + BOX_HEIGHT
    x2, y2 = place.x, _top(place.level)
    return (
        f'<path d="M{x1:.1f},{y1} L{x2:.1f},{y2}" stroke="#999" fill="none"/>'
        f'<text x="{x2:.1f}" y="{y2 - 8}" text-anchor="middle" fill="#444" stroke="white" '
        f'stroke-width="3" paint-order="stroke">{escape(place.answer)}</text>'
    )


def _box(tree: Tree, place: _Place) -> str:
    node = place.node
    share = node.counts[0] / node.total if node.total else 0.5
    color = ",".join(
        str(round(no + (yes - no) * share)) for no, yes in zip(NO_COLOR, YES_COLOR, strict=True)
    )
    name = node.attribute or tree.classes[node.counts.index(max(node.counts))]
    count = " / ".join(number(value) for value in node.counts)
    x, y, width = place.x, _top(place.level), LEAF_WIDTH - 8
    radius = 4 if node.branches else 14
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y}" width="{width}" height="{BOX_HEIGHT}" '
        f'rx="{radius}" fill="rgb({color})" fill-opacity="0.35" stroke="#555"/>'
        f'<text x="{x:.1f}" y="{y + 14}" text-anchor="middle" '
        f'font-weight="bold">{escape(name)}</text>'
        f'<text x="{x:.1f}" y="{y + 28}" text-anchor="middle" fill="#333">{count}</text>'
    )
