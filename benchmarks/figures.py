"""Figures and captions that are kept, beside trafilatura's, on pages with labels.

    python benchmarks/figures.py CORPUS [--labels FILE] [--no-peers]

docs/figures.md says by which rule the labels were made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from newsclean.lab.evaluate.corpus import read_corpus
from newsclean.lab.evaluate.figures import LABELS, FigureScore, measure_figures
from newsclean.lab.evaluate.systems import System
from newsclean.methods import DEFAULT_METHOD


def rows_of(score: FigureScore) -> list[str]:
    def share(part: int, whole: int) -> str:
        return f"{part} of {whole} ({part / max(whole, 1):.1%})"

    return [
        share(score.figures_kept, score.figures),
        share(score.leads_kept, score.leads),
        share(score.captions_kept, score.captions),
        share(score.shown - score.unlabelled, score.shown),
        str(score.pages_with_placeholder),
        str(score.pages_with_junk),
        str(len(score.failed)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    systems = [System(DEFAULT_METHOD)]
    systems += [] if options.no_peers else [System("trafilatura", is_peer=True)]
    pages = measure_figures(read_corpus(options.corpus), systems, labels=options.labels)
    scores = {name: FigureScore.total(each) for name, each in pages.items()}
    table = Table("", *scores)
    names = (
        "figures kept",
        "of them lead pictures",
        "captions kept",
        "pictures shown that have a label",
        "pages with a placeholder",
        "pages with a logo, portrait, icon …",
        "pages that failed",
    )
    columns = [rows_of(score) for score in scores.values()]
    for name, *figures in zip(names, *columns, strict=True):
        table.add_row(name, *figures)
    console = Console()
    console.print(table)
    console.print(f"{next(iter(scores.values())).pages} pages of different sites")
    return 0


if __name__ == "__main__":
    sys.exit(main())
