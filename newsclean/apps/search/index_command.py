"""`newsclean index`: index articles from JSON lines or from the spool of a crawl."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from newsclean.cli.terminal import (
    TARGET_DOWN,
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    Progress,
    note,
)
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsclean.apps.search.index_target import IndexTarget, Written
    from newsclean.files import Line


DEFAULT_INDEX = "articles.sqlite"

#: Lines and bytes per batch.
_BATCH_LINES = 1000
_BATCH_BYTES = 16_000_000

#: Bad lines to report; the others are counted.
_MAX_NAMED = 20

_STANDARD_INPUT = "-"

#: The spool of crawls with default settings, relative to the folder they were started in.
_DEFAULT_SPOOL = ".scrapy/newsclean/index-spool.sqlite"
#: Seconds without success after which an index is considered down.
PATIENCE = 10.0

_DESCRIPTION = """Add exported articles to a search index, for newsclean search.

Articles are identified by their id. A newer revision replaces the one in the
index, an older one is skipped, and indexing the same lines again changes nothing.
After an interruption, run the same command again."""

_EXAMPLES = """examples:
  newsclean index articles.jsonl
  newsclean index monday.jsonl.gz tuesday.jsonl --index week.sqlite
  zcat *.jsonl.gz | newsclean index -
  newsclean index --deliver --index postgresql://news@db.example/articles
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="JSON lines, also gzipped; - is standard input"
    )
    add_index_option(parser)
    parser.add_argument("--all", action="store_true", help="include pages that are not articles")
    parser.add_argument(
        "--deliver",
        action="store_true",
        help="index the articles that a crawl left in its spool, refused ones included",
    )
    parser.add_argument(
        "--spool",
        metavar="FILE",
        default=_DEFAULT_SPOOL,
        help=f"the spool of --deliver (default: {_DEFAULT_SPOOL})",
    )
    parser.set_defaults(run=run)


def add_index_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--index",
        metavar="FILE",
        default=DEFAULT_INDEX,
        help=f"the index: a file, or the URL of a server (default: {DEFAULT_INDEX})",
    )


def run(options: argparse.Namespace) -> int:
    from newsclean.apps.search.index_target import IndexTargetError, TargetDownError, open_target

    if options.deliver:
        return deliver(options)
    if not options.files:
        raise CommandError("name the files to index, or use --deliver", USAGE)
    for name in options.files:
        if name != _STANDARD_INPUT and not os.path.exists(name):
            raise CommandError(f"{name}: no such file", UNREADABLE)
    try:
        target = open_target(options.index)
        try:
            indexing = Indexing(target, everything=options.all)
            indexing.read(options.files)
        finally:
            target.close()
    except IndexTargetError as error:
        raise CommandError(f"--index: {error}", USAGE) from None
    except TargetDownError as error:
        message = f"{error}; run the command again to index the rest"
        raise CommandError(message, TARGET_DOWN) from None
    indexing.say_result()
    return 0 if indexing.is_any_usable else UNUSABLE


class Indexing:
    """Read files, index their articles in batches, and count the results."""

    def __init__(self, target: IndexTarget, *, everything: bool) -> None:
        from newsclean.apps.search.index_target import Written

        self.target = target
        self.everything = everything
        self.written: Written = Written()
        self.bad = 0
        self.no_articles = 0

    def read(self, names: list[str]) -> None:
        sizes = [os.path.getsize(name) for name in names if os.path.isfile(name)]
        total = sum(sizes) if len(sizes) == len(names) else None
        with Progress("bytes") as progress:
            batch: list[tuple[str, int, Line]] = []
            size = done = 0
            for name in names:
                for number, line, place in self._articles(name):
                    batch.append((name, number, line))
                    size += sum(len(text) for text in line.values() if isinstance(text, str))
                    if len(batch) >= _BATCH_LINES or size >= _BATCH_BYTES:
                        self._write(batch)
                        batch, size = [], 0
                        progress.update("indexing", done + place(), total)
                done += os.path.getsize(name) if os.path.isfile(name) else 0
            self._write(batch)
            progress.update("indexing", done, total)

    def _articles(self, name: str) -> Iterator[tuple[int, Line, Callable[[], int]]]:
        """Yield the articles of a file, with a function that returns the bytes read so far."""
        from newsclean.files import BrokenLineError, json_lines

        try:
            with opened(name) as file:
                place = file.tell if os.path.isfile(name) else lambda: 0
                for (_, _, number), line in json_lines(file):
                    if isinstance(line, BrokenLineError):
                        self._name(name, number, str(line))
                    elif line.get("is_article") is False and not self.everything:
                        self.no_articles += 1
                    else:
                        yield number, line, place
        except OSError as error:
            raise CommandError(f"{name}: {error.strerror or error}", UNREADABLE) from None

    def _write(self, batch: list[tuple[str, int, Line]]) -> None:
        if not batch:
            return
        written = self.target.write([line for _, _, line in batch])
        for refused in written.refused:
            name, number, _ = batch[refused.place]
            self._name(name, number, refused.reason)
        self.written += written

    def _name(self, name: str, number: int, problem: str) -> None:
        self.bad += 1
        if self.bad <= _MAX_NAMED:
            note(f"{name}, line {number}: {problem}")

    @property
    def is_any_usable(self) -> bool:
        """Whether there was an article, or the input was empty."""
        counts = self.written
        articles = counts.new + counts.changed + counts.same + counts.older
        return articles > 0 or not (self.bad or self.no_articles)

    def say_result(self) -> None:
        counts = self.written
        if self.bad > _MAX_NAMED:
            note(f"and {counted(self.bad - _MAX_NAMED, 'more such line')}")
        note(_summary(counts))
        if self.bad or self.no_articles:
            note(
                "left out: "
                + counted(
                    self.bad,
                    "line that is not an article of newsclean",
                    "lines that are not articles of newsclean",
                )
                + ", "
                + counted(
                    self.no_articles, "page that is not an article", "pages that are not articles"
                )
            )


def _summary(counts: Written) -> str:
    return (
        f"{counted(counts.new, 'new article')}, {counts.changed:,} changed, "
        f"{counts.same:,} unchanged, {counts.older:,} older than in the index"
    )


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input."""
    if name == _STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with open(name, "rb") as file:
        yield file


def deliver(options: argparse.Namespace) -> int:
    """Index the articles that a crawl left in its spool."""
    from newsclean.apps.search.index_target import IndexTargetError, check_address
    from newsclean.apps.search.spool import Spool, SpoolDelivery, SpoolFileError
    from newsclean.files import StorageError

    if options.files:
        raise CommandError("--deliver takes no files: it sends what is in the spool", USAGE)
    if not os.path.exists(options.spool):
        raise CommandError(f"--spool: {options.spool}: no such file", UNREADABLE)
    try:
        check_address(options.index)
        spool = Spool(options.spool, options.index)
        spool.try_refused_again()
        others = spool.other_targets()
        delivery = SpoolDelivery(spool, options.index)
        delivery.start()
        left = delivery.deliver_all(PATIENCE)
    except IndexTargetError as error:
        raise CommandError(f"--index: {error}", USAGE) from None
    except (SpoolFileError, StorageError, OSError) as error:
        raise CommandError(f"--spool: {error}", UNREADABLE) from None
    note(_summary(delivery.written))
    for other in others:
        note(f"the spool also has articles for {other}: deliver them with --index")
    if delivery.refused:
        note(f"{counted(delivery.refused, 'article')} refused, kept in {options.spool}")
    if left:
        message = f"{counted(left, 'article')} still waiting: {delivery.last_error}"
        raise CommandError(message, TARGET_DOWN)
    return UNUSABLE if delivery.refused else 0
