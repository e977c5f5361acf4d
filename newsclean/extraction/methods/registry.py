"""The names of the methods and their parameter sets; CONTRIBUTING.md says how to add one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.extraction.methods import boilerpipe, coreex, mss, stadynot, tree_filter
from newsclean.extraction.methods.chain import Method
from newsclean.extraction.methods.hybrid import decision as hybrid
from newsclean.extraction.methods.hybrid.network import Model, read_model
from newsclean.extraction.methods.visual import classifier as visual

if TYPE_CHECKING:
    from newsclean.extraction.methods.chain import Step
    from newsclean.extraction.methods.visual.classifier import Network


#: The method of the crawl, the library and the command line.
DEFAULT_METHOD = "hybrid"

#: The steps of each method by parameter set. A bare name takes the set `tuned`, or `chained` after
#: another method of a chain, if there is such a set.
METHODS: dict[str, dict[str, tuple[Step, ...]]] = {
    "stadynot": {
        "paper": stadynot.steps(stadynot.PAPER),
        "tuned": stadynot.steps(stadynot.TUNED),
    },
    "coreex": {
        "paper": coreex.steps(coreex.PAPER),
        "tuned": coreex.steps(coreex.TUNED),
        "chained": coreex.steps(coreex.CHAINED),
    },
    "mss": {
        "paper": mss.steps(mss.PAPER),
        "tuned": mss.steps(mss.TUNED),
        "chained": mss.steps(mss.CHAINED),
    },
    "boilerpipe": {
        "paper": boilerpipe.steps(boilerpipe.PAPER),
        "tuned": boilerpipe.steps(boilerpipe.TUNED),
    },
    # boilerpipe+tree under one name
    "boilerpipe-tree": {
        "paper": boilerpipe.steps(boilerpipe.PAPER) + tree_filter.steps(tree_filter.PAPER),
        "tuned": boilerpipe.steps(boilerpipe.TUNED) + tree_filter.steps(tree_filter.TUNED),
    },
    "tree": {
        "paper": tree_filter.steps(tree_filter.PAPER),
        "tuned": tree_filter.steps(tree_filter.TUNED),
    },
    "visual": {
        "paper": visual.steps(visual.PAPER),
        "tuned": visual.steps(visual.TUNED),
    },
    "hybrid": {"tuned": hybrid.steps()},
}

#: Methods that end with the tree filter, and their steps before it. The name may give its n, as in
#: `tree:n=3`; a bare name takes the published n.
_BEFORE_TREE: dict[str, tuple[Step, ...]] = {
    "boilerpipe-tree": boilerpipe.steps(boilerpipe.TUNED),
    "tree": (),
}


def method_named(
    name: str = DEFAULT_METHOD, model: Model | Network | str | Path | None = None
) -> Method:
    """Return the method of a name: `coreex`, `coreex:paper`, `stadynot+coreex`, `tree:n=3`.

    `hybrid` and `visual` use the model that comes with newsclean, unless another one or its file is
    given.

    >>> method_named("stadynot+coreex:paper").keying
    'block'
    >>> method_named("corex")
    Traceback (most recent call last):
    ...
    ValueError: no method named 'corex'; there are: boilerpipe, boilerpipe-tree, coreex, hybrid,
    mss, stadynot, tree, visual (chain them with +)
    """
    parts = [part.strip().partition(":")[::2] for part in name.split("+")]
    used = [method for method, _ in parts]
    for method in used:
        if method not in METHODS:
            names = ", ".join(sorted(METHODS))
            raise ValueError(f"no method named {method!r}; there are: {names} (chain them with +)")
    if model is not None and "hybrid" not in used and "visual" not in used:
        raise ValueError(f"method {name!r} uses no model; leave {model} out, or take 'hybrid'")
    if model is not None and "hybrid" in used and "visual" in used:
        raise ValueError(f"method {name!r} uses two models, and {model} is one")
    steps: list[Step] = []
    for method, variant in parts:
        found = _steps_named(method, variant, follows=bool(steps))
        if method == "visual" and model is not None:
            found = visual.steps(
                visual.PAPER if variant == "paper" else visual.TUNED, _network(model)
            )
        if steps and found[0].stage < steps[-1].stage:
            raise ValueError(f"{name!r}: {method} marks noise, so it comes first in a chain")
        steps.extend(found)
    parameters = stadynot.PAPER if ("stadynot", "paper") in parts else stadynot.TUNED
    if "hybrid" not in used:
        return Method(name, tuple(steps), parameters.keying)
    model = _model(model)
    scorer = partial(hybrid.score_blocks, model=model)
    return Method(name, tuple(steps), parameters.keying, scorer, model.fingerprint)


def _steps_named(method: str, variant: str, *, follows: bool) -> tuple[Step, ...]:
    """Return the steps of a method with the parameters of a name; empty: the default ones."""
    sets = METHODS[method]
    if method in _BEFORE_TREE:
        variant = variant or f"n={tree_filter.PAPER.n}"
        if variant.startswith("n="):
            return _BEFORE_TREE[method] + tree_filter.steps(_tree_parameters(method, variant))
    if not variant:
        variant = "chained" if follows and "chained" in sets else "tuned"
    if variant not in sets:
        names = ", ".join(sorted(sets)) + (", n=NUMBER" if method in _BEFORE_TREE else "")
        raise ValueError(f"{method!r} has no parameters named {variant!r}; there are: {names}")
    return sets[variant]


def _tree_parameters(method: str, variant: str) -> tree_filter.Parameters:
    try:
        return tree_filter.Parameters(n=int(variant.removeprefix("n=")))
    except ValueError:
        raise ValueError(f"{method}:{variant}: n is a number, 1 (the parent) or more") from None


def _model(model: object) -> Model:
    """Return a model of `hybrid`, from its file if need be."""
    if model is None or isinstance(model, str | Path):
        model = read_model() if model is None else read_model(model)
    if not isinstance(model, Model):
        raise ValueError("hybrid takes a model, or its file")
    hybrid.check_features(model)
    return model


def _network(model: object) -> Network:
    """Return a network of `visual`, from its file if need be."""
    if isinstance(model, str | Path):
        return visual.read_network(Path(model))
    if not isinstance(model, visual.Network):
        raise ValueError("visual takes a network, or its file")
    return model
