"""The pages of a site as it is taught: those that crawls have kept, or saved ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction.extractor import Neighborhood
from newsclean.extraction.methods import Evidence
from newsclean.extraction.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.memory import Memory
    from newsclean.memory.records import StoredPage

#: Neighbors of a category with which those of the whole site are not asked, as in a crawl.
MIN_NEIGHBORS = 5


def kept_extraction(memory: Memory, stored: StoredPage, extractor: Extractor) -> Extraction:
    """A kept page with what the memory knows of its site; `PageError` if it cannot be used."""
    page = Page.from_html(stored.body, stored.url, stored.content_type or None)
    scores = extractor.method.score_blocks(page)
    keys = extractor.method.keys(page, scores)
    neighbors = memory.sites.support_for(
        stored.site, stored.category, stored.url, keys, MIN_NEIGHBORS
    )
    return extractor(page, Evidence(scores, neighbors))


def kept_extractions(memory: Memory, site: str, extractor: Extractor) -> Iterator[Extraction]:
    """The kept pages of a site and its hosts, newest first.

    A page that is damaged or cannot be used is left out.
    """
    for number, _, _ in memory.kept.numbers([site]):
        try:
            found = memory.kept.get(number)
            if found is not None:
                yield kept_extraction(memory, found[1], extractor)
        except ValueError:  # damaged; PageError is one, too
            continue


def saved_extractions(pages: Sequence[Page], extractor: Extractor) -> Iterator[Extraction]:
    """Saved pages of one site as each other's neighbors."""
    neighborhood = Neighborhood(extractor.method, window=max(len(pages), 1))
    for page in pages:
        neighborhood.learn(page)
    for page in pages:
        yield extractor(page, neighborhood.evidence_on(page))
