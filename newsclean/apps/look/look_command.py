"""`newsclean look`: write the noise map of a page."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from newsclean.cli.page_input import add_page_arguments, are_many, extractor_for, read_source_page
from newsclean.cli.terminal import UNREADABLE, USAGE, CommandError, for_terminal

_DESCRIPTION = """Write an HTML file that shows the original page beside its clean article.

Every block of the page is tinted: article, headline, byline, date, caption,
static noise (repeated on neighbors), dynamic noise (links), other noise. Click
a block, or press Enter on it, to see why it was kept or removed.

The file is self-contained: it has no scripts of the page and loads nothing
when it is opened. External style sheets and pictures are therefore missing."""

_EXAMPLES = """examples:
  newsclean look page.html --neighbors saved-pages/
  newsclean look https://example.org/story --out map.html
"""

#: Characters of a file name, without its suffix.
_MAX_NAME = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument("source", metavar="PAGE|URL|-", help="the page; - is standard input")
    add_page_arguments(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="the file to write (default: NAME.map.html in this folder, after the page's name)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.apps.look.framed_page import look_page

    if options.source != "-" and are_many([options.source]):
        raise CommandError(f"{options.source}: look shows one page at a time", USAGE)
    extractor = extractor_for(options)
    if extractor.method.needs_rendering:
        raise CommandError(
            f"--method {options.method} needs a rendered page, and look does not render pages",
            USAGE,
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
    """Return the name of the map's file.

    >>> _default_name("saved/page-7.html.gz"), _default_name("https://example.org/a/story/?x=1")
    ('page-7.map.html', 'story.map.html')
    >>> _default_name("-")
    'page.map.html'
    """
    last = os.path.basename(source.partition("?")[0].rstrip("/"))
    stem = re.sub(r"(\.x?html?)?(\.gz)?$", "", last)
    name = re.sub(r"[^\w-]+", "-", stem).strip("-")[:_MAX_NAME] or "page"
    return f"{name}.map.html"
