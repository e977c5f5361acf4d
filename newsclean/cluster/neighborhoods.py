"""The neighborhoods of all sites on Spark: how they are learned, written, and given to the pages.

A site's neighborhood is up to 100 kB a category. Few sites (some hundred MB) go to each machine as
one file, a memory, which all processes of the machine read; of many sites, each unit of work gets
those that its pages are of, by a join. Either way a page asks a memory, as on one machine.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from newsclean.archives.extracting import extractor_of
from newsclean.cluster.columns import NEIGHBORHOOD
from newsclean.cluster.plan import JobError
from newsclean.cluster.progress import stage
from newsclean.cluster.steps import Place, SitePages
from newsclean.cluster.tasks import (
    NEIGHBORS,
    LessonTask,
    NeighborhoodTask,
    learned_page,
    site_number,
)
from newsclean.memory import Memory
from newsclean.memory.sharing import first_line, page_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.archives import Recipe
    from newsclean.cluster.counts import Counts
    from newsclean.cluster.job import ArchiveJob
    from newsclean.cluster.plan import Units
    from newsclean.extraction.neighborhood import Keying

#: Parts into which sites are divided, of all sites together some GB.
MAX_PARTS = 512


@dataclass(frozen=True)
class OnWorker:
    """Where a worker has a file that the driver has given to all of them."""

    name: str

    def __call__(self) -> str:
        """A copy for this process: Spark's own must stay as it is, and a memory is written to."""
        from pyspark import SparkFiles

        given = SparkFiles.get(self.name)
        own = f"{given}.{os.getpid()}"
        if not os.path.exists(own):
            shutil.copyfile(given, f"{own}.draft")
            os.replace(f"{own}.draft", own)
        return own


class Neighborhoods:
    """Those of one job."""

    def __init__(self, job: ArchiveJob) -> None:
        self.job = job
        self.folder = job.options.neighborhoods or f"{job.folder}/neighborhoods"
        self.keying: Keying = "block"
        #: sites, pages, bytes of the neighborhoods
        self.counted: dict[str, int] = {}
        #: where a worker finds all of them, None if there are none or units get theirs by a join
        self.on_worker: Callable[[], str] | None = None
        self.are_joined = False
        #: has the file for all workers, which may come for it until the job ends
        self._given: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        if self._given is not None:
            self._given.cleanup()

    def prepare(self, units: Units, index: Counts) -> Recipe:
        """Learn them, unless that is done; the recipe with which pages are extracted."""
        options, recipe = self.job.options, self.job.options.recipe
        method = extractor_of(recipe.method, recipe.model, recipe.images, recipe.corrections).method
        self.keying = method.keying
        if options.neighborhoods is None and not units.total:
            return recipe
        self.counted = self._known() or self._learn(units, index)
        if not self.counted["pages"]:
            return recipe
        if self.counted["bytes"] > options.broadcast_bytes:
            self.are_joined = True
            self.job.say(f"neighborhoods: {self._size()}, joined with the pages by site")
            return replace(recipe, neighbors="joined")
        return self._shared(recipe)

    def _size(self) -> str:
        return f"{self.counted['sites']:,} sites, {self.counted['bytes'] / 1e6:,.1f} MB"

    def _known(self) -> dict[str, int] | None:
        if self.job.options.neighborhoods is None:
            found: dict[str, int] | None = self.job.hadoop.read_json(self._counts_file())
            return found
        if not self.job.hadoop.exists(self.folder):
            raise JobError(f"--neighborhoods: there is nothing at {self.folder}")
        for (keying,) in self._frame().select("keying").distinct().collect():
            if keying != self.keying:
                raise JobError(
                    f"--neighborhoods: those of {self.folder} have {keying!r} keys, and the method "
                    f"needs {self.keying!r} keys: learn them with this method"
                )
        return self._count()

    def _counts_file(self) -> str:
        return f"{self.job.folder}/_job/neighborhoods.json"

    def _learn(self, units: Units, index: Counts) -> dict[str, int]:
        job, recipe = self.job, self.job.options.recipe
        window, parts = recipe.window, min(units.total, MAX_PARTS)
        files = dict(enumerate(job.options.files))
        with stage(job.context, "learning", job.say, "the last pages of each site") as result:
            pages = job.index_rows(index).rdd.map(
                lambda row: (
                    row.site,
                    (row.category, Place(row.file, row.row, row.offset, row.original)),
                )
            )
            of_sites = pages.aggregateByKey(
                SitePages(window),
                lambda site, page: site.add(*page),
                lambda site, other: site.merge(other),
                parts,
                site_number,
            )
            teachers = of_sites.flatMap(
                lambda pair: [
                    (units.number(place.file, place.row), (place, pair[0], order))
                    for order, place in enumerate(pair[1].teachers())
                ]
            ).partitionBy(units.total, lambda unit: unit)
            rows = (
                teachers.mapPartitions(LessonTask(files, job.copies, recipe))
                .groupByKey(parts, site_number)
                .mapPartitions(NeighborhoodTask(self.keying, window))
            )
            job.save(rows, NEIGHBORHOOD, self.folder)
            self._write_lines()
            counted = self._count()
            self.counted = counted
            result(self._size())
        job.hadoop.write_json(self._counts_file(), counted)
        return counted

    def _frame(self) -> Any:
        return self.job.spark.read.schema(NEIGHBORHOOD).parquet(self.folder)

    def _count(self) -> dict[str, int]:
        from pyspark.sql.functions import count, count_distinct, length, lit
        from pyspark.sql.functions import sum as total

        size = total(length("keys") + length("facts"))
        (row,) = self._frame().select(count(lit(1)), count_distinct("site"), size).collect()
        pages, sites, size = row
        return {"sites": sites, "pages": pages, "bytes": size or 0}

    def _write_lines(self) -> None:
        """As JSON lines, too, which `newsclean memory import` reads without any library."""
        keying = self.keying

        def lines(rows: Iterable[Any]) -> Iterator[tuple[str]]:
            is_first = True
            for row in rows:
                if is_first:
                    yield (first_line(keying),)
                    is_first = False
                page = learned_page(row.site, row.category, row.name, row.seen, row.keys, row.facts)
                yield (page_line(page),)

        written = self._frame().rdd.mapPartitions(lines)
        frame = self.job.spark.createDataFrame(written, "value string", verifySchema=False)
        path = f"{self.job.folder}/neighborhoods-jsonl"
        frame.write.mode("overwrite").option("compression", "gzip").text(path)

    def _shared(self, recipe: Recipe) -> Recipe:
        """Give all neighborhoods to each machine, as one file."""
        name = f"newsclean-neighbors-{uuid.uuid4().hex}.sqlite"
        self._given = tempfile.TemporaryDirectory(prefix="newsclean-")
        path = os.path.join(self._given.name, name)
        with (
            closing(Memory(path, keying=self.keying, window=recipe.window)) as memory,
            memory.database.transaction(),
        ):
            for site, rows in groupby(self._frame().toLocalIterator(), attrgetter("site")):
                pages = [
                    learned_page(site, row.category, row.name, row.seen, row.keys, row.facts)
                    for row in rows
                ]
                memory.sites.add_pages(pages, {})
        self.job.context.addFile(path)
        self.on_worker = OnWorker(name)
        self.job.say(f"neighborhoods: {self._size()}, given to each machine")
        return replace(recipe, neighbors=name)

    def for_units(self, pages: Any, units: Units, first: int) -> Any:
        """The neighborhoods of the sites of each unit's pages, by unit, before its pages."""
        pairs = pages.rdd.map(
            lambda row: (row.site, units.number(row.file, row.row) - first)
        ).distinct()
        wanted = self.job.spark.createDataFrame(pairs, "site string, unit int", verifySchema=False)
        return wanted.join(self._frame(), "site").rdd.map(
            lambda row: (
                (row.unit, NEIGHBORS, row.site, row.position),
                (row.category, row.name, row.seen, row.keys, row.facts),
            )
        )
