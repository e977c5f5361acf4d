"""Two trainings of `hybrid` with several seeds each: is one better than the other beyond chance?

    python benchmarks/seeds.py CORPUS MORE --cache FOLDER [--seeds 1,2,3]
        [--variants five,distilled]

Variants: `five`, the collections of CORPUS alone; `ten`, those of MORE, too; `distilled`, the
same with four networks trained first. Word F1 of the blocks of pages by themselves, five folds by
publisher. Printed for each collection are the mean over seeds with the lowest and the highest, and
the difference of the first and the last variant with its bootstrap interval of 95 % over pages,
each page's F1 the mean over seeds. With --cache what is trained is kept, and the command goes on
where it was.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from newsclean.lab.evaluate.corpus import check_pages, read_corpus
from newsclean.lab.evaluate.measures import means
from newsclean.lab.training.block_examples import Example, read_examples
from newsclean.lab.training.fit import ARTICLE, Settings
from newsclean.lab.training.hybrid_training import features_by_group, train

TEN = Settings().weighted({"dragnet": 0.25})
VARIANTS = {
    "five": Settings().without(Settings().apart),
    "ten": TEN,
    "distilled": replace(TEN, teachers=4),
}
GROUPS = ("replies", "second article")

#: word F1 of each page by collection, in one order for all trainings
Scores = dict[str, list[float]]


def scores_of(examples: list[Example], settings: Settings, cache: Path | None) -> Scores:
    by_group = features_by_group()
    left_out = [name for group in GROUPS for name in by_group[group]]
    return train(examples, settings, left_out=left_out, only_folds=True, cache=cache).scores


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("more", type=Path)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--variants", default="five,distilled")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    kinds = [ARTICLE, *dict(TEN.kind_weights)]
    corpora = [check_pages(read_corpus(f, kinds=kinds)) for f in (options.corpus, options.more)]
    examples = read_examples([g for c in corpora for g in c.golds], cache=options.cache)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    found = {
        name: [
            scores_of(examples, replace(VARIANTS[name], seed=seed), options.cache) for seed in seeds
        ]
        for name in options.variants.split(",")
    }
    table = Table("collection", "pages", *found, "last less first", "95 %")
    first, *_, last = list(found.values()) * 2
    own = {gold.collection for gold in corpora[0].golds}
    for collection in first[0]:
        cells = [
            spread([float(np.mean(one[collection])) for one in rows]) for rows in found.values()
        ]
        before, after = (
            np.mean([one[collection] for one in rows], axis=0) for rows in (first, last)
        )
        (difference,) = means((after - before)[:, None])
        interval = f"{difference.low:+.4f} to {difference.high:+.4f}"
        count = str(len(first[0][collection]))
        table.add_row(collection, count, *cells, f"{difference.mean:+.4f}", interval)
    of_corpus = [
        [float(np.mean([np.mean(one[name]) for name in own])) for one in rows]
        for rows in found.values()
    ]
    change = f"{np.mean(of_corpus[-1]) - np.mean(of_corpus[0]):+.4f}"
    table.add_row("mean of the corpus", "", *map(spread, of_corpus), change, "")
    Console(width=140).print(table)
    return 0


def spread(values: list[float]) -> str:
    """The mean of values, the lowest and the highest."""
    return f"{np.mean(values):.4f} ({min(values):.4f} to {max(values):.4f})"


if __name__ == "__main__":
    sys.exit(main())
