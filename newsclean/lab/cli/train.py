"""`newsclean train`: train the models of `hybrid` on a corpus."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.lab.cli.tune import read_options_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.training.run import Trained

DESCRIPTION = """Train the models of `hybrid` on pages with gold texts.

Six models are trained: one for use, on all pages, and one for each fifth of
the publishers, on the pages of the others. Figures are those of the five: no
page is judged by a model that has seen its publisher, in whatever collection.
Pages of some other kinds are trained on, too, and count in no figure. With
--cache a training that was stopped goes on where it was."""


#: `--ablate` without groups.
ALL = "all"
#: Characters of a line with the figures of many collections: they are broken, not cut off.
MIN_WIDTH = 160
#: A collection that counts more is all that is learned.
MAX_WEIGHT = 100.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="see docs/evaluate.md")
    parser.add_argument(
        "more", metavar="MORE", type=Path, nargs="*", help="more collections to train on"
    )
    parser.add_argument("--collections", help="only these, with commas")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="only N pages of each collection"
    )
    parser.add_argument(
        "--without", default="", help="train without these collections, with commas"
    )
    parser.add_argument(
        "--weights",
        default="",
        metavar="NAME=W,…",
        help="how much pages of these collections count, in place of the weights in the model card",
    )
    parser.add_argument(
        "--teachers",
        type=positive,
        metavar="N",
        help="train N networks first, and let the model learn what they say in the mean, too",
    )
    parser.add_argument(
        "--augment",
        default="",
        metavar="KINDS",
        help="train on pages made of pages, too: comments, side column, second article, no names, "
        "old tags; several with commas",
    )
    parser.add_argument(
        "--augmented", type=positive, default=400, metavar="N", help="so many; default: 400"
    )
    parser.add_argument(
        "--leave-out",
        default="",
        metavar="GROUPS",
        help="train without these groups of features, with commas",
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
        "--cache",
        type=Path,
        metavar="FOLDER",
        help="keeps what is done there, some hundred MB, and takes it from there the next time",
    )
    parser.add_argument(
        "--ablate",
        nargs="?",
        const=ALL,
        metavar="GROUPS",
        help="instead, leave out each group of features (or each of these, with commas), each "
        "collection and each kind of augmentation in turn",
    )
    parser.add_argument(
        "--folds",
        type=positive,
        default=5,
        metavar="N",
        help="with --ablate, measure only N of the five fifths",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from newsclean.lab.evaluate.corpus import CorpusError, check_pages
    from newsclean.lab.folds import FOLDS, FOLDS_FILE, fold_of
    from newsclean.lab.training.ablation import rows_of
    from newsclean.lab.training.augment import augmented_examples
    from newsclean.lab.training.examples import read_examples
    from newsclean.lab.training.fit import ARTICLE
    from newsclean.lab.training.run import save, train
    from newsclean.lab.training.settings import Settings

    if options.folds > FOLDS:
        raise CommandError(f"--folds {options.folds}: there are {FOLDS}", USAGE)
    given = {name: getattr(options, name) for name in ("epochs", "width", "seed", "teachers")}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    weights = weights_of(options.weights)
    settings = settings.weighted(weights)
    settings = settings.without(name for name in options.without.split(",") if name)
    kinds = [ARTICLE, *dict(settings.kind_weights)]
    corpora = [read_options_corpus(options, kinds)]
    for folder in options.more:
        given = {**vars(options), "corpus": folder, "collections": ""}
        corpora.append(read_options_corpus(argparse.Namespace(**given), kinds))
    try:
        golds = [gold for corpus in corpora for gold in check_pages(corpus).golds]
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    check_names(corpora, [*options.without.split(","), *weights])
    check_kinds(options.augment)
    left_out = features_of(options.leave_out)
    groups = groups_of(options.ablate or "")
    console = Console()
    with Progress(console=console) as progress:
        pages = progress.add_task("reading", total=len(golds))
        examples = read_examples(
            golds, options.jobs, lambda: progress.advance(pages), options.cache
        )
        if len({fold_of(example.gold.site) for example in examples}) < 2:
            message = "too few publishers: each page is judged by a model trained on others"
            raise CommandError(message, USAGE)
        if unusable := len(golds) - len(examples):
            console.print(f"{unusable} pages cannot be used: no HTML, or no text in it")
        if kinds := [kind.strip() for kind in options.augment.split(",") if kind.strip()]:
            of_first = {gold.collection for gold in corpora[0].golds}
            donors = [e for e in examples if e.gold.kind == ARTICLE]
            own = [e for e in donors if e.gold.collection in of_first]
            examples += augmented_examples(own, donors, kinds, options.augmented, settings.seed)
        if options.ablate:
            rows: dict[str, Trained] = {}
            for row in rows_of(examples, settings, left_out, groups):
                task = progress.add_task(row.name, total=options.folds)
                rows[row.name] = row.train(
                    examples,
                    options.folds,
                    options.jobs,
                    partial(progress.advance, task),
                    options.cache,
                )
        else:
            fits = progress.add_task("training", total=FOLDS + 1)
            trained = train(
                examples,
                settings,
                left_out=left_out,
                jobs=options.jobs,
                advance=lambda: progress.advance(fits),
                cache=options.cache,
            )
            rows = {"cross-validated": trained}
    show(console, rows, {gold.collection for gold in corpora[0].golds})
    if not options.ablate:
        folds = options.folds_out or options.out.with_name(FOLDS_FILE.name)
        try:
            save(options.out, folds, trained, examples, settings)
        except OSError as error:
            message = f"cannot write {error.filename}: {error.strerror}"
            raise CommandError(message, UNREADABLE) from None
        print(f"written to {options.out}, those of the folds to {folds}")
    return 0


def weights_of(given: str) -> dict[str, float]:
    """The weights of collections that are given as NAME=WEIGHT, with commas."""
    weights = {}
    for pair in filter(None, map(str.strip, given.split(","))):
        name, _, weight = pair.partition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            weights[name] = -1.0
        if not 0 <= weights[name] <= MAX_WEIGHT:
            message = f"--weights: {pair!r} is not NAME=W with W from 0 to {MAX_WEIGHT:g}"
            raise CommandError(message, USAGE)
    return weights


def check_names(corpora: Sequence[Corpus], given: Sequence[str]) -> None:
    """Refuse a collection that two corpora have, and one that none has."""
    names = [{gold.collection for gold in corpus.golds} for corpus in corpora]
    everything = set().union(*names)
    if len(everything) < sum(map(len, names)):
        twice = sorted(name for name in everything if sum(name in own for own in names) > 1)
        raise CommandError(f"several corpora have a collection named {twice[0]!r}", USAGE)
    if unknown := [name for name in given if name and name not in everything]:
        known = ", ".join(sorted(everything))
        raise CommandError(f"no collection named {unknown[0]!r}; there are: {known}", USAGE)


def check_kinds(given: str) -> None:
    """Refuse a kind of augmentation that does not exist."""
    from newsclean.lab.training.augment import AUGMENTATIONS

    for kind in filter(None, map(str.strip, given.split(","))):
        if kind not in AUGMENTATIONS:
            known = ", ".join(AUGMENTATIONS)
            raise CommandError(f"no augmentation named {kind!r}; there are: {known}", USAGE)


def features_of(given: str) -> list[str]:
    """The features of these groups, which are left out; a group that does not exist is refused."""
    from newsclean.lab.training.run import features_by_group

    by_group = features_by_group()
    return [name for group in groups_of(given) for name in by_group[group]]


def groups_of(given: str) -> list[str]:
    """Groups of features by name; one that does not exist is refused."""
    from newsclean.methods.hybrid.features import FEATURE_GROUPS

    if given == ALL:
        return list(FEATURE_GROUPS)
    groups = [group.strip() for group in given.split(",") if group.strip()]
    for group in groups:
        if group not in FEATURE_GROUPS:
            known = ", ".join(FEATURE_GROUPS)
            raise CommandError(f"no group of features named {group!r}; there are: {known}", USAGE)
    return groups


def show(console: Any, rows: dict[str, Trained], first: set[str]) -> None:
    """The figures of each training, and the mean over the collections of the first corpus."""
    from rich.table import Table

    collections = list(next(iter(rows.values())).figures)
    columns = [*collections, "mean", "seconds"]
    lines = {}
    for name, trained in rows.items():
        figures = [trained.figures[collection] for collection in collections]
        of_mean = [trained.figures[collection] for collection in collections if collection in first]
        mean = sum(of_mean) / len(of_mean)
        written = [f"{figure:.4f}" for figure in (*figures, mean)]
        lines[name] = [*written, f"{trained.seconds:.0f}"]
    print("word F1, cross-validated by publisher")
    if len(lines) == 1:  # a terminal is not wide enough for all collections side by side
        table = Table("", *lines)
        for row in zip(columns, *lines.values(), strict=True):
            table.add_row(*row)
    else:
        table = Table("", *columns)
        for name, written in lines.items():
            table.add_row(name, *written)
        console.width = max(console.width, MIN_WIDTH)
    console.print(table)
    seconds = sum(trained.seconds for trained in rows.values())
    console.print(f"{seconds:.0f} seconds of training, that of teachers and the reading apart")
