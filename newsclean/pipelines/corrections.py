"""Counts what corrections change; the report of a run names those that change nothing."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from newsclean.reports.counts import counts_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.corrections import CorrectionsFolder
    from newsclean.extraction import Extraction
    from newsclean.items import PageItem

logger = logging.getLogger(__name__)


class CorrectionsStep:
    def __init__(self, crawler: Crawler, corrections: CorrectionsFolder) -> None:
        self.crawler = crawler
        self.corrections = corrections
        for problem in corrections.problems:
            logger.error("these corrections are left out: %s", problem)
            self._count("unreadable")

    def read(self, item: PageItem, extraction: Extraction) -> None:
        """Note what the corrections of a page's site have done to it; in the worker thread."""
        if extraction.corrections is not None:
            item.corrected = extraction.correction_result

    def count(self, item: PageItem) -> None:
        """Count it; in the reactor's."""
        result, item.corrected = item.corrected, None
        if result is None:
            return
        counts = counts_of(self.crawler).of(item.url).corrections
        counts.add(result)
        if result.is_changed:
            self._count("pages")
            self._count("words", result.words)
        for name, words in result.held_back.items():
            self._count("held_back")
            logger.warning(
                "%s: correction %s would change %d words of this page, far more than it was shown "
                "to change, and is held back; newsclean teach shows what it does",
                item.url, name, words,
            )  # fmt: skip

    def _count(self, name: str, value: int = 1) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/corrections/{name}", value)
