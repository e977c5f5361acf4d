"""`newsclean visual`: train the network of `visual`, measure it, write its data set."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.lab.cli.tune import read_options_corpus

if TYPE_CHECKING:
    from newsclean.lab.visual.run import Read

DESCRIPTION = """Train and measure the network of `visual` on pages with gold texts.

  train    six networks: one for use, on all pages, and one for each fifth of the
           publishers, on the pages of the others, by which all figures are made
  dataset  the blocks of the pages with their 33 features and classes, as XML

Pages are rendered in Chromium without a network: a page whose stylesheets are
elsewhere is shown without them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.add_argument("task", choices=("train", "dataset"))
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="see docs/evaluate.md")
    add = parser.add_argument
    add("--collections", help="only these, with commas")
    add("--sample", type=positive, metavar="N", help="only N pages of each collection")
    add("--snapshots", type=Path, metavar="DIR", help="where rendered pages are kept")
    add("--epochs", type=positive, metavar="N")
    add("--seed", type=int, default=1)
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="default: network.npz for train, blocks.xml for dataset",
    )
    add("--folds-out", type=Path, metavar="FILE", help="default: folds.npz beside --out")
    add("--figures", type=Path, metavar="DIR", help="folder for visual.json and a plot")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.browser.chromium import BrowserMissingError

    try:
        read = read_pages(options)
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
    if not read.examples:
        raise CommandError("no page could be used", UNUSABLE)
    try:
        return write_dataset(options, read) if options.task == "dataset" else train(options, read)
    except OSError as error:
        message = f"cannot write {error.filename}: {error.strerror}"
        raise CommandError(message, UNREADABLE) from None


def read_pages(options: argparse.Namespace) -> Read:
    """The examples of the corpus; pages that cannot be used are counted."""
    from rich.console import Console
    from rich.progress import Progress

    from newsclean.lab.evaluate.corpus import CorpusError
    from newsclean.lab.visual.run import read_examples
    from newsclean.lab.visual.snapshots import SnapshotCache

    corpus = read_options_corpus(options)
    console = Console(stderr=True)
    try:
        cache = SnapshotCache(options.snapshots)
    except OSError as error:
        message = f"cannot write {error.filename}: {error.strerror}"
        raise CommandError(message, UNREADABLE) from None
    try:
        with Progress(console=console) as progress:
            pages = progress.add_task("rendering", total=len(corpus.golds))
            read = read_examples(corpus, cache, lambda: progress.advance(pages))
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    finally:
        cache.close()
    for name, reason in read.left_out.items():
        console.print(f"left out, {reason}: {name}", highlight=False)
    return read


def write_dataset(options: argparse.Namespace, read: Read) -> int:
    from newsclean.lab.visual.dataset import write_dataset as write

    path = options.out or Path("blocks.xml")
    blocks = write(path, read.examples)
    print(f"{blocks:,} blocks of {len(read.examples):,} pages written to {path}")
    return 0


def train(options: argparse.Namespace, read: Read) -> int:
    from newsclean.lab.folds import fold_of
    from newsclean.lab.visual.run import save, train_and_measure, write_figures
    from newsclean.lab.visual.training import Settings

    if len({fold_of(example.gold.site) for example in read.examples}) < 2:
        message = "too few publishers: each page is judged by a network trained on others"
        raise CommandError(message, USAGE)
    given = {"seed": options.seed} | ({"epochs": options.epochs} if options.epochs else {})
    settings = Settings(**given)
    result = train_and_measure(read, settings)
    show(result.figures)
    path = options.out or Path("network.npz")
    folds = options.folds_out or path.with_name("folds.npz")
    save(path, folds, read, result, settings)
    print(f"written to {path}, those of the folds to {folds}")
    if options.figures:
        options.figures.mkdir(parents=True, exist_ok=True)
        write_figures(options.figures / "visual.json", result.figures)
        from newsclean.lab.visual.plots import plot_importance

        plot_importance(options.figures / "visual-importance.png", result.figures["importance"])
        print(f"figures in {options.figures}: visual.json, visual-importance.png")
    return 0


def show(figures: dict[str, Any]) -> None:
    """Table III made anew, with the confusion matrix."""
    from rich.console import Console
    from rich.table import Table

    from newsclean.methods.visual import CLASSES

    console = Console()
    table = Table(
        "", "pages", "blocks", "accuracy", "largest class", "macro-F1",
        "main: accuracy", "precision", "recall", "F-measure",
        title="cross-validated by publisher",
    )  # fmt: skip
    for title, part, pages in (
        ("all pages", figures["all"], figures["pages"]),
        ("own stylesheets", figures["own_styles"], figures["own_styles"]["pages"]),
    ):
        main = part["main"]
        values = (part["accuracy"], part["largest_class"], part["macro_f1"], *main.values())
        table.add_row(title, str(pages), f"{part['blocks']:,}", *(f"{v:.4f}" for v in values))
    console.print(table)
    matrix = Table("", *(f"said {name}" for name in CLASSES), title="confusion matrix, all pages")
    for name, row in zip(CLASSES, figures["all"]["confusion"], strict=True):
        matrix.add_row(name, *(f"{count:,}" for count in row))
    console.print(matrix)
