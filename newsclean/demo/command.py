"""`newsclean demo`: a crawl of a news world of our own, from the first request to the figures."""

from __future__ import annotations

import argparse
from pathlib import Path

_DESCRIPTION = """Start two small news sites on this machine, crawl them, and show
what was learned, what was removed and how well the articles came out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--output", type=Path, default=Path("demo-output"), help="folder for the JSON lines"
    )
    parser.add_argument(
        "--serve", action="store_true", help="only serve the sites, to crawl them yourself"
    )
    parser.add_argument(
        "--promos",
        action="store_true",
        help="with --serve: articles of the Ledger hold a box that does not belong to them, to "
        "teach the site with newsclean serve",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.demo.show import serve, show  # Scrapy is slow to import

    return serve(promos=options.promos) if options.serve else show(options.output)
