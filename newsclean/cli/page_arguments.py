"""The arguments of commands that find the article of a page."""

from __future__ import annotations

import argparse

from newsclean.cli.numbers import positive
from newsclean.extraction.methods import DEFAULT_METHOD, METHODS
from newsclean.files import MAX_PAGE_SIZE, MAX_SINGLE_SIZE
from newsclean.urls import resolve_url


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """How the article is found, and what is known of its page."""
    parser.add_argument(
        "--neighbors",
        metavar="PATH",
        nargs="+",
        default=[],
        help="pages of the same site, or folders",
    )
    names = ", ".join(sorted(METHODS))
    parser.add_argument(
        "--method",
        default=DEFAULT_METHOD,
        metavar="NAME",
        help=f"{names}; chain with +, NAME:paper for the published parameters, "
        "tree:n=NUMBER for another ancestor than the second "
        f"(default: {DEFAULT_METHOD})",
    )
    parser.add_argument(
        "--model",
        metavar="FILE",
        help="another model for hybrid (open, which comes with newsclean, or a file), "
        "or network for visual",
    )
    parser.add_argument(
        "--max-page-size",
        metavar="BYTES",
        type=positive,
        help="a larger page is left out "
        f"(default: {MAX_PAGE_SIZE:,}, and {MAX_SINGLE_SIZE:,} for a page by itself)",
    )
    parser.add_argument(
        "--url", type=page_address, help="the page's address, if the file does not tell it"
    )
    parser.add_argument(
        "--site",
        metavar="NAME|FILE",
        help="the site of the page: NAME.corrections.toml in the folder sites, or a file, has "
        "what newsclean teach has learned of it",
    )


def page_address(text: str) -> str:
    """The address of a page, as somebody has typed it."""
    if resolve_url(text, None) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the address of a page: it needs http:// or https://, and a host"
        )
    return text
