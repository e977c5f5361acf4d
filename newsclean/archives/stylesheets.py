"""The stylesheets of an archive, with which its pages look as they did."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import xxhash

from newsclean.archives.reading import read_page
from newsclean.archives.saved import ArchiveError, Position, SavedPageError
from newsclean.archives.warc import warc_stylesheets
from newsclean.urls import printable_url

if TYPE_CHECKING:
    from newsclean.browser.saved_pages import Resources

#: Stylesheets of one archive that are found: some 10 MB of their places.
MAX_STYLESHEETS = 100_000


@lru_cache(maxsize=2)
def stylesheets_in(file: str) -> Resources:
    """From an address to the stylesheet that a WARC or WACZ file has of it.

    The file is read once, by each process that renders its pages. Of several states of a
    stylesheet the last one counts.
    """
    places: dict[int, int] = {}
    try:
        for url, offset in islice(warc_stylesheets(file), MAX_STYLESHEETS):
            places[_key(url)] = offset
    except ArchiveError:  # the rest cannot be read, which is said of its pages
        pass

    def saved(address: str) -> bytes | None:
        offset = places.get(_key(address))
        if offset is None:
            return None
        try:
            return read_page(Position(file, offset)).body
        except (SavedPageError, OSError):
            return None

    return saved


def _key(url: str) -> int:
    return xxhash.xxh3_64_intdigest(printable_url(url).encode("utf-8", "surrogatepass"))
