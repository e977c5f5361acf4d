"""Where the time of a page goes: each step from its bytes to its text, beside lxml's bare parse.

    python benchmarks/steps.py CORPUS [--pages 12] [--method NAME]

A sample of each collection, with all other pages of its site as neighbors. Timed is processor time,
the best of several runs of each page; a multiple is the median of the multiples page by page.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.table import Table

from newsclean import PageError
from newsclean.evaluate.corpus import read_corpus, read_page
from newsclean.evaluate.neighbors import draw, neighborhood_of
from newsclean.evaluate.speed import lxml_parse
from newsclean.metadata import read_headline_and_authors, read_metadata
from newsclean.methods import DEFAULT_METHOD, method_named
from newsclean.methods.hybrid import judge
from newsclean.methods.hybrid.evidence import KINDS
from newsclean.methods.hybrid.surroundings import Surroundings
from newsclean.page import Page
from newsclean.render import body_of, render_html, render_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.methods import Method
    from newsclean.neighborhood import Neighborhood

T = TypeVar("T")

PARSE = "lxml's parse alone, for comparison"
#: The steps from bytes to text, in their order; the others are for those who want more.
TO_TEXT = (
    "decode, parse and walk to the page's columns",
    "what the neighborhood knows of it",
    "the choice",
    "headline and authors",
    "headline, byline and captions left out",
    "plain text",
)
ALL_TO_TEXT = "bytes to text, all of these"
#: Parts of the choice of hybrid, what several kinds of evidence need first.
TREE = "  of it: the blocks' branches"
NAMES = "  of it: tags, classes and ids"
NETWORK = "  of it: the network"
PARTS = (TREE, NAMES, *(f"  of it: {kind}" for kind in KINDS), NETWORK)
METADATA = "all metadata"
HTML = "clean HTML, sanitised"
RUNS = 5


def time_page(body: bytes, url: str | None, method: Method, hood: Neighborhood) -> dict[str, float]:
    """The milliseconds of each step, the best of several runs."""
    best: dict[str, float] = defaultdict(lambda: inf)

    def timed(step: str, call: Callable[..., T], *arguments: object) -> T:
        start = time.process_time()
        result = call(*arguments)
        best[step] = min(best[step], (time.process_time() - start) * 1000)
        return result

    for _ in range(RUNS):
        timed(PARSE, lxml_parse, body)
        steps = iter(TO_TEXT)
        page = timed(next(steps), Page.from_html, body, url)
        known = timed(next(steps), hood.ask, page, url)
        choice = timed(next(steps), method.choose, page, known)
        if choice.is_body:
            best[next(steps)] = best[next(steps)] = 0.0  # neither is asked for
            timed(next(steps), render_text, page, choice.rows)
        else:
            names = timed(next(steps), read_headline_and_authors, page.elements, url)
            article = timed(next(steps), body_of, page, choice, names)
            timed(next(steps), render_text, page, article.text)
        article = body_of(page, choice, read_headline_and_authors(page.elements, url))
        if method.name == "hybrid":
            judged = judge(page)
            at = Surroundings(Page.from_tree(page.root, url))
            _ = at.page.blocks.text  # the neighborhood has asked for it before
            timed(TREE, lambda: (at.ranges, at.linked))  # noqa: B023
            timed(NAMES, lambda: (at.around, at.slots))  # noqa: B023
            for kind, ask in KINDS.items():
                timed(f"  of it: {kind}", ask, at)
            timed(NETWORK, judged.network, judged.values, judged.at.words, judged.at.ranges[1:])
        timed(METADATA, read_metadata, page.elements, url)
        timed(HTML, render_html, page, article.html)
    best[ALL_TO_TEXT] = sum(best[step] for step in TO_TEXT)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=12, help="of each collection")
    parser.add_argument("--method", default=DEFAULT_METHOD)
    options = parser.parse_args()
    method = method_named(options.method)
    corpus = read_corpus(options.corpus).sample(options.pages)
    times: dict[str, list[float]] = defaultdict(list)
    unusable = 0
    for gold in corpus.golds:
        hood = neighborhood_of(draw(gold, corpus.others(gold), "all"), method)
        try:
            page = time_page(read_page(gold.path), gold.url or gold.id, method, hood)
        except PageError:
            unusable += 1
            continue
        for step, ms in page.items():
            times[step].append(ms)
    table = Table("step", "ms, median", "ms, mean", "times lxml's parse")
    for step in (PARSE, *TO_TEXT[:3], *PARTS, *TO_TEXT[3:], ALL_TO_TEXT, METADATA, HTML):
        if step not in times:
            continue
        multiple = median(ms / parse for ms, parse in zip(times[step], times[PARSE], strict=True))
        figures = (median(times[step]), mean(times[step]), multiple)
        table.add_row(step, *(f"{figure:.2f}" for figure in figures))
    console = Console()
    console.print(table)
    console.print(f"{len(times[PARSE])} pages, {unusable} that cannot be used")
    return 0


if __name__ == "__main__":
    sys.exit(main())
