"""Archives to articles on Spark, stage by stage; a stage that is done is not done again."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from newsclean.archives import Recipe
from newsclean.cluster.columns import INDEX, article_columns
from newsclean.cluster.counts import Counts, LatestCounts, total_counts
from newsclean.cluster.files import FileCopies
from newsclean.cluster.hadoop import HadoopFiles
from newsclean.cluster.neighborhoods import Neighborhoods
from newsclean.cluster.plan import (
    PARTITION_PAGES,
    UNIT_PAGES,
    JobError,
    Partition,
    Units,
    partitions_of,
)
from newsclean.cluster.progress import stage
from newsclean.cluster.tasks import PAGES, ExtractTask, IndexTask

if TYPE_CHECKING:
    from collections.abc import Callable

#: Files of which Spark hands out one a task; of more, several.
MAX_TASKS = 20_000
#: Tasks for each core that are handed out at least, of several output partitions if need be.
TASKS_A_CORE = 3


@dataclass(frozen=True)
class JobOptions:
    """What a job is asked for."""

    files: tuple[str, ...]
    output: str
    form: str = "parquet"
    recipe: Recipe = field(default_factory=Recipe)
    #: the neighborhoods of another job, None to learn them from the pages
    neighborhoods: str | None = None
    #: bytes of neighborhoods that each machine gets as a whole
    broadcast_bytes: int = 100_000_000
    #: how often files that cannot be read are tried again
    retries: int = 2
    unit_pages: int = UNIT_PAGES
    partition_pages: int = PARTITION_PAGES

    def plan(self) -> dict[str, Any]:
        """What must be the same when a job is taken up again."""
        return {
            "files": list(self.files),
            "format": self.form,
            "recipe": asdict(self.recipe),
            "neighborhoods": self.neighborhoods,
            "partition_pages": self.partition_pages,
        }


class ArchiveJob:
    """A job with its output folder.

    `articles/part=N/` has the articles, `neighborhoods/` what each site repeats, and `_job/` the
    plan, what was counted, and the index of all pages.
    """

    def __init__(self, spark: Any, options: JobOptions, say: Callable[[str], object]) -> None:
        self.spark = spark
        self.context = spark.sparkContext
        self.options = options
        self.say = say
        self.hadoop = HadoopFiles(self.context)
        self.copies = FileCopies(self.hadoop.settings())
        self.folder = options.output.rstrip("/")
        self.neighborhoods = Neighborhoods(self)

    def run(self) -> dict[str, Any]:
        """Do what is not done yet; what was counted in all."""
        begin = time.monotonic()
        self._check_plan()
        index = self._index()
        pages = [index[str(number)]["pages"] for number in range(len(self.options.files))]
        units = Units.of(self.options.files, pages, self.options.unit_pages)
        with closing(self.neighborhoods):
            recipe = self.neighborhoods.prepare(units, index)
            counted = self._extract(index, units, pages, recipe)
        report = self._report(index, counted)
        report["seconds"] = round(time.monotonic() - begin, 1)
        self.hadoop.write_json(f"{self.folder}/_job/report.json", report)
        return report

    def _check_plan(self) -> None:
        path = f"{self.folder}/_job/plan.json"
        plan, found = self.options.plan(), self.hadoop.read_json(path)
        if found is None:
            if self.hadoop.exists(self.folder) and self.hadoop.matches(f"{self.folder}/*"):
                raise JobError(f"{self.folder} is not empty: name another --output")
            self.hadoop.write_json(path, plan)
        elif found != plan:
            differs = ", ".join(name for name in plan if plan[name] != found.get(name))
            raise JobError(
                f"{self.folder} has a job with other {differs}: name another --output, or the same "
                "input and options to take it up again"
            )

    def _index(self) -> Counts:
        """Find all pages; what was counted in each file, by its number."""
        done = f"{self.folder}/_job/index.json"
        known: Counts | None = self.hadoop.read_json(done)
        if known is not None:
            return known
        found: Counts = {}
        waiting = list(enumerate(self.options.files))
        with stage(self.context, "index", self.say, f"{len(waiting)} files") as result:
            for attempt in range(1 + self.options.retries):
                counts = self.context.accumulator({}, LatestCounts())
                rows = self.context.parallelize(
                    waiting, min(len(waiting), MAX_TASKS)
                ).mapPartitions(IndexTask(self.copies, counts.add))
                self.save(rows, INDEX, f"{self.folder}/_job/index/attempt={attempt}")
                for number, _ in waiting:
                    found[str(number)] = counts.value[str(number)] | {"attempt": attempt}
                waiting = [pair for pair in waiting if found[str(pair[0])]["failure"]]
                if not waiting:
                    break
            result(f"{sum(each['pages'] for each in found.values()):,} pages")
        for number, path in waiting:
            self.say(f"failed: {path}: {found[str(number)]['failure']}")
        self.hadoop.write_json(done, found)
        return found

    def index_rows(self, index: Counts) -> Any:
        """The index as a data frame: of each file what the last attempt has found."""
        from pyspark.sql.functions import col

        frame = None
        for attempt in range(1 + max(each["attempt"] for each in index.values())):
            later = [int(number) for number, each in index.items() if each["attempt"] > attempt]
            path = f"{self.folder}/_job/index/attempt={attempt}"
            rows = self.spark.read.schema(INDEX).parquet(path)
            rows = rows.where(~col("file").isin(later)) if later else rows
            frame = rows if frame is None else frame.unionByName(rows)
        return frame

    def _extract(
        self, index: Counts, units: Units, pages: list[int], recipe: Recipe
    ) -> dict[int, Counts]:
        """Write all output partitions that are not there yet; what was counted in each."""
        counted: dict[int, Counts] = {}
        waiting = []
        for partition in partitions_of(pages, self.options.partition_pages):
            known = self.hadoop.read_json(self._counts_file(partition))
            if known is None:
                waiting.append(partition)
            else:
                counted[partition.number] = known
        if not waiting:
            return counted
        if counted:
            self.say(f"extracting: {len(counted)} output partitions were there already")
        of_waiting = sum(units.starts[each.stop] - units.starts[each.start] for each in waiting)
        enough = TASKS_A_CORE * self.context.defaultParallelism * len(waiting)
        at_a_time = min(max(-(-enough // max(of_waiting, 1)), 2), len(waiting))
        rows = self.index_rows(index)
        total = sum(sum(pages[each.start : each.stop]) for each in waiting)
        what = f"{total:,} pages to {len(waiting)} output partitions"
        with (
            stage(self.context, "extracting", self.say, what) as result,
            ThreadPoolExecutor(at_a_time) as threads,
        ):
            for partition, counts in threads.map(
                lambda each: (each, self._extract_partition(each, rows, units, recipe)), waiting
            ):
                counted[partition.number] = counts
                articles = total_counts(counts, "pages").get("articles", 0)
                self.say(f"extracting: {partition.name} has {articles:,} articles")
            result("")
        return counted

    def _extract_partition(
        self, partition: Partition, rows: Any, units: Units, recipe: Recipe
    ) -> Counts:
        from pyspark.sql.functions import col

        start, stop = partition.start, partition.stop
        first, number = units.starts[start], units.starts[stop] - units.starts[start]
        counts = self.context.accumulator({}, LatestCounts())
        if number:
            self.context.setJobDescription(f"newsclean: extracting {partition.name}")
            here = rows.where((col("file") >= start) & (col("file") < stop))
            pages = here.rdd.map(
                lambda row: (
                    (units.number(row.file, row.row) - first, PAGES, row.file, row.row),
                    (row.offset, row.original),
                )
            )
            if self.neighborhoods.are_joined:
                pages = pages.union(self.neighborhoods.for_units(here, units, first))
            divided = pages.repartitionAndSortWithinPartitions(number, lambda key: key[0])
            as_rows = self.options.form == "parquet"
            task = ExtractTask(
                {file: self.options.files[file] for file in range(start, stop)},
                self.copies,
                recipe,
                self.neighborhoods.on_worker,
                self.neighborhoods.keying,
                as_rows,
                counts.add,
            )
            columns = article_columns(markdown=recipe.markdown) if as_rows else "value string"
            path = f"{self.folder}/articles/{partition.name}"
            self.save(divided.mapPartitions(task), columns, path, "parquet" if as_rows else "text")
        self.hadoop.write_json(self._counts_file(partition), counts.value)
        return dict(counts.value)

    def _counts_file(self, partition: Partition) -> str:
        return f"{self.folder}/_job/articles/{partition.name}.json"

    def save(self, rows: Any, columns: str, path: str, form: str = "parquet") -> None:
        frame = self.spark.createDataFrame(rows, columns, verifySchema=False)
        frame.write.mode("overwrite").format(form).save(path)

    def _report(self, index: Counts, counted: dict[int, Counts]) -> dict[str, Any]:
        files = self.options.files
        failed = {
            files[int(number)]: each["failure"] for number, each in index.items() if each["failure"]
        }
        left_out = total_counts(index, "left_out")
        totals = {"pages": 0, "articles": 0}
        problems: list[str] = []
        for counts in counted.values():
            for reason, number in total_counts(counts, "left_out").items():
                left_out[reason] = left_out.get(reason, 0) + number
            for name, number in total_counts(counts, "pages").items():
                totals[name] += number
            problems += (problem for each in counts.values() for problem in each["problems"])
            failed |= {
                files[each["file"]]: each["failure"] for each in counts.values() if each["failure"]
            }
        return {
            "files": len(files),
            **totals,
            "left_out": dict(sorted(left_out.items())),
            "failed_files": dict(sorted(failed.items())),
            "out_of_memory": sorted(problems),
            "neighborhoods": self.neighborhoods.counted,
        }
