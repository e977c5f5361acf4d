"""`newsclean extract`: the article of one page, or of many."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from newsclean import Article, Extractor, Neighborhood, PageError
from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.cli.sources import are_many, check_many, page_files, read_file, read_source
from newsclean.cli.terminal import for_terminal, note
from newsclean.methods import DEFAULT_METHOD, METHODS, Evidence, ModelError
from newsclean.methods.hybrid import MEANINGS, explain
from newsclean.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Characters of a block that --explain shows.
SHOWN = 80

DESCRIPTION = """Print the article of a page, or of many.

Several pages, folders of saved pages and archives (WARC, WACZ) come out as JSON
lines, one a page, in their order. A urls.csv in a folder, with the columns file
and url, and perhaps category and date, says the addresses of its pages. A page
that cannot be used is named on standard error, and the others go on.

Some text comes out of every page that has any. If the page is probably no
article, a line on standard error says so and why, and so do is_article,
article_probability and extraction.no_article of --format json.

With --neighbors, other pages of the same site tell what the site repeats on
each page: menus, footers, cookie texts. Five or more make a difference. Pages
in a folder or an archive are each other's neighbors without it."""

EXAMPLES = """examples:
  newsclean extract page.html
  newsclean extract page.html --neighbors saved-pages/ --format html
  newsclean extract https://example.org/story --format json
  newsclean extract saved-pages/ --jobs 2 --out articles.jsonl
  newsclean extract CC-NEWS-20260314.warc.gz --out articles.jsonl
  curl -s https://example.org/story | newsclean extract - --url https://example.org/story
"""


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "extract",
        help="print the article of a page, or of many",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "sources",
        metavar="FILE|FOLDER|WARC|URL|-",
        nargs="+",
        help="the page or pages; - is standard input",
    )
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
    parser.add_argument("--model", metavar="FILE", help="another model for hybrid, from train")
    parser.add_argument(
        "--format",
        choices=("json", "jsonl", "text", "html"),
        help="of one page (default: text); many come out as jsonl",
    )
    parser.add_argument("--out", metavar="FILE", help="write to a file, not to standard output")
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=1, help="processes for many (default: 1)"
    )
    parser.add_argument("--url", help="the page's address, if FILE does not tell it")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="instead, a table of the page's blocks with what spoke for and against each "
        "(hybrid, alone or as the first of a chain)",
    )
    parser.add_argument("--no-images", action="store_true", help="leave pictures out of the HTML")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if are_many(options.sources):
        return run_many(options)
    (options.source,) = options.sources
    options.format = options.format or "text"
    return run_one(options)


def run_many(options: argparse.Namespace) -> int:
    """Many pages, to JSON lines."""
    from newsclean.archives import Recipe  # one page needs nothing of them
    from newsclean.cli.many import extract_many

    check_many(options.sources)
    for name, is_given in (
        ("--explain", options.explain),
        ("--url", options.url),
        (f"--format {options.format}", options.format not in (None, "jsonl")),
    ):
        if is_given:
            raise CommandError(f"{name} is for one page, many come out as JSON lines", USAGE)
    extractor_for(options)  # a wrong method is told before any work
    recipe = Recipe(options.method, options.model, not options.no_images)
    with output(options.out) as out:
        return extract_many(options.sources, options.neighbors, recipe, options.jobs, out, note)


def extractor_for(options: argparse.Namespace) -> Extractor:
    try:
        return Extractor(options.method, model=options.model, images=not options.no_images)
    except ModelError as error:
        raise CommandError(f"--model: {error}", USAGE) from None
    except ValueError as error:
        raise CommandError(f"--method: {error}", USAGE) from None


def run_one(options: argparse.Namespace) -> int:
    """The article of one page."""
    extractor = extractor_for(options)
    if options.explain:
        check_explainable(options)
    gc.disable()  # one page, and then the process ends; on a large one it saves a third of the time
    body, url, content_type = read_source(options.source)
    neighborhood = learn(options.neighbors, extractor) if options.neighbors else None
    try:
        page = Page.from_html(body, options.url or url, content_type)
    except PageError as error:
        raise CommandError(f"{options.source}: {error}", UNUSABLE) from None
    if page.is_cut:
        note(f"{options.source}: nested deeper than the HTML parser goes, what follows is lost")
    if neighborhood is not None:
        evidence = neighborhood.evidence_on(page)
    else:
        evidence = Evidence(extractor.method.score_blocks(page))
    if options.explain:
        show_reasons(page, extractor, evidence)
        return 0
    article = extractor(page, evidence).article(html_body=options.format != "text")
    if not article.body:
        raise CommandError(f"{options.source}: no article found", UNUSABLE)
    if url:
        article.fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
    with output(options.out) as out:
        write(article, options.format, out)
    if not article.is_article:
        reason, probability = article.extraction["no_article"], article.article_probability
        note(f"{options.source}: not an article ({reason}), probability {probability:.2f}")
    return 0


def check_explainable(options: argparse.Namespace) -> None:
    first = options.method.partition("+")[0].partition(":")[0].strip()
    if first != "hybrid":
        raise CommandError(
            "--explain tells the reasons of hybrid, alone or as the first of a chain, "
            f"and {options.method} does not begin with it",
            USAGE,
        )
    if options.format != "text":
        raise CommandError(
            f"--explain prints a table for people, --format {options.format} does not go with it",
            USAGE,
        )


def learn(paths: list[str], extractor: Extractor) -> Neighborhood:
    """A neighborhood of the pages at these paths; a page that cannot be used is named."""
    files = list(page_files(paths))
    neighborhood = Neighborhood(extractor.method, window=len(files))
    for path in files:
        try:
            neighborhood.learn(read_file(path), str(path))
        except (PageError, CommandError) as error:
            note(f"neighbor {path} left out: {error}")
    return neighborhood


def show_reasons(page: Page, extractor: Extractor, evidence: Evidence) -> None:
    """Print each block with what spoke for and against it, and what became of it in the end."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("", "tag", "words", "why", "text", box=None, padding=(0, 1))
    blocks = page.blocks
    words = blocks.sum(page.words).tolist()
    chosen = extractor(page, evidence).choice.rows[blocks.row].tolist()
    for block, reason in enumerate(explain(page, evidence)):
        tag = page.tag[int(page.parent[blocks.row[block]])]
        text = blocks.text[block]
        shown = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
        table.add_row(
            "+" if chosen[block] else "-" if reason.chosen else "",
            Text(for_terminal(tag)),
            str(words[block]),
            str(reason),
            Text(for_terminal(shown)),
            style="green" if chosen[block] else "dim",
        )
    Console().print(table)
    print("+ in the article; - taken by hybrid, and left out by what follows it")
    print("(…): the features that moved the network most, in log-odds:")
    print("; ".join(f"{kind}: {meaning}" for kind, meaning in MEANINGS.items()))


def write(article: Article, form: str, out: BinaryIO) -> None:
    if form == "json":
        text = json.dumps(article.to_dict(), ensure_ascii=False, indent=2)
    elif form == "jsonl":
        text = json.dumps(article.to_dict(), ensure_ascii=False)
    elif form == "html":
        text = article.body_html
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
