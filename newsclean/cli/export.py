"""`newsclean export`: JSON lines as the bulk APIs of search servers take them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, UNUSABLE, CommandError
from newsclean.cli.numbers import positive
from newsclean.cli.terminal import for_terminal, note

if TYPE_CHECKING:
    from newsclean.bulk import ExportResult

#: Broken lines that are named; the others are counted.
MAX_NAMED = 20
KINDS = ("opensearch", "elasticsearch", "meilisearch", "typesense")

DESCRIPTION = """Write articles as files for the bulk API of a search server, each small enough for
one request, and a file that creates the index with the right fields.

Of an article that is in the input several times, its newest revision counts.
docs/search-servers.md has the commands that load the files."""

EXAMPLES = """examples:
  newsclean export --bulk opensearch articles.jsonl --out bulk
  newsclean export --bulk typesense monday.jsonl tuesday.jsonl --out articles.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXAMPLES
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="JSON lines of a crawl, also gzipped"
    )
    parser.add_argument("--bulk", choices=KINDS, required=True, help="the server")
    parser.add_argument(
        "--out",
        metavar="FOLDER|FILE",
        type=Path,
        required=True,
        help="a folder, or one file (.ndjson, .jsonl), which is not split",
    )
    parser.add_argument(
        "--max-mb",
        metavar="N",
        type=positive,
        default=10,
        help="megabytes of a request, and so of a file, at most (default: 10)",
    )
    parser.add_argument(
        "--all", action="store_true", help="also pages that the line says are no articles"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.bulk import export_files

    for path in options.files:
        if not path.is_file():
            problem = "is not a file" if path.exists() else "no such file"
            raise CommandError(f"{path}: {problem}; newsclean export wants JSON lines", UNREADABLE)
    try:
        result = export_files(
            options.files,
            options.out,
            options.bulk,
            max_bytes=options.max_mb * 1_000_000,
            everything=options.all,
        )
    except OSError as error:
        name = error.filename or options.out
        raise CommandError(f"{name}: {error.strerror or error}", UNREADABLE) from None
    say_result(result, options)
    if not result.articles:
        raise CommandError("no article in the input", UNUSABLE)
    print(for_terminal(str(options.out)))
    return 0


def say_result(result: ExportResult, options: argparse.Namespace) -> None:
    for place, problem in result.broken[:MAX_NAMED]:
        note(f"{options.files[place.file]}, line {place.number}: {problem}")
    if (more := len(result.broken) - MAX_NAMED) > 0:
        note(f"and {more:,} more such lines")
    files = "1 file" if len(result.files) == 1 else f"{len(result.files):,} files"
    note(f"{result.articles:,} articles in {files}; the fields are in {result.description}")
    counts = {
        "lines that cannot be used": len(result.broken),
        "pages that are no articles": result.no_articles,
        "older states of an article": result.older_states,
    }
    left_out = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    if left_out:
        note(f"left out: {left_out}")
    if result.oversized:
        note(
            f"{result.oversized:,} articles are larger than --max-mb {options.max_mb}: each is "
            "in a request of its own"
        )
