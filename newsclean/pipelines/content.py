"""Marks noise and chooses the article's content: the stages of a method, one pipeline each."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from newsclean.extraction.methods import Stage, method_named
from newsclean.pipelines.worker import WorkerPipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.extraction.methods import Choice
    from newsclean.items import PageItem


class StagePipeline(WorkerPipeline):
    """Base class of the pipelines that run one stage of `NEWSCLEAN_METHOD`."""

    needs = ("page", "evidence", "choice")
    stage: ClassVar[Stage]

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.method = method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])

    def run_stage(self, item: PageItem) -> Choice:
        assert item.page is not None
        assert item.evidence is not None
        assert item.choice is not None
        return self.method.run_stage(self.stage, item.page, item.evidence, item.choice)


class StaticNoisePipeline(StagePipeline):
    """Mark what neighbors repeat: menus, footers, cookie texts (StaDyNoT 3.1).

    `stadynot` marks here, alone or in a chain such as `stadynot+coreex`. `hybrid` does not: it
    reads what neighbors repeat as evidence on each block, when it chooses the content. The other
    methods look at one page at a time.
    """

    gives = ("choice",)
    stage = Stage.STATIC

    def process_page(self, item: PageItem) -> None:
        item.choice = self.run_stage(item)


class DynamicNoisePipeline(StagePipeline):
    """Mark the branches that are least common ancestors of links: "most read" (StaDyNoT 3.2).

    `stadynot` marks here, alone or in a chain such as `stadynot+coreex`. `hybrid` does not: links
    are part of its evidence on each block.
    """

    gives = ("choice",)
    stage = Stage.DYNAMIC

    def process_page(self, item: PageItem) -> None:
        item.choice = self.run_stage(item)


class ContentPipeline(StagePipeline):
    """Choose the article from what is left: CoreEx, hybrid, or another `NEWSCLEAN_METHOD`.

    To choose it in another way, subclass this pipeline, override `process_page` and set
    `item.content` to a `newsclean.extraction.methods.Choice`.
    """

    gives = ("content",)
    stage = Stage.CONTENT

    def process_page(self, item: PageItem) -> None:
        item.content = self.run_stage(item)
