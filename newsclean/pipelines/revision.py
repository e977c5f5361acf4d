"""Tells new and changed articles from those that were handed on already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.neighborhood.memory import memory_of
from newsclean.pipelines.stage import PageStage, Unusable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem


class RevisionPipeline(PageStage):
    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = memory_of(crawler)

    def work(self, item: PageItem) -> None:
        article = item.article
        assert article.content_hash is not None
        name = article.canonical_url or item.url
        revision = self.memory.revise(name, item.url, article.content_hash)
        if revision is None:
            raise Unusable(item, "unchanged", "handed on already, or a copy")
        article.revision = revision
