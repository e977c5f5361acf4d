"""The page of each third-party item: the response that the spider has read it from."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.http import TextResponse

from newsclean.crawl_state import CrawlState
from newsclean.items import PageItem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response


logger = logging.getLogger(__name__)


class PageItemMiddleware:
    """Remember the page of each third-party item until newsclean's first pipeline claims it.

    An item has a page if it is the only item that a callback yields for an HTML response. A
    callback that yields several items has read a list; these pass untouched. The item itself goes
    on unchanged, so that pipelines in front of newsclean's get what they expect.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.state = CrawlState.of(crawler)
        self.keys: WeakKeyDictionary[Response, int] = WeakKeyDictionary()
        self.has_warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = cls(crawler)
        for signal in (signals.item_dropped, signals.item_error):
            crawler.signals.connect(middleware.forget, signal)
        crawler.signals.connect(middleware.item_scraped, signals.item_scraped)
        return middleware

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterator[Any]:
        buffer = SingleItemBuffer()
        try:
            for output in result:
                yield from self.passed(buffer, output)
        except Exception:  # what came before it is not lost
            yield from self.with_pages(buffer, response)
            raise
        yield from self.with_pages(buffer, response)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        buffer = SingleItemBuffer()
        try:
            async for output in result:
                for passed in self.passed(buffer, output):
                    yield passed
        except Exception:
            for item in self.with_pages(buffer, response):
                yield item
            raise
        for item in self.with_pages(buffer, response):
            yield item

    def passed(self, buffer: SingleItemBuffer, output: Any) -> Iterator[Any]:
        """Return what may go on now; of a stored page that comes back, its third-party item."""
        if isinstance(output, PageItem) and output.is_third_party:
            self.remember(output)
            yield output.third_party_item
        else:
            yield from buffer.push(output)

    def with_pages(self, buffer: SingleItemBuffer, response: Response) -> Iterator[Any]:
        """Return what a buffer still holds when its callback ends: the only item, if any."""
        for item in buffer.items:
            if ItemAdapter.is_item(item) and _is_html(response):
                self.remember(PageItem(response, third_party_item=item))
            yield item

    def remember(self, page: PageItem) -> None:
        key = id(page.third_party_item)
        self.state.unclaimed[key] = page
        self.keys[page.response] = key

    def item_scraped(self, item: Any, response: Response | None) -> None:
        if self.forget(response) is not None and not self.has_warned:
            self.has_warned = True
            logger.warning(
                "An item was exported without its article: a pipeline in front of newsclean's has "
                "replaced it by another object (%s). Give that pipeline a higher number than "
                "newsclean's, or let it return the item that it gets.",
                type(item).__qualname__,
            )

    def forget(self, response: Response | None) -> PageItem | None:
        """Forget the page of an item that has ended; return it if it was never claimed."""
        key = None if response is None else self.keys.pop(response, None)
        page = None if key is None else self.state.unclaimed.get(key)
        if key is not None and page is not None and page.response is response:
            return self.state.unclaimed.pop(key)
        return None


class SingleItemBuffer:
    """Keep the first item of a callback until it is clear whether it is the only one."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.is_list = False

    def push(self, output: Any) -> Iterator[Any]:
        """Take what the callback yields; return what may go on now."""
        if self.is_list or output is None or isinstance(output, Request | PageItem):
            yield output
        elif self.items:
            self.is_list = True
            yield from (self.items.pop(), output)
        else:
            self.items.append(output)


def _is_html(response: Response) -> bool:
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    return isinstance(response, TextResponse) and (not content_type or "html" in content_type)
