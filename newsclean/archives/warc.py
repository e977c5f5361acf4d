"""The pages of a WARC file, one by one as they are in it."""

from __future__ import annotations

import os
import struct
import zipfile
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from newsclean.archives.frames import frames
from newsclean.archives.records import TRUNCATED, RecordHeader
from newsclean.archives.saved import ArchiveError, Position
from newsclean.files import NOT_A_FILE, UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.archives.frames import Frame
    from newsclean.files import LeftOut

DAMAGED, NO_ORIGINAL, BAD_LINE = "damaged", "revisit-without-original", "bad-line"
#: The reasons for which a page may be lost; all others are of records that are not pages.
LOST = frozenset({DAMAGED, TRUNCATED, NO_ORIGINAL, NOT_A_FILE, UNREADABLE, BAD_LINE})

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
            left_out(NO_ORIGINAL, position)
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
