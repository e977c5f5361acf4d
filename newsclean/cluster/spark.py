"""`python -m newsclean.cluster.spark`: extract archives on Spark, as `newsclean extract` does."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from newsclean.archives.extracting import ExtractionOptions, extractor_of
from newsclean.cluster.spark_job import ArchiveJob, InputFile, JobError
from newsclean.error_hints import install_command
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.text import counted
from newsclean.files import MAX_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

#: All cores of this machine; a task whose worker dies is run up to four times.
_LOCAL = "local[*,4]"
_USAGE, _UNUSABLE = 2, 3
_LIST_SUFFIXES = (".txt", ".paths", ".lst")
_SCHEME = re.compile(r"^[a-zA-Z][\w+.-]*:(//)?")

_EXAMPLES = """examples:
  python -m newsclean.cluster.spark --input "warcs/*.warc.gz" --output articles
  python -m newsclean.cluster.spark --input warc.paths --output s3a://bucket/articles
Run the same command again to resume an interrupted job."""


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m newsclean.cluster.spark",
        description="Extract the articles of web archives on Spark.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    what = "WARC or WACZ file, glob pattern, or list of paths, one per line (.txt, .paths, .lst)"
    add("--input", action="append", required=True, metavar="PATH", help=f"{what}; repeatable")
    add("--output", required=True, metavar="FOLDER", help="folder for articles and report")
    add("--format", choices=("parquet", "jsonl"), default="parquet", help="(default: parquet)")
    add("--method", default=DEFAULT_METHOD, help=f"(default: {DEFAULT_METHOD})")
    add("--model", help="another model for hybrid: a name, or a file on all workers")
    what = f"leave out larger pages (default: {MAX_PAGE_SIZE:,})"
    add("--max-page-size", type=int, default=MAX_PAGE_SIZE, metavar="BYTES", help=what)
    add("--markdown", action="store_true", help="add the column `markdown`")
    add("--no-images", action="store_true", help="leave images out of the HTML")
    add("--neighborhoods", metavar="FOLDER", help="those of another job, instead of learning them")
    what = "send neighborhoods up to this size to each machine, join larger ones with the pages "
    what += "(default: 1000, about 10,000 sites)"
    add("--broadcast-mb", type=float, default=1000, metavar="MB", help=what)
    what = "files per batch: an interrupted job loses at most one batch (default: 200)"
    add("--batch-files", type=int, default=200, metavar="N", help=what)
    add("--master", help=f"where to run, if not started by spark-submit (default: {_LOCAL})")
    add("--remote", metavar="URL", help="a Spark Connect server (sc://HOST:15002)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        import pyarrow  # noqa: F401 without it PySpark does not use Arrow
        from pyspark.sql import SparkSession
    except ImportError:
        _say(f"the job needs pyspark (with Java) and pyarrow: {install_command('spark')}")
        return _USAGE
    builder = SparkSession.builder.appName("newsclean")
    is_said = not {"PYSPARK_GATEWAY_PORT", "SPARK_REMOTE"}.isdisjoint(os.environ)  # by spark-submit
    if options.remote:
        builder = builder.remote(options.remote)
    elif options.master or not is_said:
        builder = builder.master(options.master or _LOCAL)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    try:
        return run(spark, options)
    except JobError as error:
        _say(str(error))
        return _USAGE
    finally:
        spark.stop()


def run(spark: Any, options: argparse.Namespace) -> int:
    """Run the job in a Spark session."""
    from pyspark.errors import AnalysisException

    how = {"markdown": options.markdown, "max_page_size": options.max_page_size}
    extraction = ExtractionOptions(
        options.method, options.model, images=not options.no_images, **how
    )
    try:
        method = extractor_of(extraction.method, extraction.model, extraction.images).method
    except ValueError as error:
        raise JobError(f"--method or --model: {error}") from None
    if method.needs_rendering:
        raise JobError(
            f"--method {extraction.method} needs a browser, which workers do not have: use "
            "newsclean extract"
        )
    try:
        files = input_files(spark, options.input)
    except AnalysisException as error:
        raise JobError(f"--input: {str(error).splitlines()[0]}") from None
    size, given = int(options.broadcast_mb * 1e6), options.neighborhoods
    report = ArchiveJob(
        spark,
        files,
        options.output,
        _say,
        options.format,
        extraction,
        given,
        size,
        options.batch_files,
    ).run()
    for problem in (*report["failed_files"].values(), *report["failed_pages"]):
        _say(problem)
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in report["left_out"].items())
    left_out = f"; left out: {reasons}" if reasons else ""
    _say(f"{counted(report['articles'], 'page')} extracted{left_out}")
    return 0 if report["articles"] else _UNUSABLE


def input_files(spark: Any, inputs: Sequence[str]) -> list[InputFile]:
    """Return the input files in order: lists as they are, matches of patterns by name."""
    named: list[str] = []
    for each in inputs:
        if each.lower().endswith(_LIST_SUFFIXES):
            texts = spark.read.text(_whole(each), wholetext=True).collect()
            lines = [line.strip() for (text,) in texts for line in text.splitlines()]
            named += [line for line in lines if line and not line.startswith("#")]
        else:
            named.append(each)
    reader = spark.read.format("binaryFile")

    def found(*paths: str) -> dict[str, int]:
        """Return the paths and sizes of files from Spark, which does not list empty files."""
        return dict(reader.load(list(paths)).select("path", "length").collect()) if paths else {}

    patterns = {name for name in named if not {"*", "?", "[", "{"}.isdisjoint(name)}
    plain = found(*(_whole(name) for name in named if name not in patterns))
    paths = {_key(path): (path, size) for path, size in plain.items()}
    files: dict[str, InputFile] = {}
    for name in named:
        if name in patterns:
            for path, size in sorted(found(_whole(name)).items()):
                shown = _shown(path, name)
                files.setdefault(shown, InputFile(shown, path, size))
        else:
            files.setdefault(name, InputFile(name, *paths.get(_key(_whole(name)), ("", 0))))
    if not files:
        raise JobError(f"--input: no files at {', '.join(inputs)}")
    return list(files.values())


def _whole(path: str) -> str:
    """Make a path independent of the folder in which Spark runs."""
    return path if _SCHEME.match(path) else os.path.abspath(path)


def _key(path: str) -> str:
    """Return what all spellings of a path have in common.

    >>> _key("file:///data/a.warc.gz") == _key("/data/a.warc.gz") == _key("file:/data/a.warc.gz")
    True
    """
    return _SCHEME.sub("", path)


def _shown(path: str, pattern: str) -> str:
    """Return a path that a pattern has matched, written like the pattern.

    >>> _shown("file:/data/a.warc.gz", "/data/*.gz"), _shown("hdfs://n/a.gz", "hdfs://n/*.gz")
    ('/data/a.warc.gz', 'hdfs://n/a.gz')
    """
    if _SCHEME.match(pattern):
        return path
    return _key(path) if os.path.isabs(pattern) else os.path.relpath(_key(path))


def _say(message: str) -> None:
    print(f"newsclean: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
