"""Tells new and changed articles from those that were delivered already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage
from newsclean.items import ArticleItem
from newsclean.memory.crawl import memory_of
from newsclean.memory.records import Duplicate
from newsclean.memory.revisions import texts_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.article import Article
    from newsclean.extraction import Extraction
    from newsclean.items import PageItem


class RevisionStep:
    def __init__(self, crawler: Crawler) -> None:
        self.memory = memory_of(crawler)

    def revise(self, item: PageItem, extraction: Extraction, article: Article) -> ArticleItem:
        """The article with the number of its revision, which is pending from now on."""
        texts = texts_of(extraction.page, extraction.body.text)
        content_hash = article.content_hash or ""
        pending = self.memory.deliveries.add_pending(
            article.canonical_url, item.url, content_hash, texts
        )
        if pending is None:
            message = "delivered already, or a copy"
            raise UnusablePage(item.url, "unchanged", message, is_known=True)
        if isinstance(pending, Duplicate):
            message = f"the same article as <{pending.url}>"
            raise UnusablePage(item.url, "duplicate", message, is_known=True)
        article.category = item.category
        article.fetched_at = item.fetched_at
        article.revision = pending.revision
        return ArticleItem(item, article, pending.name)
