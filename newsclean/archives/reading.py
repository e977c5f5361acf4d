"""One saved page by its position."""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

from newsclean.archives.frames import RecordError, frame_at
from newsclean.archives.payload import payload_of
from newsclean.archives.records import RecordHeader
from newsclean.archives.saved import MAX_SIZE, Position, SavedPage, SavedPageError

DAMAGED = "damaged"


def read_page(position: Position) -> SavedPage:
    """The page at a position; `SavedPageError` if it is damaged, too large or gone."""
    try:
        if position.offset is None:
            return _saved_file(position)
        return _saved_record(position, position.offset)
    except RecordError:
        raise SavedPageError(DAMAGED, "the record is damaged") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SavedPageError("unreadable", f"cannot read it: {reason}") from None


def _saved_file(position: Position) -> SavedPage:
    body = Path(position.file).read_bytes()
    if body.startswith(b"\x1f\x8b"):
        with gzip.open(position.file) as packed:
            body = packed.read(MAX_SIZE + 1)
    if len(body) > MAX_SIZE:
        raise SavedPageError("too-large", f"the page has more than {MAX_SIZE:,} bytes")
    return SavedPage(position, position.entry.url if position.entry else None, body)


def _saved_record(position: Position, offset: int) -> SavedPage:
    with open(position.file, "rb") as stream:
        end = os.fstat(stream.fileno()).st_size
        frame = frame_at(stream, offset, end)
        header = RecordHeader.of(frame.data or b"")
        if position.original is not None:
            frame = frame_at(stream, position.original, end)
    if frame.is_cut:
        raise SavedPageError("too-large", f"the page has more than {MAX_SIZE:,} bytes")
    body, content_type = payload_of(frame.data or b"")
    return SavedPage(position, header.url, body, content_type, header.fetched_at)
