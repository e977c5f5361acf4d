"""The pages of a crawl as a WARC file, which `newsclean extract` and other programs read.

Each HTML page that was downloaded is one record, written before its article: as the spider has got
it, unpacked and, with `NEWSCLEAN_RENDER`, rendered. Each record is a gzip member that is appended
at once, also by several processes. Half a record, which a killed process may leave, is cut off
before the next one is written.
"""

from __future__ import annotations

import gzip
import io
import logging
import os
import threading
import zlib
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Self

from fastwarc.warc import WarcRecord, WarcRecordType
from scrapy.http import HtmlResponse
from scrapy.utils.asyncio import run_in_thread

import newsclean
from newsclean.crawl_state import CrawlState, usage_error
from newsclean.extraction.page.decode import other_contents, other_type
from newsclean.files import AtomicWriteFile, file_error, locked
from newsclean.middlewares.responses import STORED_PAGE

if TYPE_CHECKING:
    from typing import BinaryIO

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: Nearest to the engine: what comes after it is what the spider gets.
ORDER = 5
_GZIP, _RECORD = b"\x1f\x8b\x08", b"WARC/"
_CHUNK = 1 << 16
#: Headers that are no longer true of a body that has arrived and was unpacked.
_OF_TRANSFER = frozenset((b"content-length", b"transfer-encoding", b"connection", b"keep-alive"))


class PageArchiveMiddleware:
    """Write the pages of a crawl to a file; a subclass says which, as `archive_to` does."""

    path: str

    def __init__(self, crawler: Crawler) -> None:
        self.state = CrawlState.of(crawler)
        self.file = WarcFile(Path(self.path))
        try:
            self.file.open()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise usage_error(f"cannot write {self.path}: {reason}", crawler) from None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        if is_page(response) and STORED_PAGE not in request.meta and not self.state.has_failed:
            try:
                await run_in_thread(self.file.add, record_of(response))
            except OSError as error:
                self.state.end(file_error("the file", self.path, error))
            else:
                self.state.count("archived_pages")
        return response


def archive_to(path: str) -> type[PageArchiveMiddleware]:
    """Return a middleware that writes the pages of a crawl to this file."""
    return type("PageArchive", (PageArchiveMiddleware,), {"path": path})


def is_page(response: Response) -> bool:
    """Tell whether a response is an HTML page."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return (
        response.status == HTTPStatus.OK
        and isinstance(response, HtmlResponse)
        and response.url.startswith(("http:", "https:"))
        and not other_type(content_type)
        and not other_contents(response.body)
    )


def record_of(response: Response) -> WarcRecord:
    """Return a response as a record, with its headers and its body as they are now."""
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.is_http = True
    record.headers["WARC-Target-URI"] = response.url
    record.headers["WARC-Date"] = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    lines = [b"HTTP/1.1 %d OK" % response.status]
    for name, values in response.headers.items():
        if name.lower() not in _OF_TRANSFER:
            lines += [b"%s: %s" % (name, value) for value in values]
    lines.append(b"Content-Length: %d" % len(response.body))
    record.set_bytes_content(b"\r\n".join([*lines, b"", response.body]))
    return record


class WarcFile:
    """A WARC file to which records are appended, also by other processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        #: the size of the file after the last record that this process has written
        self._size = -1

    def open(self) -> None:
        """Make the file, or make sure that it is one to which records can be added."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._append(b"")

    def add(self, record: WarcRecord) -> None:
        """Write a record, whole or not at all."""
        self._append(_packed(record))

    def _append(self, packed: bytes) -> None:
        with (
            self._lock,
            AtomicWriteFile(self.path, "ab") as file,
            locked(file.fileno()),
        ):
            if os.fstat(file.fileno()).st_size != self._size:
                repair_last_record(self.path)  # another process has written, too
            if not os.fstat(file.fileno()).st_size:
                packed = _packed(_file_description()) + packed
            file.write(packed)
            self._size = os.fstat(file.fileno()).st_size


def _packed(record: WarcRecord) -> bytes:
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), 6)


def _file_description() -> WarcRecord:
    """Return the record with which a file begins."""
    record = WarcRecord()
    record.init_headers(WarcRecordType.warcinfo)
    record.headers["Content-Type"] = "application/warc-fields"
    software = f"software: newsclean/{newsclean.__version__}\r\nformat: WARC File Format 1.1\r\n"
    record.set_bytes_content(software.encode())
    return record


def repair_last_record(path: Path) -> None:
    """Cut off the half record that a killed process has left; ValueError if it is no WARC file.

    From the end of the file backwards, the last record that is whole is looked for.
    """
    with path.open("rb+") as file:
        size = position = file.seek(0, 2)
        if not size:
            return
        while position:
            step = min(_CHUNK, position)
            position -= step
            file.seek(position)
            block = file.read(step + len(_GZIP) - 1)
            at = block.rfind(_GZIP)
            while at >= 0:
                end = _end_of_record(file, position + at)
                if end is not None:
                    if end < size:
                        logger.warning("%s: cut off %d bytes of half a record", path, size - end)
                        file.truncate(end)
                    return
                at = block.rfind(_GZIP, 0, at + len(_GZIP) - 1)
        file.seek(0)
        if not _GZIP.startswith(file.read(len(_GZIP))):
            raise ValueError("it exists, and is not a WARC file that is gzipped record by record")
        file.truncate(0)


def _end_of_record(file: BinaryIO, start: int) -> int | None:
    """Return where the record that begins here ends, None if it is half or none at all."""
    file.seek(start)
    unpacking = zlib.decompressobj(31)
    begin = b""
    try:
        while not unpacking.eof:
            packed = unpacking.unconsumed_tail or file.read(_CHUNK)
            if not packed:
                return None
            part = unpacking.decompress(packed, _CHUNK)
            begin = begin or part
    except zlib.error:
        return None
    return file.tell() - len(unpacking.unused_data) if begin.startswith(_RECORD) else None
