"""What a worker does with the part of the work that Spark hands it.

Each task is a value that goes to the workers with all that it needs; it counts under the name of
its part of the work (`counts.LatestCounts`).
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import xxhash

from newsclean.archives import ArchiveError, Lesson, make_neighborhood
from newsclean.archives.extracting import close_neighbors
from newsclean.archives.saved import OUT_OF_MEMORY
from newsclean.cluster.columns import article_row
from newsclean.cluster.steps import Place, extract_unit, index_file, read_lessons
from newsclean.files import UNREADABLE
from newsclean.memory import Memory
from newsclean.memory.hashes import from_blob, to_blob
from newsclean.memory.records import LearnedPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.archives import Outcome, Recipe
    from newsclean.cluster.files import FileCopies
    from newsclean.extraction.neighborhood import Keying

    #: Takes what a part of the work has counted.
    Count = Callable[[dict[str, dict[str, Any]]], object]

#: What a unit of work gets first, and then: the neighborhoods of its sites, its pages.
NEIGHBORS, PAGES = 0, 1


def site_number(site: str) -> int:
    """A number by which Spark divides sites, the same in each process."""
    return xxhash.xxh3_64_intdigest(site.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class IndexTask:
    """Files to the rows of `columns.INDEX`."""

    copies: FileCopies
    count: Count

    def __call__(self, files: Iterator[tuple[int, str]]) -> Iterator[tuple[Any, ...]]:
        for number, path in files:
            left_out: Counter[str] = Counter()
            pages, failure = 0, ""
            try:
                with self.copies.local(path) as local:
                    note = _counting(left_out)
                    for page in index_file(number, local, note):
                        pages += 1
                        yield (*page.place, page.site, page.category)
            except (ArchiveError, OSError) as error:
                left_out[UNREADABLE] += 1
                failure = str(error)
            counted = {"pages": pages, "left_out": dict(left_out), "failure": failure}
            self.count({str(number): counted})


def _counting(left_out: Counter[str]) -> Callable[[str, object], None]:
    def note(reason: str, what: object) -> None:
        left_out[reason] += 1

    return note


@dataclass(frozen=True)
class LessonTask:
    """Pages that teach, of one file after the other, to the lessons of their sites."""

    files: dict[int, str]
    copies: FileCopies
    recipe: Recipe

    def __call__(
        self, teachers: Iterable[tuple[int, tuple[Place, str, int]]]
    ) -> Iterator[tuple[str, tuple[int, tuple[Any, ...]]]]:
        in_order = sorted(teacher for _, teacher in teachers)
        for number, of_file in groupby(in_order, key=lambda teacher: teacher[0].file):
            chosen = {place: (site, order) for place, site, order in of_file}
            try:
                with self.copies.local(self.files[number]) as local:
                    for place, lesson in read_lessons(local, chosen, self.recipe):
                        site, order = chosen[place]
                        if lesson is not None:
                            packed = lesson._replace(
                                keys=to_blob(lesson.keys),  # type: ignore[arg-type]
                                facts=to_blob(lesson.facts),  # type: ignore[arg-type]
                            )
                            yield site, (order, tuple(packed))
            except ArchiveError:  # which the pages of the file will say
                continue


@dataclass(frozen=True)
class NeighborhoodTask:
    """The lessons of sites to the rows of `columns.NEIGHBORHOOD`, by site."""

    keying: Keying
    window: int

    def __call__(
        self, sites: Iterable[tuple[str, Iterable[tuple[int, tuple[Any, ...]]]]]
    ) -> Iterator[tuple[Any, ...]]:
        for _, numbered in sorted(sites, key=itemgetter(0)):
            lessons = [
                Lesson(site, category, name, seen, from_blob(keys), from_blob(facts))
                for _, (site, category, name, seen, keys, facts) in sorted(numbered)
            ]
            pages = make_neighborhood(lessons, keying=self.keying, window=self.window)
            for position, page in enumerate(pages):
                hashes = bytearray(to_blob(page.keys)), bytearray(to_blob(page.facts))
                yield (page.site, position, *page[1:4], *hashes, self.keying)


@dataclass(frozen=True)
class ExtractTask:
    """Units of work, pages of one file each, to lines or to rows of `columns.article_columns`."""

    files: dict[int, str]
    copies: FileCopies
    recipe: Recipe
    #: where the worker finds the neighborhoods of all sites; None if they come with the pages, or
    #: if there are none
    neighbors: Callable[[], str] | None
    keying: Keying
    as_rows: bool
    count: Count

    def __call__(
        self, values: Iterable[tuple[tuple[Any, ...], tuple[Any, ...]]]
    ) -> Iterator[tuple[Any, ...]]:
        for unit, of_unit in groupby(values, key=lambda value: value[0][0]):
            yield from self._unit(unit, of_unit)

    def _unit(
        self, unit: int, values: Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]
    ) -> Iterator[tuple[Any, ...]]:
        recipe, counted = self.recipe, Counter[str]()
        pages = articles = 0
        failure = ""
        problems: list[str] = []
        with tempfile.TemporaryDirectory(prefix="newsclean-") as folder:
            first = next(values)
            if self.neighbors is not None:
                recipe = replace(recipe, neighbors=self.neighbors())
            elif recipe.neighbors is not None:
                recipe = replace(recipe, neighbors=os.path.join(folder, "neighbors.sqlite"))
                first = self._receive(chain([first], values), recipe)
            places = (Place(*key[2:], *rest) for key, rest in chain([first], values))
            file = first[0][2]
            try:
                with self.copies.local(self.files[file]) as local:
                    for outcome in extract_unit(local, places, recipe, self.files[file]):
                        pages += 1
                        if outcome.line is not None:
                            articles += 1
                            yield self._written(outcome)
                        else:
                            counted[outcome.reason] += 1
                        if outcome.reason == OUT_OF_MEMORY:
                            problems.append(outcome.problem)
            except ArchiveError as error:
                lost = sum(1 for _ in places)
                pages, failure = pages + lost, str(error)
                counted[UNREADABLE] += lost
            if self.neighbors is None:
                close_neighbors()
        result = {
            "pages": {"pages": pages, "articles": articles},
            "left_out": dict(counted),
            "failure": failure,
            "problems": problems,
            "file": file,
        }
        self.count({str(unit): result})

    def _receive(
        self, values: Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]], recipe: Recipe
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Put the neighborhoods that come before the pages into a memory; the first page."""
        assert recipe.neighbors is not None
        with (
            closing(Memory(recipe.neighbors, keying=self.keying, window=recipe.window)) as memory,
            memory.database.transaction(),
        ):
            for (_, kind, site, _), of_site in groupby(values, key=lambda v: (*v[0][:3], 0)):
                if kind == PAGES:
                    return next(of_site)
                pages = [learned_page(site, *row) for _, row in of_site]
                memory.sites.add_pages(pages, {})
        raise ValueError("a unit of work has no pages")

    def _written(self, outcome: Outcome) -> tuple[Any, ...]:
        assert outcome.line is not None
        if self.as_rows:
            return article_row(outcome.line, markdown=self.recipe.markdown)
        return (outcome.line.decode("utf-8").removesuffix("\n"),)


def learned_page(
    site: str, category: str, name: str, seen: float, keys: bytes, facts: bytes
) -> LearnedPage:
    """A page of a row of `columns.NEIGHBORHOOD`."""
    return LearnedPage(site, category, name, seen, from_blob(bytes(keys)), from_blob(bytes(facts)))
