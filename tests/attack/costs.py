"""What a page costs: processor time and memory, measured in a process of its own.

A page of any shape costs at most `MAX_SECONDS` and `MAX_SECONDS_PER_MB` of processor time for each
megabyte, and `MAX_MEMORY` and `MAX_MEMORY_PER_MB` megabytes of memory for each.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import newsclean
from newsclean.extraction.extractor import Extractor, Neighborhood
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.page.stated import is_app_shell

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SECONDS = 2.0
MAX_SECONDS_PER_MB = 12.0
MAX_MEMORY = 60.0
MAX_MEMORY_PER_MB = 700.0

#: Pages of the same kind from which a neighborhood learns.
NEIGHBORS = 3


@dataclass(frozen=True)
class Cost:
    """What one page has cost."""

    size: int  # bytes
    seconds: float
    #: megabytes by which the process has grown, at its largest
    memory: float

    @property
    def is_fast_enough(self) -> bool:
        return self.seconds <= MAX_SECONDS + MAX_SECONDS_PER_MB * self.size / 1e6

    @property
    def has_enough_memory(self) -> bool:
        return self.memory <= MAX_MEMORY + MAX_MEMORY_PER_MB * self.size / 1e6

    @property
    def is_within_bounds(self) -> bool:
        return self.is_fast_enough and self.has_enough_memory


def costs(
    sources: Sequence[bytes], method: str, neighbors: Sequence[bytes] = (), runs: int = 1
) -> list[Cost]:
    """The cost of each of these pages, which grow in size: the best of some runs."""
    extractor = Extractor(method)
    neighborhood = Neighborhood(method) if neighbors else None
    for number, source in enumerate(neighbors):
        try:
            assert neighborhood is not None
            neighborhood.learn(source, f"https://example.org/{number}")
        except PageError:
            break
    before = peak_memory()
    found = []
    for source in sources:
        seconds = min(_seconds(source, extractor, neighborhood) for _ in range(runs))
        found.append(Cost(len(source), seconds, peak_memory() - before))
    return found


def warm_up() -> None:
    """Load what is loaded once and not for each page: the models of all methods, of languages."""
    for method in ("hybrid", "stadynot+coreex", "boilerpipe-tree", "mss"):
        newsclean.extract("<p>" + "It has rained in Bergen for nine days. " * 9, method=method)
    # In a language whose common words are not known, so that the model of languages is asked.
    newsclean.extract("<p>" + "Mae hi wedi bwrw glaw ym Mangor am naw diwrnod. " * 9)


def _seconds(source: bytes, extractor: Extractor, neighborhood: Neighborhood | None) -> float:
    start = time.process_time()
    try:
        page = Page.from_html(source, "https://example.org/rain")
    except PageError:
        return time.process_time() - start
    evidence = neighborhood.evidence_on(page) if neighborhood is not None else None
    is_app_shell(page)
    extractor(page, evidence).article(markdown=True)
    return time.process_time() - start


def peak_memory() -> float:
    """Megabytes of this process at its largest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
