"""The page of a third-party item is found again by the item."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.test import get_crawler

from newsclean.items import PageItem
from newsclean.middlewares.responses import PageItemMiddleware

URL = "https://example.org/1"
PAGE = HtmlResponse(URL, body=b"<p>The story")
REQUEST = Request("https://example.org/2")


Outputs = Iterable[Any]


def passed(
    outputs: Outputs, middleware: PageItemMiddleware, response: Response = PAGE
) -> Iterator[Any]:
    """What a callback's outputs become."""
    return middleware.process_spider_output(response, outputs)


def passed_async(
    outputs: Outputs, middleware: PageItemMiddleware, response: Response = PAGE
) -> Iterator[Any]:
    """What the outputs of an asynchronous callback become."""

    async def callback() -> AsyncIterator[Any]:
        for output in outputs:
            yield output

    results = middleware.process_spider_output_async(response, callback())
    with asyncio.Runner() as runner:
        while True:
            try:
                yield runner.run(anext(results))  # type: ignore[arg-type]
            except StopAsyncIteration:
                return


both = pytest.mark.parametrize("run", [passed, passed_async])


@pytest.fixture
def middleware() -> PageItemMiddleware:
    return PageItemMiddleware(get_crawler())


@both
def test_the_only_item_of_a_page_goes_on_unchanged_and_its_page_can_be_claimed_once(
    run: Any, middleware: PageItemMiddleware
) -> None:
    item = {"url": URL}
    request, same = run([item, REQUEST], middleware)
    assert request is REQUEST
    assert same is item
    page = middleware.state.claim(item)
    assert page is not None
    assert page.third_party_item is item
    assert page.response is PAGE
    assert middleware.state.claim(item) is None


@both
def test_several_items_of_a_page_are_a_list_and_pass_untouched_in_their_order(
    run: Any, middleware: PageItemMiddleware
) -> None:
    items = [{"number": number} for number in range(3)]
    assert list(run([items[0], REQUEST, *items[1:]], middleware)) == [REQUEST, *items]
    assert not middleware.state.unclaimed


@both
def test_none_is_no_item(run: Any, middleware: PageItemMiddleware) -> None:
    assert list(run([None], middleware)) == [None]
    item = {"url": URL}
    assert list(run([item, None], middleware)) == [None, item]
    assert middleware.state.claim(item) is not None


@both
def test_a_page_item_of_the_spider_passes_untouched(
    run: Any, middleware: PageItemMiddleware
) -> None:
    own = PageItem(PAGE, category="sport")
    assert list(run([own, own], middleware)) == [own, own]


@both
def test_a_stored_page_comes_back_as_the_third_party_item_that_it_was_stored_with(
    run: Any, middleware: PageItemMiddleware
) -> None:
    item = {"url": URL}
    stored = PageItem(PAGE, number=7, third_party_item=item)
    assert list(run([stored], middleware)) == [item]
    assert middleware.state.claim(item) is stored


@both
def test_an_item_before_an_error_is_not_lost(run: Any, middleware: PageItemMiddleware) -> None:
    def failing() -> Iterator[Any]:
        yield {"url": URL}
        raise ValueError("after the item")

    output = run(failing(), middleware)
    assert middleware.state.claim(next(output)) is not None
    with pytest.raises(ValueError, match="after the item"):
        next(output)


def test_an_item_that_ends_before_its_page_is_claimed_is_forgotten(
    middleware: PageItemMiddleware,
) -> None:
    (item,) = passed([{"url": URL}], middleware)
    middleware.forget(PAGE)
    assert middleware.state.claim(item) is None


def test_an_item_that_was_replaced_before_its_page_was_claimed_is_reported_once(
    middleware: PageItemMiddleware, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        list(passed([{"url": URL}], middleware))
        middleware.item_scraped({"url": "another"}, PAGE)
    assert caplog.text.count("exported without its article") == 1
    assert not middleware.state.unclaimed
    (item,) = passed([{"url": URL}], middleware)
    middleware.state.claim(item)
    caplog.clear()
    middleware.item_scraped(item, PAGE)
    assert not caplog.text


@pytest.mark.parametrize(
    "response",
    [
        TextResponse(URL, body=b"{}", headers={"Content-Type": "application/json"}),
        Response(URL, body=b"\x89PNG", headers={"Content-Type": "image/png"}),
    ],
)
def test_an_item_of_something_else_than_a_page_has_no_page(
    response: Response, middleware: PageItemMiddleware
) -> None:
    item = {"url": URL}
    assert list(passed([item], middleware, response)) == [item]
    assert middleware.state.claim(item) is None


def test_a_page_may_come_without_a_content_type_or_as_xhtml(
    middleware: PageItemMiddleware,
) -> None:
    xhtml = TextResponse(URL, headers={"Content-Type": "application/xhtml+xml"})
    bare = TextResponse(URL)
    for response in (xhtml, bare):
        (item,) = passed([{"url": URL}], middleware, response)
        assert middleware.state.claim(item) is not None
