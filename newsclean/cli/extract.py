"""`newsclean extract`: the article of one page, or of many."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.explain import check_explainable, show_reasons
from newsclean.cli.numbers import positive
from newsclean.cli.page_arguments import add_page_arguments
from newsclean.cli.rendering import check_browser, rendering_of
from newsclean.cli.source_page import corrections_file, extractor_for, read_source_page
from newsclean.cli.sources import are_many, check_many
from newsclean.cli.terminal import note
from newsclean.extraction.body import render_markdown
from newsclean.files import MAX_PAGE_SIZE
from newsclean.urls import saved_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean import Article

JSON = ("json", "jsonl")

DESCRIPTION = """Print the article of a page, or of many.

Several pages, folders of saved pages and archives (WARC, WACZ) come out as JSON
lines, one a page, in their order. A urls.csv in a folder, with the columns file
and url, and perhaps category and date, says the addresses of its pages. A page
that cannot be used is named on standard error, and the others go on.

Some text comes out of every page that has any. If the page is probably no
article, a line on standard error says so and why, and so do is_article,
article_probability and extraction.no_article of --format json.

JSON is one line per article, for newsclean read, index and export; on a terminal
--format json has it in several lines, to read.

With --neighbors, other pages of the same site tell what the site repeats on
each page: menus, footers, cookie texts. Five or more make a difference. Pages
in a folder or an archive are each other's neighbors without it."""

EXAMPLES = """examples:
  newsclean extract page.html
  newsclean extract page.html --neighbors saved-pages/ --format html
  newsclean extract https://example.org/story --format json
  newsclean extract https://example.org/story --format page --out story.html
  newsclean extract saved-pages/ --jobs 2 --out articles.jsonl
  newsclean extract CC-NEWS-20260314.warc.gz --out articles.jsonl
  curl -s https://example.org/story | newsclean extract - --url https://example.org/story
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXAMPLES
    parser.add_argument(
        "sources",
        metavar="FILE|FOLDER|WARC|URL|-",
        nargs="+",
        help="the page or pages; - is standard input",
    )
    add_page_arguments(parser)
    parser.add_argument(
        "--render",
        action="store_true",
        help="show each page in Chromium first, without network and JavaScript: visual always "
        "does, and mss then reads the fonts as shown",
    )
    parser.add_argument(
        "--format",
        choices=("json", "jsonl", "text", "html", "markdown", "page"),
        help="of one page (default: text); page is a whole page to read, html only the body of "
        "the article; many come out as JSON lines",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file, not to standard output")
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="processes for many (default: 1)"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="instead, a table of the page's blocks with what spoke for and against each, those "
        "of the article first (hybrid, alone or as the first of a chain)",
    )
    parser.add_argument("--markdown", action="store_true", help="a field `markdown` in JSON, too")
    parser.add_argument("--no-images", action="store_true", help="leave pictures out of the HTML")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if are_many(options.sources):
        return run_many(options)
    (options.source,) = options.sources
    options.format = options.format or "text"
    try:
        return run_one(options)
    except MemoryError:
        raise CommandError(f"{options.source}: not enough memory for this page", UNUSABLE) from None


def run_many(options: argparse.Namespace) -> int:
    """Many pages, to JSON lines."""
    from newsclean.archives import Recipe  # one page needs nothing of them
    from newsclean.cli.many import extract_many

    check_many(options.sources)
    for name, is_given in (
        ("--explain", options.explain),
        ("--url", options.url),
        (f"--format {options.format}", options.format not in (None, *JSON)),
    ):
        if is_given:
            raise CommandError(f"{name} is for one page, many come out as JSON lines", USAGE)
    extractor = extractor_for(
        options, images=not options.no_images
    )  # a wrong method is told before any work
    recipe = Recipe(
        options.method,
        options.model,
        images=not options.no_images,
        markdown=options.markdown,
        render=check_browser(extractor, options.render),
        corrections=None if options.site is None else str(corrections_file(options.site)),
        max_page_size=options.max_page_size or MAX_PAGE_SIZE,
    )
    with output(options.out) as out:
        return extract_many(options.sources, options.neighbors, recipe, options.jobs, out, note)


def run_one(options: argparse.Namespace) -> int:
    """The article of one page."""
    extractor = extractor_for(options, images=not options.no_images)
    if options.explain:
        check_explainable(options)
    is_rendered = check_browser(extractor, options.render)
    gc.disable()  # one page, and then the process ends; on a large one it saves a third of the time
    body, url, content_type, page, evidence = read_source_page(options, extractor)
    if is_rendered:
        rendering = rendering_of(options.source, page, body, content_type)
        evidence = replace(evidence, rendering=rendering)
    if options.explain:
        show_reasons(page, extractor, evidence)
        return 0
    article = extractor(page, evidence).article(
        html_body=options.format != "text", markdown=options.markdown and options.format in JSON
    )
    if not article.body:
        raise CommandError(f"{options.source}: no article found", UNUSABLE)
    if article.id is None:
        name = "" if options.source == "-" else Path(options.source).name
        article.id = saved_id(name, body)
    if url:
        article.fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
    with output(options.out) as out:
        write(article, options.format, out, images=not options.no_images)
    if not article.is_article:
        reason, probability = article.extraction["no_article"], article.article_probability
        note(f"{options.source}: not an article ({reason}), probability {probability:.2f}")
    return 0


def write(article: Article, form: str, out: BinaryIO, *, images: bool = True) -> None:
    if form in JSON:
        indent = 2 if form == "json" and out.isatty() else None
        text = json.dumps(article.to_dict(), ensure_ascii=False, indent=indent)
    elif form == "html":
        text = article.body_html
    elif form == "markdown":
        text = render_markdown(f"<h1>{escape(article.headline or '')}</h1>{article.body_html}")
    elif form == "page":
        from newsclean.reader.article import read_article
        from newsclean.reader.templating import single_page

        text = single_page(read_article(article.to_dict(), images=images)).rstrip()
    else:
        text = "\n\n".join(filter(None, (article.headline, article.body)))
    out.write(text.encode("utf-8", "replace") + b"\n")
    out.flush()


@contextmanager
def output(path: str | None) -> Iterator[BinaryIO]:
    """Where articles are written: a file, or standard output."""
    if path is None:
        yield sys.stdout.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(path).open("wb"))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CommandError(f"--out: cannot write {path}: {reason}", UNREADABLE) from None
        yield file
