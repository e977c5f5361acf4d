"""Every method by its name and parameter set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.methods import boilerpipe, coreex, mss, stadynot, tree_filter
from newsclean.methods.chain import Method

if TYPE_CHECKING:
    from newsclean.methods.chain import Step
    from newsclean.neighborhood.keys import Keying

#: What the crawl, the library and the command line use unless told otherwise.
DEFAULT_METHOD = "stadynot+coreex"

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
    "boilerpipe-tree": {
        "paper": boilerpipe.steps(boilerpipe.PAPER) + tree_filter.steps(tree_filter.PAPER),
        "tuned": boilerpipe.steps(boilerpipe.TUNED) + tree_filter.steps(tree_filter.TUNED),
    },
    "tree": {
        "paper": tree_filter.steps(tree_filter.PAPER),
        "tuned": tree_filter.steps(tree_filter.TUNED),
    },
}


def method_named(name: str = DEFAULT_METHOD) -> Method:
    """The method of a name such as `coreex`, `coreex:paper` or `stadynot+coreex`.

    >>> method_named("stadynot+coreex:paper").keying
    'block'
    >>> method_named("corex")
    Traceback (most recent call last):
    ...
    ValueError: no method named 'corex'; there are: boilerpipe, boilerpipe-tree, coreex, mss,
    stadynot, tree (chain them with +)
    """
    steps: list[Step] = []
    keying: Keying = stadynot.TUNED.keying
    for part in name.split("+"):
        method, _, given = part.strip().partition(":")
        if method not in METHODS:
            names = ", ".join(sorted(METHODS))
            raise ValueError(f"no method named {method!r}; there are: {names} (chain them with +)")
        best = "chained" if steps and "chained" in METHODS[method] else "tuned"
        variant = given or best
        if variant not in METHODS[method]:
            names = ", ".join(sorted(METHODS[method]))
            raise ValueError(f"{method!r} has no parameters named {variant!r}; there are: {names}")
        if (method, variant) == ("stadynot", "paper"):
            keying = stadynot.PAPER.keying
        steps.extend(METHODS[method][variant])
    return Method(name, tuple(steps), keying)
