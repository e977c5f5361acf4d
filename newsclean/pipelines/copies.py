"""Near copies of articles of other sites: an agency's report in ten papers.

Not among the pipelines of the add-on. `newsclean crawl --copies` adds it, or a project:

    ITEM_PIPELINES = {"newsclean.pipelines.copies.CopyPipeline": 180}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction.near_copies import Fingerprints, words_of
from newsclean.memory.recent_copies import RecentCopies
from newsclean.pipelines.worker import WorkerPipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem

#: After the pipeline that knows what is new, and before the one that makes the item.
ORDER = 180


class CopyPipeline(WorkerPipeline):
    """Set `copy_of` of an article that is a near copy of a recent article of another site."""

    needs = ("article",)
    writes = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.copies = RecentCopies(self.state.memory.database)
        self.fingerprints = Fingerprints()

    def process_page(self, item: PageItem) -> None:
        article = item.article
        assert article is not None
        if not article.is_article or article.id is None or item.reextracted is not None:
            return
        (fingerprint,) = self.fingerprints.of([words_of(article.body)])
        if fingerprint is not None:
            article.copy_of = self.copies.add(article.id, item.site, fingerprint)

    def page_done(self, item: PageItem) -> None:
        if item.article is not None and item.article.copy_of is not None:
            self.state.count("copies")
