"""Trees and models as JSON; `newsclean.articles.model` reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newsclean.articles.model import Model
    from newsclean.articles.trees import Node, Tree

#: Counts are weights; this many decimals are enough to draw and to vote.
DECIMALS = 3


def models_to_json(models: dict[str, Model]) -> str:
    """Models by name as the text of a model file."""
    data = {
        name: {
            "threshold": model.threshold,
            "seed": model.seed,
            "trained_on": model.trained_on,
            "cross_validated": model.cross_validated,
            "vocabularies": {
                question: {"bias": vocabulary.bias, "weights": vocabulary.weights}
                for question, vocabulary in model.vocabularies.items()
            },
            "rate": model.ensemble.rate,
            "trees": [tree_to_json(tree) for tree in model.ensemble.trees],
        }
        for name, model in models.items()
    }
    return json.dumps(data, separators=(",", ":")).replace('{"classes"', '\n{"classes"') + "\n"


def tree_to_json(tree: Tree) -> dict[str, Any]:
    return {"classes": list(tree.classes), "root": _node_to_json(tree.root)}


def _node_to_json(node: Node) -> dict[str, Any]:
    data: dict[str, Any] = {"counts": [round(count, DECIMALS) for count in node.counts]}
    if node.branches:
        data["attribute"] = node.attribute
        if node.threshold is not None:
            data["threshold"] = node.threshold
        data["branches"] = {name: _node_to_json(node.branches[name]) for name in node.branches}
    return data
