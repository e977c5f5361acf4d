"""Searching a method's parameters, with cross-validation by site.

Candidates are drawn at random around the set in use, without a look at the pages. For each fold,
the candidate that is best on the other folds' pages is measured on this fold's: no page is judged
by parameters that were chosen on its own site. The difference to the set in use comes with an
interval, so that luck is not taken for progress.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction import Extractor
from newsclean.lab.evaluate.bootstrap import Mean, means
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import word_bag_agreement
from newsclean.lab.evaluate.neighbors import draw, neighborhood_of
from newsclean.methods import Method, boilerpipe, coreex, mss, stadynot, tree_filter
from newsclean.page import Page, PageError
from newsclean.processes import processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.lab.evaluate.corpus import Corpus, Gold
    from newsclean.methods import Step

#: How often a drawn candidate differs from the set in use, parameter by parameter.
CHANGE = 0.4

#: A candidate: for each method of the chain, the parameters that differ from the set in use.
Candidate = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Tunable:
    """A method whose parameters can be searched."""

    steps: Callable[[Any], tuple[Step, ...]]
    in_use: Any
    space: dict[str, tuple[float, ...]]


TUNABLE = {
    "stadynot": Tunable(stadynot.steps, stadynot.TUNED, stadynot.SPACE),
    "coreex": Tunable(coreex.steps, coreex.TUNED, coreex.SPACE),
    "mss": Tunable(mss.steps, mss.TUNED, mss.SPACE),
    "boilerpipe": Tunable(boilerpipe.steps, boilerpipe.TUNED, boilerpipe.SPACE),
    "tree": Tunable(tree_filter.steps, tree_filter.PAPER, tree_filter.SPACE),
}
#: The sets in use of methods that follow another one.
CHAINED: dict[str, Any] = {"coreex": coreex.CHAINED, "mss": mss.CHAINED}


@dataclass(frozen=True)
class Finding:
    """What a search has found, and how sure it is."""

    method: str
    pages: int
    candidates: int
    folds: int
    seed: int
    #: the candidate that is best on all pages, as complete parameter sets
    best: dict[str, dict[str, Any]]
    #: its figure on all pages: the mean over collections of the mean F1 over pages
    best_f1: float
    in_use_f1: float
    #: F1 on pages of sites that had no say in the choice, for each collection
    cross_validated: dict[str, float]
    in_use: dict[str, float]
    #: cross-validated minus in use, over all pages
    difference: Mean
    #: how many folds chose each value of each parameter
    votes: dict[str, dict[str, int]]

    @property
    def is_better(self) -> bool:
        """Whether what was found is better beyond chance on sites that had no say."""
        return self.difference.low > 0


def draw_candidates(chain: Sequence[str], count: int, seed: int) -> list[Candidate]:
    """Different parameter sets to try; the first is the one in use.

    Where fewer than `count` exist, all of them.
    """
    rng = random.Random(seed)
    places = [
        (name, parameter) for name in dict.fromkeys(chain) for parameter in TUNABLE[name].space
    ]
    choices = [_values(chain, name, parameter) for name, parameter in places]
    used = tuple(values[0] for values in choices)
    count = min(count, prod(map(len, choices)))
    drawn = {used: None}
    if 2 * count > prod(map(len, choices)):  # drawn blindly, the last would take long to come
        everything = list(product(*choices))
        drawn |= dict.fromkeys(rng.sample(everything[1:], count - 1))
    while len(drawn) < count:
        one = (rng.choice(v[1:]) if rng.random() < CHANGE else v[0] for v in choices)
        drawn[tuple(one)] = None
    return [_changes(places, used, values) for values in drawn]


def _values(chain: Sequence[str], name: str, parameter: str) -> list[float]:
    """The value in use of a parameter, and then the others to try."""
    used = getattr(in_use(chain, name), parameter)
    return [used, *(value for value in TUNABLE[name].space[parameter] if value != used)]


def _changes(
    places: Sequence[tuple[str, str]], used: Sequence[float], values: Sequence[float]
) -> Candidate:
    """What differs from the set in use, method by method."""
    candidate: Candidate = {}
    for (name, parameter), before, value in zip(places, used, values, strict=True):
        if value != before:
            candidate.setdefault(name, {})[parameter] = value
    return candidate


def in_use(chain: Sequence[str], name: str) -> Any:
    """The parameter set that the bare name of a method runs in a chain."""
    alone = TUNABLE[name].in_use
    return alone if name == chain[0] else CHAINED.get(name, alone)


def parameters_of(chain: Sequence[str], name: str, candidate: Candidate) -> Any:
    """The complete parameter set of a method of the chain in a candidate."""
    changes: dict[str, Any] = dict(candidate.get(name, {}))
    if "weight_text" in changes:
        changes["weight_ratio"] = round(1 - changes["weight_text"], 6)
    return replace(in_use(chain, name), **changes)


def method_of(chain: Sequence[str], candidate: Candidate) -> Method:
    steps = [
        step
        for name in chain
        for step in TUNABLE[name].steps(parameters_of(chain, name, candidate))
    ]
    return Method("+".join(chain), tuple(steps), stadynot.TUNED.keying)


def tune(
    corpus: Corpus,
    chain: Sequence[str],
    *,
    candidates: int = 60,
    folds: int = 5,
    seed: int = 1,
    jobs: int = 1,
    advance: Callable[[int], object] = lambda pages: None,
) -> Finding:
    """Search the parameters of a chain of methods."""
    drawn = draw_candidates(chain, candidates, seed)
    golds: list[Gold] = []
    rows: list[NDArray[np.float64]] = []
    for group, figures in _measure_all(corpus, chain, drawn, jobs):
        golds += group
        rows.append(figures)
        advance(len(group))
    f1 = np.concatenate(rows)
    collections = np.array([gold.collection for gold in golds])
    fold = _folds(golds, folds, seed)
    held_out = np.zeros(len(golds))
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(folds):
        own = fold == number
        chosen = int(np.argmax(_by_collection(f1[~own], collections[~own])))
        held_out[own] = f1[own, chosen]
        for name in chain:
            for parameter in TUNABLE[name].space:
                value = getattr(parameters_of(chain, name, drawn[chosen]), parameter)
                votes[f"{name}.{parameter}"][f"{value:g}"] += 1
    totals = _by_collection(f1, collections)
    best = int(np.argmax(totals))
    names = sorted(set(collections.tolist()))
    return Finding(
        method="+".join(chain),
        pages=len(golds),
        candidates=len(drawn),
        folds=folds,
        seed=seed,
        best={name: _plain(parameters_of(chain, name, drawn[best])) for name in chain},
        best_f1=float(totals[best]),
        in_use_f1=float(totals[0]),
        cross_validated={n: float(held_out[collections == n].mean()) for n in names},
        in_use={n: float(f1[collections == n, 0].mean()) for n in names},
        difference=means((held_out - f1[:, 0])[:, None])[0],
        votes={name: dict(counts.most_common()) for name, counts in votes.items()},
    )


def _plain(parameters: Any) -> dict[str, Any]:
    return {name: value for name, value in asdict(parameters).items() if name != "keying"}


def _by_collection(f1: NDArray[np.float64], collections: NDArray[Any]) -> NDArray[np.float64]:
    """For each candidate the mean over collections of the mean over pages."""
    groups = [f1[collections == name].mean(axis=0) for name in np.unique(collections)]
    figures: NDArray[np.float64] = np.mean(groups, axis=0)
    return figures


def _folds(golds: Sequence[Gold], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each page; all pages of a site are in one."""
    sites = sorted({(gold.collection, gold.site) for gold in golds})
    random.Random(seed).shuffle(sites)
    number = {site: position % folds for position, site in enumerate(sites)}
    return np.array([number[gold.collection, gold.site] for gold in golds])


def _measure_all(
    corpus: Corpus, chain: Sequence[str], candidates: list[Candidate], jobs: int
) -> Iterator[tuple[list[Gold], NDArray[np.float64]]]:
    """The F1 of every candidate on every page, site by site."""
    sites: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    for gold in corpus.golds:
        sites[gold.collection, gold.site].append(gold)
    groups = [(group, [corpus.others(gold) for gold in group]) for group in sites.values()]
    jobs = min(jobs, len(groups))
    if jobs <= 1:
        for group, others in groups:
            yield group, _measure(group, others, chain, candidates)
        return
    with processes(jobs) as pool:
        running = [
            (group, pool.submit(_measure, group, others, chain, candidates))
            for group, others in groups
        ]
        for group, future in running:
            yield group, future.result()


def _measure(
    golds: list[Gold],
    others: list[tuple[Gold, ...]],
    chain: Sequence[str],
    candidates: list[Candidate],
) -> NDArray[np.float64]:
    extractors = [Extractor(method_of(chain, candidate)) for candidate in candidates]
    figures = np.zeros((len(golds), len(candidates)))
    for row, (gold, neighbors) in enumerate(zip(golds, others, strict=True)):
        try:
            page = Page.from_html(read_page(gold.path), gold.url)
        except PageError:
            continue
        hood = neighborhood_of(draw(gold, neighbors, "all"), extractors[0].method)
        evidence = hood.evidence_on(page, gold.id)
        for column, extractor in enumerate(extractors):
            text = extractor(page, evidence).text
            scores = [word_bag_agreement(text, version).f1 for version in gold.versions]
            figures[row, column] = max(scores)
    return figures
