"""Lets articles pass, and other pages only where those are not dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import DropPolicy, UnusablePage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.extraction import Extraction
    from newsclean.items import PageItem


class ArticleStep:
    def __init__(self, crawler: Crawler) -> None:
        self.policy = DropPolicy(crawler.settings)

    def check(self, item: PageItem, extraction: Extraction) -> None:
        judgement = extraction.judgement
        reason = f"no-article/{judgement.reason}"
        if not judgement.is_article and self.policy.drops(reason, is_foreign=item.is_foreign):
            raise UnusablePage(item.url, reason, "not an article")
