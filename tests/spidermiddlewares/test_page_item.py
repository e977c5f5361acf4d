"""The items of any spider get the page that they came from."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse

from newsclean.items import PageItem
from newsclean.spidermiddlewares.page_item import PageItemMiddleware

URL = "https://example.org/1"
PAGE = HtmlResponse(URL, body=b"<p>The story")
REQUEST = Request("https://example.org/2")


def passed(outputs: Iterable[Any], response: Response = PAGE) -> Iterator[Any]:
    """What a callback's outputs become."""
    return PageItemMiddleware().process_spider_output(response, outputs)


def passed_async(outputs: Iterable[Any], response: Response = PAGE) -> Iterator[Any]:
    """What the outputs of an asynchronous callback become."""

    async def callback() -> AsyncIterator[Any]:
        for output in outputs:
            yield output

    results = PageItemMiddleware().process_spider_output_async(response, callback())
    with asyncio.Runner() as runner:
        while True:
            try:
                yield runner.run(anext(results))  # type: ignore[arg-type]
            except StopAsyncIteration:
                return


both = pytest.mark.parametrize("run", [passed, passed_async])


@both
def test_the_only_item_of_a_page_comes_with_the_page(run: Any) -> None:
    item = {"url": URL}
    request, page_item = run([item, REQUEST])
    assert request is REQUEST
    assert isinstance(page_item, PageItem)
    assert page_item.origin is item
    assert page_item.response is PAGE


@both
def test_several_items_of_a_page_are_a_list_and_pass_untouched_in_their_order(run: Any) -> None:
    items = [{"number": number} for number in range(3)]
    assert list(run([items[0], REQUEST, *items[1:]])) == [REQUEST, *items]


@both
def test_none_is_no_item(run: Any) -> None:
    assert list(run([None])) == [None]
    none, page_item = run([{"url": URL}, None])
    assert none is None
    assert isinstance(page_item, PageItem)


@both
def test_a_page_item_of_the_spider_passes_untouched(run: Any) -> None:
    own = PageItem(PAGE, category="sport")
    assert list(run([own, own])) == [own, own]


@both
def test_an_item_before_an_error_is_not_lost(run: Any) -> None:
    def failing() -> Iterator[Any]:
        yield {"url": URL}
        raise ValueError("after the item")

    output = run(failing())
    assert next(output).origin == {"url": URL}
    with pytest.raises(ValueError, match="after the item"):
        next(output)


@pytest.mark.parametrize(
    "response",
    [
        TextResponse(URL, body=b"{}", headers={"Content-Type": "application/json"}),
        Response(URL, body=b"\x89PNG", headers={"Content-Type": "image/png"}),
    ],
)
def test_an_item_of_something_else_than_a_page_passes_untouched(response: Response) -> None:
    item = {"url": URL}
    assert list(passed([item], response)) == [item]


def test_a_page_may_come_without_a_content_type_or_as_xhtml() -> None:
    xhtml = TextResponse(URL, headers={"Content-Type": "application/xhtml+xml"})
    bare = TextResponse(URL)
    for response in (xhtml, bare):
        (item,) = passed([{"url": URL}], response)
        assert isinstance(item, PageItem)
