"""Saved pages: in WARC and WACZ files, and in folders.

Two passes. `archive_index` finds out where the pages are. Parking pages until their neighbors come,
as a crawl does, would copy most of an archive into the memory, because records of many sites are
mixed; a record, unlike a page of the web, can be read whenever it is needed. Then

- the spider `archive` reads the pages site by site, some of them ahead (`read_ahead`): each is read
  once, and has neighbors before and after it, whatever the order of the records;
- `newsclean extract` keeps the order of its input and divides it among processes: it first learns
  what each site repeats, and then extracts (`extracting`).
"""

from newsclean.archives.archive_index import (
    PageIndex,
    build_index,
    choose_neighbors,
    chunked,
    is_archive,
)
from newsclean.archives.extracting import (
    ExtractionOptions,
    NeighborPage,
    Outcome,
    extract_line,
    extract_saved,
    learn_neighbors,
    make_neighborhood,
    read_neighbors,
)
from newsclean.archives.read_ahead import PreparedPage, UnusableSavedPage, prepared_pages
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import ArchiveError, Position, SavedPage, SavedPageError
from newsclean.archives.warc_files import LOST

__all__ = [
    "LOST",
    "ArchiveError",
    "ExtractionOptions",
    "NeighborPage",
    "Outcome",
    "PageIndex",
    "Position",
    "PreparedPage",
    "SavedPage",
    "SavedPageError",
    "UnusableSavedPage",
    "build_index",
    "choose_neighbors",
    "chunked",
    "extract_line",
    "extract_saved",
    "is_archive",
    "learn_neighbors",
    "make_neighborhood",
    "prepared_pages",
    "read_neighbors",
    "read_page",
]
