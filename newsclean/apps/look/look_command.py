"""`newsclean look`: a page as it was, with what was taken, what was left, and why."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from newsclean.cli.page_input import add_page_arguments, are_many, extractor_for, read_source_page
from newsclean.cli.terminal import UNREADABLE, USAGE, CommandError, for_terminal

_DESCRIPTION = """Write one HTML file that shows a page as it was beside its clean article.

Every block of the page is tinted: article, headline, byline, date, caption,
static noise (what the neighbors repeat), dynamic noise (links), other noise. A
click on a block, or Enter, says what spoke for and against it.

The file needs nothing else: no script of the page is in it, and nothing is
asked for when it is opened. Style sheets and pictures that are not in the page
itself are therefore missing."""

_EXAMPLES = """examples:
  newsclean look page.html --neighbors saved-pages/
  newsclean look https://example.org/story --out map.html
"""

#: Letters of a file name that is made of a page's name.
_MAX_NAME = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument("source", metavar="PAGE|URL|-", help="the page; - is standard input")
    add_page_arguments(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="(default: the page's name with .map.html, in this folder)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.apps.look.framed_page import look_page

    if options.source != "-" and are_many([options.source]):
        raise CommandError(f"{options.source}: look shows one page, not many", USAGE)
    extractor = extractor_for(options)
    if extractor.method.needs_rendering:
        raise CommandError(
            f"--method {options.method} works on rendered pages, which look does not show", USAGE
        )
    source = read_source_page(options, extractor)
    document = look_page(extractor(source.page, source.evidence), options.source)
    path = options.out or _default_name(options.source)
    try:
        Path(path).write_text(document, "utf-8", "replace")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}", UNREADABLE) from None
    print(f"written: {for_terminal(path)}")
    return 0


def _default_name(source: str) -> str:
    """The name of a map's file.

    >>> _default_name("saved/page-7.html.gz"), _default_name("https://example.org/a/story/?x=1")
    ('page-7.map.html', 'story.map.html')
    >>> _default_name("-")
    'page.map.html'
    """
    last = os.path.basename(source.partition("?")[0].rstrip("/"))
    stem = re.sub(r"(\.x?html?)?(\.gz)?$", "", last)
    name = re.sub(r"[^\w-]+", "-", stem).strip("-")[:_MAX_NAME] or "page"
    return f"{name}.map.html"
