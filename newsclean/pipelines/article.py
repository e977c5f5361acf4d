"""Lets articles pass, and other pages only if asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.extraction import Extraction
    from newsclean.items import PageItem


class ArticleStep:
    def __init__(self, crawler: Crawler) -> None:
        self.keep_all = crawler.settings.getbool("NEWSCLEAN_KEEP_NON_ARTICLES")

    def check(self, item: PageItem, extraction: Extraction) -> None:
        judgement = extraction.judgement
        if not (judgement.is_article or self.keep_all):
            raise UnusablePage(item.url, f"no-article/{judgement.reason}", "not an article")
