"""Where the records of a WARC file begin and end, also in a file that is damaged.

A reader of whole archives ends at the first damaged gzip member, and passes over damage in a plain
file without a word. Here each record is found by itself: by its gzip member, or by the length that
its header declares. After damage, the search goes on at the next place where a record begins.

Whatever a file has, the work grows as its size does: little is read before it is known to be
needed, and what damaged records have in them is searched within a bound.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from newsclean.archives.saved import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator

GZIP_MAGIC = b"\x1f\x8b\x08"
RECORD_MAGIC = b"WARC/"
HEADER_END = b"\r\n\r\n"
RECORD_END = b"\r\n\r\n"

#: Bytes that are read at first, and at most at a time.
FIRST, CHUNK = 1 << 10, 1 << 16
#: Bytes of a record's own header.
MAX_HEADER = 1 << 16
#: Bytes of a record that are kept to look at its headers.
KEPT = 1 << 20

#: Bytes that are read and unpacked in vain for each byte of a file, before the insides of damaged
#: records are passed over: a file in which every record is damaged does not need as many.
MAX_WASTE = 16

#: How a record begins, and the most bytes of that.
_BEGINNING = re.compile(
    re.escape(GZIP_MAGIC) + rb"(?=[\x00-\x1f].{4}[\x00-\x04])|WARC/\d\.\d\d?\r\n", re.DOTALL
)
MAX_BEGINNING = 11

_CONTENT_LENGTH = re.compile(rb"\ncontent-length:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)


class RecordError(Exception):
    """A record that cannot be read."""

    def __init__(self, place: int = 0, waste: int = 0) -> None:
        super().__init__()
        #: up to where the file was read for it, and the bytes that were read and unpacked
        self.place = place
        self.waste = waste


class Frame(NamedTuple):
    """A record as it is in the file, or a damaged part of the file."""

    offset: int
    #: None if it is damaged
    data: bytes | None
    #: where the next one begins
    end: int
    #: whether `data` is only its beginning
    is_cut: bool = False


def frames(stream: BinaryIO, start: int, end: int) -> Iterator[Frame]:
    """The beginnings of all records between two places of a file, and its damaged parts."""
    offset, waste = start, 0
    while offset < end:
        try:
            frame = frame_at(stream, offset, end, KEPT)
        except RecordError as error:
            waste += error.waste
            is_too_much = waste > MAX_WASTE * max(end - start, CHUNK)
            begin = max(offset + 1, error.place) if is_too_much else offset + 1
            after = _next_record(stream, begin, end)
            if after == end and _is_padding(stream, offset, end):
                return
            yield Frame(offset, None, after)
            offset = after
        else:
            if frame.data:  # an empty gzip member is no record and no damage
                yield frame
            offset = frame.end


def frame_at(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    """The record that begins at this place, up to a number of bytes; `RecordError` if none does."""
    stream.seek(offset)
    magic = stream.read(len(RECORD_MAGIC))
    if magic.startswith(GZIP_MAGIC):
        return _packed_frame(stream, offset, end, kept)
    if magic == RECORD_MAGIC:
        return _plain_frame(stream, offset, end, kept)
    raise RecordError


def _packed_frame(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    """The record of a gzip member."""
    stream.seek(offset)
    unpacking = zlib.decompressobj(31)
    parts: list[bytes] = []
    size, place = 0, offset
    step = FIRST
    try:
        while not unpacking.eof:
            packed = unpacking.unconsumed_tail or stream.read(min(step, end - place))
            if not packed:
                raise RecordError(place, place - offset + size)
            step = CHUNK
            if not unpacking.unconsumed_tail:
                place += len(packed)
            part = unpacking.decompress(packed, KEPT)
            if size < kept:
                parts.append(part[: kept - size])
            size += len(part)
    except zlib.error:
        raise RecordError(place, place - offset + size) from None
    data = b"".join(parts)
    after = place - len(unpacking.unused_data)
    if not data:
        return Frame(offset, b"", after)
    try:
        length = _length(data)
    except RecordError:
        raise RecordError(after, after - offset + size) from None
    if data.startswith(RECORD_MAGIC, length + len(RECORD_END)):
        raise ArchiveError(
            "it is gzipped as a whole and not record by record, as WARC files are: "
            "unpack it, and name what comes out"
        )
    if size < length:
        raise RecordError(after, after - offset + size)
    return Frame(offset, data[:length], after, min(size, length) > kept)


def _plain_frame(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    """The record of a file that is not compressed."""
    length = _length(_plain_header(stream, offset, end))
    after = offset + length
    if after > end:
        raise RecordError
    stream.seek(after)
    ending = stream.read(min(len(RECORD_END), end - after))
    if not RECORD_END.startswith(ending):  # the last may lack its end
        raise RecordError
    stream.seek(offset)
    data = stream.read(min(length, kept))
    if len(data) < min(length, kept):
        raise RecordError
    return Frame(offset, data, after + len(ending), length > kept)


def _plain_header(stream: BinaryIO, offset: int, end: int) -> bytes:
    """The header of a record, with what follows it; read only up to where another one begins."""
    step = FIRST
    while True:
        stream.seek(offset)
        header = stream.read(min(step, end - offset))
        is_all = step >= min(MAX_HEADER, end - offset)
        if is_all or HEADER_END in header or _BEGINNING.search(header, 1):
            return header
        step *= 4


def _length(data: bytes) -> int:
    """How long a record is, by its header; a header in which another one begins is cut off."""
    header = data.find(HEADER_END, 0, MAX_HEADER)
    if _BEGINNING.search(data, 1, max(header, 1)):
        raise RecordError
    declared = _CONTENT_LENGTH.search(data, 0, header + 2) if header >= 0 else None
    if declared is None or not data.startswith(RECORD_MAGIC) or len(declared[1]) > 18:
        raise RecordError
    return header + len(HEADER_END) + int(declared[1])


def _next_record(stream: BinaryIO, start: int, end: int) -> int:
    """The next place from `start` on where a record begins; `end` if there is none."""
    place, step = start, FIRST
    while place < end:
        stream.seek(place)
        chunk = stream.read(min(step + MAX_BEGINNING, end - place))
        for found in _BEGINNING.finditer(chunk):
            candidate = place + found.start()
            if found[0] != GZIP_MAGIC or _is_packed_record(stream, candidate, end):
                return candidate
        place, step = place + step, min(2 * step, CHUNK)
    return end


def _is_packed_record(stream: BinaryIO, offset: int, end: int) -> bool:
    """Whether a gzip member begins here that begins with a record, whole or not."""
    stream.seek(offset)
    try:
        unpacked = zlib.decompressobj(31).decompress(
            stream.read(min(FIRST, end - offset)), len(RECORD_MAGIC)
        )
    except zlib.error:
        return False
    return unpacked == RECORD_MAGIC


def _is_padding(stream: BinaryIO, start: int, end: int) -> bool:
    """Whether what is left of a file are empty lines or zeros."""
    stream.seek(start)
    left = stream.read(min(CHUNK, end - start))
    return end - start <= CHUNK and not left.strip(b"\r\n\0")
