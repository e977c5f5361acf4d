"""The pages of a WARC or WACZ file, with their positions, also in damaged files.

In: a path. Out: `FoundPage`s, one by one in the order of the file.

A reader of whole archives stops at the first damaged gzip member, and skips damage in an
uncompressed file silently. Here each record is found by itself: by its gzip member, or by the
length that its header declares. After damage, the search continues at the next place where a record
begins.

The work is linear in the size of the file, whatever is in it: little is read before it is known to
be needed, and the search inside damaged records is bounded.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
import zlib
from array import array
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

import xxhash
from fastwarc.warc import WarcRecord, WarcRecordType

from newsclean.archives.saved import ArchiveError, Position
from newsclean.extraction.page.decode import other_type
from newsclean.files import NOT_A_FILE, UNREADABLE
from newsclean.urls import printable_url, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.files import LeftOut

#: Why a record is not a page, in addition to the statuses (`http-404`).
_NOT_HTML, NOT_HTTP, _TRUNCATED = "not-html", "not-http", "truncated"
DAMAGED, NO_ORIGINAL, BAD_LINE = "damaged", "revisit-without-original", "bad-line"
#: The reasons for which a page may be lost; the others are for records that are not pages.
LOST = frozenset({DAMAGED, _TRUNCATED, NO_ORIGINAL, NOT_A_FILE, UNREADABLE, BAD_LINE})

_STYLESHEET = "text/css"

GZIP_MAGIC = b"\x1f\x8b\x08"
RECORD_MAGIC = b"WARC/"
_HEADER_END = b"\r\n\r\n"
_RECORD_END = b"\r\n\r\n"
#: How a record begins, and the most bytes of that.
_BEGINNING = re.compile(
    re.escape(GZIP_MAGIC) + rb"(?=[\x00-\x1f].{4}[\x00-\x04])|WARC/\d\.\d\d?\r\n", re.DOTALL
)
_MAX_BEGINNING = 11
_CONTENT_LENGTH = re.compile(rb"\ncontent-length:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)

#: Bytes that are read at first, and at most at a time.
_FIRST, _CHUNK = 1 << 10, 1 << 16
#: Bytes of a record's own header.
MAX_HEADER = 1 << 16
#: Bytes of a record that are kept to read its headers.
KEPT = 1 << 20
#: Bytes that may be read and unpacked in vain per byte of a file before the insides of damaged
#: records are skipped: a file in which every record is damaged needs fewer.
_MAX_WASTE = 16

#: The local header in a zip file: its beginning, its length, and the place of the lengths of name
#: and extra field.
_ZIP_MAGIC = b"PK\x03\x04"
_ZIP_HEADER, _ZIP_LENGTHS = 30, slice(26, 30)


@dataclass(frozen=True)
class FoundPage:
    """A page in an archive, as its header describes it."""

    position: Position
    url: str | None
    fetched_at: str | None = None


def warc_pages(file: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """Yield the pages of a WARC or WACZ file in its order, and the revisits at the end.

    A revisit records that a page was fetched again and had not changed. Its page is the original's,
    if that is in the same file; the original may come after the revisit.
    """
    records = 0
    with _open(file) as stream:
        originals = _Originals()
        revisits: list[_Revisit] = []
        for start, end in _parts(file, stream):
            try:
                for frame in frames(stream, start, end):
                    records += 1
                    page = _page(file, frame, originals, revisits, left_out)
                    if page is not None:
                        yield page
            except ArchiveError as error:
                raise ArchiveError(f"cannot read {file}: {error}") from None
    if not records:
        raise ArchiveError(f"cannot read {file}: it is empty, it has no records")
    for revisit, original in originals.resolve(revisits):
        position = Position(file, revisit.offset, original)
        if original is None:
            left_out(NO_ORIGINAL, position)
        else:
            yield FoundPage(position, revisit.url, revisit.fetched_at)


def _page(
    file: str,
    frame: Frame,
    originals: _Originals,
    revisits: list[_Revisit],
    left_out: LeftOut,
) -> FoundPage | None:
    position = Position(file, frame.offset)
    try:
        header = RecordHeader.of(frame.data or b"")
        reason = header.why_not_a_page()
    except OSError:
        left_out(DAMAGED, position)
        return None
    if reason:
        left_out(reason, position)
    elif header.is_revisit:
        keys = header.original_keys()
        revisits.append(_Revisit(frame.offset, header.url, header.fetched_at, *keys))
    elif header.is_response:
        originals.add(header, frame.offset)
        return FoundPage(position, header.url, header.fetched_at)
    return None


def warc_stylesheets(file: str) -> Iterator[tuple[str, int]]:
    """Yield the URLs of the style sheets in a file, and the offsets of their records."""
    with _open(file) as stream:
        for start, end in _parts(file, stream):
            for frame in frames(stream, start, end):
                try:
                    header = RecordHeader.of(frame.data or b"")
                    if header.is_stylesheet:
                        yield header.url, frame.offset
                except OSError:  # damaged: `warc_pages` counts it
                    continue


class _Revisit(NamedTuple):
    """A record that says that a page has not changed."""

    offset: int
    url: str
    fetched_at: str | None
    #: hashes of the original record's ID and of its payload, 0 if unknown
    id_key: int
    payload_key: int


@dataclass
class _Originals:
    """The offset of each page by the hashes of its record's ID and payload: 24 bytes per page."""

    ids: array[int] = field(default_factory=lambda: array("Q"))
    payloads: array[int] = field(default_factory=lambda: array("Q"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, header: RecordHeader, offset: int) -> None:
        self.ids.append(header.id_key())
        self.payloads.append(header.payload_key())
        self.offsets.append(offset)

    def resolve(self, revisits: list[_Revisit]) -> Iterator[tuple[_Revisit, int | None]]:
        """Yield each revisit with the offset of its original."""
        by_id = dict(zip(self.ids, self.offsets, strict=True)) if revisits else {}
        by_payload = dict(zip(self.payloads, self.offsets, strict=True)) if revisits else {}
        by_id.pop(0, None)
        by_payload.pop(0, None)
        for revisit in revisits:
            yield revisit, by_id.get(revisit.id_key, by_payload.get(revisit.payload_key))


def _open(file: str) -> BinaryIO:
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise ArchiveError(f"cannot read {file}: {reason}") from None


def _parts(file: str, stream: BinaryIO) -> list[tuple[int, int]]:
    """Return where the WARC files in a file begin and end: a WACZ file is a zip file with several.

    A part of the file that several zip entries name is read once.
    """
    size = os.fstat(stream.fileno()).st_size
    whole = [(0, size)]
    if stream.read(len(_ZIP_MAGIC)) != _ZIP_MAGIC:
        return whole
    try:
        packed = zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, ValueError, struct.error):  # its table of contents is damaged
        return whole
    found = []
    with packed:
        for member in packed.infolist():
            if not member.filename.lower().endswith((".warc", ".warc.gz")):
                continue
            if member.compress_type != zipfile.ZIP_STORED:
                raise ArchiveError(
                    f"cannot read {file}: {member.filename} in it is compressed again, which WACZ "
                    "does not allow: unpack it and pass the WARC files"
                )
            try:
                stream.seek(member.header_offset)
                lengths = stream.read(_ZIP_HEADER)[_ZIP_LENGTHS]
                name_and_extra = sum(struct.unpack("<HH", lengths))
            except (ValueError, OSError, struct.error):
                return whole
            start = member.header_offset + _ZIP_HEADER + name_and_extra
            found.append((start, min(start + member.file_size, size)))
    if not found:
        raise ArchiveError(f"cannot read {file}: it contains no WARC file")
    parts: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if parts and start < parts[-1][1]:
            start, last = parts.pop()
            end = max(end, last)
        parts.append((start, end))
    return parts


@dataclass(frozen=True)
class RecordHeader:
    type: WarcRecordType
    url: str
    fetched_at: str | None
    record: WarcRecord

    @classmethod
    def of(cls, data: bytes) -> RecordHeader:
        """Read the header of a record; OSError if it is not one."""
        record = WarcRecord.from_bytes(data)
        headers = record.headers
        url = (headers.get("WARC-Target-URI") or "").strip().strip("<>")  # as old wget wrote it
        url = printable_url(url)
        return cls(record.record_type, url, _moment(headers.get("WARC-Date")), record)

    @property
    def is_response(self) -> bool:
        return self.type == WarcRecordType.response

    @property
    def is_revisit(self) -> bool:
        return self.type == WarcRecordType.revisit

    @property
    def is_stylesheet(self) -> bool:
        if not self.is_response or self.record.headers.get("WARC-Truncated"):
            return False
        headers = http_headers(self.record)
        kind = (headers.get("Content-Type") or "").partition(";")[0]
        return headers.status_code == 200 and kind.strip().lower() == _STYLESHEET

    def why_not_a_page(self) -> str:
        """Return why a response or revisit is not a page; empty if it is, and for other records."""
        if not (self.is_response or self.is_revisit):
            return ""
        if not self.url.lower().startswith(("http://", "https://")) or site_of(self.url) is None:
            return NOT_HTTP
        if self.record.headers.get("WARC-Truncated"):
            return _TRUNCATED
        headers = http_headers(self.record)
        if self.is_response and headers.status_code != 200:
            return f"http-{headers.status_code or 'unknown'}"
        return _NOT_HTML if other_type(headers.get("Content-Type")) else ""

    def payload_key(self) -> int:
        """Hash the payload digest, by which a revisit names its original; 0 without one."""
        return _hash(self.record.headers.get("WARC-Payload-Digest"))

    def id_key(self) -> int:
        return _hash(self.record.headers.get("WARC-Record-ID"))

    def original_keys(self) -> tuple[int, int]:
        """Return the hashes of the ID and the payload of the record that this one revisits."""
        return _hash(self.record.headers.get("WARC-Refers-To")), self.payload_key()


def http_headers(record: WarcRecord, unpack: Literal["none", "transfer"] = "none") -> Any:
    """Read the HTTP header of a response or revisit; the rest of the record is its payload.

    A response from an HTTP URL is HTTP even if the content type of its record is missing or
    damaged; fastwarc would not look for a header then.
    """
    record.is_http = True
    record.parse_http(auto_decode=unpack)
    return record.http_headers


def _hash(value: str | None) -> int:
    return xxhash.xxh3_64_intdigest(value.strip().encode("utf-8", "replace")) if value else 0


def _moment(date: str | None) -> str | None:
    try:
        moment = datetime.fromisoformat(date or "").astimezone(UTC)
    except (ValueError, OverflowError):  # OverflowError: on the first or last possible day
        return None
    return moment.isoformat(timespec="seconds")


class RecordError(Exception):
    """A record that cannot be read."""

    def __init__(self, place: int = 0, waste: int = 0) -> None:
        super().__init__()
        #: how far the file was read for it, and the bytes that were read and unpacked
        self.place = place
        self.waste = waste


class Frame(NamedTuple):
    """A record, or a damaged part of the file."""

    offset: int
    #: None if it is damaged
    data: bytes | None
    #: where the next one begins
    end: int
    #: whether `data` is only its beginning
    is_cut: bool = False


def frames(stream: BinaryIO, start: int, end: int) -> Iterator[Frame]:
    """Yield the beginnings of all records between two offsets, and the damaged parts."""
    offset, waste = start, 0
    while offset < end:
        try:
            frame = frame_at(stream, offset, end, KEPT)
        except RecordError as error:
            waste += error.waste
            is_too_much = waste > _MAX_WASTE * max(end - start, _CHUNK)
            begin = max(offset + 1, error.place) if is_too_much else offset + 1
            after = _next_record(stream, begin, end)
            if after == end and _is_padding(stream, offset, end):
                return
            yield Frame(offset, None, after)
            offset = after
        else:
            if frame.data:  # an empty gzip member is neither a record nor damage
                yield frame
            offset = frame.end


def frame_at(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    """Read the record at an offset, up to a number of bytes; `RecordError` if there is none."""
    stream.seek(offset)
    magic = stream.read(len(RECORD_MAGIC))
    if magic.startswith(GZIP_MAGIC):
        return _packed_frame(stream, offset, end, kept)
    if magic == RECORD_MAGIC:
        return _plain_frame(stream, offset, end, kept)
    raise RecordError


def _packed_frame(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    stream.seek(offset)
    unpacking = zlib.decompressobj(31)
    parts: list[bytes] = []
    size, place = 0, offset
    step = _FIRST
    try:
        while not unpacking.eof:
            packed = unpacking.unconsumed_tail or stream.read(min(step, end - place))
            if not packed:
                raise RecordError(place, place - offset + size)
            step = _CHUNK
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
    if data.startswith(RECORD_MAGIC, length + len(_RECORD_END)):
        raise ArchiveError(
            "it is gzipped as a whole, not record by record as WARC files are: "
            "unpack it and pass the unpacked file"
        )
    if size < length:
        raise RecordError(after, after - offset + size)
    return Frame(offset, data[:length], after, min(size, length) > kept)


def _plain_frame(stream: BinaryIO, offset: int, end: int, kept: int) -> Frame:
    length = _length(_plain_header(stream, offset, end))
    after = offset + length
    if after > end:
        raise RecordError
    stream.seek(after)
    ending = stream.read(min(len(_RECORD_END), end - after))
    if not _RECORD_END.startswith(ending):  # the last one may be missing
        raise RecordError
    stream.seek(offset)
    data = stream.read(min(length, kept))
    if len(data) < min(length, kept):
        raise RecordError
    return Frame(offset, data, after + len(ending), length > kept)


def _plain_header(stream: BinaryIO, offset: int, end: int) -> bytes:
    """Read the header of a record and some of what follows, but not past the next record."""
    step = _FIRST
    while True:
        stream.seek(offset)
        header = stream.read(min(step, end - offset))
        is_all = step >= min(MAX_HEADER, end - offset)
        if is_all or _HEADER_END in header or _BEGINNING.search(header, 1):
            return header
        step *= 4


def _length(data: bytes) -> int:
    """Return the length of a record by its header; a header that contains another is damaged."""
    header = data.find(_HEADER_END, 0, MAX_HEADER)
    if _BEGINNING.search(data, 1, max(header, 1)):
        raise RecordError
    declared = _CONTENT_LENGTH.search(data, 0, header + 2) if header >= 0 else None
    if declared is None or not data.startswith(RECORD_MAGIC) or len(declared[1]) > 18:
        raise RecordError
    return header + len(_HEADER_END) + int(declared[1])


def _next_record(stream: BinaryIO, start: int, end: int) -> int:
    """Return the next offset from `start` on where a record begins, or `end`."""
    place, step = start, _FIRST
    while place < end:
        stream.seek(place)
        chunk = stream.read(min(step + _MAX_BEGINNING, end - place))
        for found in _BEGINNING.finditer(chunk):
            candidate = place + found.start()
            if found[0] != GZIP_MAGIC or _is_packed_record(stream, candidate, end):
                return candidate
        place, step = place + step, min(2 * step, _CHUNK)
    return end


def _is_packed_record(stream: BinaryIO, offset: int, end: int) -> bool:
    """Tell whether a gzip member begins here that starts with a record, complete or not."""
    stream.seek(offset)
    try:
        unpacked = zlib.decompressobj(31).decompress(
            stream.read(min(_FIRST, end - offset)), len(RECORD_MAGIC)
        )
    except zlib.error:
        return False
    return unpacked == RECORD_MAGIC


def _is_padding(stream: BinaryIO, start: int, end: int) -> bool:
    """Tell whether the rest of a file is empty lines or zeros."""
    stream.seek(start)
    left = stream.read(min(_CHUNK, end - start))
    return end - start <= _CHUNK and not left.strip(b"\r\n\0")
