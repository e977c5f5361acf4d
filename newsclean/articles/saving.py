"""Trees as JSON, and back."""

from __future__ import annotations

from typing import Any

from newsclean.articles.trees import Node, Tree

#: Counts are weights; so many decimals are enough to draw and to vote.
DECIMALS = 3


def tree_to_json(tree: Tree) -> dict[str, Any]:
    return {"classes": list(tree.classes), "root": _node_to_json(tree.root)}


def tree_from_json(data: dict[str, Any]) -> Tree:
    """A tree that `tree_to_json` has written; `ValueError` if it is none."""
    try:
        classes = tuple(map(str, data["classes"]))
        return Tree(_node_from_json(data["root"], len(classes)), classes)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no decision tree: {error!r}") from None


def _node_to_json(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"counts": [round(count, DECIMALS) for count in node.counts]}
    if node.branches:
        data["attribute"] = node.attribute
        if node.threshold is not None:
            data["threshold"] = node.threshold
        data["branches"] = {name: _node_to_json(node.branches[name]) for name in node.branches}
    return data


def _node_from_json(data: dict[str, Any], classes: int) -> Node:
    counts = tuple(map(float, data["counts"]))
    if len(counts) != classes:
        raise ValueError(f"a node has {len(counts)} counts for {classes} classes")
    if "branches" not in data:
        return Node(counts)
    threshold = data.get("threshold")
    return Node(
        counts,
        str(data["attribute"]),
        None if threshold is None else float(threshold),
        {name: _node_from_json(branch, classes) for name, branch in data["branches"].items()},
    )
