"""F1 on pages with reader comments, by models that have not seen their publisher.

    python benchmarks/comments.py CORPUS [--collections NAMES] [--model FILE FOLDS]... [--peer NAME]

Pages on which 100 words or more stand below a name of comments and outside the gold text. Each is
extracted by itself, from its bytes to its text, with the fold's model where the model has seen the
publisher; without --model with the one that comes with newsclean. A peer is measured beside them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from newsclean import Extractor, PageError
from newsclean.extraction.methods.hybrid.network import SHIPPED, read_model
from newsclean.extraction.methods.registry import method_named
from newsclean.lab.evaluate.corpus import Gold, check_pages, read_corpus, read_page
from newsclean.lab.evaluate.measures import means, word_bag_agreement
from newsclean.lab.evaluate.peers import PEERS, Source
from newsclean.lab.evaluate.systems import article_text
from newsclean.lab.folds import FOLDS_FILE, fold_of, mark_of
from newsclean.lab.training.block_examples import read_examples

MIN_WORDS = 100
#: The feature that tells that a name of comments stands above a block.
BELOW_COMMENTS = "comment any"


def pages_with_comments(golds: list[Gold], cache: Path | None) -> list[Gold]:
    """The pages with so many words of comments that are not in the gold text."""
    found = []
    for example in read_examples(golds, cache=cache):
        below = example.features[:, example.feature_names.index(BELOW_COMMENTS)] > 0
        if example.words[below & ~example.is_article].sum() >= MIN_WORDS:
            found.append(example.gold)
    return found


def text_of(gold: Gold, model: str, folds: str) -> str:
    """The text by a model, by that of the page's fold if it has seen the publisher."""
    used = read_model(Path(model))
    if mark_of(gold.site) in used.card["sites"]:
        used = read_model(Path(folds), str(fold_of(gold.site)))
    try:
        return article_text(
            read_page(gold.path), Extractor(method_named("hybrid", used)), None, gold
        )
    except PageError:
        return ""


def f1(text: str, gold: Gold) -> float:
    return max(word_bag_agreement(text, version).f1 for version in gold.versions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--collections", help="only these, with commas")
    parser.add_argument("--model", nargs=2, action="append", metavar=("FILE", "FOLDS"))
    parser.add_argument("--peer", action="append", default=[], choices=sorted(PEERS))
    parser.add_argument("--cache", type=Path, help="the folder of `newsclean train --cache`")
    options = parser.parse_args()
    wanted = set((options.collections or "").split(",")) - {""}
    every = check_pages(read_corpus(options.corpus)).golds
    golds = [gold for gold in every if not wanted or gold.collection in wanted]
    found = pages_with_comments(golds, options.cache)
    if not found:
        print("no page with comments", file=sys.stderr)
        return 1
    rows: dict[str, list[float]] = {}
    for model, folds in options.model or [(str(SHIPPED), str(FOLDS_FILE))]:
        rows[model] = [f1(text_of(gold, model, folds), gold) for gold in found]
    for name in options.peer:
        sources = ((Source(read_page(gold.path)), gold) for gold in found)
        rows[name] = [f1(PEERS[name].text(source), gold) for source, gold in sources]
    table = Table("", "pages", "word F1", "95 %")
    of_row = means(list(zip(*rows.values(), strict=True)))
    for name, mean in zip(rows, of_row, strict=True):
        table.add_row(
            name, str(len(found)), f"{mean.mean:.4f}", f"{mean.low:.4f} to {mean.high:.4f}"
        )
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
