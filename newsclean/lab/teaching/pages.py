"""The pages of a site with their extractions and golds, ready to be corrected and scored."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from newsclean.corrections.applying import taken_blocks
from newsclean.extraction import Extractor
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import best_agreement, word_bag_agreement
from newsclean.lab.evaluate.neighbors import neighborhood_of
from newsclean.lab.evaluate.speed import lxml_parse
from newsclean.lab.folds import method_for
from newsclean.lab.training.labels import Bags, label_blocks
from newsclean.page import Page, PageError
from newsclean.teaching import label
from newsclean.teaching.suggesting import OTHER_METHOD

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsclean.corrections import Correction, Corrections
    from newsclean.extraction import Extraction
    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.page.columns import Mask

#: For methods of which `OTHER_METHOD` is one itself.
ANOTHER_METHOD = "mss"


#: Calls of which the fastest counts, where a few tenths of a millisecond are measured.
CALLS = 5


def best_of(call: Callable[[], object]) -> float:
    """The processor time of the fastest of some calls, in milliseconds."""
    times = []
    for _ in range(CALLS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times) * 1000


@dataclass(eq=False)
class TaughtPage:
    """One page: as it is extracted, and as a person who knows its gold would correct it."""

    gold: Gold
    extraction: Extraction
    correction: Correction
    #: the blocks that another method takes, for suggestions
    other: Mask
    #: the milliseconds of a bare parse
    parse_ms: float
    _scores: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = field(default_factory=dict)

    def f1(self, corrections: Corrections | None = None) -> float:
        """Word-bag F1 with these corrections."""
        extraction = replace(self.extraction, corrections=corrections)
        key = extraction.flips.added, extraction.flips.removed
        if key not in self._scores:
            found = best_agreement(word_bag_agreement, extraction.text, self.gold.versions)
            self._scores[key] = found.f1
        return self._scores[key]

    def cost_ms(self, corrections: Corrections) -> float:
        """The processor time that corrections add to the way of the page."""
        body = self.extraction.uncorrected_body

        def correct() -> None:
            extraction = replace(self.extraction, corrections=corrections)
            vars(extraction)["uncorrected_body"] = body  # which there is without them
            _ = extraction.body

        return best_of(correct)


def read_site(golds: Sequence[Gold], method_name: str) -> list[TaughtPage]:
    """The pages of a site that can be used, each with all others as neighbors.

    The network has not seen the publisher.
    """
    method = method_for(method_name, golds[0].site)
    extractor = Extractor(method)
    other = Extractor(ANOTHER_METHOD if method_name.endswith("coreex") else OTHER_METHOD)
    pages = []
    for gold in golds:
        body = read_page(gold.path)
        try:
            page = Page.from_html(body, gold.url or gold.id)
        except PageError:
            continue
        neighbors = neighborhood_of([each for each in golds if each.id != gold.id], method)
        extraction = extractor(page, neighbors.evidence_on(page, gold.id))
        texts = page.blocks.text
        article = label_blocks(texts, gold.versions, Bags.of(texts, gold.versions))
        pages.append(
            TaughtPage(
                gold,
                extraction,
                label(extraction, article=article, page=gold.id, date="2026-01-01"),
                taken_blocks(page, other(page).body.text),
                best_of(partial(lxml_parse, body)),
            )
        )
    return pages
