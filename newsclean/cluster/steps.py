"""The steps from archives to articles, as functions that know of no engine.

1. `index_file`: where the pages of a WARC file are, by the headers of its records;
2. `SitePages`: the last pages of each site, found in any order, and which of them teach;
3. `read_lessons`: what those teach;
4. `make_neighborhood` (`archives.neighbors`): what a site repeats, of the lessons of its pages;
5. `extract_unit`: the lines of some pages of a file, with the neighborhoods of their sites.

`newsclean extract` does the same on one machine with the same functions of `archives`: an index of
which it keeps the last pages of each site, then `choose_teachers`, `read_lesson`,
`make_neighborhood`, `extract_line`.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from newsclean.archives import ArchiveError, Position, choose_teachers, extract_line, is_archive
from newsclean.archives.extracting import extractor_of, read_lesson
from newsclean.archives.saved import category_named, site_named
from newsclean.archives.warc_files import warc_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsclean.archives import Lesson, Outcome, Recipe
    from newsclean.files import LeftOut


class Place(NamedTuple):
    """Where a page is; places are in the order of the input."""

    #: its number in the list of the input
    file: int
    #: its number among the pages of the file
    row: int
    offset: int
    #: of the record that has its body, where its own says that nothing has changed
    original: int | None = None

    def position(self, path: str) -> Position:
        return Position(path, self.offset, self.original)


class IndexedPage(NamedTuple):
    """A page by what the headers of its record say."""

    place: Place
    site: str
    category: str


def index_file(number: int, path: str, left_out: LeftOut) -> Iterator[IndexedPage]:
    """The pages of a WARC or WACZ file; `ArchiveError` if it cannot be read, or not to its end."""
    if not is_archive(path):
        _open_to_read(path)
        raise ArchiveError(f"{path} is not a WARC or WACZ file")
    for row, page in enumerate(warc_pages(path, left_out)):
        offset, original = page.position.offset, page.position.original
        assert offset is not None  # pages of an archive are records
        yield IndexedPage(
            Place(number, row, offset, original),
            site_named(page.url, page.position),
            category_named(page.url, page.position),
        )


def _open_to_read(path: str) -> None:
    try:
        with open(path, "rb"):
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArchiveError(f"cannot read {path}: {reason}") from None


@dataclass
class CategoryPages:
    """The last pages of a category, in their order, and the first page that it ever had."""

    first: Place
    last: list[Place]


@dataclass
class SitePages:
    """The last pages of each category of a site, whatever the order in which they are found."""

    window: int
    categories: dict[str, CategoryPages] = field(default_factory=dict)

    def add(self, category: str, place: Place) -> SitePages:
        known = self.categories.get(category)
        if known is None:
            self.categories[category] = CategoryPages(place, [place])
        else:
            known.first = min(known.first, place)
            insort(known.last, place)
            del known.last[: -self.window]
        return self

    def merge(self, other: SitePages) -> SitePages:
        for category, theirs in other.categories.items():
            own = self.categories.get(category)
            if own is None:
                self.categories[category] = theirs
            else:
                own.first = min(own.first, theirs.first)
                own.last = sorted({*own.last, *theirs.last})[-self.window :]
        return self

    def teachers(self) -> list[Place]:
        """The pages to learn in their order: category by category, as those came up."""
        ordered = sorted(self.categories.values(), key=lambda category: category.first)
        return list(choose_teachers([category.last for category in ordered], self.window))


def read_lessons(
    path: str, places: Iterable[Place], recipe: Recipe
) -> Iterator[tuple[Place, Lesson | None]]:
    """What pages of a file teach; None for one that cannot be used."""
    extractor = extractor_of(recipe.method, recipe.model, recipe.images, recipe.corrections)
    for place in places:
        yield place, read_lesson(place.position(path), extractor.method, recipe.max_page_size)


def extract_unit(
    path: str, places: Iterable[Place], recipe: Recipe, source: str
) -> Iterator[Outcome]:
    """What becomes of pages of a file, in their order; `source` is what lines call the file."""
    for place in places:
        yield extract_line(place.position(path), recipe, source=source)
