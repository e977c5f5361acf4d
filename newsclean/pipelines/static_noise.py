"""Marks what the site repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.methods import Choice, Stage, method_named
from newsclean.pipelines.stage import PageStage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem


class StaticNoisePipeline(PageStage):
    """Runs the steps of the method that belong to `stage`."""

    stage = Stage.STATIC

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.method = method_named(self.settings["NEWSCLEAN_METHOD"])

    def work(self, item: PageItem) -> None:
        assert item.page is not None
        choice = item.choice or Choice.everything(item.page)
        item.choice = self.method.advance(item.page, item.known, choice, self.stage)
