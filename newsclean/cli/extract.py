"""`newsclean extract`: extract the article of one page, or of many."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from newsclean.cli.page_input import (
    add_method_arguments,
    are_many,
    check_browser,
    check_many,
    corrections_file,
    extractor_for,
    read_file,
    read_source_page,
    rendering_of,
)
from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    Progress,
    for_terminal,
    note,
    positive,
    print_table,
)
from newsclean.discovery.joined_articles import ARTICLE_PAGES
from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.is_article.prediction import rule_in_words
from newsclean.extraction.is_article.trees import shipped
from newsclean.extraction.methods.hybrid.explaining import explain, meanings_for
from newsclean.files import MAX_NAMED, MAX_PAGE_SIZE
from newsclean.urls import saved_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from newsclean import Article, Extractor
    from newsclean.archives.extracting import ExtractionOptions
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.is_article.trees import Value
    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page

JSON = ("json", "jsonl")
#: Maximum characters of a block that --explain prints.
_SHOWN = 80
#: Maximum features that --explain names for an article, and against it.
NAMED = 5
_CC_NEWS_SERVER = "https://data.commoncrawl.org"

_DESCRIPTION = """Extract the article from one page, or from many.

Several pages, folders of saved pages and archives (WARC, WACZ) are written as
JSON lines, one line per page, in the order of the input. A folder may have a
urls.csv with the columns file and url, and optionally category and date. The
pages of one article are joined into one line if their URLs are known. A page
that cannot be used is reported on standard error, and the others are extracted.

Every page that has text gives a result. If the page is probably not an article,
a line on standard error says why, and so do the fields is_article,
article_probability and extraction.no_article of --format json.

JSON is one line per article, for newsclean read and newsclean index; on a terminal,
--format json prints it indented.

With --neighbors, other pages of the same site show what the site repeats on each
page: menus, footers, cookie notices. Five or more make a difference. The pages of
a folder or an archive are each other's neighbors anyway.

With --cc-news, the pages of each --site come from Common Crawl's news archives:
each archive of the period is read once, and another site needs only its records.
A command that was killed goes on where it was."""

_EXAMPLES = """examples:
  newsclean extract page.html
  newsclean extract page.html --neighbors saved-pages/ --format html
  newsclean extract https://example.org/story --format json
  newsclean extract https://example.org/story --format page --out story.html
  newsclean extract saved-pages/ --jobs 2 --out articles.jsonl
  newsclean extract CC-NEWS-20260314.warc.gz --out articles.jsonl
  newsclean extract --cc-news 2026-08-14 --site example.org --out articles.jsonl
  curl -s https://example.org/story | newsclean extract - --url https://example.org/story
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "sources",
        metavar="FILE|FOLDER|WARC|URL|-",
        nargs="*",
        help="one page or several; - is standard input",
    )
    add_method_arguments(parser)
    parser.add_argument(
        "--site",
        metavar="NAME|FILE",
        action="append",
        default=[],
        help="use the corrections of this site, which newsclean teach has saved in "
        "sites/NAME.corrections.toml or in FILE; with --cc-news, extract the pages of this site "
        "and its subdomains, or of each site in a FILE with one per line (repeatable)",
    )
    parser.add_argument(
        "--render",
        action="store_true",
        help="render each page in Chromium first, without network and JavaScript; visual always "
        "does, and mss then uses the rendered fonts",
    )
    parser.add_argument(
        "--format",
        choices=("json", "jsonl", "text", "html", "markdown", "page"),
        help="the format of one page (default: text): html is the body of the article, page a "
        "complete HTML page to read; many pages are always JSON lines",
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="write to a file instead of standard output"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        default=1,
        help="processes for many pages (default: 1)",
    )
    parser.add_argument(
        "--article-pages",
        metavar="N",
        type=positive,
        default=ARTICLE_PAGES,
        help="how many pages of an article in a folder or an archive are joined; 1 joins none "
        f"(default: {ARTICLE_PAGES})",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print instead why each block of the page was kept or removed, the article first "
        "(only hybrid, alone or as the first of a chain)",
    )
    parser.add_argument("--markdown", action="store_true", help="add the field `markdown` to JSON")
    parser.add_argument("--no-images", action="store_true", help="leave images out of the HTML")
    archives = parser.add_argument_group("news archives of the web")
    archives.add_argument(
        "--cc-news",
        metavar="PERIOD",
        help="extract the pages of each --site from Common Crawl's news archives of a month "
        "(2026-08), a day (2026-08-14) or several (2026-08-14..2026-09)",
    )
    archives.add_argument(
        "--cc-news-folder",
        metavar="FOLDER",
        default="cc-news",
        help="where the pages and an index of the archives are kept (default: cc-news)",
    )
    archives.add_argument(
        "--cc-news-server",
        metavar="URL",
        default=_CC_NEWS_SERVER,
        help=f"the server of the archives, or a mirror (default: {_CC_NEWS_SERVER})",
    )
    archives.add_argument(
        "--ignore-robots",
        action="store_true",
        help="read archives that the robots.txt of their server does not allow",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.cc_news is not None:
        return _run_cc_news(options)
    if options.ignore_robots:
        raise CommandError("--ignore-robots is only for --cc-news", USAGE)
    if not options.sources:
        raise CommandError("extract needs a page, a folder, an archive or --cc-news", USAGE)
    if len(options.site) > 1:
        raise CommandError("several --site need --cc-news: a page is of one site", USAGE)
    options.site = options.site[0] if options.site else None
    if are_many(options.sources):
        return _run_many(options)
    (options.source,) = options.sources
    options.format = options.format or "text"
    try:
        return _run_one(options)
    except MemoryError:
        raise CommandError(f"{options.source}: not enough memory for this page", UNUSABLE) from None


def _run_cc_news(options: argparse.Namespace) -> int:
    """Take the pages of sites from the archives, then extract them as those of any archive."""
    from difflib import get_close_matches

    from newsclean.archives.archive_server import ArchiveServer, ServerError  # only for this
    from newsclean.archives.cc_news import CcNews
    from newsclean.archives.saved import ArchiveError
    from newsclean.archives.wanted_news import Period
    from newsclean.cli.extract_many import BROKEN

    if options.sources:
        raise CommandError(f"--cc-news takes no other pages: {options.sources[0]}", USAGE)
    try:
        period = Period.parse(options.cc_news)
    except ValueError as error:
        raise CommandError(f"--cc-news: {error}", USAGE) from None
    sites = _named_sites(options.site)
    options.site = None  # each page is of its own site
    extraction = _options_for_many(options)
    if options.out is not None:
        check_output(options.out)  # before any download
    try:
        server = ArchiveServer(
            options.cc_news_server, obeys_robots=not options.ignore_robots, note=note
        )
    except ValueError as error:
        raise CommandError(f"--cc-news-server: {error}", USAGE) from None
    try:
        with CcNews(options.cc_news_folder, server, note) as archives:
            with Progress("MB", lines=20) as progress:
                found = archives.collect(
                    period,
                    sites,
                    lambda title, done, total: progress.update(
                        title, done // 1_000_000, total // 1_000_000
                    ),
                )
            note(found.in_words())
            for site in sorted(found.missing)[:MAX_NAMED]:
                near = get_close_matches(site, found.known, 1, cutoff=0.8)
                note(f"no pages of {site}" + (f"; did you mean {near[0]}?" if near else ""))
            code = UNUSABLE
            if found.files:
                code = _extract_all(found.files, options, extraction)
    except (ArchiveError, ServerError) as error:
        raise CommandError(f"--cc-news: {error}", UNREADABLE) from None
    return UNREADABLE if found.left_out.keys() & BROKEN else code


def _named_sites(names: list[str]) -> set[str]:
    """Return the sites of --site, by their names or by files with one per line."""
    from newsclean.archives.wanted_news import site_name

    sites = set()
    for name in names:
        is_list = name.endswith(".txt") or os.path.isfile(name)
        lines = read_file(Path(name)).decode("utf-8-sig", "replace") if is_list else name
        for number, line in enumerate(lines.splitlines(), 1):
            if is_list and (not line.strip() or line.lstrip().startswith("#")):
                continue
            try:
                sites.add(site_name(line))
            except ValueError as error:
                place = f"{name}, line {number}" if is_list else "--site"
                raise CommandError(f"{place}: {error}", USAGE) from None
    if not sites:
        raise CommandError("--cc-news needs a --site, such as --site example.org", USAGE)
    return sites


def _run_many(options: argparse.Namespace) -> int:
    check_many(options.sources)
    return _extract_all(options.sources, options, _options_for_many(options))


def _extract_all(
    sources: Sequence[str], options: argparse.Namespace, extraction: ExtractionOptions
) -> int:
    """Write the lines of many pages, and return the exit code."""
    from newsclean.cli.extract_many import extract_many  # not needed for one page

    with output(options.out) as out:
        return extract_many(
            sources,
            options.neighbors,
            extraction,
            options.jobs,
            out,
            note,
            options.article_pages,
        )


def _options_for_many(options: argparse.Namespace) -> ExtractionOptions:
    from newsclean.archives.extracting import ExtractionOptions

    for name, is_given in (
        ("--explain", options.explain),
        ("--url", options.url),
        (f"--format {options.format}", options.format not in (None, *JSON)),
    ):
        if is_given:
            raise CommandError(
                f"{name} is for one page; many pages are written as JSON lines", USAGE
            )
    # First, so that a wrong method is reported before any work.
    extractor = extractor_for(options, images=not options.no_images)
    return ExtractionOptions(
        options.method,
        options.model,
        images=not options.no_images,
        markdown=options.markdown,
        render=check_browser(extractor, options.render),
        corrections=None if options.site is None else str(corrections_file(options.site)),
        max_page_size=options.max_page_size or MAX_PAGE_SIZE,
    )


def _run_one(options: argparse.Namespace) -> int:
    extractor = extractor_for(options, images=not options.no_images)
    if options.explain:
        _check_explainable(options)
    is_rendered = check_browser(extractor, options.render)
    gc.disable()  # the process ends after one page; saves a third of the time on large ones
    body, url, content_type, page, evidence = read_source_page(options, extractor)
    if is_rendered:
        rendering = rendering_of(options.source, page, body, content_type)
        evidence = replace(evidence, rendering=rendering)
    if options.explain:
        _show_reasons(page, extractor, evidence)
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
        from importlib.metadata import entry_points

        (page,) = entry_points(group="newsclean.formats", name=form)
        text = page.load()(article.to_dict(), images=images)
    else:
        text = "\n\n".join(filter(None, (article.headline, article.body)))
    out.write(text.encode("utf-8", "replace") + b"\n")
    out.flush()


@contextmanager
def output(path: str | None) -> Iterator[BinaryIO]:
    """Open the file for the articles, or standard output."""
    if path is None:
        yield sys.stdout.buffer
        return
    check_output(path)
    with _opened_output(path, "wb") as file:
        yield file


def check_output(path: str) -> None:
    """Refuse a file that cannot be written; one that exists stays as it is."""
    if os.path.isfile(path) or not os.path.exists(path):  # a pipe is opened once
        _opened_output(path, "ab").close()


def _opened_output(path: str, mode: Literal["ab", "wb"]) -> BinaryIO:
    if path.lower().endswith(".parquet"):
        raise CommandError(
            f"--out {path}: extract writes JSON lines; DuckDB makes Parquet of them: "
            "COPY (FROM 'articles.jsonl') TO 'articles.parquet'",
            USAGE,
        )
    try:
        return Path(path).open(mode)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"--out: cannot write {path}: {reason}", UNREADABLE) from None


def _check_explainable(options: argparse.Namespace) -> None:
    first = options.method.partition("+")[0].partition(":")[0].strip()
    if first != "hybrid":
        raise CommandError(
            "--explain needs the method hybrid, alone or as the first of a chain, "
            f"not {options.method}",
            USAGE,
        )
    if options.format != "text":
        raise CommandError(
            f"--explain prints a table: it cannot be used with --format {options.format}",
            USAGE,
        )


def _show_reasons(page: Page, extractor: Extractor, evidence: Evidence) -> None:
    """Print each block, whether it is in the article, and why."""
    from rich.text import Text

    blocks = page.blocks
    words = blocks.sum(page.words).tolist()
    extraction = extractor(page, evidence)
    chosen = extraction.choice.rows[blocks.row].copy()
    chosen[[*extraction.flips.added]] = True
    chosen[[*extraction.flips.removed]] = False
    chosen = chosen.tolist()
    said = {block: [f"corrected by {' '.join(ids)}"] for block, ids in extraction.flips.by.items()}
    rows: list[tuple[RenderableType, ...]] = []
    for block, reason in enumerate(explain(page, evidence)):
        tag = page.tag[int(page.parent[blocks.row[block]])]
        text = blocks.text[block]
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        rows.append(
            (
                "+" if chosen[block] else "-" if reason.chosen else "",
                Text(for_terminal(tag)),
                str(words[block]),
                ", ".join([str(reason), *said.get(block, ())]),
                Text(for_terminal(shown)),
            )
        )
    # The article first: a page may have hundreds of blocks before it.
    first, end = (
        (chosen.index(True), len(rows) - chosen[::-1].index(True)) if any(chosen) else (0, 0)
    )
    print("+ in the article; - chosen by hybrid, and removed by a later step")
    if evidence.scores is not None:
        print("(…): the features that changed the prediction most, in log-odds:")
        for kind, meaning in meanings_for(evidence.scores).items():
            print(f"    {kind}: {meaning}")
    print()
    _show_blocks("From the first block of the article to its last:", rows[first:end])
    _show_blocks("Before the article:", rows[:first])
    _show_blocks("After the article:", rows[end:])
    _show_prediction(extraction)


def _show_prediction(extraction: Extraction) -> None:
    """Print whether the page is an article, and which features say so."""
    prediction = extraction.prediction
    model = shipped()["pages"]
    what = "an article" if prediction.is_article else f"not an article ({prediction.reason})"
    print(f"{what}: probability {prediction.probability:.3f}, needed {model.threshold:g}")
    case = model.case_of(extraction.article_features, extraction.page_words)
    probability = model.ensemble.probability(case)
    if rule := rule_in_words(case, probability):
        print(f"  by a rule that overrides the trees: {rule}")
    elif prediction.is_article and probability < model.threshold:
        print("  by a rule that overrides its URL: everything else shows an article")
    changes = model.ensemble.changes(case)
    ranked = sorted(changes, key=lambda name: -abs(changes[name]))
    for word, sign in (("for", 1), ("against", -1)):
        named = [name for name in ranked if sign * changes[name] > 0][:NAMED]
        if named:
            moved = (f"{name} {changes[name]:+.2f} ({_value(case[name])})" for name in named)
            print(f"  {word} an article: {for_terminal(', '.join(moved))}")
    print()


def _value(value: Value) -> str:
    return "unknown" if value is None else value if isinstance(value, str) else f"{value:.3g}"


def _show_blocks(heading: str, rows: list[tuple[RenderableType, ...]]) -> None:
    from rich.table import Column, Table

    if not rows:
        return
    table = Table(Column(min_width=1), "tag", "words", "why", "text", box=None, padding=(0, 1))
    for row in rows:
        table.add_row(*row, style="green" if row[0] == "+" else "dim")
    print(heading)
    print_table(table)
    print()
