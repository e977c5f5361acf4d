"""Chooses the article from what is left, and writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction import describe, write_content
from newsclean.methods import Stage
from newsclean.pipelines.static_noise import StaticNoisePipeline
from newsclean.render import body_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem


class ContentPipeline(StaticNoisePipeline):
    stage = Stage.CONTENT

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.images = self.settings.getbool("NEWSCLEAN_IMAGES")

    def work(self, item: PageItem) -> None:
        super().work(item)
        assert item.page is not None
        assert item.choice is not None
        item.body = body_of(item.page, item.choice, item.metadata)
        write_content(item.article, item.page, item.body, images=self.images)
        item.article.extraction = describe(item.page, self.method, item.choice, item.known)
        for kind in ("static", "dynamic"):
            self.count(f"{kind}_noise/chars", item.article.extraction[f"{kind}_chars"])
