"""Gives the items of any spider the page that they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import TextResponse

from newsclean.items import PageItem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.http import Response


class PageItemMiddleware:
    """The only item that a callback makes of an HTML page is that page's article.

    A callback that makes several items of one page has read a list; they pass untouched.
    """

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Any = None
    ) -> Iterator[Any]:
        buffer = SingleItemBuffer()
        try:
            for output in result:
                yield from buffer.push(output)
        except Exception:  # what came before it is not lost
            yield from buffer.flush(response)
            raise
        yield from buffer.flush(response)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        buffer = SingleItemBuffer()
        try:
            async for output in result:
                for passed in buffer.push(output):
                    yield passed
        except Exception:
            for item in buffer.flush(response):
                yield item
            raise
        for item in buffer.flush(response):
            yield item


class SingleItemBuffer:
    """Keeps the first item of a callback until it is clear whether it is the only one."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.is_list = False

    def push(self, output: Any) -> Iterator[Any]:
        """Take what the callback yields; what may go on now."""
        if self.is_list or output is None or isinstance(output, Request | PageItem):
            yield output
        elif self.items:
            self.is_list = True
            yield from (self.items.pop(), output)
        else:
            self.items.append(output)

    def flush(self, response: Response) -> Iterator[Any]:
        """What is left when the callback ends: the only item, with its page."""
        yield from (with_page(item, response) for item in self.items)


def with_page(item: Any, response: Response) -> Any:
    """An item together with its page, if it comes from one."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    is_page = isinstance(response, TextResponse) and (not content_type or "html" in content_type)
    return PageItem(response, origin=item) if is_page else item
