"""The body of one saved page: from a position in an archive or folder to the bytes of the page."""

from __future__ import annotations

import io
import os
import re
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

from fastwarc.stream_io import BrotliReader, ZstdReader
from fastwarc.warc import WarcRecord

from newsclean.archives.saved import Position, SavedPage, SavedPageError
from newsclean.archives.warc_files import (
    DAMAGED,
    MAX_HEADER,
    RecordError,
    RecordHeader,
    frame_at,
    http_headers,
)
from newsclean.files import MAX_PAGE_SIZE, UNREADABLE, PageSizeError, read_page_file

if TYPE_CHECKING:
    from newsclean.archives.saved import JoinedBody

_TOO_LARGE = "too-large"

_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]+[ \t]*(;[^\r\n]*)?\r\n")
#: Characters that text does not contain, but compressed bytes soon do.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: How compressed bytes begin.
_GZIP = b"\x1f\x8b"
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def read_page(position: Position, max_size: int = MAX_PAGE_SIZE) -> SavedPage:
    """Read the page at a position; `SavedPageError` if it is damaged, too large or gone."""
    try:
        if position.offset is None:
            saved = _saved_file(position, max_size)
        else:
            saved = _saved_record(position, position.offset, max_size)
        return saved if position.joined is None else _with_all_pages(saved, position.joined)
    except RecordError:
        raise SavedPageError(DAMAGED, "the record is damaged") from None
    except PageSizeError as error:
        raise SavedPageError(_TOO_LARGE, f"the page is too large: {error}") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SavedPageError(UNREADABLE, f"cannot read it: {reason}") from None


def _saved_file(position: Position, max_size: int) -> SavedPage:
    body = read_page_file(position.file, max_size, is_given=not position.folder)
    return SavedPage(position, position.entry.url if position.entry else None, body)


def _saved_record(position: Position, offset: int, max_size: int) -> SavedPage:
    kept = max_size + 2 * MAX_HEADER
    with open(position.file, "rb") as stream:
        end = os.fstat(stream.fileno()).st_size
        frame = frame_at(stream, offset, end, kept)
        header = RecordHeader.of(frame.data or b"")
        if position.original is not None:
            frame = frame_at(stream, position.original, end, kept)
    if frame.is_cut:
        raise PageSizeError(max_size)
    body, content_type = _payload_of(frame.data or b"", max_size)
    return SavedPage(position, header.url, body, content_type, header.fetched_at)


def _with_all_pages(first: SavedPage, joined: JoinedBody) -> SavedPage:
    with open(joined.file, "rb") as stream:
        stream.seek(joined.offset)
        body = zlib.decompress(stream.read(joined.length))
    return replace(first, body=body, content_type="text/html; charset=utf-8")


def _payload_of(data: bytes, max_size: int) -> tuple[bytes, str]:
    """Return the uncompressed body and the content type of a response record.

    Some crawlers unpack pages but keep the headers that say how they were packed: a page that is
    not packed as declared is taken as it is. `PageSizeError` if it is too large.
    """
    record = WarcRecord.from_bytes(data)
    headers = http_headers(record)
    content_type = headers.get("Content-Type") or ""
    body = record.reader.read()
    if "chunked" in (headers.get("Transfer-Encoding") or "").lower() and _CHUNK_SIZE.match(body):
        body = _without_chunks(data)
    for encoding in reversed((headers.get("Content-Encoding") or "").lower().split(",")):
        body = _unpacked(body, encoding.strip(), max_size)
    if len(body) > max_size:
        raise PageSizeError(max_size)
    return body, content_type


def _without_chunks(data: bytes) -> bytes:
    record = WarcRecord.from_bytes(data)
    try:
        http_headers(record, unpack="transfer")
        return record.reader.read()
    except OSError:
        raise SavedPageError(DAMAGED, "the page in the record is truncated") from None


def _unpacked(body: bytes, encoding: str, max_size: int) -> bytes:
    try:
        if encoding in ("gzip", "x-gzip", "deflate"):
            return _inflated(body, max_size)
        if encoding == "br":
            return BrotliReader(io.BytesIO(body)).read(max_size + 1)
        if encoding == "zstd":
            return ZstdReader(io.BytesIO(body)).read(max_size + 1)
    except (OSError, zlib.error):
        if _CONTROL.search(body, 0, 1024):
            raise SavedPageError(
                DAMAGED, f"the page in the record is not {encoding}, as it says"
            ) from None
    return body


def _inflated(body: bytes, max_size: int) -> bytes:
    """Unpack gzip, zlib or raw deflate; zlib.error if it is none of them, or truncated."""
    if body.startswith(_GZIP):
        form = 31
    else:
        form = zlib.MAX_WBITS if body.startswith(_ZLIB) else -zlib.MAX_WBITS
    unpacking = zlib.decompressobj(form)
    unpacked = unpacking.decompress(body, max_size + 1)
    if not unpacking.eof and len(unpacked) <= max_size:
        raise zlib.error("cut short")
    return unpacked
