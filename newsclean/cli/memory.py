"""`newsclean memory`: list, show, forget, export and import what crawls have learned."""

from __future__ import annotations

import argparse
import contextlib
import sys
import zlib
from datetime import datetime
from typing import TYPE_CHECKING

from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    CommandError,
    for_terminal,
    positive,
    print_table,
)
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.memory import Memory

_DESCRIPTION = """Show, forget, export or import what crawls have learned.

The setting NEWSCLEAN_MEMORY names the memory. The default is the file
newsclean/memory.sqlite in the data folder of Scrapy (.scrapy)."""

_MAX_TEXTS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--memory", metavar="FILE", help="use another memory: a file, or postgresql://…"
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    actions.add_parser(
        "list",
        help="list sites and categories with their pages, keys, size, stored and kept pages",
    ).set_defaults(run=_show_all)
    show = actions.add_parser(
        "show", help="show the texts that a site repeats, and which URL patterns were articles"
    )
    show.add_argument("site", metavar="SITE", help="host name, such as example.org")
    show.add_argument(
        "--most",
        type=positive,
        default=_MAX_TEXTS,
        metavar="N",
        help=f"at most N texts and URL patterns (default: {_MAX_TEXTS})",
    )
    show.set_defaults(run=_show_site)
    forget = actions.add_parser("forget", help="forget what was learned about a site")
    forget.add_argument("site", metavar="SITE", help="host name, such as example.org")
    forget.add_argument(
        "--articles",
        action="store_true",
        help="also forget the delivered articles: the next crawl delivers all of them again",
    )
    forget.set_defaults(run=_forget_site)
    export = actions.add_parser("export", help="write what was learned to JSON lines")
    export.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="the file to write (default: standard output)",
    )
    export.set_defaults(run=_export_memory)
    add = actions.add_parser("import", help="add the export of another memory")
    add.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="JSON lines, plain or gzipped, of an export or of a Spark job "
        "(neighborhoods-jsonl/*.gz); - is standard input",
    )
    add.add_argument("--site", action="append", metavar="NAME", help="only this site; repeatable")
    add.set_defaults(run=_import_memory)


@contextlib.contextmanager
def opened(options: argparse.Namespace, *, make: bool = False) -> Iterator[Memory]:
    """Open the memory that the options name."""
    from scrapy.utils.project import get_project_settings  # Scrapy is slow to import

    from newsclean.crawl_state import memory_path
    from newsclean.files import StorageError
    from newsclean.memory import Memory, MemoryFileError
    from newsclean.memory.database import NoMemoryError

    path = options.memory or memory_path(get_project_settings())
    try:
        memory = Memory(path, make=make)
    except NoMemoryError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except MemoryFileError as error:
        raise CommandError(str(error), UNUSABLE) from None
    except StorageError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}", UNREADABLE) from None
    try:
        with contextlib.closing(memory):
            yield memory
    except StorageError as error:
        raise CommandError(str(error), UNREADABLE) from None


def _show_all(options: argparse.Namespace) -> int:
    from rich.table import Table
    from rich.text import Text

    from newsclean.memory.sharing import in_flight_elsewhere, overview

    table = Table()
    table.add_column("site", overflow="fold")
    table.add_column("category", overflow="fold")
    for name in ("pages", "keys", "KB", "waits", "kept", "last seen"):
        table.add_column(name, justify="right", no_wrap=True)
    with opened(options) as memory:
        rows = overview(memory)
        for row in rows:
            seen = datetime.fromtimestamp(row.last_seen).strftime("%Y-%m-%d")
            table.add_row(
                Text(for_terminal(row.site)),
                Text(for_terminal(row.category)),
                str(row.pages),
                f"{row.keys:,}",
                f"{row.size / 1000:,.1f}",
                str(row.stored),
                str(row.kept),
                seen if row.last_seen else "–",
            )
        size = memory.database.size()
        print_table(table)
        print(f"{for_terminal(memory.database.path)}: {size / 1e6:,.1f} MB")
        kept, kept_size = sum(row.kept for row in rows), sum(row.kept_size for row in rows)
        print(f"{counted(sum(row.stored for row in rows), 'page')} stored for the next crawl")
        print(f"{counted(kept, 'page')} kept, {kept_size / 1e6:,.1f} MB")
        for site, count in sorted(memory.deliveries.counts().items()):
            print(
                f"{for_terminal(site)}: {counted(count, 'article')} not yet confirmed in an output"
            )
        for host, count in in_flight_elsewhere(memory).items():
            articles = counted(count, "article")
            print(
                f"{for_terminal(host)}: {articles} not yet confirmed in files there; its "
                "next crawl checks them. If this host no longer exists, run one crawl with its "
                "name (NEWSCLEAN_HOST)"
            )
        for name, count in memory.database.damaged.counts.items():
            print(f"damaged rows skipped in the table {name}: {count}")
    return 0


def _show_site(options: argparse.Namespace) -> int:
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    from newsclean.extraction.methods.stadynot import TUNED

    with opened(options) as memory:
        site = _known_site(memory, options.site)
        neighborhood = memory.sites.neighborhood(site)
        title = (
            f"{escape(for_terminal(site))}: texts on most of {counted(len(neighborhood), 'page')}"
        )
        table = Table("pages", "text", title=title)
        for text, count in neighborhood.repeated(TUNED.support)[: options.most]:
            table.add_row(str(count), Text(for_terminal(text)))
        patterns = Table("articles", "others", "URL pattern", title="articles by URL pattern")
        for pattern, counts in list(memory.patterns.of(site).items())[: options.most]:
            numbers = (f"{count:g}" for count in counts)
            patterns.add_row(*numbers, Text(for_terminal(pattern)))
    print_table(table)
    if patterns.row_count:
        print_table(patterns)
    return 0


def _forget_site(options: argparse.Namespace) -> int:
    with opened(options) as memory:
        count = memory.forget(_known_site(memory, options.site), articles=options.articles)
    print(f"forgot {counted(count, 'page')} of {options.site}")
    return 0


def _export_memory(options: argparse.Namespace) -> int:
    from newsclean.memory.sharing import export_lines

    with opened(options) as memory, contextlib.ExitStack() as stack:
        try:
            file = (
                sys.stdout
                if options.file == "-"
                else stack.enter_context(open(options.file, "w", encoding="utf-8"))
            )
        except OSError as error:
            raise CommandError(
                f"cannot write {options.file}: {error.strerror}", UNREADABLE
            ) from None
        for line in export_lines(memory):
            file.write(f"{line}\n")
    return 0


def _import_memory(options: argparse.Namespace) -> int:
    from newsclean.files import opened as opened_file
    from newsclean.memory import MemoryFileError
    from newsclean.memory.sharing import import_lines

    count = 0
    with opened(options, make=True) as memory:
        for name in options.files:
            try:
                with opened_file(name) as lines:
                    count += import_lines(memory, lines, options.site)
            except MemoryFileError as error:
                raise CommandError(f"{name}: {error}", UNUSABLE) from None
            except (OSError, EOFError, zlib.error) as error:
                reason = getattr(error, "strerror", None) or error
                raise CommandError(f"cannot read {name}: {reason}", UNREADABLE) from None
    print(f"added {counted(count, 'page')}")
    return 0


def _known_site(memory: Memory, site: str) -> str:
    sites = memory.sites.names()
    if site not in sites:
        some = ", ".join(sites[:10]) or "no sites"
        raise CommandError(f"unknown site {site!r}; the memory has {some}", UNUSABLE)
    return site
