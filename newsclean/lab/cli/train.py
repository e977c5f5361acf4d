"""`newsclean train`: train the models of `hybrid` on a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.lab.cli.tune import read_options_corpus

if TYPE_CHECKING:
    from newsclean.lab.training.run import Trained

DESCRIPTION = """Train the models of `hybrid` on pages with gold texts.

Six models are trained: one for use, on all pages, and one for each fifth of
the publishers, on the pages of the others. Figures are those of the five: no
page is judged by a model that has seen its publisher. Pages of some other
kinds are trained on, too, and count in no figure."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="see docs/evaluate.md")
    parser.add_argument("--collections", help="only these, with commas")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="only N pages of each collection"
    )
    parser.add_argument("--epochs", type=positive, metavar="N")
    parser.add_argument("--width", type=positive, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("model.npz"),
        metavar="FILE",
        help="for the model for use; default: model.npz",
    )
    parser.add_argument(
        "--folds-out",
        type=Path,
        metavar="FILE",
        help="for the models of the folds; default: folds.npz in the folder of --out",
    )
    parser.add_argument(
        "--ablate", action="store_true", help="instead, leave out each group of features in turn"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from newsclean.lab.evaluate.corpus import CorpusError, check_pages
    from newsclean.lab.folds import FOLDS, FOLDS_FILE, fold_of
    from newsclean.lab.training.examples import read_examples
    from newsclean.lab.training.fit import ARTICLE, Settings
    from newsclean.lab.training.run import features_by_group, save, train

    given = {name: getattr(options, name) for name in ("epochs", "width", "seed")}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    kinds = [ARTICLE, *dict(settings.kind_weights)]
    try:
        corpus = check_pages(read_options_corpus(options, kinds))
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    console = Console()
    with Progress(console=console) as progress:
        pages = progress.add_task("reading", total=len(corpus.golds))
        examples = read_examples(corpus, options.jobs, lambda: progress.advance(pages))
        if len({fold_of(example.gold.site) for example in examples}) < 2:
            message = "too few publishers: each page is judged by a model trained on others"
            raise CommandError(message, USAGE)
        if unusable := len(corpus.golds) - len(examples):
            console.print(f"{unusable} pages cannot be used: no HTML, or no text in it")
        if options.ablate:
            rows = {"everything": train_shown(progress, "everything", examples, settings, options)}
            for group, names in features_by_group().items():
                rows[f"without {group}"] = train_shown(
                    progress, f"without {group}", examples, settings, options, names
                )
        else:
            fits = progress.add_task("training", total=FOLDS + 1)
            trained = train(
                examples, settings, jobs=options.jobs, advance=lambda: progress.advance(fits)
            )
            rows = {"cross-validated": trained}
    show(console, rows)
    if not options.ablate:
        folds = options.folds_out or options.out.with_name(FOLDS_FILE.name)
        try:
            save(options.out, folds, trained, examples, settings)
        except OSError as error:
            message = f"cannot write {error.filename}: {error.strerror}"
            raise CommandError(message, UNREADABLE) from None
        print(f"written to {options.out}, those of the folds to {folds}")
    return 0


def train_shown(
    progress: Any,
    name: str,
    examples: Any,
    settings: Any,
    options: argparse.Namespace,
    left_out: Any = (),
) -> Trained:
    """One row of the ablation."""
    from newsclean.lab.folds import FOLDS
    from newsclean.lab.training.run import train

    task = progress.add_task(name, total=FOLDS)
    return train(
        examples,
        settings,
        left_out=left_out,
        only_folds=True,
        jobs=options.jobs,
        advance=lambda: progress.advance(task),
    )


def show(console: Any, rows: dict[str, Trained]) -> None:
    """The figures of each training, and the mean over the collections."""
    from rich.table import Table

    collections = list(next(iter(rows.values())).figures)
    table = Table("", *collections, "mean", title="word F1, cross-validated by publisher")
    for name, trained in rows.items():
        figures = [trained.figures[collection] for collection in collections]
        mean = sum(figures) / len(figures)
        table.add_row(name, *(f"{figure:.4f}" for figure in (*figures, mean)))
    console.print(table)
