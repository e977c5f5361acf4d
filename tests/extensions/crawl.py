"""A crawl without a network: its signals are sent by the test."""

import asyncio
from typing import Any

from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.extensions.feedexport import FeedExporter
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from newsclean.crawl_state import CrawlState
from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.page import Page
from newsclean.items import PageItem
from newsclean.memory import StoredPage
from newsclean.memory.deliveries import PendingDelivery
from tests.memory.pages import texts


class Crawl:
    """The extensions of a crawl with newsclean, from its start to its end."""

    def __init__(self, **settings: Any) -> None:
        settings |= {"ADDONS": {"newsclean.addon.Newsclean": 500}, "LOGSTATS_INTERVAL": 0}
        self.crawler = get_crawler(settings_dict=settings)
        self.crawler.spider = self.spider = self.crawler._create_spider("news")
        self.state = CrawlState.of(self.crawler)
        self.memory = self.state.memory

    def start(self) -> "Crawl":
        self.send(signals.spider_opened)
        return self

    def send(self, signal: object, **arguments: Any) -> None:
        self.crawler.signals.send_catch_log(signal, spider=self.spider, **arguments)

    def arrive(self, number: int) -> PageItem:
        """A page comes in and is stored."""
        response = HtmlResponse(f"https://example.org/{number}", body=f"<p>{number}".encode())
        page = StoredPage(
            response.url, "example.org", "news", "text/html", "2026-03-01", response.body
        )
        keys = text_keys(Page.from_html(response.body, response.url))
        arrival = self.memory.store_and_learn(page, response.url, keys)
        return PageItem(response, number=arrival.number)

    def is_new(self, url: str) -> bool:
        """Whether the article of a URL is to be delivered; it is then pending."""
        found = self.memory.deliveries.add_pending(url, url, f"hash of {url}", texts(url))
        return isinstance(found, PendingDelivery)

    def deliver(self, page: PageItem) -> None:
        """The article of a page reaches the end of the pipelines."""
        assert self.is_new(page.url)
        page.pending_name = page.url
        self.state.follow(page)
        item = {"url": page.url, "content_hash": f"hash of {page.url}"}
        self.send(signals.item_scraped, item=item, response=page.response)

    def drop(self, page: PageItem, exception: DropItem) -> None:
        """A pipeline has dropped a page."""
        self.send(signals.item_dropped, item=page, response=page.response, exception=exception)

    @property
    def slots(self) -> list[Any]:
        """The open feeds."""
        exporter = self.crawler.get_extension(FeedExporter)
        assert exporter is not None
        return exporter.slots

    @property
    def stored(self) -> int:
        return sum(self.memory.pages.counts().values())

    def stop(self) -> None:
        async def close() -> None:
            send = self.crawler.signals.send_catch_log_async
            await send(signals.spider_closed, spider=self.spider, reason="finished")

        asyncio.run(close())
        self.send(signals.engine_stopped)
