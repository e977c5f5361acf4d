"""From the scores of pages to figures: by collection, site and language, and the speed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from newsclean.lab.evaluate.measures import MEASURES, Mean, means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.lab.evaluate.page_scores import Score
    from newsclean.lab.evaluate.systems import System

#: All collections together.
ALL = "all"
REFERENCE = "trafilatura"

K = TypeVar("K")


@dataclass(frozen=True)
class Speed:
    """Of one system over all pages; a ratio is the median of the ratios page by page."""

    median: float
    p95: float
    to_lxml: float
    to_trafilatura: float | None = None


class Figures(NamedTuple):
    """Means over pages, with their intervals."""

    precision: Mean
    recall: Mean
    f1: Mean


@dataclass(frozen=True)
class Group:
    """The pages of a collection, a site or a language, by measure."""

    pages: int
    by_measure: dict[str, Figures]

    @property
    def words(self) -> Figures:
        return self.by_measure["words"]


@dataclass
class SystemSummary:
    system: System
    collections: dict[str, Group]
    #: by collection and site
    sites: dict[tuple[str, str], Group]
    languages: dict[str, Group]
    speed: dict[str, Speed]
    #: F1 as article-extraction-benchmark sums it up: of the mean precision and the mean recall
    benchmark_f1: dict[str, float]
    #: F1 of words minus that of the reference on the same pages
    difference: dict[str, Mean]
    #: pages on which it raised, and what it said of some pages
    errors: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


@dataclass
class Summary:
    systems: list[SystemSummary]
    #: pages by collection
    pages: dict[str, int]
    #: the bare parse, by collection
    lxml: dict[str, Speed]

    @property
    def columns(self) -> list[str]:
        """The collections, and all of them together if there are several."""
        names = list(self.pages)
        return [*names, ALL] if len(names) > 1 else names


def summarise(scores: Sequence[Score], systems: Sequence[System]) -> Summary:
    """The figures of each system that has scores."""
    by_system: dict[tuple[str, object], list[Score]] = defaultdict(list)
    for score in scores:
        by_system[score.system, score.neighbors].append(score)
    reference = {
        score.page: score.ms / max(score.lxml_ms, 1e-3)
        for score in by_system.get((REFERENCE, None), ())
    }
    reference_f1 = {score.page: score.words.f1 for score in by_system.get((REFERENCE, None), ())}
    parse = {score.page: score for score in scores}.values()
    return Summary(
        systems=[
            _system(system, found, reference, reference_f1)
            for system in systems
            if (found := by_system.get((system.name, system.neighbors)))
        ],
        pages=dict(Counter(score.collection for score in parse)),
        lxml={
            name: _speed(group, reference, lambda score: score.lxml_ms)
            for name, group in _by_collection(list(parse)).items()
        },
    )


def _system(
    system: System,
    scores: list[Score],
    reference: dict[str, float],
    reference_f1: dict[str, float],
) -> SystemSummary:
    collections = _by_collection(scores)
    return SystemSummary(
        system,
        collections={name: _group(found, MEASURES) for name, found in collections.items()},
        sites=_groups(scores, lambda score: (score.collection, score.site)),
        languages=_groups(scores, lambda score: score.language),
        speed={
            name: _speed(found, reference, lambda score: score.ms)
            for name, found in collections.items()
        },
        benchmark_f1={name: benchmark_f1(found) for name, found in collections.items()},
        difference={
            name: means([[score.words.f1 - reference_f1[score.page]] for score in found])[0]
            for name, found in collections.items()
            if all(score.page in reference_f1 for score in found)
        },
        errors=Counter(score.error for score in scores if score.error),
        notes=Counter(score.note for score in scores if score.note),
    )


def benchmark_f1(scores: Sequence[Score]) -> float:
    """As article-extraction-benchmark has it: a page without a text has no precision."""
    precision = [score.shingles.precision for score in scores if score.size]
    recall = [score.shingles.recall for score in scores if score.gold_size]
    if not precision or not recall:
        return 0.0
    p, r = sum(precision) / len(precision), sum(recall) / len(recall)
    return 2 * p * r / (p + r) if p + r else 0.0


def worst(scores: Iterable[Score], system: System, count: int) -> list[Score]:
    """The pages with the lowest F1 of words."""
    own = [s for s in scores if (s.system, s.neighbors) == (system.name, system.neighbors)]
    return sorted(own, key=lambda score: (score.words.f1, score.page))[:count]


def _by_collection(scores: list[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        found[score.collection].append(score)
    if len(found) > 1:
        found[ALL] = scores
    return found


def _groups(scores: list[Score], key: Callable[[Score], K]) -> dict[K, Group]:
    found: dict[K, list[Score]] = defaultdict(list)
    for score in scores:
        found[key(score)].append(score)
    return {name: _group(group, ("words",)) for name, group in found.items()}


def _group(scores: Sequence[Score], measures: Iterable[str]) -> Group:
    figures = {}
    for measure in measures:
        figures[measure] = Figures(*means([getattr(score, measure) for score in scores]))
    return Group(len(scores), figures)


def _speed(
    scores: Sequence[Score], reference: dict[str, float], time: Callable[[Score], float]
) -> Speed:
    peer = [reference[score.page] for score in scores if score.page in reference]
    return speed_of(
        [time(score) for score in scores],
        [score.lxml_ms for score in scores],
        peer if len(peer) == len(scores) else None,
    )


def speed_of(
    ms: Sequence[float], lxml_ms: Sequence[float], trafilatura: Sequence[float] | None
) -> Speed:
    """`trafilatura` holds its time as a multiple of lxml's, page by page."""
    times, parse = np.asarray(ms), np.maximum(lxml_ms, 1e-3)
    ratios = times / parse
    peer = None
    if trafilatura is not None:
        peer = float(np.median(ratios / np.maximum(trafilatura, 1e-6)))
    median, p95 = np.percentile(times, [50, 95])
    return Speed(float(median), float(p95), float(np.median(ratios)), peer)
