"""The job for Spark: the lines of `newsclean extract`, whatever happens on the way."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from newsclean.archives import ArchiveError, Recipe, build_index, extract_line
from newsclean.archives.extracting import close_neighbors
from newsclean.cli import main as newsclean
from newsclean.cluster.columns import article_line
from newsclean.cluster.files import FileCopies
from newsclean.cluster.job import ArchiveJob, JobOptions
from newsclean.cluster.plan import JobError
from newsclean.cluster.spark import input_files, parse_arguments, run
from tests.browser.installed import not_run
from tests.cluster.archives import SITES, DyingCopies, extracted, footer, write_warcs

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),  # all that Spark starts, on a machine that has much else to do
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
]

#: What saves time in a job of seconds: little is compiled, and nobody watches.
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """One session for all tests of this file; it takes seconds to start."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        not_run("pyspark is not installed: make spark")
    before = os.environ.copy()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])  # where workers find this package
    builder = SparkSession.builder.master("local[2,4]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except PySparkException as error:
        not_run(f"Spark does not start, is there a Java runtime? {error}")
    yield session
    session.stop()
    os.environ.clear()
    os.environ.update(before)


@dataclass(frozen=True)
class Done:
    """A job, and what `newsclean extract` makes of the same files."""

    warcs: list[str]
    options: JobOptions
    folder: Path
    report: dict[str, Any]
    expected: list[bytes]
    said: str


@pytest.fixture(scope="module")
def warcs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three files, of which one is damaged, and one that is missing."""
    folder = tmp_path_factory.mktemp("archives")
    return [*write_warcs(folder / "warcs"), str(folder / "missing.warc.gz")]


@pytest.fixture(scope="module")
def done(spark: Any, warcs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A job on these files, with a worker that dies."""
    folder = tmp_path_factory.mktemp("spark") / "out"
    options = JobOptions(
        tuple(warcs), str(folder), "jsonl", retries=1, unit_pages=7, partition_pages=20
    )
    job = ArchiveJob(spark, options, lambda line: None)
    job.copies = DyingCopies(folder=str(folder))
    report = job.run()
    return Done(warcs, options, folder, report, *extracted(warcs))


def lines_of(folder: Path) -> list[bytes]:
    parts = sorted(folder.glob("articles/part=*/part-*.txt"))
    return [line for part in parts for line in part.read_bytes().splitlines(keepends=True)]


def test_lines_are_those_of_one_process_though_a_worker_was_killed(done: Done) -> None:
    assert (done.folder / "killed").exists()
    assert len(done.expected) == 35
    assert lines_of(done.folder) == done.expected
    assert not any(footer(site).encode() in line for line in done.expected for site in SITES)


def test_what_is_left_out_is_counted_once_and_failed_files_are_listed(done: Done) -> None:
    assert done.report["left_out"] == {"damaged": 1, "http-404": 3, "unreadable": 1}
    assert done.said == "35 pages extracted; left out: 1 damaged, 3 http-404, 1 unreadable"
    assert list(done.report["failed_files"]) == [done.warcs[-1]]
    assert done.report["articles"] == 35
    index = json.loads((done.folder / "_job" / "index.json").read_text())
    assert [index[str(number)]["attempt"] for number in range(4)] == [0, 0, 0, 1]


def test_neighborhoods_that_are_joined_give_the_same_articles_as_parquet(
    spark: Any, done: Done, tmp_path: Path
) -> None:
    arguments = ["--input", *done.warcs[:1], "--output", str(tmp_path / "out")]
    for path in done.warcs[1:]:
        arguments += ["--input", path]
    assert run(spark, parse_arguments([*arguments, "--broadcast-mb", "0", "--retries", "0"])) == 0
    frame = spark.read.parquet(str(tmp_path / "out" / "articles")).drop("part")
    lines = [article_line(row) for row in frame.toLocalIterator()]
    assert sorted(lines) == sorted(done.expected)


def test_a_job_that_was_interrupted_writes_what_is_missing_and_nothing_else(
    spark: Any, done: Done
) -> None:
    parts = sorted(done.folder.glob("articles/part=*/part-*.txt"))
    first = {path: path.stat().st_mtime_ns for path in parts if "part=00000" in str(path)}
    assert 0 < len(first) < len(parts)
    (done.folder / "_job" / "articles" / "part=00001.json").unlink()
    said: list[str] = []
    report = ArchiveJob(spark, done.options, said.append).run()
    assert not [line for line in said if line.startswith(("index:", "learning:"))]
    assert lines_of(done.folder) == done.expected
    assert {path: path.stat().st_mtime_ns for path in first} == first
    for name in ("left_out", "articles", "pages", "failed_files"):
        assert report[name] == done.report[name]


def test_another_job_in_the_same_folder_is_refused(spark: Any, done: Done) -> None:
    other = replace(done.options, files=done.options.files[:1])
    with pytest.raises(JobError, match="has a job with other files: name another --output"):
        ArchiveJob(spark, other, lambda line: None).run()


@pytest.mark.parametrize(
    ("method", "problem"),
    [("visual", "--method visual needs a browser"), ("corex", "no method named 'corex'")],
)
def test_a_method_that_workers_cannot_run_is_refused_before_any_work(
    spark: Any, tmp_path: Path, method: str, problem: str
) -> None:
    out = tmp_path / "out"
    arguments = ["--input", "a.warc.gz", "--output", str(out), "--method", method]
    with pytest.raises(JobError, match=problem):
        run(spark, parse_arguments(arguments))
    assert not out.exists()


def test_a_memory_imports_the_neighborhoods_and_extracts_the_same(
    done: Done, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = str(tmp_path / "memory.sqlite")
    parts = sorted(map(str, done.folder.glob("neighborhoods-jsonl/*.gz")))
    assert newsclean(["memory", "--memory", memory, "import", *parts]) == 0
    assert capsys.readouterr().out == "added 35 pages\n"
    recipe = Recipe(neighbors=memory)
    outcomes = [extract_line(position, recipe) for position in build_index(done.warcs[:3], 50)]
    close_neighbors()
    assert [outcome.line for outcome in outcomes] == done.expected


def test_a_later_job_takes_the_neighborhoods_of_an_earlier_one(
    spark: Any, done: Done, tmp_path: Path
) -> None:
    options = replace(
        done.options,
        files=done.options.files[:1],
        output=str(tmp_path / "out"),
        neighborhoods=str(done.folder / "neighborhoods"),
    )
    ArchiveJob(spark, options, lambda line: None).run()
    assert lines_of(tmp_path / "out") == done.expected[:12]
    other = replace(options, recipe=Recipe("stadynot:paper+coreex"), output=str(tmp_path / "other"))
    with pytest.raises(JobError, match="have 'block' keys, and the method needs 'element' keys"):
        ArchiveJob(spark, other, lambda line: None).run()


def test_a_file_elsewhere_is_copied_by_hadoop_and_the_copy_goes(
    warcs: list[str], spark: Any
) -> None:
    address = Path(warcs[0]).as_uri()
    with FileCopies({"some.secret": "<&>"}).local(address) as copy:
        assert copy != warcs[0]
        assert Path(copy).read_bytes() == Path(warcs[0]).read_bytes()
        assert (Path(copy).parent / "core-site.xml").stat().st_mode & 0o077 == 0
    assert not os.path.exists(copy)
    missing = FileCopies(tries=1).local(f"{address}.missing")
    with pytest.raises(ArchiveError, match=r"cannot read .*0\.warc\.gz\.missing"), missing:
        pass


def test_inputs_are_patterns_lists_and_addresses(
    spark: Any, warcs: list[str], tmp_path: Path
) -> None:
    from newsclean.cluster.hadoop import HadoopFiles

    folder = Path(warcs[0]).parent
    listed = tmp_path / "warc.paths"
    listed.write_text(f"# two files\n{warcs[2]}\n\n{Path(warcs[1]).as_uri()}\n")
    hadoop = HadoopFiles(spark.sparkContext)
    assert input_files([str(folder / "*.warc.gz")], hadoop) == warcs[:3]
    assert input_files([str(listed), warcs[0]], hadoop) == [
        warcs[2],
        warcs[1],
        warcs[0],
    ]
    with pytest.raises(JobError, match=r"no files at .*\.wacz"):
        input_files([str(folder / "*.wacz")], hadoop)
    with pytest.raises(JobError, match=r"cannot read nowhere\.paths: No such file"):
        input_files(["nowhere.paths"], hadoop)
