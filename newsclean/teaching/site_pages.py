"""The pages of a site as it is taught: those that crawls have kept, or saved ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction import Neighborhood
from newsclean.methods import Evidence
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.extraction import Extraction, Extractor
    from newsclean.memory import Memory

#: Neighbors of a category with which those of the whole site are not asked, as in a crawl.
MIN_NEIGHBORS = 5


def kept_extractions(memory: Memory, site: str, extractor: Extractor) -> Iterator[Extraction]:
    """The kept pages of a site and its hosts, newest first, with what the memory knows of it.

    A page that is damaged or cannot be used is left out.
    """
    for number, _, _ in memory.kept.numbers([site]):
        try:
            found = memory.kept.get(number)
            if found is None:
                continue
            stored = found[1]
            page = Page.from_html(stored.body, stored.url, stored.content_type or None)
        except ValueError:  # damaged; PageError is one, too
            continue
        scores = extractor.method.score_blocks(page)
        keys = extractor.method.keys(page, scores)
        neighbors = memory.sites.support_for(
            stored.site, stored.category, stored.url, keys, MIN_NEIGHBORS
        )
        yield extractor(page, Evidence(scores, neighbors))


def saved_extractions(
    pages: Sequence[tuple[str, bytes]], extractor: Extractor
) -> Iterator[Extraction]:
    """Saved pages of one site, each with its name, as each other's neighbors."""
    read = []
    for name, body in pages:
        try:
            read.append(Page.from_html(body, name))
        except PageError:
            continue
    neighborhood = Neighborhood(extractor.method, window=max(len(read), 1))
    for page in read:
        neighborhood.learn(page)
    for page in read:
        yield extractor(page, neighborhood.evidence_on(page))
