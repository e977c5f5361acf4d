"""The job for Spark, on Spark Connect: the lines of `newsclean extract`, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from newsclean.archives.archive_index import build_index
from newsclean.archives.extracting import ExtractionOptions, close_neighbors, extract_line
from newsclean.cli import main as newsclean
from newsclean.cluster import spark_job
from newsclean.cluster.spark import input_files, parse_arguments, run
from newsclean.cluster.spark_job import MAX_FILE, ArchiveJob, InputFile, JobError
from tests.browser.installed import not_run
from tests.cluster.archives import SITES, article_line, extracted, footer, write_warcs

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),  # all that Spark starts, on a machine that has much else to do
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets of py4j
    pytest.mark.filterwarnings("ignore::UserWarning"),  # settings of Spark that come too late
]

ROOT = Path(__file__).parents[2]
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


def environment() -> dict[str, str]:
    """Where Spark's workers find this Python, this package, and Spark its settings."""
    settings = " ".join(f"--conf '{name}={value}'" for name, value in SETTINGS.items())
    return {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "PYSPARK_SUBMIT_ARGS": f"{settings} pyspark-shell",
    }


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """One session for all tests of this file, of a server of Spark Connect that takes seconds."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        not_run("pyspark is not installed: make spark")
    before = os.environ.copy()
    os.environ.update(environment())
    try:
        session = SparkSession.builder.remote("local[2,4]").getOrCreate()
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
    job: ArchiveJob
    folder: Path
    report: dict[str, Any]
    expected: list[bytes]
    last: str
    said: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def warcs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three files, of which one is damaged, and one that is empty."""
    folder = tmp_path_factory.mktemp("archives")
    (folder / "empty.warc.gz").touch()
    return [*write_warcs(folder / "warcs"), str(folder / "empty.warc.gz")]


@pytest.fixture(scope="module")
def done(spark: Any, warcs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A job on these files, which was interrupted once."""
    folder = tmp_path_factory.mktemp("spark") / "out"
    said: list[str] = []
    files = input_files(spark, warcs)
    job = ArchiveJob(spark, files, str(folder), said.append, "jsonl", batch_files=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "_write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            job.run()
    said.append("interrupted")
    job = replace(job)
    report = job.run()
    return Done(warcs, job, folder, report, *extracted(warcs), said)


def interrupted() -> None:
    raise KeyboardInterrupt


def lines_of(folder: Path) -> list[bytes]:
    parts = sorted(folder.glob("articles/part-*.txt"))
    return [line for part in parts for line in part.read_bytes().splitlines(keepends=True)]


def test_lines_are_those_of_one_process(done: Done) -> None:
    assert len(done.expected) == 35
    assert lines_of(done.folder) == done.expected
    assert not any(footer(site).encode() in line for line in done.expected for site in SITES)


def test_a_job_that_was_interrupted_does_what_is_missing_and_nothing_else(done: Done) -> None:
    steps = [line.partition(":")[0] for line in done.said]
    first = ["read 0", "read 1", "learn", "neighborhoods", "extract 0", "extract 1"]
    assert steps == [*first, "interrupted", "neighborhoods", "write", "report"]
    assert done.job.run() == done.report
    assert [line.partition(":")[0] for line in done.said] == steps


def test_what_is_left_out_is_counted_once_and_failed_files_are_named(done: Done) -> None:
    assert done.report["left_out"] == {"damaged": 1, "http-404": 3, "unreadable": 1}
    assert done.last == "35 pages extracted; left out: 1 damaged, 3 http-404, 1 unreadable"
    assert list(done.report["failed_files"]) == [done.warcs[-1]]
    assert (done.report["pages"], done.report["articles"]) == (35, 35)
    (written,) = done.folder.glob("report/part-*")
    assert json.loads(written.read_text("utf-8")) == done.report


def test_pages_that_fail_or_kill_their_worker_cost_themselves_and_are_named(
    spark: Any, done: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cluster import deadly_rows

    monkeypatch.setattr(spark_job, "rows", deadly_rows)
    report = replace(done.job, folder=str(tmp_path / "out")).run()
    reasons = {"failed": 1, "out-of-memory": 1, "process-died": 1}
    assert report["left_out"] == done.report["left_out"] | reasons
    urls = ("herald.example/news/oslo", "courier.example/news/moss", "tidings.example/news/bergen")
    others = [line for line in done.expected if json.loads(line)["url"][8:] not in urls]
    assert lines_of(tmp_path / "out") == others
    assert len(others) == 32
    problems = [problem.partition(": ") for problem in report["failed_pages"]]
    assert all(where.startswith(f"{done.warcs[0]} at byte ") for where, _, _ in problems)
    assert [what for _, _, what in problems] == [
        "not enough memory for this page",
        "its process died twice, perhaps out of memory",
        "ZeroDivisionError('a page that nobody has thought of')",
    ]


def test_neighborhoods_that_are_joined_give_the_same_articles_as_parquet(
    spark: Any, done: Done, tmp_path: Path
) -> None:
    arguments = [word for path in done.warcs for word in ("--input", path)]
    arguments += ["--output", str(tmp_path / "out"), "--broadcast-mb", "0"]
    assert run(spark, parse_arguments(arguments)) == 0
    rows = spark.read.parquet(str(tmp_path / "out" / "articles")).collect()
    assert sorted(map(article_line, rows)) == sorted(done.expected)


def test_another_job_in_the_same_folder_is_refused(done: Done, tmp_path: Path) -> None:
    with pytest.raises(JobError, match="has a job with other files: give another --output"):
        replace(done.job, files=done.job.files[:1]).run()
    (tmp_path / "thesis.txt").write_text("of somebody else")
    with pytest.raises(JobError, match="is not empty: give another --output"):
        replace(done.job, folder=str(tmp_path)).run()


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
    options = ExtractionOptions(neighbors=memory)
    outcomes = [extract_line(position, options) for position in build_index(done.warcs[:3], 50)]
    close_neighbors()
    assert [outcome.line for outcome in outcomes] == done.expected


def test_a_later_job_takes_the_neighborhoods_of_an_earlier_one(done: Done, tmp_path: Path) -> None:
    job = replace(
        done.job,
        files=done.job.files[:1],
        folder=str(tmp_path / "out"),
        given=str(done.folder / "neighborhoods"),
    )
    job.run()
    assert lines_of(tmp_path / "out") == done.expected[:12]
    other = replace(
        job, extraction=ExtractionOptions("stadynot:paper+coreex"), folder=str(tmp_path / "other")
    )
    with pytest.raises(JobError, match="has 'block' keys, and the method needs 'element' keys"):
        other.run()


def test_inputs_are_patterns_lists_and_addresses(
    spark: Any, warcs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(warcs[0]).parent
    listed = tmp_path / "warc.paths"
    address = f"file://{warcs[1]}"
    listed.write_text(f"# two files\n{warcs[2]}\n\n{address}\n")

    def names(*inputs: str) -> list[str]:
        return [file.name for file in input_files(spark, inputs) if not file.failure]

    assert names(str(folder / "*.warc.gz")) == warcs[:3]
    assert names(str(listed), warcs[0]) == [warcs[2], address, warcs[0]]
    monkeypatch.chdir(folder)
    assert names("1.warc.gz", "[12].warc.gz") == ["1.warc.gz", "2.warc.gz"]
    for missing in ("*.wacz", "nowhere.paths", "nowhere.warc.gz"):
        arguments = ["--input", warcs[0], "--input", missing, "--output", str(tmp_path / "out")]
        with pytest.raises(JobError, match=f"--input: .*{missing[1:]}"):
            run(spark, parse_arguments(arguments))


def test_a_file_that_spark_cannot_take_as_one_row_is_a_failed_file() -> None:
    file = InputFile("a.warc", "file:/a.warc", MAX_FILE + 1)
    assert file.failure == "cannot read a.warc: it has more than 2,000,000,000 bytes, divide it"


@pytest.mark.process
def test_a_driver_that_was_killed_is_followed_by_one_that_takes_up_its_work(
    done: Done, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    inputs = [word for path in done.warcs for word in ("--input", path)]
    command = [sys.executable, "-m", "newsclean.cluster.spark", *inputs, "--output", str(out)]
    command += ["--format", "jsonl", "--batch-files", "1", "--master", "local[2,4]"]
    own = {name: value for name, value in os.environ.items() if "SPARK" not in name}
    with open(tmp_path / "log", "wb") as log:
        start = {"env": own | environment(), "stderr": log, "start_new_session": True}
        driver = subprocess.Popen(command, **start)  # type: ignore[call-overload]
        while driver.poll() is None and "extract 0" not in steps_in(out):
            time.sleep(0.05)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        before = steps_in(out)
        assert "report" not in before
        assert subprocess.run(command, **start).returncode == 0  # type: ignore[call-overload]
    assert lines_of(out) == done.expected
    after = steps_in(out)
    assert len(after) == len(set(after))
    assert set(before) < set(after)


def steps_in(folder: Path) -> list[str]:
    texts = [path.read_text("utf-8") for path in folder.glob("_job/steps/*.json")]
    return [json.loads(line)["step"] for text in texts for line in text.splitlines()]
