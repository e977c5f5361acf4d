"""A Spark job that extracts the articles of archives, in four steps over data frames.

1. read: read each file once, and store its pages as Parquet.
2. learn: choose pages of each site, and learn from them what the site repeats.
3. extract: extract each page with the neighborhood of its site.
4. write: write the articles in the order of the input.

Steps 1 and 3 work in batches of files. When Spark has committed what a step has written, a row in
`_job/steps` marks the step as done. An interrupted job resumes after the last such row.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, is_typeddict

from newsclean.archives.extracting import ExtractionOptions, extractor_of
from newsclean.article import Article, MarkdownArticle, field_types
from newsclean.cluster import spark_rows as rows
from newsclean.extraction.text import counted
from newsclean.files import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsclean.extraction.neighborhood import Keying

#: Maximum bytes of a row in Spark, rounded down, and of the pieces in which Python gets them.
MAX_FILE, PIECE = 2_000_000_000, 4_000_000

#: The types of Spark. The field `extraction`, a dictionary, differs between methods and stays JSON.
_COLUMNS = {str: "string", bool: "boolean", int: "bigint", float: "double", dict: "string"}


class JobError(Exception):
    """The job cannot run with these options."""


class InputFile(NamedTuple):
    """An input file: its name in the output, its path in Spark, and its size."""

    name: str
    path: str
    size: int

    @property
    def failure(self) -> str:
        what = "it is empty" if not self.size else f"it has more than {MAX_FILE:,} bytes, divide it"
        return "" if 0 < self.size <= MAX_FILE else f"cannot read {self.name}: {what}"


@dataclass
class ArchiveJob:
    """A job with its output folder, which docs/cluster.md describes."""

    spark: Any
    files: Sequence[InputFile]
    folder: str
    say: Callable[[str], object]
    form: str = "parquet"
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    #: the neighborhoods of another job, None to learn them from the pages
    given: str | None = None
    #: maximum bytes of neighborhoods that are sent to each machine
    broadcast_bytes: int = 1_000_000_000
    #: files per batch of the steps read and extract
    batch_files: int = 200
    done: dict[str, str] = field(default_factory=dict, init=False)

    def run(self) -> dict[str, Any]:
        """Do the steps that are not done yet, and return the report."""
        self._take_up()
        self.spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(rows.BATCH_ROWS))
        if "report" not in self.done:
            self._do_all()
        return dict(json.loads(self.done["report"]))

    def _take_up(self) -> None:
        """Resume the job in the folder, or start a new one."""
        from pyspark.errors import AnalysisException

        names = [file.name for file in self.files]
        plan: dict[str, Any] = {
            "files": names,
            "format": self.form,
            "extraction": asdict(self.extraction),
        }
        plan |= {"neighborhoods": self.given, "batch_files": self.batch_files}
        steps, inside = f"{self.folder}/_job/steps/*.json", f"{self.folder}/*"
        reader = self.spark.read.schema("step string, value string")
        try:  # The path twice: Spark logs an error for a single missing path.
            self.done = dict(reader.json([steps, steps]).collect())
        except AnalysisException:
            with suppress(AnalysisException):
                if self.spark.read.format("binaryFile").load([inside, inside]).count():
                    raise JobError(f"{self.folder} is not empty: give another --output") from None
        if not self.done:
            self._note("plan", json.dumps(plan))
        found = json.loads(self.done["plan"])
        if found != plan:
            differs = ", ".join(name for name in plan if plan[name] != found[name])
            raise JobError(
                f"{self.folder} has a job with other {differs}: give another --output, or the same "
                "input and options to resume it"
            )

    def _note(self, step: str, value: str) -> None:
        row = self.spark.createDataFrame([(step, value)], "step string, value string")
        row.coalesce(1).write.mode("append").json(f"{self.folder}/_job/steps")
        self.done[step] = value

    def _step(self, name: str, work: Callable[..., str | None], *values: Any) -> None:
        """Do a step unless it is done already, and mark it as done."""
        if name not in self.done:
            begin = time.monotonic()
            self._note(name, work(*values) or "")
            self.say(f"{name}: done, {time.monotonic() - begin:,.1f} s")

    def _do_all(self) -> None:
        files = [number for number, file in enumerate(self.files) if not file.failure]
        if not files:
            raise JobError(self.files[0].failure)
        starts = range(0, len(files), self.batch_files)
        batches = [files[start : start + self.batch_files] for start in starts]
        for number, batch in enumerate(batches):
            self._step(f"read {number}", self._read, number, batch)
        retried = self.done.get(f"read {len(batches)}")
        if unread := json.loads(retried or "[]") or sorted(set(files) - self._files_read()):
            self._step(f"read {len(batches)}", self._read, len(batches), unread)
            batches.append(unread)
        if self.given is None:
            self._step("learn", self._learn)
        learned = self._count_neighbors()
        for number, batch in enumerate(batches):
            self._step(f"extract {number}", self._extract, number, batch, learned)
        self._step("write", self._write)
        self._step("report", self._report, learned)
        for name in ("read", "extract"):  # no longer needed
            self._save(self.spark.createDataFrame([], rows.TEXT), f"_job/{name}")

    def _save(self, frame: Any, name: str, form: str = "parquet", packed: str = "zstd") -> None:
        writer = frame.write.mode("overwrite").format(form).option("compression", packed)
        writer.save(f"{self.folder}/{name}")

    def _written(self, step: str, where: str, *numbers: int) -> Any:
        """Return the rows that these batches of a step have written, by default all batches."""
        done = numbers or [each.split()[1] for each in self.done if each.startswith(f"{step} ")]
        paths = [f"{self.folder}/_job/{step}/{number}" for number in done]
        columns = rows.PAGE if step == "read" else rows.LINE
        return self.spark.read.schema(columns).parquet(*paths).where(where)

    def _read(self, number: int, batch: Sequence[int]) -> str:
        """Read the pages of files; Spark skips files that it cannot read."""
        files = {self.files[each].path: (each, self.files[each].name) for each in batch}
        max_size = self.extraction.max_page_size
        pages = (
            self.spark.read.format("binaryFile")
            .options(ignoreCorruptFiles=True, ignoreMissingFiles=True)
            .load(list(files))
            .selectExpr("path", "content", f"explode(sequence(0, (length - 1) div {PIECE})) AS i")
            .selectExpr("path", f"substring(content, int(i * {PIECE} + 1), {PIECE}) AS piece")
            .mapInArrow(lambda batches: rows.read_files(batches, files, max_size), rows.PAGE)
        )
        self._save(pages, f"_job/read/{number}")
        return json.dumps(batch)

    def _files_read(self) -> set[int]:
        found = self._written("read", "site IS NULL").select("place").distinct()
        return {place >> 32 for (place,) in found.collect()}

    def _learn(self) -> None:
        """Learn what each site repeats; shuffle only places and keys, not pages."""
        from pyspark.sql.functions import broadcast

        extraction, keying, window = self.extraction, self._keying(), self.extraction.window
        pages = self._written("read", "site IS NOT NULL")
        neighbors = (
            pages.selectExpr("site", "place", "min(place) OVER (PARTITION BY site, category) first")
            .selectExpr("*", "row_number() OVER (PARTITION BY site, first ORDER BY place DESC) age")
            .where(f"age <= {window}")
            .groupBy("site")
            .applyInArrow(
                lambda site: rows.to_table(rows.choose_pages([site], window)), rows.NEIGHBOR_PLACE
            )
        )
        neighbors = (
            pages.join(broadcast(neighbors), "place")
            .mapInArrow(
                lambda batches: rows.read_neighbors(batches, extraction), rows.NEIGHBOR_PAGE
            )
            .groupBy("site")
            .applyInArrow(
                lambda site: rows.to_table(rows.make_neighbors([site], keying, window)),
                rows.NEIGHBOR,
            )
        )
        self._save(neighbors, "neighborhoods")
        lines = self._neighbors().mapInArrow(
            lambda batches: rows.write_neighbors(batches, keying), rows.TEXT
        )
        self._save(lines, "neighborhoods-jsonl", "text", "gzip")

    def _keying(self) -> Keying:
        extraction = self.extraction
        return extractor_of(extraction.method, extraction.model, extraction.images).method.keying

    def _neighbors(self) -> Any:
        path = self.given or f"{self.folder}/neighborhoods"
        return self.spark.read.schema(rows.NEIGHBOR).parquet(path)

    def _count_neighbors(self) -> dict[str, int]:
        size = "coalesce(sum(length(keys) + length(facts)), 0) bytes"
        counts = ("count(DISTINCT site) sites", "count(*) pages", size, "min(keying) keying")
        found: dict[str, Any] = self._neighbors().selectExpr(*counts).first().asDict()
        keying, needed = found.pop("keying"), self._keying()
        if keying not in (None, needed):
            raise JobError(
                f"--neighborhoods: {self.given} has {keying!r} keys, and the method needs "
                f"{needed!r} keys: learn them with this method"
            )
        self.say(
            f"neighborhoods: {counted(found['sites'], 'site')}, {found['bytes'] / 1e6:,.1f} MB"
        )
        return found

    def _extract(self, number: int, batch: Sequence[int], learned: dict[str, int]) -> None:
        """Extract pages, without a shuffle unless the neighborhoods are too large to broadcast."""
        from pyspark.sql.functions import broadcast, collect_list, sort_array, struct

        columns = struct("position", *rows.LEARNED)
        sites = self._neighbors().groupBy("site")
        neighbors = sites.agg(sort_array(collect_list(columns)).alias("neighbors"))
        if learned["bytes"] <= self.broadcast_bytes:
            neighbors = broadcast(neighbors)
        extraction, keying = self.extraction, self._keying() if learned["pages"] else None
        files = {each: self.files[each].name for each in batch}
        lines = (
            self._written("read", "site IS NOT NULL", number)
            .join(neighbors, "site", "left")
            .mapInArrow(lambda each: rows.extract_lines(each, extraction, keying, files), rows.LINE)
        )
        self._save(lines, f"_job/extract/{number}")

    def _write(self) -> None:
        from pyspark.sql.functions import from_json

        lines = self._written("extract", "line IS NOT NULL").orderBy("place")
        if self.form == "jsonl":
            self._save(lines.select("line"), "articles", "text", "none")
        else:
            article_type = MarkdownArticle if self.extraction.markdown else Article
            columns = ", ".join(["source string", *_columns(field_types(article_type), " ")])
            article = from_json("line", columns, {"mode": "FAILFAST"}).alias("article")
            self._save(lines.select(article).select("article.*"), "articles")

    def _report(self, learned: dict[str, int]) -> str:
        """Count what was written, even if Spark did some of it twice."""
        lost = self._written("extract", "line IS NULL")
        in_files = self._written("read", "site IS NULL AND reason != ''")
        failed = {file.name: file.failure for file in self.files if file.failure}
        for number in set(range(len(self.files))) - self._files_read():
            name = self.files[number].name
            failed.setdefault(name, f"cannot read {name}: see the log of Spark")
        left_out = {UNREADABLE: len(failed)} if failed else {}
        by_reason = in_files.groupBy("reason").sum("number").collect()
        for reason, number in by_reason + lost.groupBy("reason").count().collect():
            left_out[reason] = left_out.get(reason, 0) + number
        for place, problem in in_files.where("problem != ''").select("place", "problem").collect():
            failed[self.files[place >> 32].name] = problem
        named = lost.where(lost.reason.isin(*rows.NAMED)).orderBy("place").limit(1_000)
        articles = self._written("extract", "line IS NOT NULL").count()
        report = {
            "files": len(self.files),
            "pages": articles + lost.count(),
            "articles": articles,
            "left_out": dict(sorted(left_out.items())),
            "failed_files": dict(sorted(failed.items())),
            "failed_pages": [row.problem for row in named.collect()],
            "neighborhoods": learned,
        }
        text = json.dumps(report, ensure_ascii=False)
        frame = self.spark.createDataFrame([(text,)], rows.TEXT).coalesce(1)
        self._save(frame, "report", "text", "none")
        return text


def _columns(types: dict[str, Any], separator: str) -> list[str]:
    return [f"{name}{separator}{_column(kind)}" for name, kind in types.items()]


def _column(kind: Any) -> str:
    """Return the type of a column.

    >>> _column(bool), _column(list[str])
    ('boolean', 'array<string>')
    """
    if is_typeddict(kind):
        return f"struct<{', '.join(_columns(field_types(kind), ': '))}>"
    if get_origin(kind) is list:
        return f"array<{_column(get_args(kind)[0])}>"
    return _COLUMNS[get_origin(kind) or kind]
