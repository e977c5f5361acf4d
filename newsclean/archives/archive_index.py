"""The first pass over saved pages: where they are, and which of them are neighbors.

In: paths of WARC and WACZ files, folders and pages. Out: a `PageIndex` of the positions of all
pages, without the pages themselves.
"""

from __future__ import annotations

import csv
import os
import zlib
from array import array
from bisect import bisect
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import xxhash

from newsclean.archives.saved import ArchiveError, Position, category_named, site_named
from newsclean.archives.warc_files import BAD_LINE, GZIP_MAGIC, RECORD_MAGIC, FoundPage, warc_pages
from newsclean.discovery.entries import Entry
from newsclean.discovery.paging import page_keys
from newsclean.extraction.metadata.dates import date_in_url, iso_date
from newsclean.extraction.text import moment_of
from newsclean.files import MAX_NAMED, PAGE_SUFFIXES, UNREADABLE, is_page_name, ordinary_files
from newsclean.memory.learned_sites import MAX_SITE_WINDOWS
from newsclean.urls import article_id, article_url, resolve_url

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from numpy.typing import NDArray

    from newsclean.archives.saved import JoinedBody
    from newsclean.files import LeftOut

    #: Tells whether a page of this time is wanted.
    _Wanted = Callable[[datetime | None], bool]

T = TypeVar("T")

#: A list beside saved pages, with the columns `file` and `url`, and optionally `category` and
#: `date`.
_LIST = "urls.csv"
_SUFFIXES = (".warc", ".warc.gz", ".wacz")

_NOWHERE = -1
#: The time of a page without one: older than all others.
_NO_TIME = float("-inf")
#: Maximum URLs at which further pages of an article are looked for, in all their spellings.
_MAX_FURTHER = 64


@dataclass
class PageIndex:
    """The positions of all pages, in their order: 56 bytes per page, and the names of the files."""

    window: int
    files: list[str] = field(default_factory=list)
    file: array[int] = field(default_factory=lambda: array("Q"))
    offset: array[int] = field(default_factory=lambda: array("q"))
    original: array[int] = field(default_factory=lambda: array("q"))
    #: seconds since 1970, of the article if that is known, or else of the download
    time: array[float] = field(default_factory=lambda: array("d"))
    #: for pages that are files: their folder, and what a list says about them
    listed: dict[int, Position] = field(default_factory=dict)
    #: the pages that are wanted, None for all of them
    wanted: array[int] | None = None
    #: the number of records and files that were left out, by reason
    left_out: Counter[str] = field(default_factory=Counter)
    #: the number of each page's site; `_NOWHERE` for a page without neighbors
    site: array[int] = field(default_factory=lambda: array("q"))
    #: the last pages of each site and category
    neighborhoods: dict[str, dict[str, deque[int]]] = field(default_factory=dict)
    #: which pages may belong to one article
    further: FurtherPages = field(default_factory=lambda: FurtherPages())
    #: the first pages of articles that were joined, and the further pages, which are left out
    joined: dict[int, JoinedBody] = field(default_factory=dict)
    absorbed: frozenset[int] = frozenset()
    _site_numbers: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.file) if self.wanted is None else len(self.wanted)

    def __iter__(self) -> Iterator[Position]:
        """Yield the positions of the wanted pages, in the order of the input."""
        return map(self.position, range(len(self.file)) if self.wanted is None else self.wanted)

    def position(self, row: int) -> Position:
        joined = self.joined.get(row)
        if row in self.listed:
            return self.listed[row]._replace(joined=joined)
        file, offset, original = self.files[self.file[row]], self.offset[row], self.original[row]
        return Position(
            file,
            None if offset == _NOWHERE else offset,
            None if original == _NOWHERE else original,
            joined=joined,
        )

    def add(self, page: FoundPage, moment: datetime | None, *, has_neighbors: bool = True) -> int:
        """Add a page and return its row."""
        position, row = page.position, len(self.file)
        if not self.files or self.files[-1] != position.file:
            self.files.append(position.file)
        self.file.append(len(self.files) - 1)
        self.offset.append(_NOWHERE if position.offset is None else position.offset)
        self.original.append(_NOWHERE if position.original is None else position.original)
        self.time.append(_NO_TIME if moment is None else moment.timestamp())
        self.further.add(row, page)
        if position.entry or position.folder:
            self.listed[row] = position
        if has_neighbors:
            site, category = site_named(page.url, position), category_named(page.url, position)
            categories = self.neighborhoods.setdefault(site, {})
            categories.setdefault(category, deque(maxlen=self.window)).append(row)
            self.site.append(self._site_numbers.setdefault(site, len(self._site_numbers)))
        else:
            self.site.append(_NOWHERE)
        return row

    def keep_newest(self, limit: int) -> None:
        """Drop all but the newest of the wanted pages."""
        rows = range(len(self.file)) if self.wanted is None else self.wanted
        newest = sorted(rows, key=self.time.__getitem__, reverse=True)[:limit]
        self.wanted = array("Q", sorted(newest))

    def may_be_joined(self) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield the pages whose article may go on, with the page at each further URL.

        URLs stand there by their number. Of several versions of a page, the one is taken that was
        fetched next to the first page in time.
        """
        return self.further.candidates(self._is_wanted())

    def join(self, joined: dict[int, JoinedBody], urls: Collection[int]) -> None:
        """Let joined pages take the place of their first pages, and leave out those at `urls`."""
        self.joined = joined
        self.absorbed = frozenset(self.further.rows_at(urls)) - joined.keys()
        rows = range(len(self.file)) if self.wanted is None else self.wanted
        if self.absorbed:
            self.wanted = array("Q", (row for row in rows if row not in self.absorbed))

    def neighbors(self) -> Iterator[Position]:
        """Yield the pages to learn from, site by site: the last ones of each category."""
        for categories in self.neighborhoods.values():
            yield from map(self.position, self._neighbors(categories))

    def _neighbors(self, categories: dict[str, deque[int]]) -> Iterator[int]:
        own = ([row for row in rows if row not in self.absorbed] for rows in categories.values())
        return choose_neighbors(list(own), self.window)

    def sites(self) -> Iterator[Iterator[tuple[int, bool]]]:
        """Yield, for each site with wanted pages, its rows and whether they are wanted.

        Of the unwanted pages, only those to learn from are included.
        """
        sites = np.frombuffer(self.site, np.int64)
        wanted = self._is_wanted()
        used = wanted.copy()
        if self.wanted is not None:
            for categories in self.neighborhoods.values():
                used[list(self._neighbors(categories))] = True
        order = np.argsort(sites, kind="stable")
        starts = np.flatnonzero(np.diff(sites[order], prepend=_NOWHERE - 1))
        for rows in np.split(order, starts[1:]):
            if wanted[rows].any():
                rows = rows[used[rows]]
                yield zip(rows.tolist(), wanted[rows].tolist(), strict=True)

    def _is_wanted(self) -> NDArray[np.bool_]:
        """Tell for each page whether it is wanted."""
        wanted = np.full(len(self.file), self.wanted is None)
        if self.wanted is not None:
            wanted[_column(self.wanted).astype(np.int64)] = True
        return wanted


@dataclass
class FurtherPages:
    """Which pages of an index may belong to one article, as far as their URLs tell."""

    #: for each page, a hash of the key under which its further pages find it, and when it was
    #: fetched; 0 if unknown
    own: array[int] = field(default_factory=lambda: array("Q"))
    fetched: array[float] = field(default_factory=lambda: array("d"))
    #: for each page that may be a further one: the key of its first page, its URL, its row
    first: array[int] = field(default_factory=lambda: array("Q"))
    url: array[int] = field(default_factory=lambda: array("Q"))
    row: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, row: int, page: FoundPage) -> None:
        keys = page_keys(page.url or "")
        self.own.append(0 if keys.own is None else _hash(keys.own))
        moment = moment_of(page.fetched_at)
        self.fetched.append(0.0 if moment is None else moment.timestamp())
        for key in sorted(keys.firsts):
            self.first.append(_hash(key))
            self.url.append(url_number(page.url or ""))
            self.row.append(row)

    def candidates(self, wanted: NDArray[np.bool_]) -> Iterator[tuple[int, dict[int, int]]]:
        """Yield the rows of pages that may have further ones, with the row for each further URL.

        Pages are left out if neither they nor their further pages are wanted.
        """
        if not self.first:
            return
        own, first = _column(self.own), _column(self.first)
        order = np.argsort(first, kind="stable")
        first = first[order]
        rows = np.flatnonzero(np.isin(own, first))
        rows = rows[np.argsort(own[rows], kind="stable")]
        starts = np.flatnonzero(np.diff(own[rows], prepend=np.uint64(0)))
        for of_key in np.split(rows, starts[1:]):
            if not len(of_key):
                continue
            begin, end = (np.searchsorted(first, own[of_key[0]], side) for side in _SIDES)
            places = order[begin:end].tolist()
            if not wanted[[*of_key, *(self.row[place] for place in places)]].any():
                continue
            versions: dict[int, list[tuple[float, int]]] = defaultdict(list)
            for place in places:
                row = self.row[place]
                if self.url[place] in versions or len(versions) < _MAX_FURTHER:
                    versions[self.url[place]].append((self.fetched[row], row))
            for each in versions.values():
                each.sort()
            for row in of_key.tolist():
                when = self.fetched[row], row
                yield row, {url: _nearest(each, when) for url, each in versions.items()}

    def rows_at(self, urls: Collection[int]) -> list[int]:
        """Return the rows of all pages at these URLs."""
        at = np.isin(_column(self.url), np.fromiter(urls, np.uint64, len(urls)))
        rows: list[int] = _column(self.row)[at].tolist()
        return rows


#: Both ends of what `searchsorted` finds.
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def url_number(url: str) -> int:
    """Return a number that all spellings of the URL of an article have in common.

    Servers redirect to the path with a slash at its end, or without it; links often have the other.

    >>> url_number("http://a.org/rain/2/?a=1#top") == url_number("https://www.a.org/rain/2?a=1")
    True
    """
    path, mark, query = article_url(url).partition("?")
    return int(article_id(f"{path.rstrip('/')}{mark}{query}")[:16], 16)


def _hash(key: str) -> int:
    return xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))


def _column(values: array[int]) -> NDArray[np.uint64]:
    return np.frombuffer(values, np.uint64) if values else np.empty(0, np.uint64)


def _nearest(versions: list[tuple[float, int]], when: tuple[float, int]) -> int:
    """Return the row of the version nearest to a time, and to a row of that time."""
    place = bisect(versions, when)
    near = versions[max(place - 1, 0) : place + 1]
    return min(near, key=lambda each: (abs(each[0] - when[0]), abs(each[1] - when[1])))[1]


def choose_neighbors(categories: Collection[Collection[T]], window: int) -> Iterator[T]:
    """Yield the pages of a site to learn from, of the last pages of each of its categories.

    A memory keeps a limited number of pages per site: fewer of each category if there are many. A
    single page has no neighbors, so there is nothing to learn.

    >>> list(choose_neighbors([["a1", "a2", "a3"], ["b1"]], window=2))
    ['a2', 'a3', 'b1']
    """
    if sum(map(len, categories)) < 2:
        return
    each = window
    while sum(min(each, len(pages)) for pages in categories) > MAX_SITE_WINDOWS * window:
        each -= 1
    for pages in categories:
        yield from list(pages)[-each:] if each else ()


def chunked(positions: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split positions into lists of this size; the last one may be shorter."""
    iterator = iter(positions)
    while chunk := list(islice(iterator, size)):
        yield chunk


def build_index(
    paths: Iterable[str],
    window: int,
    *,
    wanted: _Wanted | None = None,
    left_out: LeftOut = lambda reason, what: None,
    alone: Callable[[str], bool] = lambda path: False,
) -> PageIndex:
    """Find the pages at these paths, and keep only their positions.

    `left_out` is called for records and files that are not pages, damaged or unreadable: for the
    first ones of each path and reason, and then with the number of the others. Pages at a path that
    is `alone` are not neighbors of others.
    """
    index = PageIndex(window)
    kept = array("Q")
    here: Counter[str] = Counter()

    def count(reason: str, what: object) -> None:
        here[reason] += 1
        if here[reason] <= MAX_NAMED:
            left_out(reason, what)

    for path in paths:
        here.clear()
        before, is_alone = len(index.file), alone(path)
        try:
            for page in _pages_at(path, count):
                moment = _moment(page)
                row = index.add(page, moment, has_neighbors=not is_alone)
                if wanted is not None and wanted(moment):
                    kept.append(row)
            if len(index.file) == before and not here:
                raise ArchiveError(f"there are no pages in {path}")
        except ArchiveError as error:
            count(UNREADABLE, error)
        index.left_out.update(here)
        for reason, number in here.items():
            if number > MAX_NAMED:
                left_out(reason, f"{number - MAX_NAMED:,} more in {path}")
    if wanted is not None:
        index.wanted = kept
    return index


def _moment(page: FoundPage) -> datetime | None:
    """Return the time of an article by the list or its URL, or else when its page was fetched."""
    entry = page.position.entry
    if entry is not None:
        return entry.moment
    return moment_of(date_in_url(page.url)) or moment_of(page.fetched_at)


def _pages_at(path: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """Yield the pages at a path, in their order; `ArchiveError` if nothing can be read there."""
    if os.path.isdir(path):
        yield from _folder_pages(path, left_out)
    elif is_archive(path):
        yield from warc_pages(path, left_out)
    else:
        yield FoundPage(Position(path), None)


def is_archive(path: str) -> bool:
    """Tell whether a file is an archive, by its name or by how it begins."""
    if path.lower().endswith(_SUFFIXES):
        return not os.path.isdir(path)
    if not os.path.isfile(path):  # reading from a pipe would consume its beginning
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(1024)
        if head.startswith(GZIP_MAGIC):
            head = zlib.decompressobj(31).decompress(head, len(RECORD_MAGIC))
    except (OSError, ValueError, zlib.error):
        return False
    return head.startswith(RECORD_MAGIC)


def _folder_pages(folder: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """Yield the pages of a folder and its subfolders, by name; `ArchiveError` if there are none.

    A `urls.csv` gives the URLs of the pages beside and below it; other pages have no URL.
    """
    lists: dict[str, dict[str, Entry]] = {}
    has_pages = False
    try:
        for inner, names in ordinary_files(folder, _is_wanted, left_out):
            if _LIST in names:
                names.remove(_LIST)
                path = os.path.join(inner, _LIST)
                lists[os.path.dirname(path)] = _read_list(Path(path), left_out)
            for name in names:
                path = os.path.join(inner, name)
                entry = _entry(path, lists) if lists else None
                position = Position(path, entry=entry, folder=folder)
                has_pages = True
                yield FoundPage(position, entry.url if entry else None)
    except OSError as error:
        raise ArchiveError(f"cannot read {folder}: {error.strerror}") from None
    if not has_pages:
        raise ArchiveError(f"no pages ({', '.join(PAGE_SUFFIXES)}) in {folder}")


def _is_wanted(name: str) -> bool:
    return name == _LIST or is_page_name(name)


def _entry(path: str, lists: dict[str, dict[str, Entry]]) -> Entry | None:
    """Return what the nearest list says about a page."""
    folder, name = os.path.split(path)
    while True:
        if entry := lists.get(folder, {}).get(name):
            return entry
        folder, last = os.path.split(folder)
        if not last:
            return None
        name = f"{last}/{name}"


def _read_list(path: Path, left_out: LeftOut) -> dict[str, Entry]:
    """Read a list of pages, by file name; lines without a URL are left out."""
    entries: dict[str, Entry] = {}
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            rows = csv.DictReader(lines)
            columns = {name.strip().lower(): name for name in rows.fieldnames or () if name}
            if not {"file", "url"} <= columns.keys():
                raise ArchiveError(f"{path} has no columns file and url in its first line")
            for row in rows:
                fields = {name: row.get(column) or "" for name, column in columns.items()}
                url = resolve_url(fields["url"], None)
                if url is None:
                    left_out(BAD_LINE, f"{path}:{rows.line_num}: {fields['url']!r} is not a URL")
                    continue
                date = iso_date(fields.get("date"))
                file = os.path.normpath(fields["file"].strip()).replace(os.sep, "/")
                entries[file] = Entry(url, date, fields.get("category") or None)
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArchiveError(f"cannot read {path}: {reason}") from None
    return entries
