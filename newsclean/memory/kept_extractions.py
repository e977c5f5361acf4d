"""Extract kept pages again, with what the memory knows of their sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction.methods import Evidence
from newsclean.extraction.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.memory.records import StoredPage
    from newsclean.memory.store import Memory

#: With fewer neighbors in its category, a page is compared with those of the whole site; the
#: default of NEWSCLEAN_MIN_NEIGHBORS.
_MIN_NEIGHBORS = 5


def kept_extraction(memory: Memory, stored: StoredPage, extractor: Extractor) -> Extraction:
    """Extract a kept page; `PageError` if it cannot be used."""
    page = Page.from_html(stored.body, stored.url, stored.content_type or None)
    scores = extractor.method.score_blocks(page)
    keys = extractor.method.keys(page, scores)
    neighbors = memory.sites.support_for(
        stored.site, stored.category, stored.url, keys, _MIN_NEIGHBORS
    )
    return extractor(page, Evidence(scores, neighbors))


def kept_extractions(memory: Memory, site: str, extractor: Extractor) -> Iterator[Extraction]:
    """Extract the kept pages of a site and its hosts, newest first.

    A page that is damaged or cannot be used is left out.
    """
    for number, _, _ in memory.kept.numbers([site]):
        try:
            found = memory.kept.get(number)
            if found is not None:
                yield kept_extraction(memory, found[1], extractor)
        except ValueError:  # a damaged page, or PageError
            continue
