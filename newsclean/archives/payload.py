"""From a record to the page in it: what HTTP has packed is unpacked."""

from __future__ import annotations

import io
import re
import zlib
from typing import NamedTuple

from fastwarc.stream_io import BrotliReader, ZstdReader
from fastwarc.warc import WarcRecord

from newsclean.archives.records import http_headers
from newsclean.archives.saved import SavedPageError
from newsclean.files import PageSizeError

_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]+[ \t]*(;[^\r\n]*)?\r\n")
#: Characters that no text has, and compressed bytes soon do.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: How compressed bytes begin.
_GZIP = b"\x1f\x8b"
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


class Payload(NamedTuple):
    body: bytes
    content_type: str


def payload_of(data: bytes, max_size: int) -> Payload:
    """The page of a response record, as a browser would get it; `PageSizeError` if it is too large.

    Some crawlers unpack pages and keep the headers that say how they were packed: a page that is
    not packed as declared is taken as it is.
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
    return Payload(body, content_type)


def _without_chunks(data: bytes) -> bytes:
    record = WarcRecord.from_bytes(data)
    try:
        http_headers(record, unpack="transfer")
        return record.reader.read()
    except OSError:
        raise SavedPageError("damaged", "the page in the record is cut short") from None


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
                "damaged", f"the page in the record is not {encoding}, as it says"
            ) from None
    return body


def _inflated(body: bytes, max_size: int) -> bytes:
    """What gzip, zlib or bare deflate has packed; zlib.error if it is none of them, or cut."""
    if body.startswith(_GZIP):
        form = 31
    else:
        form = zlib.MAX_WBITS if body.startswith(_ZLIB) else -zlib.MAX_WBITS
    unpacking = zlib.decompressobj(form)
    unpacked = unpacking.decompress(body, max_size + 1)
    if not unpacking.eof and len(unpacked) <= max_size:
        raise zlib.error("cut short")
    return unpacked
