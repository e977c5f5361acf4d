"""Compressed responses that were cut short."""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Any, Self

import brotli
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import NotConfigured, ResponseDataLossError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


_CHUNK_SIZE = 65_536

#: `zlib` reads gzip, deflate with its header, and deflate without.
_GZIP, _DEFLATE, _RAW_DEFLATE = 31, 15, -15

#: The errors for data that is damaged in another way.
_DAMAGED = (zlib.error, brotli.error, zstd.ZstdError)


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
