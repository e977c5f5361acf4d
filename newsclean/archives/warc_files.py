"""The pages of a WARC file, one by one as they are in it."""

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


# What the header of a WARC record says, and whether it is the record of a page.

#: Why a response is not a page, beside the statuses (`http-404`).
_NOT_HTML, _NOT_HTTP, _TRUNCATED = "not-html", "not-http", "truncated"
_STYLESHEET = "text/css"


@dataclass(frozen=True)
class RecordHeader:
    """The header of a record."""

    type: WarcRecordType
    url: str
    fetched_at: str | None
    record: WarcRecord

    @classmethod
    def of(cls, data: bytes) -> RecordHeader:
        """The header of a record; OSError if it is not one."""
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
        """Why a response, or a revisit, is not of a page; empty if it is, or for other records."""
        if not (self.is_response or self.is_revisit):
            return ""
        if not self.url.lower().startswith(("http://", "https://")) or site_of(self.url) is None:
            return _NOT_HTTP
        if self.record.headers.get("WARC-Truncated"):
            return _TRUNCATED
        headers = http_headers(self.record)
        if self.is_response and headers.status_code != 200:
            return f"http-{headers.status_code or 'unknown'}"
        return _NOT_HTML if other_type(headers.get("Content-Type")) else ""

    def payload_key(self) -> int:
        """A hash of what its payload is, by which a revisit names its original; 0 without one."""
        return _hash(self.record.headers.get("WARC-Payload-Digest"))

    def id_key(self) -> int:
        return _hash(self.record.headers.get("WARC-Record-ID"))

    def original_keys(self) -> tuple[int, int]:
        """The id and the payload of the record of which this one is a revisit."""
        return _hash(self.record.headers.get("WARC-Refers-To")), self.payload_key()


def http_headers(record: WarcRecord, unpack: Literal["none", "transfer"] = "none") -> Any:
    """The HTTP header of a response or revisit; what is left to read of the record is its payload.

    A response from an HTTP address is HTTP, also where its record lacks the content type that says
    so, or has a damaged one: fastwarc would not look for a header then.
    """
    record.is_http = True
    record.parse_http(auto_decode=unpack)
    return record.http_headers


def _hash(value: str | None) -> int:
    return xxhash.xxh3_64_intdigest(value.strip().encode("utf-8", "replace")) if value else 0


def _moment(date: str | None) -> str | None:
    try:
        moment = datetime.fromisoformat(date or "").astimezone(UTC)
    except (ValueError, OverflowError):  # the latter of the first and the last day that there is
        return None
    return moment.isoformat(timespec="seconds")


# Where the records of a WARC file begin and end, also in a file that is damaged.
#
# A reader of whole archives ends at the first damaged gzip member, and passes over damage in a
# plain file without a word. Here each record is found by itself: by its gzip member, or by the
# length that its header declares. After damage, the search goes on at the next place where a record
# begins.
#
# Whatever a file has, the work grows as its size does: little is read before it is known to be
# needed, and what damaged records have in them is searched within a bound.

GZIP_MAGIC = b"\x1f\x8b\x08"
RECORD_MAGIC = b"WARC/"
_HEADER_END = b"\r\n\r\n"
_RECORD_END = b"\r\n\r\n"

#: Bytes that are read at first, and at most at a time.
_FIRST, _CHUNK = 1 << 10, 1 << 16
#: Bytes of a record's own header.
MAX_HEADER = 1 << 16
#: Bytes of a record that are kept to look at its headers.
KEPT = 1 << 20

#: Bytes that are read and unpacked in vain for each byte of a file, before the insides of damaged
#: records are passed over: a file in which every record is damaged does not need as many.
_MAX_WASTE = 16

#: How a record begins, and the most bytes of that.
_BEGINNING = re.compile(
    re.escape(GZIP_MAGIC) + rb"(?=[\x00-\x1f].{4}[\x00-\x04])|WARC/\d\.\d\d?\r\n", re.DOTALL
)
_MAX_BEGINNING = 11

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
            is_too_much = waste > _MAX_WASTE * max(end - start, _CHUNK)
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
    ending = stream.read(min(len(_RECORD_END), end - after))
    if not _RECORD_END.startswith(ending):  # the last may lack its end
        raise RecordError
    stream.seek(offset)
    data = stream.read(min(length, kept))
    if len(data) < min(length, kept):
        raise RecordError
    return Frame(offset, data, after + len(ending), length > kept)


def _plain_header(stream: BinaryIO, offset: int, end: int) -> bytes:
    """The header of a record, with what follows it; read only up to where another one begins."""
    step = _FIRST
    while True:
        stream.seek(offset)
        header = stream.read(min(step, end - offset))
        is_all = step >= min(MAX_HEADER, end - offset)
        if is_all or _HEADER_END in header or _BEGINNING.search(header, 1):
            return header
        step *= 4


def _length(data: bytes) -> int:
    """How long a record is, by its header; a header in which another one begins is cut off."""
    header = data.find(_HEADER_END, 0, MAX_HEADER)
    if _BEGINNING.search(data, 1, max(header, 1)):
        raise RecordError
    declared = _CONTENT_LENGTH.search(data, 0, header + 2) if header >= 0 else None
    if declared is None or not data.startswith(RECORD_MAGIC) or len(declared[1]) > 18:
        raise RecordError
    return header + len(_HEADER_END) + int(declared[1])


def _next_record(stream: BinaryIO, start: int, end: int) -> int:
    """The next place from `start` on where a record begins; `end` if there is none."""
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
    """Whether a gzip member begins here that begins with a record, whole or not."""
    stream.seek(offset)
    try:
        unpacked = zlib.decompressobj(31).decompress(
            stream.read(min(_FIRST, end - offset)), len(RECORD_MAGIC)
        )
    except zlib.error:
        return False
    return unpacked == RECORD_MAGIC


def _is_padding(stream: BinaryIO, start: int, end: int) -> bool:
    """Whether what is left of a file are empty lines or zeros."""
    stream.seek(start)
    left = stream.read(min(_CHUNK, end - start))
    return end - start <= _CHUNK and not left.strip(b"\r\n\0")


DAMAGED, _NO_ORIGINAL, BAD_LINE = "damaged", "revisit-without-original", "bad-line"
#: The reasons for which a page may be lost; all others are of records that are not pages.
LOST = frozenset({DAMAGED, _TRUNCATED, _NO_ORIGINAL, NOT_A_FILE, UNREADABLE, BAD_LINE})

#: A local header in a zip file: its beginning, its length, and where the lengths of name and extra
#: field are.
_ZIP_MAGIC = b"PK\x03\x04"
_ZIP_HEADER, _ZIP_LENGTHS = 30, slice(26, 30)


@dataclass(frozen=True)
class FoundPage:
    """A page that an archive has, by what its header says."""

    position: Position
    url: str | None
    fetched_at: str | None = None


class _Revisit(NamedTuple):
    """A record that says of a page that it has not changed."""

    offset: int
    url: str
    fetched_at: str | None
    #: hashes of the original record's id and of its payload, 0 where they are not said
    id_key: int
    payload_key: int


@dataclass
class _Originals:
    """Where each page is, by the hashes of its record's id and of its payload: 24 bytes a page."""

    ids: array[int] = field(default_factory=lambda: array("Q"))
    payloads: array[int] = field(default_factory=lambda: array("Q"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, header: RecordHeader, offset: int) -> None:
        self.ids.append(header.id_key())
        self.payloads.append(header.payload_key())
        self.offsets.append(offset)

    def resolve(self, revisits: list[_Revisit]) -> Iterator[tuple[_Revisit, int | None]]:
        """Each revisit with the place of its original."""
        by_id = dict(zip(self.ids, self.offsets, strict=True)) if revisits else {}
        by_payload = dict(zip(self.payloads, self.offsets, strict=True)) if revisits else {}
        by_id.pop(0, None)
        by_payload.pop(0, None)
        for revisit in revisits:
            yield revisit, by_id.get(revisit.id_key, by_payload.get(revisit.payload_key))


def warc_pages(file: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """The pages of a WARC or WACZ file in its order; the revisits among them at its end.

    A revisit says that a page was fetched again and had not changed; its page is the original's,
    if that is in the same file. An original may come after its revisit.
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
        raise ArchiveError(f"cannot read {file}: it is empty, there is no record in it")
    for revisit, original in originals.resolve(revisits):
        position = Position(file, revisit.offset, original)
        if original is None:
            left_out(_NO_ORIGINAL, position)
        else:
            yield FoundPage(position, revisit.url, revisit.fetched_at)


def warc_stylesheets(file: str) -> Iterator[tuple[str, int]]:
    """The addresses of the stylesheets in a WARC or WACZ file, and where their records begin."""
    with _open(file) as stream:
        for start, end in _parts(file, stream):
            for frame in frames(stream, start, end):
                try:
                    header = RecordHeader.of(frame.data or b"")
                    if header.is_stylesheet:
                        yield header.url, frame.offset
                except OSError:  # damaged, and counted where pages are looked for
                    continue


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


def _open(file: str) -> BinaryIO:
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise ArchiveError(f"cannot read {file}: {reason}") from None


def _parts(file: str, stream: BinaryIO) -> list[tuple[int, int]]:
    """Where the WARC files in a file begin and end: a WACZ file is a zip file with some in it.

    A part of the file that several entries name is read once.
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
                    f"cannot read {file}: {member.filename} in it is compressed once more, which "
                    "WACZ files do not do: unpack it, and name the WARC files"
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
        raise ArchiveError(f"cannot read {file}: there is no WARC file in it")
    parts: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if parts and start < parts[-1][1]:
            start, last = parts.pop()
            end = max(end, last)
        parts.append((start, end))
    return parts
