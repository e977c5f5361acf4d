"""Requests and responses as newsclean sees them: keys of their meta, pages, fetches; the page of
each third-party item, and responses that end too early.
"""

from __future__ import annotations

import logging
import sys
import time
import zlib
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

import brotli
from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest, NotConfigured, ResponseDataLossError
from scrapy.http import HtmlResponse, TextResponse

from newsclean.crawl_state import CrawlState
from newsclean.extraction.page import Page
from newsclean.extraction.page.decode import (
    is_utf8_declared_as,
    looks_binary,
    other_contents,
    other_type,
)
from newsclean.extraction.page.markup_repair import (
    as_browsers_read,
    close_tags,
    excess_of,
    may_be_unclosed,
)
from newsclean.items import PageItem
from newsclean.memory.fetches import NO_FETCH, Fetch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.browser.snapshot import Snapshot

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: Encodings in which markup has the bytes of ASCII, and nothing else has.
_SAME_TAGS = frozenset({"utf-8", "ascii", "cp1252", "latin-1", "iso8859-1"})

#: Keys of a request's meta. A request of one of newsclean's own spiders for an article;
ARTICLE_REQUEST = "newsclean_article"
#: whether the article is requested even if it is not due;
RECHECK_ALL = "newsclean_recheck_all"
#: when the article has changed last, in seconds since 1970, if a source says so;
CHANGED = "newsclean_changed"
#: the number of the stored page that is the answer.
STORED_PAGE = "newsclean_parked"

#: Statuses that settle whether there is a page. Others are failures.
_FINAL_STATUSES = (200, 404, 410)


_CHUNK_SIZE = 65_536
#: `zlib` reads gzip, deflate with its header, and deflate without.
_GZIP, _DEFLATE, _RAW_DEFLATE = 31, 15, -15
#: The errors for data that is damaged in another way.
_DAMAGED = (zlib.error, brotli.error, zstd.ZstdError)


logger = logging.getLogger(__name__)


class SettledRequest(IgnoreRequest):
    """A request that is not made, or not to its end, because its answer is known."""


class NotDue(SettledRequest):
    """A request for an article that is not due yet."""

    def __init__(self, message: str, fetched: float) -> None:
        super().__init__(message)
        #: when it was fetched last, in seconds since 1970
        self.fetched = fetched


class ShownResponse(HtmlResponse):
    """A response with a snapshot of its page in a browser."""

    attributes = (*HtmlResponse.attributes, "snapshot")

    def __init__(self, *args: Any, snapshot: Snapshot | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.snapshot = snapshot


def page_of(response: Response) -> Page:
    """Return the page of a response, from the tree that Scrapy has parsed for the spider.

    If Scrapy has not read the response as HTML, not to its end, or in another encoding than
    newsclean would, the bytes are parsed again. `Page.from_html` refuses a page that is too complex
    before it is parsed.
    """
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    if (
        isinstance(response, HtmlResponse)
        and response.body.strip()
        and not looks_binary(response.body)
        and not other_type(content_type)
        and not other_contents(response.body)
        and b"\x00" not in response.body
        and "\ufffd" not in response.text
        and not is_utf8_declared_as(response.body, response.encoding)
        and as_browsers_read(source := _source_of(response)) is source
        and not excess_of(source)
    ):
        page = Page.from_tree(response.selector.root, response.url)
        if not may_be_unclosed(page) or close_tags(response.body) == response.body:
            return page
    return Page.from_html(response.body, response.url, content_type)


def _source_of(response: HtmlResponse) -> bytes:
    """Return what Scrapy gives the parser, or bytes with the same tags."""
    if response.encoding in _SAME_TAGS:
        return response.body
    return response.text.encode("utf-8", "replace")


def urls_of(request: Request) -> tuple[str, ...]:
    """Return the URL that one of our spiders has requested, and those of its redirects."""
    if not request.meta.get(ARTICLE_REQUEST):
        return ()
    return (*request.meta.get("redirect_urls", ()), request.url)


def fetch_of(response: Response) -> Fetch:
    """Return how a response was fetched; nothing for a failure or a third-party request."""
    urls = urls_of(response.request) if response.request is not None else ()
    if not urls or response.status not in _FINAL_STATUSES:
        return NO_FETCH
    etag, last_modified = (
        (response.headers.get(name) or b"").decode("latin-1") for name in ("ETag", "Last-Modified")
    )
    return Fetch(urls, etag, last_modified, time.time())


class TruncatedResponseMiddleware:
    """Treat compressed data that breaks off as Scrapy treats a body that is too short.

    Scrapy itself passes on what could be decompressed. This middleware sees the response before the
    cache does. The request is retried as Scrapy retries, and fails after that; both follow
    DOWNLOAD_FAIL_ON_DATALOSS.
    """

    def __init__(self, crawler: Crawler) -> None:
        is_wanted = "truncated" in crawler.settings.getlist("NEWSCLEAN_HARDEN")
        if not is_wanted or not crawler.settings.getbool("COMPRESSION_ENABLED"):
            raise NotConfigured
        self.crawler = crawler
        self.fails = crawler.settings.getbool("DOWNLOAD_FAIL_ON_DATALOSS")
        self.retries = crawler.settings.getbool("RETRY_ENABLED")
        self.max_size = crawler.settings.getint("DOWNLOAD_MAXSIZE")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response | Request:
        # The encoding that was applied last is the one that is cut.
        encodings = b",".join(response.headers.getlist("Content-Encoding")).lower().split(b",")
        if (
            not response.body
            or "download_stopped" in response.flags
            or not request.meta.get("download_fail_on_dataloss", self.fails)
            or is_complete(response.body, encodings[-1].strip().decode("latin-1"), self.max_size)
        ):
            return response
        if self.retries and not request.meta.get("dont_retry"):
            assert self.crawler.spider is not None
            retry = get_retry_request(
                request, spider=self.crawler.spider, reason=ResponseDataLossError
            )
            if retry is not None:
                if "cached" in response.flags:  # by a crawl without this middleware
                    retry.meta["dont_cache"] = True
                return retry
        raise ResponseDataLossError(f"the {encodings[-1].strip().decode()} data breaks off")


def is_complete(body: bytes, encoding: str, max_size: int = 0) -> bool:
    """Tell whether compressed data is complete.

    Data that is damaged in another way or larger than `max_size` counts as complete: Scrapy has its
    own errors for both.

    >>> body = zlib.compress(b"It has rained. " * 99)
    >>> is_complete(body, "deflate"), is_complete(body[:-9], "deflate")
    (True, False)
    """
    size = 0
    try:
        for chunk in _decompressed(body, encoding):
            size += len(chunk)
            if 0 < max_size < size:
                return True
    except EOFError:
        return False
    except _DAMAGED:
        return True
    return True


def _decompressed(body: bytes, encoding: str) -> Iterator[bytes]:
    """Yield the data piece by piece; EOFError where it breaks off."""
    if encoding in ("gzip", "x-gzip"):
        while body:
            stream = zlib.decompressobj(_GZIP)
            yield from _pieces(stream, body)
            body = stream.unused_data if stream.unused_data.startswith(b"\x1f\x8b") else b""
    elif encoding == "deflate":
        try:
            zlib.decompressobj(_DEFLATE).decompress(body, _CHUNK_SIZE)
        except zlib.error:
            yield from _pieces(zlib.decompressobj(_RAW_DEFLATE), body)
        else:
            yield from _pieces(zlib.decompressobj(_DEFLATE), body)
    elif encoding == "zstd":
        while body:
            frame = zstd.ZstdDecompressor()
            while not frame.eof:
                piece = frame.decompress(body, _CHUNK_SIZE)
                body = b""
                if not piece and frame.needs_input and not frame.eof:
                    raise EOFError
                yield piece
            body = frame.unused_data
    elif encoding == "br":
        decompressor = brotli.Decompressor()
        while not decompressor.is_finished():
            piece = decompressor.process(body, output_buffer_limit=_CHUNK_SIZE)
            if not piece and not body and not decompressor.is_finished():
                raise EOFError
            body = b""
            yield piece


def _pieces(stream: Any, body: bytes) -> Iterator[bytes]:
    while not stream.eof:
        piece = stream.decompress(body, _CHUNK_SIZE)
        if not piece and not stream.unconsumed_tail and not stream.eof:
            raise EOFError
        body = stream.unconsumed_tail
        yield piece


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
