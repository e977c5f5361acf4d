"""Sites with some of their pages corrected, and how the others come out."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.corrections import Corrections
from newsclean.lab.evaluate.bootstrap import Mean, means
from newsclean.lab.teaching.pages import TaughtPage, read_site
from newsclean.teaching import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.lab.evaluate.corpus import Corpus, Gold

#: Pages that a site needs: three to correct, and one to score.
MIN_PAGES = 4
COUNTS = (1, 2, 3)
DRAWS = 10
SEED = 18
#: A site, or a single teaching, that loses more than this has become worse.
WORSE = 0.002

RANDOM, SUGGESTED = "random", "suggested"


@dataclass(frozen=True)
class Teaching:
    """One site with some pages corrected: the mean F1 of the others, without and with."""

    collection: str
    site: str
    choice: str
    count: int
    before: float
    after: float

    @property
    def gain(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Figures:
    """What so many corrected pages bring, over all sites."""

    choice: str
    count: int
    gain: Mean
    #: by collection: the mean over its sites without corrections, and with
    collections: dict[str, tuple[float, float]]
    #: sites that are worse on average over the draws, and the share of single teachings that are
    worse_sites: int
    worse_teachings: float
    #: the gain of the site that gains least
    least: float


@dataclass(frozen=True)
class Result:
    method: str
    sites: int
    teachings: tuple[Teaching, ...]
    #: what corrections cost, in parses a page: the median, and the 95th percentile
    cost: tuple[float, float]

    def figures(self, choice: str, count: int) -> Figures:
        return figures(
            [each for each in self.teachings if (each.choice, each.count) == (choice, count)]
        )


def sites_to_teach(corpus: Corpus) -> list[tuple[Gold, ...]]:
    return [golds for golds in corpus.sites.values() if len(golds) >= MIN_PAGES]


def measure(
    corpus: Corpus, method: str, progress: Callable[[int, int], object] = lambda done, total: None
) -> Result:
    """Teach each site that has enough pages, with one, two and three of them."""
    sites = sites_to_teach(corpus)
    teachings: list[Teaching] = []
    costs: list[float] = []
    for number, golds in enumerate(sites):
        progress(number, len(sites))
        pages = read_site(golds, method)
        if len(pages) < MIN_PAGES:
            continue
        for choice, orders in (
            (RANDOM, random_orders(golds[0], len(pages))),
            (SUGGESTED, [suggested_order(pages)]),
        ):
            for order in orders:
                teachings += [teach(pages, order[:count], choice) for count in COUNTS]
        costs += costs_of(pages)
    progress(len(sites), len(sites))
    median, p95 = np.percentile(costs, [50, 95]).tolist() if costs else (0.0, 0.0)
    return Result(method, len(sites), tuple(teachings), (median, p95))


def random_orders(gold: Gold, pages: int) -> list[list[int]]:
    """Always the same for a site."""
    drawn = random.Random(f"{SEED}/{gold.collection}/{gold.site}")
    return [drawn.sample(range(pages), pages) for _ in range(DRAWS)]


def suggested_order(pages: Sequence[TaughtPage]) -> list[int]:
    """The pages that are suggested, then the others."""
    found = suggest(
        [page.extraction for page in pages], others=[page.other for page in pages], most=max(COUNTS)
    )
    numbers = [each.number for each in found]
    return numbers + [number for number in range(len(pages)) if number not in numbers]


def teach(pages: Sequence[TaughtPage], corrected: Sequence[int], choice: str) -> Teaching:
    """Correct some pages, and score the others."""
    corrections = corrections_of(pages, corrected)
    others = [page for number, page in enumerate(pages) if number not in corrected]
    gold = pages[0].gold
    return Teaching(
        gold.collection,
        gold.site,
        choice,
        len(corrected),
        float(np.mean([page.f1() for page in others])),
        float(np.mean([page.f1(corrections) for page in others])),
    )


def corrections_of(pages: Sequence[TaughtPage], corrected: Iterable[int]) -> Corrections:
    return Corrections("site").with_(*(pages[number].correction for number in corrected))


def costs_of(pages: Sequence[TaughtPage]) -> list[float]:
    """What the corrections of three pages cost on each of the others, in parses.

    The corrections are read, and have been asked before: a crawl does that once.
    """
    corrections = corrections_of(pages, range(max(COUNTS)))
    others = pages[max(COUNTS) :]
    others[0].cost_ms(corrections)
    return [page.cost_ms(corrections) / max(page.parse_ms, 1e-3) for page in others]


def figures(teachings: Sequence[Teaching]) -> Figures:
    """The figures of teachings with the same choice and count; each site counts once."""
    sites: dict[tuple[str, str], list[Teaching]] = {}
    for each in teachings:
        sites.setdefault((each.collection, each.site), []).append(each)
    gains = [float(np.mean([each.gain for each in draws])) for draws in sites.values()]
    collections: dict[str, tuple[float, float]] = {}
    for name in dict.fromkeys(collection for collection, _ in sites):
        own = [draws for (collection, _), draws in sites.items() if collection == name]
        before, after = (
            float(np.mean([np.mean([getattr(each, which) for each in draws]) for draws in own]))
            for which in ("before", "after")
        )
        collections[name] = before, after
    (gain,) = means(np.array(gains)[:, None])
    return Figures(
        teachings[0].choice,
        teachings[0].count,
        gain,
        collections,
        sum(value < -WORSE for value in gains),
        float(np.mean([each.gain < -WORSE for each in teachings])),
        min(gains),
    )
