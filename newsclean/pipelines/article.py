"""Makes the article of the chosen content: metadata, body, corrections, and whether it is one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage
from newsclean.extraction.corrections import CorrectionsFolder
from newsclean.extraction.extractor import Extractor
from newsclean.pipelines.fields import wants_markdown
from newsclean.pipelines.worker import WorkerPipeline
from newsclean.reports.counts import counts_of
from newsclean.text import seconds_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem

logger = logging.getLogger(__name__)


class ArticlePipeline(WorkerPipeline):
    """Drop pages that aren't articles; add metadata, body and what people have corrected."""

    needs = ("page", "evidence", "content")
    gives = ("extraction", "article")

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        corrections = CorrectionsFolder.read(settings["NEWSCLEAN_SITES"])
        for problem in corrections.problems:
            logger.error("these corrections are left out: %s", problem)
            self.count("corrections/unreadable")
        self.extractor = Extractor(
            settings["NEWSCLEAN_METHOD"],
            model=settings["NEWSCLEAN_MODEL"],
            images=settings.getbool("NEWSCLEAN_IMAGES"),
            corrections=corrections,
        )
        self.markdown = wants_markdown(settings)

    def process_page(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.evidence is not None
        assert item.content is not None
        extraction = self.extractor.extraction(item.page, item.evidence, item.content)
        item.extraction = extraction
        if extraction.corrections is not None:
            item.corrected = extraction.correction_result
        prediction = extraction.prediction
        reason = f"no-article/{prediction.reason}"
        if not prediction.is_article and self.policy.drops(
            reason, is_third_party=item.is_third_party
        ):
            raise UnusablePage(item.url, reason, "not an article")
        article = item.article = extraction.article(markdown=self.markdown)
        article.category = item.category
        article.fetched_at = item.fetched_at
        item.published = seconds_of(article.date_published)

    def page_done(self, item: PageItem) -> None:
        """Count what corrections have changed."""
        result, item.corrected = item.corrected, None
        if result is None:
            return
        counts_of(self.crawler).of(item.url).corrections.add(result)
        if result.is_changed:
            self.count("corrections/pages")
            self.count("corrections/words", result.words)
        for name, words in result.held_back.items():
            self.count("corrections/held_back")
            logger.warning(
                "%s: correction %s would change %d words of this page, far more than it was shown "
                "to change, and is held back; newsclean teach shows what it does",
                item.url, name, words,
            )  # fmt: skip
