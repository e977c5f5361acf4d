"""Gives the items of any spider the page that they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import TextResponse

from newsclean.items import PageItem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.http import Response


class PageOfItem:
    """The one item that a callback makes of an HTML page is that page's article.

    A callback that makes several items of one page has read a list; they pass untouched.
    """

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterator[Any]:
        held: list[Any] = []
        listed = False
        for output in result:
            if isinstance(output, Request | PageItem) or listed:
                yield output
            elif held:
                listed = True
                yield from (held.pop(), output)
            else:
                held.append(output)
        yield from (with_page(item, response) for item in held)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        held: list[Any] = []
        listed = False
        async for output in result:
            if isinstance(output, Request | PageItem) or listed:
                yield output
            elif held:
                listed = True
                yield held.pop()
                yield output
            else:
                held.append(output)
        for item in held:
            yield with_page(item, response)


def with_page(item: Any, response: Response) -> Any:
    """An item together with its page, if it has one."""
    return PageItem(response, origin=item) if isinstance(response, TextResponse) else item
