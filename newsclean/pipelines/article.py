"""Lets articles pass, and pages that are none only if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.articles import judge
from newsclean.extraction import write_judgement
from newsclean.pipelines.stage import PageStage, Unusable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem


class ArticlePipeline(PageStage):
    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.keep = self.settings.getbool("NEWSCLEAN_KEEP_NON_ARTICLES")

    def work(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.body is not None
        assert item.choice is not None
        judgement = judge(item.page, item.body.text, item.metadata, item.choice)
        write_judgement(item.article, judgement)
        if not (judgement.is_article or self.keep):
            raise Unusable(item, f"no-article/{judgement.reason}", "not an article")
