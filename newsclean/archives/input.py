"""What a path names: a WARC file, a folder, or a page."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from newsclean.archives.folders import folder_pages
from newsclean.archives.frames import GZIP_MAGIC, RECORD_MAGIC
from newsclean.archives.saved import Position
from newsclean.archives.warc import FoundPage, warc_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.files import LeftOut

SUFFIXES = (".warc", ".warc.gz", ".wacz")


def is_archive(path: str) -> bool:
    """Whether a file is an archive: by its name, or by how it begins."""
    if path.lower().endswith(SUFFIXES):
        return not os.path.isdir(path)
    if not os.path.isfile(path):  # looking into a pipe would take its beginning away
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(1024)
        if head.startswith(GZIP_MAGIC):
            head = zlib.decompressobj(31).decompress(head, len(RECORD_MAGIC))
    except (OSError, ValueError, zlib.error):
        return False
    return head.startswith(RECORD_MAGIC)


def pages_at(path: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """The pages at a path, in their order; `ArchiveError` if nothing can be read there."""
    if os.path.isdir(path):
        yield from folder_pages(path, left_out)
    elif is_archive(path):
        yield from warc_pages(path, left_out)
    else:
        yield FoundPage(Position(path), None)
