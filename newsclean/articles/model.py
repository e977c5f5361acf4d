"""The shipped models: trees for pages and trees for links, and what is known of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from newsclean.articles.trees import Node, Tree
from newsclean.articles.vocabulary import Vocabulary
from newsclean.articles.voting import Ensemble

if TYPE_CHECKING:
    from newsclean.articles.page_words import PageWords
    from newsclean.articles.trees import Case

MODEL_FILE = "model.json"


@dataclass(frozen=True)
class Model:
    """Trees, from which probability on they say yes, and how well they did on unseen publishers."""

    ensemble: Ensemble
    #: the least probability of an article (of pages), or of a link worth a download (of links)
    threshold: float
    #: how many pages or links of which collection and class it was trained on
    trained_on: dict[str, int] = field(default_factory=dict)
    #: figures of the cross-validation by publisher
    cross_validated: dict[str, float] = field(default_factory=dict)
    seed: int = 1
    #: by the name of the question that each answers; links have none
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)

    def case_of(self, features: Case, words: PageWords) -> Case:
        """What the trees are asked about: the features of a page, and what its words say."""
        said = {name: vocabulary(words) for name, vocabulary in self.vocabularies.items()}
        return {**features, **said}


@lru_cache(1)
def shipped() -> dict[str, Model]:
    """The models of the package: `pages` and `links`."""
    return models_from_json(files(__package__).joinpath(MODEL_FILE).read_text("utf-8"))


def models_from_json(text: str) -> dict[str, Model]:
    """The models of a model file; `ValueError` if the text is not one."""
    try:
        data: dict[str, dict[str, Any]] = json.loads(text)
        return {
            name: Model(
                Ensemble(tuple(map(tree_from_json, model["trees"])), float(model["rate"])),
                float(model["threshold"]),
                dict(model["trained_on"]),
                dict(model["cross_validated"]),
                int(model["seed"]),
                # a file without them is of trees that do not ask for them
                {
                    name: Vocabulary(dict(vocabulary["weights"]), float(vocabulary["bias"]))
                    for name, vocabulary in model.get("vocabularies", {}).items()
                },
            )
            for name, model in data.items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a model file: {error!r}") from None


def tree_from_json(data: dict[str, Any]) -> Tree:
    """A tree as a model file has it; `ValueError` if it is not one."""
    try:
        classes = tuple(map(str, data["classes"]))
        return Tree(_node_from_json(data["root"], len(classes)), classes)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a decision tree: {error!r}") from None


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
