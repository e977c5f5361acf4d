"""`newsclean tune`: search a method's parameters on a corpus."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.cli.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Collection

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.tuning import Finding

DESCRIPTION = """Search the parameters of a method on pages with gold texts.

Cross-validation by site: the figure that counts is measured on pages of sites
that had no say in the choice. Nothing is changed; what was found is written
down together with how sure it is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.add_argument(
        "method", metavar="METHOD", help="stadynot, coreex, mss, boilerpipe, tree, or a chain"
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="see docs/evaluate.md")
    parser.add_argument("--collections", help="only these, with commas")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="only N pages of each collection"
    )
    parser.add_argument("--candidates", type=int, default=60, metavar="N", help="default: 60")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes")
    parser.add_argument("--out", type=Path, default=Path("tuning.json"), metavar="FILE")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.lab.evaluate.tuning import TUNABLE, tune

    chain = options.method.split("+")
    if unknown := [name for name in chain if name not in TUNABLE]:
        names = ", ".join(TUNABLE)
        raise CommandError(f"cannot tune {', '.join(unknown)!r}; there are: {names}", USAGE)
    if options.folds < 2 or options.candidates < 2:
        raise CommandError("--folds and --candidates take 2 or more", USAGE)
    corpus = read_options_corpus(options)
    sites = {(gold.collection, gold.site) for gold in corpus.golds}
    if len(sites) < options.folds:
        raise CommandError(f"{len(sites)} sites are too few for {options.folds} folds", USAGE)

    from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("measuring", total=len(corpus.golds))
        finding = tune(
            corpus,
            chain,
            candidates=options.candidates,
            folds=options.folds,
            seed=options.seed,
            jobs=options.jobs,
            advance=lambda pages: progress.advance(task, pages),
        )
    show(finding)
    try:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(asdict(finding), indent=2) + "\n", "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {error.strerror}", UNREADABLE) from None
    print(f"written to {options.out}")
    return 0


def read_options_corpus(
    options: argparse.Namespace, kinds: Collection[str] = ("article",)
) -> Corpus:
    """The corpus that a command was given, or the part of it that was asked for."""
    from newsclean.lab.evaluate.corpus import CorpusError, UnknownNameError, read_corpus

    names = [name for name in (options.collections or "").split(",") if name]
    try:
        corpus = read_corpus(options.corpus, names, kinds)
    except UnknownNameError as error:
        raise CommandError(str(error), USAGE) from None
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    return corpus.sample(options.sample) if options.sample else corpus


def show(finding: Finding) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("collection", "in use", "cross-validated", title=finding.method)
    for name, figure in finding.cross_validated.items():
        table.add_row(name, f"{finding.in_use[name]:.4f}", f"{figure:.4f}")
    console.print(table)
    votes = Table("parameter", "best on all pages", f"chosen in {finding.folds} folds")
    for name, counts in finding.votes.items():
        method, _, parameter = name.partition(".")
        chosen = ", ".join(f"{value} ({count})" for value, count in counts.items())
        votes.add_row(name, f"{finding.best[method][parameter]:g}", chosen)
    console.print(votes)
    low, high = finding.difference.low, finding.difference.high
    verdict = "better beyond chance" if finding.is_better else "no sure gain"
    console.print(
        f"On sites that had no say: {finding.difference.mean:+.4f} F1 against the set in use "
        f"(95 %: {low:+.4f} to {high:+.4f}): {verdict}"
    )
