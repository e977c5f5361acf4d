"""The time of our methods against boilerpy3's, from a page's bytes to its text.

    python benchmarks/boilerpipe_speed.py CORPUS [--sample N]

Processor time, the parse included, each page with all systems in turn and in an order that differs
from page to page; the better of two calls. Needs `newsclean[bench]`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table
from sampled_corpus import sampled_corpus

from newsclean.extraction import Extractor
from newsclean.lab.cli.results import result_console
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.progress import shown
from newsclean.lab.evaluate.speed import lxml_parse, milliseconds
from newsclean.lab.evaluate.systems import article_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.lab.evaluate.corpus import Gold

ORACLE = "boilerpy3"
NAMES = (
    "mss",
    "mss:paper",
    "boilerpipe",
    "boilerpipe:paper",
    "boilerpipe-tree",
    "boilerpipe-tree:paper",
)
EXTRACTORS = {name: Extractor(name) for name in NAMES}
CALLS = 2


def calls_of(gold: Gold) -> dict[str, Callable[[], object]]:
    body = read_page(gold.path)
    source = Source(body)
    _ = source.html  # decoded before the clock runs
    calls: dict[str, Callable[[], object]] = {
        name: partial(article_text, body, extractor, None, gold)
        for name, extractor in EXTRACTORS.items()
    }
    calls[ORACLE] = lambda: PEERS[ORACLE].text(source)
    calls["lxml parse"] = lambda: lxml_parse(body)
    return calls


def measure(gold: Gold) -> dict[str, float]:
    """The milliseconds of each system on a page."""
    calls = calls_of(gold)
    order = list(calls) * CALLS
    random.Random(gold.id).shuffle(order)
    times = defaultdict(list)
    for name in order:
        times[name].append(milliseconds(calls[name]))
    return {name: min(times[name]) for name in calls}


def main() -> None:
    corpus = sampled_corpus(__doc__)
    pages = []
    with quiet(), shown(Console(stderr=True), "speed") as progress:
        measure(corpus.golds[0])  # what is loaded on the first call is no page's time
        for done, gold in enumerate(corpus.golds, 1):
            pages.append(measure(gold))
            progress(done, len(corpus.golds))
    table = Table(
        "", "mean ms", "median ms", "× boilerpy3, of sums", "× boilerpy3, median", "over half of it"
    )
    oracle = np.array([page[ORACLE] for page in pages])
    for name in pages[0]:
        times = np.array([page[name] for page in pages])
        table.add_row(
            name,
            f"{times.mean():.1f}",
            f"{np.median(times):.1f}",
            f"{times.sum() / oracle.sum():.2f}",
            f"{np.median(times / oracle):.2f}",
            f"{np.mean(times > oracle / 2):.0%} of pages",
        )
    console = result_console()
    console.print(table)


if __name__ == "__main__":
    main()
