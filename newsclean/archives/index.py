"""The first pass: where the pages of an input are, and which of them are neighbors."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from newsclean.archives.input import pages_at
from newsclean.archives.saved import ArchiveError, Position, category_named, site_named
from newsclean.extraction.metadata.dates import date_in_url
from newsclean.files import MAX_NAMED, UNREADABLE
from newsclean.memory.sites import MAX_SITE_WINDOWS
from newsclean.text import moment_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from newsclean.archives.warc import FoundPage
    from newsclean.files import LeftOut

    #: Whether a page of this time is wanted.
    Wanted = Callable[[datetime | None], bool]

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
    wanted: Wanted | None = None,
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
            for page in pages_at(path, count):
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
