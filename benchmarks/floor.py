"""Holds the quality on a fixed sample of a corpus: it may rise, and hardly fall.

    python benchmarks/floor.py CORPUS            # fails if F1 is more than half a point under
    python benchmarks/floor.py CORPUS --raise    # records what is better than the floor

The floor is in `floor.json`, the mean word-bag F1 of the default method for each collection.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table

from newsclean import Extractor, PageError
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.lab.evaluate.corpus import Gold, read_corpus, read_page
from newsclean.lab.evaluate.measures import word_bag_agreement
from newsclean.lab.evaluate.systems import article_text, draw, neighborhood_of
from newsclean.lab.folds import has_fold_models, method_for

FLOOR = Path(__file__).with_name("floor.json")
SAMPLE = 60  # pages of each collection
TOLERANCE = 0.005


def measure(folder: Path) -> dict[str, float]:
    """The F1 of the default method on the sample of each collection."""
    corpus = read_corpus(folder).sample(SAMPLE)
    figures: dict[str, list[float]] = defaultdict(list)
    for gold in corpus.golds:
        method = method_for(DEFAULT_METHOD, gold.site)
        hood = neighborhood_of(draw(gold, corpus.others(gold), "all"), method)
        try:
            text = article_text(read_page(gold.path), Extractor(method), hood, gold)
        except PageError:
            text = ""
        figures[gold.collection].append(best_f1(text, gold))
    return {name: round(mean(values), 4) for name, values in figures.items()}


def best_f1(text: str, gold: Gold) -> float:
    return max(word_bag_agreement(text, version).f1 for version in gold.versions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--raise", dest="raises", action="store_true", help="record what is better")
    options = parser.parse_args()
    floor: dict[str, float] = json.loads(FLOOR.read_text()) if FLOOR.exists() else {}
    if not has_fold_models():
        print("without newsclean/lab/folds.npz the floor would not be cross-validated")
        return 2
    measured = measure(options.corpus)
    table = Table("collection", "floor", "measured", "")
    fallen = []
    for name, figure in measured.items():
        low = figure < floor.get(name, 0) - TOLERANCE
        fallen += [name] if low else []
        known = f"{floor[name]:.4f}" if name in floor else "–"
        table.add_row(name, known, f"{figure:.4f}", "fallen" if low else "")
    Console().print(table)
    if options.raises:
        best = {name: max(figure, floor.get(name, 0)) for name, figure in measured.items()}
        FLOOR.write_text(json.dumps(floor | best, indent=2, sort_keys=True) + "\n")
    if fallen:
        print(f"F1 is more than half a point under the floor: {', '.join(fallen)}", file=sys.stderr)
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
