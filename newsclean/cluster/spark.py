"""`python -m newsclean.cluster.spark`: WARC files to the lines of `newsclean extract`, on Spark."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from newsclean.archives import Recipe
from newsclean.archives.extracting import extractor_of
from newsclean.cluster.spark_job import ArchiveJob, InputFile, JobError
from newsclean.extraction.methods import DEFAULT_METHOD
from newsclean.files import MAX_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

#: All cores of this machine; a task whose worker dies is run again, up to four times.
_LOCAL = "local[*,4]"
_USAGE, _UNUSABLE = 2, 3
_LIST_SUFFIXES = (".txt", ".paths", ".lst")
_SCHEME = re.compile(r"^[a-zA-Z][\w+.-]*:(//)?")

_EXAMPLES = """examples:
  python -m newsclean.cluster.spark --input "warcs/*.warc.gz" --output articles
  python -m newsclean.cluster.spark --input warc.paths --output s3a://bucket/articles
A job that was interrupted is taken up with the same command."""


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m newsclean.cluster.spark",
        description="Archives to articles, on Spark.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    what = "WARC and WACZ files, patterns of them, or lists of paths, one per line (.txt, .paths)"
    add("--input", action="append", required=True, metavar="PATH", help=f"{what}; repeatable")
    add("--output", required=True, metavar="FOLDER")
    add("--format", choices=("parquet", "jsonl"), default="parquet")
    add("--method", default=DEFAULT_METHOD)
    add("--model", help="for hybrid: a name, or a file that all workers have")
    add("--max-page-size", type=int, default=MAX_PAGE_SIZE, metavar="BYTES", help="of a page")
    add("--markdown", action="store_true", help="a column `markdown`, too")
    add("--no-images", action="store_true", help="leave pictures out of the HTML")
    add("--neighborhoods", metavar="FOLDER", help="of another job, in place of learning them")
    what = "neighborhoods up to this size go to each machine (default: 1000, about 10,000 sites); "
    what += "larger ones are joined with the pages"
    add("--broadcast-mb", type=float, default=1000, metavar="MB", help=what)
    what = "files whose work an interrupted job may lose (default: 200)"
    add("--batch-files", type=int, default=200, metavar="N", help=what)
    add("--master", help=f"where to run, unless spark-submit says it (default: {_LOCAL})")
    add("--remote", metavar="URL", help="a server of Spark Connect (sc://HOST:15002)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        import pyarrow  # noqa: F401 without which PySpark does without Arrow
        from pyspark.sql import SparkSession
    except ImportError:
        _say("the job needs pyspark and pyarrow, and pyspark Java: pip install 'newsclean[spark]'")
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
    """Do the job in a session that is there."""
    from pyspark.errors import AnalysisException

    how = {"markdown": options.markdown, "max_page_size": options.max_page_size}
    recipe = Recipe(options.method, options.model, images=not options.no_images, **how)
    try:
        method = extractor_of(recipe.method, recipe.model, recipe.images).method
    except ValueError as error:
        raise JobError(f"--method or --model: {error}") from None
    if method.needs_rendering:
        raise JobError(
            f"--method {recipe.method} needs a browser, which workers do not have: use it with "
            "newsclean extract"
        )
    try:
        files = input_files(spark, options.input)
    except AnalysisException as error:
        raise JobError(f"--input: {str(error).splitlines()[0]}") from None
    size, given = int(options.broadcast_mb * 1e6), options.neighborhoods
    report = ArchiveJob(
        spark, files, options.output, _say, options.format, recipe, given, size, options.batch_files
    ).run()
    for problem in (*report["failed_files"].values(), *report["failed_pages"]):
        _say(problem)
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in report["left_out"].items())
    left_out = f"; left out: {reasons}" if reasons else ""
    _say(f"{report['articles']:,} pages extracted{left_out}")
    return 0 if report["articles"] else _UNUSABLE


def input_files(spark: Any, inputs: Sequence[str]) -> list[InputFile]:
    """The files of the input in their order: lists as they are, patterns by name."""
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
        """Files as Spark calls them, and their sizes; it says nothing of files that are empty."""
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
    """A path that does not depend on the folder in which Spark runs."""
    return path if _SCHEME.match(path) else os.path.abspath(path)


def _key(path: str) -> str:
    """What is the same in all ways to write a path.

    >>> _key("file:///data/a.warc.gz") == _key("/data/a.warc.gz") == _key("file:/data/a.warc.gz")
    True
    """
    return _SCHEME.sub("", path)


def _shown(path: str, pattern: str) -> str:
    """A file that a pattern has found, written as the pattern is.

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
