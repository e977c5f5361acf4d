"""`newsclean demo`: crawl two small news sites on this machine and show the result."""

from __future__ import annotations

import argparse
from pathlib import Path

#: The same in each run, so that the commands of the documentation can be copied.
PORT = 8801

_DESCRIPTION = """Start two small news sites on this machine, crawl them, and show
what was learned, what was removed and how good the extracted articles are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    add = parser.add_argument
    folder, what = Path("demo-output"), "folder for the JSON lines (default: demo-output)"
    add("--output", metavar="FOLDER", type=Path, default=folder, help=what)
    add("--serve", action="store_true", help="only serve the sites, so that you can crawl them")
    add(
        "--promos",
        action="store_true",
        help="with --serve: put a box into the articles of the Ledger that does not belong there, "
        "to try corrections with newsclean serve",
    )
    add(
        "--port",
        type=int,
        default=PORT,
        help=f"with --serve: the port of the first site, the others follow; 0 picks free ports "
        f"(default: {PORT})",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.demo.show import serve, show  # Scrapy is slow to import

    return serve(options.port, promos=options.promos) if options.serve else show(options.output)
