"""Pages of a small site, and a chain of pipelines that a test calls itself."""

import asyncio
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from newsclean.crawl_state import CrawlState
from newsclean.items import PageItem
from newsclean.pipelines import WorkerPipeline

FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


def story(town: str) -> str:
    texts = [
        f"It has rained in {town} for {days} days, and the river there is as high as it ever was, "
        "so that the harbour master has closed the old bridge until the water is lower again."
        for days in range(2, 7)
    ]
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html lang=en><head><title>Rain in {town} goes on</title>"
        f'<meta property="og:type" content="article"></head><body><h1>Rain in {town} goes on</h1>'
        f"<div class=body>{body}</div><p class=foot>{FOOTER}</p></body></html>"
    )


def page_item(town: str, html: str | None = None, **fields: Any) -> PageItem:
    body = (html or story(town)).encode()
    status = fields.pop("status", 200)
    url = f"https://example.org/news/rain-in-{town.lower()}-goes-on-1"
    response = HtmlResponse(url, body=body, encoding="utf-8", status=status)
    return PageItem(response, category="news", **fields)


def crawler_with(**settings: Any) -> Crawler:
    settings = {"NEWSCLEAN_MEMORY": ":memory:", "LOGSTATS_INTERVAL": 0, **settings}
    return get_crawler(settings_dict={"ADDONS": {"newsclean.addon.Newsclean": 500}, **settings})


class Chain:
    """The pipelines of a crawler in their order, without a crawl."""

    def __init__(self, crawler: Crawler | None = None, **settings: Any) -> None:
        self.crawler = crawler or crawler_with(**settings)
        self.memory = CrawlState.of(self.crawler).memory
        orders = self.crawler.settings.get_component_priority_dict_with_base("ITEM_PIPELINES")
        kinds = map(load_object, build_component_list(orders))
        self.pipelines = [build_from_crawler(kind, self.crawler) for kind in kinds]
        for pipeline in self.pipelines:
            if isinstance(pipeline, WorkerPipeline):
                pipeline.join(self.pipelines)

    @property
    def first(self) -> WorkerPipeline:
        """The first pipeline that works on pages."""
        return next(each for each in self.pipelines if isinstance(each, WorkerPipeline))

    def work(self, item: PageItem) -> PageItem:
        """Do what a worker thread does with a page; raise its drop or error."""
        self.first.work(item)
        if item.failure is not None:
            raise item.failure[1]
        return item

    def process(self, item: Any) -> Any:
        """Send an item through all pipelines; return what the feeds would get."""

        async def process() -> Any:
            passed = item
            for pipeline in self.pipelines:
                result = pipeline.process_item(passed)
                passed = await result if asyncio.iscoroutine(result) else result
            return passed

        return asyncio.run(process())

    def deliver(self, item: PageItem) -> PageItem:
        """Do the work on a page, and confirm that its article is in the output."""
        self.work(item)
        self.memory.mark_delivered(item.pending_name, item.number)
        return item

    def stat(self, name: str) -> Any:
        assert self.crawler.stats is not None
        return self.crawler.stats.get_value(f"newsclean/{name}")
