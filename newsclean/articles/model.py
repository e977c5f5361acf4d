"""The shipped models: trees for pages and trees for links, and what is known of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from newsclean.articles.saving import tree_from_json, tree_to_json
from newsclean.articles.voting import Ensemble

MODEL_FILE = "model.json"


@dataclass(frozen=True)
class Model:
    """Trees, from which probability on they say yes, and how well they did on unseen publishers."""

    ensemble: Ensemble
    #: at least so probable is an article (of pages) or worth a download (of links)
    threshold: float
    #: how many pages or links of which collection and class it was trained on
    trained_on: dict[str, int] = field(default_factory=dict)
    #: figures of the cross-validation by publisher
    cross_validated: dict[str, float] = field(default_factory=dict)
    seed: int = 1


def models_to_json(models: dict[str, Model]) -> str:
    """Models by name as the text of a model file."""
    data = {
        name: {
            "threshold": model.threshold,
            "seed": model.seed,
            "trained_on": model.trained_on,
            "cross_validated": model.cross_validated,
            "rate": model.ensemble.rate,
            "trees": [tree_to_json(tree) for tree in model.ensemble.trees],
        }
        for name, model in models.items()
    }
    return json.dumps(data, separators=(",", ":")).replace('{"classes"', '\n{"classes"') + "\n"


def models_from_json(text: str) -> dict[str, Model]:
    """The models of a model file; `ValueError` if it is none."""
    try:
        data: dict[str, dict[str, Any]] = json.loads(text)
        return {
            name: Model(
                Ensemble(tuple(map(tree_from_json, model["trees"])), float(model["rate"])),
                float(model["threshold"]),
                dict(model["trained_on"]),
                dict(model["cross_validated"]),
                int(model["seed"]),
            )
            for name, model in data.items()
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no model file: {error!r}") from None


@lru_cache(1)
def shipped() -> dict[str, Model]:
    """The models of the package: `pages` and `links`."""
    return models_from_json(files(__package__).joinpath(MODEL_FILE).read_text("utf-8"))
