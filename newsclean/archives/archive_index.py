"""The first pass: where the pages of an input are, and which of them are neighbors."""

from __future__ import annotations

import csv
import os
import zlib
from array import array
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import (
    OUT_OF_MEMORY,
    TOO_LITTLE_MEMORY,
    ArchiveError,
    Position,
    SavedPageError,
    category_named,
    site_named,
)
from newsclean.archives.warc_files import BAD_LINE, GZIP_MAGIC, RECORD_MAGIC, FoundPage, warc_pages
from newsclean.discovery.entries import Entry, moment_of
from newsclean.extraction.metadata.dates import date_in_url, iso_date
from newsclean.extraction.neighborhood import KeyWindow
from newsclean.extraction.page import Page, PageError
from newsclean.files import (
    MAX_NAMED,
    MAX_PAGE_SIZE,
    PAGE_SUFFIXES,
    UNREADABLE,
    is_page_name,
    ordinary_files,
)
from newsclean.memory.sites import MAX_SITE_WINDOWS
from newsclean.urls import resolve_url

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from newsclean.archives.saved import SavedPage
    from newsclean.extraction.methods import Method
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import Hashes, NeighborSupport, PageKeys
    from newsclean.files import LeftOut

    #: Whether a page of this time is wanted.
    _Wanted = Callable[[datetime | None], bool]

# The saved pages of a folder, and what a list beside them says of them.

#: A list with the columns `file` and `url`, and perhaps `category` and `date`.
LIST = "urls.csv"


def _folder_pages(folder: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """The pages of a folder and of the folders in it, by name.

    A `urls.csv` says the addresses of the pages beside and below it. A page of which none says it
    has no address. `ArchiveError` if there is no page at all.
    """
    lists: dict[str, dict[str, Entry]] = {}
    has_pages = False
    try:
        for inner, names in ordinary_files(folder, _is_wanted, left_out):
            if LIST in names:
                names.remove(LIST)
                path = os.path.join(inner, LIST)
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
    return name == LIST or is_page_name(name)


def _entry(path: str, lists: dict[str, dict[str, Entry]]) -> Entry | None:
    """What the nearest list says of a page."""
    folder, name = os.path.split(path)
    while True:
        if entry := lists.get(folder, {}).get(name):
            return entry
        folder, last = os.path.split(folder)
        if not last:
            return None
        name = f"{last}/{name}"


def _read_list(path: Path, left_out: LeftOut) -> dict[str, Entry]:
    """The pages of a list by their files; lines that name no page are left out."""
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


# What a path names: a WARC file, a folder, or a page.

_SUFFIXES = (".warc", ".warc.gz", ".wacz")


def is_archive(path: str) -> bool:
    """Whether a file is an archive: by its name, or by how it begins."""
    if path.lower().endswith(_SUFFIXES):
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


def _pages_at(path: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """The pages at a path, in their order; `ArchiveError` if nothing can be read there."""
    if os.path.isdir(path):
        yield from _folder_pages(path, left_out)
    elif is_archive(path):
        yield from warc_pages(path, left_out)
    else:
        yield FoundPage(Position(path), None)


T = TypeVar("T")

_NOWHERE = -1
#: The time of a page of which none is known: older than all others.
_NO_TIME = float("-inf")


@dataclass
class PageIndex:
    """The positions of all pages, in their order: 40 bytes a page, and the names of the files."""

    window: int
    files: list[str] = field(default_factory=list)
    file: array[int] = field(default_factory=lambda: array("Q"))
    offset: array[int] = field(default_factory=lambda: array("q"))
    original: array[int] = field(default_factory=lambda: array("q"))
    #: seconds since 1970, of the article where that is known, else of when it was fetched
    time: array[float] = field(default_factory=lambda: array("d"))
    #: of the pages that are files: their folder, and what a list says of them
    listed: dict[int, Position] = field(default_factory=dict)
    #: the pages that are wanted, None for all of them
    wanted: array[int] | None = None
    #: why records and files are left out, and how many
    left_out: Counter[str] = field(default_factory=Counter)
    #: the site of each page, by its place among the neighborhoods; `_NOWHERE` for a page alone
    site: array[int] = field(default_factory=lambda: array("q"))
    #: the last pages of each site and category
    neighborhoods: dict[str, dict[str, deque[int]]] = field(default_factory=dict)
    _site_numbers: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.file) if self.wanted is None else len(self.wanted)

    def __iter__(self) -> Iterator[Position]:
        """The positions of the wanted pages, in the order of the input."""
        return map(self.position, range(len(self.file)) if self.wanted is None else self.wanted)

    def position(self, row: int) -> Position:
        if row in self.listed:
            return self.listed[row]
        file, offset, original = self.files[self.file[row]], self.offset[row], self.original[row]
        return Position(
            file,
            None if offset == _NOWHERE else offset,
            None if original == _NOWHERE else original,
        )

    def add(self, page: FoundPage, moment: datetime | None, *, has_neighbors: bool = True) -> int:
        """Note a page; its row."""
        position, row = page.position, len(self.file)
        if not self.files or self.files[-1] != position.file:
            self.files.append(position.file)
        self.file.append(len(self.files) - 1)
        self.offset.append(_NOWHERE if position.offset is None else position.offset)
        self.original.append(_NOWHERE if position.original is None else position.original)
        self.time.append(_NO_TIME if moment is None else moment.timestamp())
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
        """Want no more than the newest pages."""
        rows = range(len(self.file)) if self.wanted is None else self.wanted
        newest = sorted(rows, key=self.time.__getitem__, reverse=True)[:limit]
        self.wanted = array("Q", sorted(newest))

    def teachers(self) -> Iterator[Position]:
        """The pages to learn, site by site: the last ones of each category."""
        for categories in self.neighborhoods.values():
            yield from map(self.position, self._teachers(categories))

    def _teachers(self, categories: dict[str, deque[int]]) -> Iterator[int]:
        return choose_teachers(categories.values(), self.window)

    def sites(self) -> Iterator[Iterator[tuple[int, bool]]]:
        """The pages of each site that has a wanted one, and whether they are wanted themselves.

        Of the others, as many as teach.
        """
        sites = np.frombuffer(self.site, np.int64)
        wanted = np.full(len(sites), self.wanted is None)
        if self.wanted is not None:
            wanted[np.frombuffer(self.wanted, np.uint64).astype(np.int64)] = True
        used = wanted.copy()
        if self.wanted is not None:
            for categories in self.neighborhoods.values():
                used[list(self._teachers(categories))] = True
        order = np.argsort(sites, kind="stable")
        starts = np.flatnonzero(np.diff(sites[order], prepend=_NOWHERE - 1))
        for rows in np.split(order, starts[1:]):
            if wanted[rows].any():
                rows = rows[used[rows]]
                yield zip(rows.tolist(), wanted[rows].tolist(), strict=True)


def choose_teachers(categories: Collection[Collection[T]], window: int) -> Iterator[T]:
    """The pages to learn of a site, of the last pages of each of its categories.

    A memory keeps a number of pages of a site: of a site with many categories, fewer of each. A
    page that is alone has no neighbors, and nobody to teach.

    >>> list(choose_teachers([["a1", "a2", "a3"], ["b1"]], window=2))
    ['a2', 'a3', 'b1']
    """
    if sum(map(len, categories)) < 2:
        return
    each = window
    while sum(min(each, len(pages)) for pages in categories) > MAX_SITE_WINDOWS * window:
        each -= 1
    for pages in categories:
        yield from list(pages)[-each:] if each else ()


def chunked(positions: Iterable[Position], size: int) -> Iterator[list[Position]]:
    """Positions in lists of this many, the last one shorter."""
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
    """Find the pages at these paths; only what says where they are is kept of them.

    `left_out` is called for records and files that are not a page, damaged or unreadable: for the
    first ones of a path and a reason, and then with the number of the others. A page at a path that
    is `alone` is not a neighbor of others.
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
    """The time of an article: as a list or its address says, else when its page was fetched."""
    entry = page.position.entry
    if entry is not None:
        return entry.moment
    return moment_of(date_in_url(page.url)) or moment_of(page.fetched_at)


# The pages of an input site by site, each read once, and each with neighbors on both sides.
#
# Some pages are read ahead: they have taught what they know before the page in front of them is
# handed out, and keep what was computed of them until it is their turn.

#: Rows of all pages that are read ahead, about a kilobyte each: 20 pages of a large site.
MAX_ROWS_AHEAD = 40_000
#: Pages that are read ahead whatever their size, as many as neighbors are needed, and some.
MIN_PAGES_AHEAD = 10
#: Categories of a site whose pages are remembered at a time.
_MAX_CATEGORIES = 16


class SiteNeighbors:
    """The last pages of one site, in all and by category."""

    def __init__(self, window: int) -> None:
        self.window = window
        self._site = KeyWindow(window)
        #: keys and facts of pages that the site has not counted: most sites are never asked
        self._uncounted: OrderedDict[str, tuple[Hashes, Hashes]] = OrderedDict()
        self.categories: OrderedDict[str, KeyWindow] = OrderedDict()

    def learn(self, category: str, name: str, keys: PageKeys) -> None:
        own = self.categories.setdefault(category, KeyWindow(self.window))
        self.categories.move_to_end(category)
        if len(self.categories) > _MAX_CATEGORIES:
            self.categories.popitem(last=False)
        own.restore(name, keys.remembered, keys.facts)  # nobody reads its samples
        self._uncounted[name] = keys.remembered, keys.facts
        self._uncounted.move_to_end(name)
        if len(self._uncounted) > self.window:
            self._uncounted.popitem(last=False)

    @property
    def site(self) -> KeyWindow:
        """The last pages of all categories."""
        for name, (keys, facts) in self._uncounted.items():
            self._site.restore(name, keys, facts)
        self._uncounted.clear()
        return self._site

    def support_for(self, category: str, name: str, keys: PageKeys, enough: int) -> NeighborSupport:
        """What the neighbors know of a page: the category's, or the site's if those are few."""
        own = self.categories.get(category)
        support = None if own is None else own.support_for(keys, name)
        if support is not None and support.count >= enough:
            return support
        wider = self.site.support_for(keys, name, scope="site")
        return wider if support is None or wider.count > support.count else support


@dataclass(frozen=True, eq=False)
class PreparedPage:
    """A saved page, with all of it that its neighbors had to know."""

    saved: SavedPage
    page: Page
    scores: BlockScores | None
    keys: PageKeys
    neighbors: SiteNeighbors

    def support(self, category: str, enough: int) -> NeighborSupport:
        return self.neighbors.support_for(category, self.saved.name, self.keys, enough)


@dataclass(frozen=True)
class UnusableSavedPage:
    """A saved page that cannot be read, and why."""

    position: Position
    reason: str
    message: str


def prepared_pages(
    index: PageIndex, method: Method, max_size: int = MAX_PAGE_SIZE
) -> Iterator[PreparedPage | UnusableSavedPage]:
    """All wanted pages, site by site, in their order in the input."""
    for rows in index.sites():
        neighbors = SiteNeighbors(index.window)
        ahead: deque[PreparedPage] = deque()
        rows_ahead = 0
        for row, is_wanted in rows:
            position = index.position(row)
            try:
                prepared = _prepare(position, method, neighbors, max_size)
            except (SavedPageError, PageError) as error:
                if is_wanted:
                    yield UnusableSavedPage(position, error.reason, str(error))
                continue
            except MemoryError:
                if is_wanted:
                    yield UnusableSavedPage(position, OUT_OF_MEMORY, TOO_LITTLE_MEMORY)
                continue
            if not is_wanted:
                continue
            ahead.append(prepared)
            rows_ahead += len(prepared.page)
            while rows_ahead > MAX_ROWS_AHEAD and len(ahead) > MIN_PAGES_AHEAD:
                rows_ahead -= len(ahead[0].page)
                yield ahead.popleft()
        while ahead:
            yield ahead.popleft()


def _prepare(
    position: Position, method: Method, neighbors: SiteNeighbors, max_size: int
) -> PreparedPage:
    """Read a page, and let it teach its neighbors."""
    saved = read_page(position, max_size)
    page = Page.from_html(saved.body, saved.url, saved.content_type)
    scores = method.score_blocks(page)
    keys = method.keys(page, scores)
    neighbors.learn(saved.category, saved.name, keys)
    return PreparedPage(saved, page, scores, keys, neighbors)
