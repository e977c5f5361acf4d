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
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.table import Table

from newsclean import Extractor, PageError
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.page import Page
from newsclean.lab.evaluate.corpus import read_corpus, read_page
from newsclean.lab.evaluate.page_scores import lxml_parse
from newsclean.lab.evaluate.systems import draw, neighborhood_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.extraction.extractor import Neighborhood
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.lab.evaluate.corpus import Gold

T = TypeVar("T")

PARSE = "lxml's parse alone, for comparison"
#: The steps from bytes to text, in their order; the others are for those who want more.
PAGE = "decode, parse and walk to the page's columns"
SCORES = "scores of the blocks, of a method with a network"
NEIGHBORS = "what the neighbors know of it"
CHOICE = "the choice"
NAMES = "headline and authors, unless they are left out already"
BODY = "headline, byline and captions left out"
TEXT = "plain text"
TO_TEXT = (PAGE, SCORES, NEIGHBORS, CHOICE, NAMES, BODY, TEXT)
ALL_TO_TEXT = "bytes to text, all of these"
#: Parts of the scores, what several groups of features need first.
BLOCKS = "  of it: the blocks and their texts"
BRANCHES = "  of it: the blocks' branches"
TAGS = "  of it: tags, classes and ids"
NETWORK = "  of it: the network"
PARTS = (BLOCKS, BRANCHES, TAGS, *(f"  of it: {group}" for group in FEATURE_GROUPS), NETWORK)
METADATA = "all metadata"
JUDGEMENT = "is it an article"
HTML = "clean HTML, sanitised"
RUNS = 5


class Stopwatch:
    """The milliseconds of each step, the best of several runs."""

    def __init__(self) -> None:
        self.best: dict[str, float] = defaultdict(lambda: inf)

    def __call__(self, step: str, call: Callable[[], T]) -> T:
        start = time.process_time()
        result = call()
        self.best[step] = min(self.best[step], (time.process_time() - start) * 1000)
        return result


def time_page(gold: Gold, extractor: Extractor, hood: Neighborhood) -> dict[str, float]:
    """The milliseconds of each step."""
    body = read_page(gold.path)
    timed = Stopwatch()
    for _ in range(RUNS):
        time_steps(timed, body, gold, extractor, hood)
    best = timed.best
    best[ALL_TO_TEXT] = sum(best[step] for step in TO_TEXT if step in best)
    return best


def time_steps(
    timed: Stopwatch, body: bytes, gold: Gold, extractor: Extractor, hood: Neighborhood
) -> None:
    """The steps of an `Extractor` and its `Extraction`, one after the other."""
    method = extractor.method
    timed(PARSE, lambda: lxml_parse(body))
    page = timed(PAGE, lambda: Page.from_html(body, gold.url))
    scores = timed(SCORES, lambda: method.score_blocks(page))
    neighbors = timed(NEIGHBORS, lambda: hood.support_for(method.keys(page, scores), gold.id))
    found = timed(CHOICE, lambda: extractor(page, Evidence(scores, neighbors)))
    if found.choice.is_body:
        timed.best[NAMES] = 0.0  # nobody asks for them
    else:
        timed(NAMES, lambda: (found.metadata.headline, found.metadata.authors))
    timed(BODY, lambda: found.body)
    timed(TEXT, lambda: found.text)
    again = extractor(page, found.evidence)  # whose metadata nobody has read yet
    timed(METADATA, lambda: again.metadata.as_dict())
    timed(JUDGEMENT, lambda: again.prediction)
    timed(HTML, lambda: found.html)
    if scores is not None and len(scores.features):
        time_parts(timed, page, scores)


def time_parts(timed: Stopwatch, page: Page, scores: BlockScores) -> None:
    """The parts of the scores, on a page of which nothing has been asked yet."""
    context = BlockContext(Page.from_tree(page.root, page.url))
    timed(BLOCKS, lambda: context.page.blocks.text)
    timed(BRANCHES, lambda: (context.ranges, context.linked))
    timed(TAGS, lambda: (context.around, context.slots))
    for group, compute in FEATURE_GROUPS.items():
        timed(f"  of it: {group}", partial(compute, context))
    features, words, ranges = scores.features, context.words, context.ranges[1:]
    timed(NETWORK, lambda: scores.model.network(features, words, ranges))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=12, help="of each collection")
    parser.add_argument("--method", default=DEFAULT_METHOD)
    options = parser.parse_args()
    extractor = Extractor(options.method)
    corpus = read_corpus(options.corpus).sample(options.pages)
    pages: list[dict[str, float]] = []
    for gold in corpus.golds:
        hood = neighborhood_of(draw(gold, corpus.others(gold), "all"), extractor.method)
        with suppress(PageError):
            pages.append(time_page(gold, extractor, hood))
    table = Table("step", "ms, median", "ms, mean", "times lxml's parse")
    for step in (PARSE, *TO_TEXT[:2], *PARTS, *TO_TEXT[2:], ALL_TO_TEXT, METADATA, JUDGEMENT, HTML):
        times = [(page[step], page[PARSE]) for page in pages if step in page]
        if not times:
            continue
        multiple = median(ms / parse for ms, parse in times)
        figures = (median(ms for ms, _ in times), mean(ms for ms, _ in times), multiple)
        table.add_row(step, *(f"{figure:.2f}" for figure in figures))
    console = Console()
    console.print(table)
    console.print(f"{len(pages)} pages, {len(corpus.golds) - len(pages)} that cannot be used")
    return 0


if __name__ == "__main__":
    sys.exit(main())
