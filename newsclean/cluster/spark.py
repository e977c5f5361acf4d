"""`python -m newsclean.cluster.spark`: archives to articles, as a job for Spark.

Takes a list of WARC paths and writes Parquet files or JSON lines, with the lines that
`newsclean extract` would write.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from newsclean.archives import Recipe
from newsclean.archives.extracting import extractor_of
from newsclean.cluster.files import is_list, is_local, local_matches, local_name
from newsclean.cluster.hadoop import HadoopFiles
from newsclean.cluster.job import ArchiveJob, JobOptions
from newsclean.cluster.plan import PARTITION_PAGES, JobError
from newsclean.extraction.methods import DEFAULT_METHOD
from newsclean.files import MAX_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

HOW_TO_GET = "pip install 'newsclean[spark]'"
#: All cores of this machine; a task whose worker dies is run again, up to four times.
LOCAL = "local[*,4]"
USAGE, UNUSABLE = 2, 3

EXAMPLES = """examples:
  python -m newsclean.cluster.spark --input "warcs/*.warc.gz" --output articles
  python -m newsclean.cluster.spark --input warc.paths --output s3a://bucket/articles
A job that was interrupted is taken up with the same command."""


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m newsclean.cluster.spark",
        description="Archives to articles, on Spark.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--input",
        action="append",
        required=True,
        metavar="WARC|PATTERN|LIST",
        help="WARC and WACZ files, by a pattern too, or a list of paths, one a line (.txt, "
        ".paths); may be given several times",
    )
    parser.add_argument("--output", required=True, metavar="FOLDER")
    parser.add_argument("--format", choices=("parquet", "jsonl"), default="parquet")
    parser.add_argument("--method", default=DEFAULT_METHOD)
    parser.add_argument("--model", help="for hybrid: a name, or a file that all workers have")
    parser.add_argument(
        "--max-page-size",
        type=int,
        default=MAX_PAGE_SIZE,
        metavar="BYTES",
        help=f"a larger page is left out (default: {MAX_PAGE_SIZE:,})",
    )
    parser.add_argument("--markdown", action="store_true", help="a column `markdown`, too")
    parser.add_argument("--no-images", action="store_true", help="leave pictures out of the HTML")
    parser.add_argument(
        "--neighborhoods",
        metavar="FOLDER",
        help="those that another job has written, in place of learning from the pages",
    )
    parser.add_argument(
        "--broadcast-mb",
        type=float,
        default=100,
        metavar="MB",
        help="neighborhoods up to this size go to each machine as a whole, larger ones are joined "
        "with the pages (default: 100, about 1,000 sites)",
    )
    parser.add_argument(
        "--partition-pages",
        type=int,
        default=PARTITION_PAGES,
        metavar="N",
        help=f"pages from which on an output partition is full (default: {PARTITION_PAGES:,})",
    )
    parser.add_argument(
        "--master", help=f"where to run, unless spark-submit says it (default: {LOCAL})"
    )
    parser.add_argument(
        "--retries", type=int, default=2, metavar="N", help="for files that cannot be read"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        say(f"the job needs pyspark, and pyspark Java: {HOW_TO_GET}")
        return USAGE
    builder = SparkSession.builder.appName("newsclean")
    if options.master or not is_submitted():
        builder = builder.master(options.master or LOCAL)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    try:
        return run(spark, options)
    except JobError as error:
        say(str(error))
        return USAGE
    finally:
        spark.stop()


def is_submitted() -> bool:
    """Whether spark-submit has started this process: it has said then where to run."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def run(spark: Any, options: argparse.Namespace) -> int:
    """Do the job in a session that is there."""
    recipe = Recipe(
        options.method,
        options.model,
        images=not options.no_images,
        markdown=options.markdown,
        max_page_size=options.max_page_size,
    )
    try:
        method = extractor_of(recipe.method, recipe.model, recipe.images).method
    except ValueError as error:
        raise JobError(f"--method or --model: {error}") from None
    if method.needs_rendering:
        raise JobError(
            f"--method {recipe.method} needs a browser, which workers do not have: use it with "
            "newsclean extract"
        )
    files = input_files(options.input, HadoopFiles(spark.sparkContext))
    job = ArchiveJob(
        spark,
        JobOptions(
            tuple(files),
            options.output,
            options.format,
            recipe,
            options.neighborhoods,
            int(options.broadcast_mb * 1e6),
            options.retries,
            partition_pages=options.partition_pages,
        ),
        say,
    )
    report = job.run()
    for problem in report["out_of_memory"]:
        say(problem)
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in report["left_out"].items())
    say(
        f"{report['articles']:,} pages extracted"
        + (f"; left out: {reasons}" if reasons else "")
        + (f"; {len(report['failed_files'])} files failed" if report["failed_files"] else "")
    )
    return 0 if report["articles"] else UNUSABLE


def input_files(inputs: Sequence[str], hadoop: HadoopFiles) -> list[str]:
    """The files of the input in their order: lists as they are, patterns by name."""
    named: list[str] = []
    for path in map(local_name, inputs):
        if is_list(path):
            lines = (line.strip() for line in _text(path, hadoop).splitlines())
            named.extend(local_name(line) for line in lines if line and not line.startswith("#"))
        else:
            named.append(path)
    found: list[str] = []
    for path in named:
        if is_local(path):
            found.extend(local_matches(path))
        else:
            found.extend(hadoop.matches(path) or ([] if "*" in path else [path]))
    files = list(dict.fromkeys(found))
    if not files:
        raise JobError(f"--input: no files at {', '.join(inputs)}")
    return files


def _text(path: str, hadoop: HadoopFiles) -> str:
    if not is_local(path):
        return hadoop.read(path)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise JobError(f"--input: cannot read {path}: {reason}") from None


def say(message: str) -> None:
    print(f"newsclean: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
