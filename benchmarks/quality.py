"""Word-bag precision, recall and F1 of methods on a corpus with gold texts.

    python benchmarks/quality.py CORPUS [METHOD …]

A corpus is a folder of collections, each with `gold.jsonl` (a line a page: `id`, `site`, `kind`,
`text`, and perhaps `paragraphs` and `optional`) and `pages/ID.html.gz`. The other pages of the same
site are a page's neighbors.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from newsclean import Neighborhood, Page, extract
from newsclean.evaluate import Agreement, word_bag_agreement
from newsclean.methods import method_named

METHODS = (
    "stadynot:paper",
    "coreex:paper",
    "stadynot:paper+coreex:paper",
    "stadynot",
    "coreex",
    "stadynot+coreex",
)


def main(arguments: list[str]) -> None:
    corpus = Path(arguments[0])
    methods = arguments[1:] or METHODS
    table = Table("method", "collection", "pages", "precision", "recall", "F1")
    for gold_file in sorted(corpus.glob("*/gold.jsonl")):
        with gold_file.open("rb") as file:
            lines = [json.loads(line) for line in file]
        golds = [gold for gold in lines if gold["kind"] == "article"]
        pages = {
            gold["id"]: read_page(gold_file.parent / "pages" / f"{gold['id']}.html.gz")
            for gold in track(golds, f"reading {gold_file.parent.name}", transient=True)
        }
        for method in methods:
            figures = measure(golds, pages, method)
            means = [f"{mean(figure[k] for figure in figures):.4f}" for k in range(3)]
            table.add_row(method, gold_file.parent.name, str(len(figures)), *means)
    Console().print(table)


def read_page(path: Path) -> Page:
    with gzip.open(path) as file:
        return Page.from_html(file.read())


def measure(golds: list[dict[str, Any]], pages: dict[str, Page], method: str) -> list[Agreement]:
    """The agreement of each page's body with its gold, neighbors left out one at a time."""
    sites = defaultdict(list)
    for gold in golds:
        sites[gold["site"]].append(gold)
    figures = []
    for neighbors in track(sites.values(), method, transient=True):
        hood = Neighborhood(keying=method_named(method).keying)
        for gold in neighbors:
            hood.learn(pages[gold["id"]], gold["id"])
        for gold in neighbors:
            page = pages[gold["id"]]
            body = extract(page, gold["id"], neighborhood=hood, method=method).body
            figures.append(best_agreement(body, gold))
    return figures


def best_agreement(body: str, gold: dict[str, Any]) -> Agreement:
    """Against the gold with and without the paragraphs that may be there or not."""
    texts = [gold["text"]]
    if optional := gold.get("optional"):
        texts.append("\n\n".join(p for p in gold["paragraphs"] if p not in optional))
    return max((word_bag_agreement(body, text) for text in texts), key=lambda a: a.f1)


if __name__ == "__main__":
    main(sys.argv[1:])
