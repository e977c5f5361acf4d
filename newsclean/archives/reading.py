"""One saved page by its position."""

from __future__ import annotations

import os
import zlib

from newsclean.archives.frames import MAX_HEADER, RecordError, frame_at
from newsclean.archives.payload import payload_of
from newsclean.archives.records import RecordHeader
from newsclean.archives.saved import Position, SavedPage, SavedPageError
from newsclean.files import MAX_PAGE_SIZE, UNREADABLE, PageSizeError, read_page_file

DAMAGED, TOO_LARGE = "damaged", "too-large"


def read_page(position: Position, max_size: int = MAX_PAGE_SIZE) -> SavedPage:
    """The page at a position; `SavedPageError` if it is damaged, too large or gone."""
    try:
        if position.offset is None:
            return _saved_file(position, max_size)
        return _saved_record(position, position.offset, max_size)
    except RecordError:
        raise SavedPageError(DAMAGED, "the record is damaged") from None
    except PageSizeError as error:
        raise SavedPageError(TOO_LARGE, f"the page is too large: {error}") from None
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
    body, content_type = payload_of(frame.data or b"", max_size)
    return SavedPage(position, header.url, body, content_type, header.fetched_at)
