"""The tables of Boilerpipe with the HTML tree (2018) made anew, and where its filter fails.

    python benchmarks/boilerpipe.py CORPUS [--sample N]

Table 1: precision, recall and F by characters of Boilerpipe, jusText and Boilerpipe with the filter
by the n-th ancestor. Table 2: n from 1 to 5. Then the pages on which the filter with its published
n = 2 loses against Boilerpipe alone, by where the lost text stands. Needs `newsclean[bench]`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
from boilerpipe_losses import BESIDE, CAUSES, DEEPER, Loss, loss
from rich.console import Console
from rich.table import Table
from sampled_corpus import sampled_corpus

from newsclean.extraction import Extractor
from newsclean.lab.cli.results import result_console
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import (
    Agreement,
    best_agreement,
    character_agreement,
    word_bag_agreement,
)
from newsclean.lab.evaluate.peers import PEERS, Source, quiet
from newsclean.lab.evaluate.progress import shown
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.lab.evaluate.corpus import Gold

ALONE, FILTERED = "boilerpipe:paper", "boilerpipe-tree:paper"
TABLE_1 = {
    "Boilerpipe, as published": ALONE,
    "Boilerpipe, tuned": "boilerpipe",
    "jusText": "justext",
    "Boilerpipe as published, n = 2": FILTERED,
    "Boilerpipe tuned, n = 2": "boilerpipe-tree",
    "Boilerpipe tuned, n = 7": "boilerpipe-tree:tuned",
    "boilerpy3": "boilerpy3",
}
#: The filter behind Boilerpipe as published, and behind the tuned one.
TABLE_2 = {"as published": "boilerpipe:paper+tree:n=", "tuned": "boilerpipe+tree:n="}
ANCESTORS = (1, 2, 3, 4, 5)
EXTRACTORS = {
    name: Extractor(name)
    for name in (
        *(name for name in TABLE_1.values() if name not in PEERS),
        *(f"{name}{n}" for name in TABLE_2.values() for n in ANCESTORS),
    )
}

#: A page is better or worse if F differs by more than this.
NOTICED = 0.01
#: Bounds of Boilerpipe's own precision
PRECISIONS = ((0.0, 0.8), (0.8, 0.95), (0.95, 1.01))


@dataclass
class Measured:
    """What was measured on a page."""

    collection: str
    chars: dict[str, Agreement] = field(default_factory=dict)
    words: dict[str, Agreement] = field(default_factory=dict)
    #: where most of the text stands that the filter has lost
    loss: Loss | None = None

    @property
    def gain(self) -> float:
        """What the filter adds to F."""
        return self.chars[FILTERED].f1 - self.chars[ALONE].f1


def measure(gold: Gold) -> Measured:
    body = read_page(gold.path)
    source = Source(body)
    page = Page.from_html(body, gold.url)
    texts = {name: PEERS[name].text(source) for name in TABLE_1.values() if name in PEERS}
    extractions = {name: extractor(page) for name, extractor in EXTRACTORS.items()}
    texts |= {name: extraction.text for name, extraction in extractions.items()}
    scores = {
        text: (
            best_agreement(character_agreement, text, gold.versions),
            best_agreement(word_bag_agreement, text, gold.versions),
        )
        for text in set(texts.values())
    }
    measured = Measured(gold.collection)
    for name, text in texts.items():
        measured.chars[name], measured.words[name] = scores[text]
    if measured.gain < -NOTICED:
        measured.loss = loss(page, extractions[ALONE].choice.rows, gold.text)
    return measured


def table(title: str, *columns: str) -> Table:
    made = Table(title=title, title_justify="left")
    for number, name in enumerate(columns):
        made.add_column(name, justify="right" if number else "left")
    return made


def table_1(pages: Sequence[Measured]) -> Table:
    made = table("Table 1, by characters", "", "P", "R", "F", "F1 of words", *_collections(pages))
    for label, name in TABLE_1.items():
        words = mean(page.words[name].f1 for page in pages)
        by_collection = [
            f"{mean(page.chars[name].f1 for page in pages if page.collection == collection):.3f}"
            for collection in _collections(pages)
        ]
        made.add_row(label, *_means(pages, name), f"{words:.3f}", *by_collection)
    return made


def table_2(pages: Sequence[Measured]) -> Table:
    made = table("Table 2, by characters: n", "", *map(str, ANCESTORS))
    for label, name in TABLE_2.items():
        columns = [_means(pages, f"{name}{n}") for n in ANCESTORS]
        for measure_name, *figures in zip("PRF", *columns, strict=True):
            made.add_row(f"{label}, {measure_name}", *figures)
    return made


def gains(pages: Sequence[Measured]) -> Table:
    made = table(
        "The filter (n = 2) against Boilerpipe alone, both as published: pages",
        "", "pages", "better", "as good", "worse", "recall 0.3 less", "mean gain",
    )  # fmt: skip
    for name, group in {**_grouped(pages), "all": list(pages)}.items():
        better = sum(page.gain > NOTICED for page in group)
        worse = sum(page.gain < -NOTICED for page in group)
        lost = sum(page.chars[FILTERED].recall < page.chars[ALONE].recall - 0.3 for page in group)
        counts = (len(group), better, len(group) - better - worse, worse, lost)
        made.add_row(name, *map(str, counts), f"{mean(page.gain for page in group):+.3f}")
    return made


def failures(pages: Sequence[Measured]) -> Table:
    made = table(
        "Pages on which it is worse, by where most of the lost text stands",
        "", *_collections(pages), "all", "mean gain",
    )  # fmt: skip
    for reason in CAUSES:
        found = [page for page in pages if page.loss and page.loss.cause == reason]
        counts = Counter(page.collection for page in found)
        gain = f"{mean(page.gain for page in found):+.3f}" if found else "–"
        row = [str(counts[name]) for name in _collections(pages)]
        made.add_row(reason, *row, str(len(found)), gain)
    return made


def by_precision(pages: Sequence[Measured]) -> Table:
    made = table(
        "The same by Boilerpipe's own precision",
        "precision",
        "pages",
        "better",
        "worse",
        "mean gain",
    )
    for low, high in PRECISIONS:
        found = [page for page in pages if low <= page.chars[ALONE].precision < high]
        if found:
            better = sum(page.gain > NOTICED for page in found)
            worse = sum(page.gain < -NOTICED for page in found)
            gain = f"{mean(page.gain for page in found):+.3f}"
            made.add_row(f"{low} to {min(high, 1)}", *map(str, (len(found), better, worse)), gain)
    return made


def details(pages: Sequence[Measured]) -> list[str]:
    losses = [page.loss for page in pages if page.loss]
    holders = Counter(found.holder for found in losses if found.cause == DEEPER)
    beside = [found for found in losses if found.cause == BESIDE]
    told = ", ".join(f"{name} {count}" for name, count in holders.most_common())
    lines = [f"Pages by what holds most of the text that stands deeper: {told or 'none'}."]
    if beside:
        lines.append(
            f"Of {len(beside)} pages with the text in a branch beside it, "
            f"{sum(b.alike for b in beside)} have it under the same tag and class; gold text is in"
            f" {np.median([b.groups for b in beside]):g} groups (median)."
        )
    return lines


def _means(pages: Sequence[Measured], name: str) -> list[str]:
    scores = np.array([page.chars[name] for page in pages])
    return [f"{figure:.3f}" for figure in scores.mean(axis=0)]


def _collections(pages: Sequence[Measured]) -> list[str]:
    return list(dict.fromkeys(page.collection for page in pages))


def _grouped(pages: Sequence[Measured]) -> dict[str, list[Measured]]:
    groups = defaultdict(list)
    for page in pages:
        groups[page.collection].append(page)
    return groups


def main() -> None:
    corpus = sampled_corpus(__doc__)
    pages = []
    unusable = 0
    with quiet(), shown(Console(stderr=True), "tables") as progress:
        for done, gold in enumerate(corpus.golds, 1):
            try:
                pages.append(measure(gold))
            except PageError:
                unusable += 1
            progress(done, len(corpus.golds))
    console = result_console()
    for made in (
        table_1(pages), table_2(pages), gains(pages), by_precision(pages), failures(pages),
        *details(pages),
    ):  # fmt: skip
        console.print(made)
    if unusable:
        console.print(f"{unusable} pages cannot be used and are left out.")


if __name__ == "__main__":
    main()
