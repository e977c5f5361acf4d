"""`newsclean demo`: crawl two small news sites on this machine and show the result."""

from __future__ import annotations

import argparse
from pathlib import Path

_DESCRIPTION = """Start two small news sites on this machine, crawl them, and show
what was learned, what was removed and how good the extracted articles are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        default=Path("demo-output"),
        help="folder for the JSON lines (default: demo-output)",
    )
    parser.add_argument(
        "--serve", action="store_true", help="only serve the sites, so that you can crawl them"
    )
    parser.add_argument(
        "--promos",
        action="store_true",
        help="with --serve: put a box that does not belong into the articles of the Ledger, to "
        "try corrections with newsclean serve",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.demo.show import serve, show  # Scrapy is slow to import

    return serve(promos=options.promos) if options.serve else show(options.output)
