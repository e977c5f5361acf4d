"""What corrected pages bring to the other pages of their site, with golds as the person."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.corrections import Corrections
from newsclean.extraction.corrections.site_corrections import taken_blocks
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.teaching import OTHER_METHOD, LabelledPage, suggest
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import Mean, best_agreement, means, word_bag_agreement
from newsclean.lab.evaluate.systems import neighborhood_of
from newsclean.lab.folds import method_for
from newsclean.lab.training.block_examples import Bags, label_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.extraction.corrections import Correction
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page.columns import Mask
    from newsclean.lab.evaluate.corpus import Corpus, Gold

#: Pages that a site needs: three to correct, and one to score.
MIN_PAGES = 4
COUNTS = (1, 2, 3)
DRAWS = 10
_SEED = 18
#: A site, or a single teaching, that loses more than this has become worse.
_WORSE = 0.002

RANDOM, SUGGESTED = "random", "suggested"
#: For methods of which `OTHER_METHOD` is one itself.
_ANOTHER_METHOD = "mss"


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

    def figures(self, choice: str, count: int) -> Figures:
        return figures(
            [each for each in self.teachings if (each.choice, each.count) == (choice, count)]
        )


def sites_to_teach(corpus: Corpus) -> list[tuple[Gold, ...]]:
    return [golds for golds in corpus.sites.values() if len(golds) >= MIN_PAGES]


def measure_corrections(
    corpus: Corpus, method: str, progress: Callable[[int, int], object] = lambda done, total: None
) -> Result:
    """Teach each site that has enough pages, with one, two and three of them."""
    sites = sites_to_teach(corpus)
    teachings: list[Teaching] = []
    for number, golds in enumerate(sites):
        progress(number, len(sites))
        pages = _read_site(golds, method)
        if len(pages) < MIN_PAGES:
            continue
        for choice, orders in (
            (RANDOM, _random_orders(golds[0], len(pages))),
            (SUGGESTED, [_suggested_order(pages)]),
        ):
            for order in orders:
                teachings += [teach(pages, order[:count], choice) for count in COUNTS]
    progress(len(sites), len(sites))
    return Result(method, len(sites), tuple(teachings))


def _random_orders(gold: Gold, pages: int) -> list[list[int]]:
    """Always the same for a site."""
    drawn = random.Random(f"{_SEED}/{gold.collection}/{gold.site}")
    return [drawn.sample(range(pages), pages) for _ in range(DRAWS)]


def _suggested_order(pages: Sequence[TaughtPage]) -> list[int]:
    """The pages that are suggested, then the others."""
    found = suggest(
        [page.extraction for page in pages], others=[page.other for page in pages], most=max(COUNTS)
    )
    numbers = [each.number for each in found]
    return numbers + [number for number in range(len(pages)) if number not in numbers]


def teach(pages: Sequence[TaughtPage], corrected: Sequence[int], choice: str) -> Teaching:
    """Correct some pages, and score the others."""
    corrections = _corrections_of(pages, corrected)
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


def _corrections_of(pages: Sequence[TaughtPage], corrected: Iterable[int]) -> Corrections:
    return Corrections("site").with_(*(pages[number].correction for number in corrected))


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
        sum(value < -_WORSE for value in gains),
        float(np.mean([each.gain < -_WORSE for each in teachings])),
        min(gains),
    )


@dataclass(eq=False)
class TaughtPage:
    """One page: as it is extracted, and as a person who knows its gold would correct it."""

    gold: Gold
    extraction: Extraction
    correction: Correction
    #: the blocks that another method takes, for suggestions
    other: Mask
    _scores: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = field(default_factory=dict)

    def f1(self, corrections: Corrections | None = None) -> float:
        """Word-bag F1 with these corrections."""
        extraction = replace(self.extraction, corrections=corrections)
        key = extraction.flips.added, extraction.flips.removed
        if key not in self._scores:
            found = best_agreement(word_bag_agreement, extraction.text, self.gold.versions)
            self._scores[key] = found.f1
        return self._scores[key]


def _read_site(golds: Sequence[Gold], method_name: str) -> list[TaughtPage]:
    """The pages of a site that can be used, each with all others as neighbors.

    The network has not seen the publisher.
    """
    method = method_for(method_name, golds[0].site)
    extractor = Extractor(method)
    other = Extractor(_ANOTHER_METHOD if method_name.endswith("coreex") else OTHER_METHOD)
    pages = []
    for gold in golds:
        try:
            page = Page.from_html(read_page(gold.path), gold.url or gold.id)
        except PageError:
            continue
        neighbors = neighborhood_of([each for each in golds if each.id != gold.id], method)
        extraction = extractor(page, neighbors.evidence_on(page, gold.id))
        texts = page.blocks.text
        article = label_blocks(texts, gold.versions, Bags.of(texts, gold.versions))
        labelled = LabelledPage(extraction, article=article, name=gold.id, date="2026-01-01")
        taken = taken_blocks(page, other(page).body.text)
        pages.append(TaughtPage(gold, extraction, labelled.correction(), taken))
    return pages


def correction_table(results: Sequence[Result]) -> str:
    """A table in Markdown: a row for each method, choice of pages and number of them."""
    names = list(results[0].figures(RANDOM, 1).collections)
    head = ["method", "pages corrected", "gain (95 %)", *names]
    head += ["sites worse", "teachings worse", "least gain of a site"]
    lines = [_row(head), _row(["---", "---", *["---:"] * (len(head) - 2)])]
    for result in results:
        for choice in (RANDOM, SUGGESTED):
            for count in COUNTS:
                found = result.figures(choice, count)
                lines.append(_row([f"`{result.method}`", f"{count} {choice}", *_cells(found)]))
    return "\n".join(lines)


def _cells(found: Figures) -> list[str]:
    gain = found.gain
    cells = [f"{gain.mean:+.4f} ({gain.low:+.4f} to {gain.high:+.4f})"]
    cells += [f"{before:.4f} → {after:.4f}" for before, after in found.collections.values()]
    cells += [str(found.worse_sites), f"{found.worse_teachings:.1%}", f"{found.least:+.4f}"]
    return cells


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def to_dict(results: Sequence[Result]) -> dict[str, Any]:
    """All that was measured."""
    return {
        "draws": DRAWS,
        "seed": _SEED,
        "methods": [
            {
                "method": result.method,
                "sites": result.sites,
                "teachings": [asdict(each) for each in result.teachings],
            }
            for result in results
        ],
    }
