"""Tells new and changed articles from those that were handed on already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.extensions.handing_on import HandingOn
from newsclean.items import PageItem
from newsclean.memory.crawl import memory_of
from newsclean.memory.records import Duplicate, texts_of
from newsclean.pipelines.stage import PageStage, Unusable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class RevisionPipeline(PageStage):
    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = memory_of(crawler)

    async def process_item(self, item: Any) -> Any:
        item = await super().process_item(item)
        handing_on = self.crawler.get_extension(HandingOn)
        if isinstance(item, PageItem) and handing_on is not None:
            handing_on.leaves(item.response, item.name)
        return item

    def work(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.body is not None
        assert item.article.content_hash is not None
        texts = texts_of(item.page, item.body.text)
        name = item.article.canonical_url or item.url
        outgo = self.memory.revise(name, item.url, item.article.content_hash, texts)
        if outgo is None:
            raise Unusable(item, "unchanged", "handed on already, or a copy")
        if isinstance(outgo, Duplicate):
            raise Unusable(item, "duplicate", f"the same article as <{outgo.url}>")
        item.name, item.article.revision = outgo
