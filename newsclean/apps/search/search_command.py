"""`newsclean search`: find articles in an index."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from newsclean.apps.search.index_command import add_index_option
from newsclean.cli.terminal import (
    TARGET_DOWN,
    USAGE,
    CommandError,
    json_for_terminal,
    note,
    one_line,
    positive,
)
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from newsclean.apps.search.query_language import SearchRequest
    from newsclean.apps.search.search_results import Hit, SearchResults, Snippet


_DEFAULT_LIMIT = 10
_MAX_LIMIT = 1000

_DESCRIPTION = """Find articles in an index made by newsclean index, best matches first.

  rain storm            both words, in any form: rains, rained, storms
  "heavy rain"          this exact phrase
  rain OR snow          either word
  rain -snow            the first word, but not the second; also NOT snow
  headline:rain         in the headline; also body: author: keyword:
  meteo*                words that begin with this
  (rain OR snow) storm  parentheses group words

Capitals, accents and punctuation are ignored. Near copies, such as an agency's
text on several sites, are grouped into one result. An empty query ("") lists all
articles."""

_EXAMPLES = """examples:
  newsclean search '"heavy rain" OR flood*' --since 7d
  newsclean search storm --site example.org --section weather --newest
  newsclean search storm --json --limit 100
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument("query", metavar="QUERY", nargs="+", help="words to search for")
    add_index_option(parser)
    parser.add_argument(
        "--site", action="append", default=[], help="only articles of this site; can be repeated"
    )
    parser.add_argument(
        "--section",
        action="append",
        default=[],
        help="only articles of this section; can be repeated",
    )
    parser.add_argument(
        "--since",
        metavar="TIME",
        help="published since a date (2026-03-14) or within an age (7d, 36h)",
    )
    parser.add_argument("--until", metavar="TIME", help="published before this date or age")
    parser.add_argument("--newest", action="store_true", help="sort by date, newest first")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=positive,
        default=_DEFAULT_LIMIT,
        help="number of results (default: 10)",
    )
    parser.add_argument(
        "--offset", metavar="N", type=positive, default=0, help="number of results to skip"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.apps.search.index_target import IndexTargetError, TargetDownError, open_search
    from newsclean.apps.search.query_language import QueryError

    request = _request_of(options)
    try:
        index = open_search(options.index)
        try:
            results = index.search(request)
        finally:
            index.close()
    except QueryError as error:
        raise CommandError(f"query: {error}", USAGE) from None
    except IndexTargetError as error:
        raise CommandError(f"--index: {error}", USAGE) from None
    except TargetDownError as error:
        raise CommandError(str(error), TARGET_DOWN) from None
    if options.json:
        print(json_for_terminal(results.to_dict()))
    else:
        _print_results(results, request)
    return 0


def _request_of(options: argparse.Namespace) -> SearchRequest:
    from newsclean.apps.search.query_language import SearchRequest
    from newsclean.discovery.entries import Window

    try:
        window = Window.of(options.since, options.until)
    except ValueError as error:
        raise CommandError(f"--{error}", USAGE) from None
    if options.limit > _MAX_LIMIT:
        raise CommandError(f"--limit {options.limit}: at most {_MAX_LIMIT:,}; see --offset", USAGE)
    return SearchRequest(
        " ".join(options.query),
        tuple(options.site),
        tuple(options.section),
        window.since,
        window.until,
        options.newest,
        options.limit,
        options.offset,
    )


def _print_results(results: SearchResults, request: SearchRequest) -> None:
    if not results.total:
        note("nothing was found")
        return
    for number, hit in enumerate(results.hits, request.offset + 1):
        print(f"{number}. {_lines_of(hit, in_color=_is_in_color())}\n")
    last = request.offset + len(results.hits)
    if not results.hits:
        note(f"found only {counted(results.total, 'result')}")
    elif results.total > len(results.hits):
        note(f"{request.offset + 1:,} to {last:,} of {results.total:,} results")


def _lines_of(hit: Hit, *, in_color: bool) -> str:
    """Format a hit for the terminal."""
    headline = one_line(hit.headline or "") or "(no headline)"
    about = filter(None, (hit.site, hit.section, hit.date))
    lines = [
        strong(headline, in_color=in_color) if in_color else headline,
        one_line(" · ".join(about)),
        marked(hit.snippet, in_color=in_color),
        one_line(hit.url or ""),
        also_on(hit),
    ]
    return "\n   ".join(line for line in lines if line)


def also_on(hit: Hit) -> str:
    if not hit.also_on:
        return ""
    sites = list(dict.fromkeys(copy.site or copy.url or copy.id for copy in hit.also_on))
    more = hit.copies - len(hit.also_on)
    return one_line(f"also on: {', '.join(sites)}" + (f" and {more:,} more" if more else ""))


def marked(snippet: Snippet, *, in_color: bool) -> str:
    """Return the snippet on one line, with the words of the query in bold or in asterisks."""
    return "".join(
        strong(one_line(text), in_color=in_color) if is_marked else _spaced(text)
        for text, is_marked in snippet.parts()
    )


def _spaced(text: str) -> str:
    """Return a text on one line that keeps the space at its ends."""
    inner = one_line(text)
    if not inner:
        return " " if text else ""
    return " " * text[0].isspace() + inner + " " * text[-1].isspace()


def strong(text: str, *, in_color: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if in_color else f"**{text}**"


def _is_in_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
