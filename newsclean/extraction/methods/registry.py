"""Every method by its name and parameter set."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.extraction.methods import (
    boilerpipe,
    coreex,
    hybrid,
    mss,
    stadynot,
    tree_filter,
    visual,
)
from newsclean.extraction.methods.chain import Method

if TYPE_CHECKING:
    from newsclean.extraction.methods.chain import Step
    from newsclean.extraction.methods.hybrid import Model
    from newsclean.extraction.methods.visual import Network
    from newsclean.extraction.neighborhood import Keying


#: What the crawl, the library and the command line use unless told otherwise.
DEFAULT_METHOD = "hybrid"

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


#: The methods that end with the tree filter take its n, as in `tree:n=3`; what runs before it.
_BEFORE_TREE: dict[str, tuple[Step, ...]] = {
    "boilerpipe-tree": boilerpipe.steps(boilerpipe.TUNED),
    "tree": (),
}


def method_named(
    name: str = DEFAULT_METHOD, model: Model | Network | str | Path | None = None
) -> Method:
    """The method of a name such as `coreex`, `coreex:paper`, `stadynot+coreex` or `tree:n=3`.

    `hybrid` takes the model that comes with newsclean unless another one, or its file, is given;
    so does `visual` its network.

    >>> method_named("stadynot+coreex:paper").keying
    'block'
    >>> method_named("corex")
    Traceback (most recent call last):
    ...
    ValueError: no method named 'corex'; there are: boilerpipe, boilerpipe-tree, coreex, hybrid,
    mss, stadynot, tree, visual (chain them with +)
    """
    steps: list[Step] = []
    keying: Keying = stadynot.TUNED.keying
    uses_model = False
    network = None
    if model is not None and _is_visual(name):
        network = model if isinstance(model, visual.Network) else visual.read_network(_path(model))
    for part in name.split("+"):
        method, _, variant = part.strip().partition(":")
        if method not in METHODS:
            names = ", ".join(sorted(METHODS))
            raise ValueError(f"no method named {method!r}; there are: {names} (chain them with +)")
        if (method, variant) == ("stadynot", "paper"):
            keying = stadynot.PAPER.keying
        uses_model |= method == "hybrid"
        found = _steps_named(method, variant, follows=bool(steps))
        if method == "visual" and network is not None:
            found = visual.steps(visual.PAPER if variant == "paper" else visual.TUNED, network)
        if steps and found[0].stage < steps[-1].stage:
            raise ValueError(f"{name!r}: {method} marks noise, so it comes first in a chain")
        steps.extend(found)
    if not uses_model:
        if model is not None and network is None:
            raise ValueError(f"method {name!r} uses no model; leave {model} out, or take 'hybrid'")
        return Method(name, tuple(steps), keying)
    if network is not None:
        raise ValueError(f"method {name!r} uses two models, and {model} is one")
    if isinstance(model, visual.Network):
        raise ValueError(f"method {name!r} uses a model, and this is a network of visual")
    if not isinstance(model, hybrid.Model):
        model = hybrid.read_model() if model is None else hybrid.read_model(model)
    hybrid.check_features(model)
    scorer = partial(hybrid.score_blocks, model=model)
    return Method(name, tuple(steps), keying, scorer, model.fingerprint)


def _is_visual(name: str) -> bool:
    """Whether `visual` is part of a chain."""
    return any(part.strip().partition(":")[0] == "visual" for part in name.split("+"))


def _path(model: object) -> Path:
    if isinstance(model, str | Path):
        return Path(model)
    raise ValueError("visual takes a network, or its file")


def _steps_named(method: str, variant: str = "", *, follows: bool = False) -> tuple[Step, ...]:
    """The steps of one method of a chain with the parameters of a name.

    Without a name those that measure best, alone or behind another method; the tree filter has
    its published n = 2.
    """
    sets = METHODS[method]
    if method in _BEFORE_TREE and (not variant or variant.startswith("n=")):
        return _BEFORE_TREE[method] + tree_filter.steps(_tree_parameters(method, variant))
    if not variant:
        variant = "chained" if follows and "chained" in sets else "tuned"
    if variant not in sets:
        names = ", ".join(sorted(sets)) + (", n=NUMBER" if method in _BEFORE_TREE else "")
        raise ValueError(f"{method!r} has no parameters named {variant!r}; there are: {names}")
    return sets[variant]


def _tree_parameters(method: str, variant: str) -> tree_filter.Parameters:
    """Of `n=3`; the published ones of nothing."""
    if not variant:
        return tree_filter.PAPER
    try:
        return tree_filter.Parameters(n=int(variant.removeprefix("n=")))
    except ValueError:
        raise ValueError(f"{method}:{variant}: n is a number, 1 (the parent) or more") from None
