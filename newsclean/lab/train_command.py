"""`newsclean train hybrid|articles|visual`: train the models that newsclean comes with."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.terminal import UNREADABLE, UNUSABLE, USAGE, CommandError, Progress, positive
from newsclean.lab.evaluate_command import names, read_corpus_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.extraction.methods.hybrid.network import Model
    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.training.hybrid_training import Trained
    from newsclean.lab.training.labelled_pages import Labelled
    from newsclean.lab.training.visual_training import Read

_DESCRIPTION = """Train the models that newsclean comes with.

  hybrid    the network and the vocabulary of the default method
  articles  the trees that tell articles, and links to them, from other pages
  visual    the network of the method `visual`

For hybrid and visual, six models are trained: one on all pages, for use, and one
for each fifth of the publishers, on the pages of the others. The figures are
those of the five: each page is scored by the model that was not trained on its
publisher. The same --seed gives the same models."""

#: With a larger weight, only that collection would be learned.
_MAX_WEIGHT = 100.0
_FOLDS_HELP = "models of the five folds (default: folds.npz beside --out)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    kinds = parser.add_subparsers(title="models", metavar="MODEL", required=True)
    hybrid = kinds.add_parser("hybrid", help="train the network and the vocabulary of hybrid")
    hybrid.add_argument("corpus", metavar="CORPUS", type=Path, help="corpus (docs/evaluate.md)")
    add = hybrid.add_argument
    add("more", metavar="MORE", type=Path, nargs="*", help="more corpora to train on")
    _add_common(hybrid, "model.npz")
    add("--without", type=names, default=[], metavar="A,B", help="train without these collections")
    add(
        "--weights",
        default="",
        metavar="NAME=W,…",
        help="weights of the pages of collections, instead of those in the model card",
    )
    add(
        "--leave-out",
        type=names,
        default=[],
        metavar="GROUPS",
        help="train without these groups of features",
    )
    add(
        "--distill",
        dest="teachers",
        type=positive,
        metavar="N",
        help="knowledge distillation: train N networks first, and learn their mean prediction, too",
    )
    add(
        "--continue",
        dest="start",
        type=Path,
        nargs=2,
        metavar=("MODEL", "FOLDS"),
        help="continue from the models of an earlier training, with its features",
    )
    add(
        "--share",
        type=_share,
        metavar="S",
        help="with --continue: how much the new weights count beside the earlier ones, 0 to 1 "
        "(default: 1)",
    )
    add("--epochs", type=positive, metavar="N", help="passes over the pages")
    add("--width", type=positive, metavar="N", help="width of the network")
    add("--jobs", type=positive, default=1, metavar="N", help="processes (default: 1)")
    add("--folds-out", type=Path, metavar="FILE", help=_FOLDS_HELP)
    add(
        "--cache",
        type=Path,
        metavar="FOLDER",
        help="save progress here (some hundred MB), to resume an interrupted training",
    )
    hybrid.set_defaults(run=_train_hybrid)
    articles = kinds.add_parser("articles", help="train the trees that recognise articles")
    articles.add_argument("corpus", metavar="CORPUS", type=Path, help="with all kinds of pages")
    articles.add_argument("more", metavar="MORE", type=Path, nargs="*", help="more corpora")
    _add_common(articles, "model.json")
    articles.add_argument("--folds", type=int, default=10, metavar="N", help="(default: 10)")
    articles.set_defaults(run=_train_articles)
    visual = kinds.add_parser("visual", help="train the network of visual")
    visual.add_argument("corpus", metavar="CORPUS", type=Path, help="corpus (docs/evaluate.md)")
    _add_common(visual, "network.npz")
    add = visual.add_argument
    add("--snapshots", type=Path, metavar="DIR", help="folder for rendered pages")
    add("--epochs", type=positive, metavar="N", help="passes over the pages")
    add("--folds-out", type=Path, metavar="FILE", help=_FOLDS_HELP)
    visual.set_defaults(run=_train_visual)


def _add_common(parser: argparse.ArgumentParser, out: str) -> None:
    add = parser.add_argument
    add("--collections", type=names, default=[], metavar="A,B", help="only these (default: all)")
    add("--sample", type=positive, metavar="N", help="at most N pages of each collection")
    add("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    add(
        "--out",
        type=Path,
        default=Path(out),
        metavar="FILE",
        help=f"the file to write (default: {out})",
    )


def _train_hybrid(options: argparse.Namespace) -> int:
    from rich.console import Console

    from newsclean.lab.evaluate.corpus import CorpusError, check_pages
    from newsclean.lab.folds import FOLDS, FOLDS_FILE, fold_of
    from newsclean.lab.training.block_examples import read_examples
    from newsclean.lab.training.fit import ARTICLE, Settings
    from newsclean.lab.training.hybrid_training import USE, save, train

    start = _start(options)
    names_given = "epochs", "width", "seed", "teachers", "share"
    given = {name: getattr(options, name) for name in names_given}
    settings = Settings().continued(start[USE].network) if start else Settings()
    settings = replace(settings, **{name: n for name, n in given.items() if n is not None})
    weights = _weights(options.weights)
    settings = settings.weighted(weights).without(options.without)
    kinds = [ARTICLE, *dict(settings.kind_weights)]
    corpora = [read_corpus_of(options.corpus, options.collections, kinds, options.sample)]
    corpora += [read_corpus_of(folder, [], kinds, options.sample) for folder in options.more]
    try:
        golds = [gold for corpus in corpora for gold in check_pages(corpus).golds]
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    _check_names(corpora, [*options.without, *weights])
    left_out = _features(options.leave_out)
    console = Console()
    with Progress() as progress:
        advance = partial(progress.advance, "reading", len(golds))
        examples = read_examples(golds, options.jobs, advance, options.cache)
        if len({fold_of(example.gold.site) for example in examples}) < 2:
            message = "too few publishers: each page is scored by a model trained on others"
            raise CommandError(message, USAGE)
    if unusable := len(golds) - len(examples):
        console.print(f"{unusable} pages cannot be used: no HTML, or no text in it")
    with Progress("networks") as progress:
        trained = train(
            examples,
            settings,
            left_out=left_out,
            jobs=options.jobs,
            advance=partial(progress.advance, "training", FOLDS + 1),
            cache=options.cache,
            start=start,
        )
    _show_hybrid(console, trained, {gold.collection for gold in corpora[0].golds})
    folds = options.folds_out or options.out.with_name(FOLDS_FILE.name)
    try:
        save(options.out, folds, trained, examples, settings, start[USE] if start else None)
    except OSError as error:
        message = f"cannot write {error.filename}: {error.strerror}"
        raise CommandError(message, UNREADABLE) from None
    print(f"written to {options.out}, the models of the folds to {folds}")
    return 0


def _start(options: argparse.Namespace) -> dict[str, Model] | None:
    """Read the models from which the training goes on, and check that they are of one training."""
    from newsclean.extraction.methods.hybrid.network import ModelError, read_model
    from newsclean.lab.folds import FOLDS
    from newsclean.lab.training.hybrid_training import USE

    if options.start is None:
        if options.share is not None:
            raise CommandError("--share needs --continue", USAGE)
        return None
    if options.leave_out or options.width or options.teachers:
        message = (
            "--continue takes features and width from the model, and does not go with --distill"
        )
        raise CommandError(message, USAGE)
    model, folds = options.start
    try:
        models = {USE: read_model(model)}
        models |= {str(fold): read_model(folds, str(fold)) for fold in range(FOLDS)}
    except ModelError as error:
        raise CommandError(str(error), UNREADABLE) from None
    if any(one.card != models[USE].card for one in models.values()):
        raise CommandError(f"{model} and {folds} are of two trainings", USAGE)
    return models


def _share(given: str) -> float:
    share = float(given)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"not between 0 and 1: {given}")
    return share


def _weights(given: str) -> dict[str, float]:
    """Parse the weights of collections: NAME=WEIGHT, separated by commas."""
    weights = {}
    for pair in names(given):
        name, _, weight = pair.partition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            weights[name] = -1.0
        if not 0 <= weights[name] <= _MAX_WEIGHT:
            message = f"--weights: {pair!r} is not NAME=W with W from 0 to {_MAX_WEIGHT:g}"
            raise CommandError(message, USAGE)
    return weights


def _check_names(corpora: Sequence[Corpus], given: Sequence[str]) -> None:
    """Refuse a collection that is in two corpora, or in none."""
    count = Counter(
        name for corpus in corpora for name in {gold.collection for gold in corpus.golds}
    )
    if twice := sorted(name for name in count if count[name] > 1):
        raise CommandError(f"several corpora have a collection named {twice[0]!r}", USAGE)
    if unknown := [name for name in given if name not in count]:
        known = ", ".join(sorted(count))
        raise CommandError(f"no collection named {unknown[0]!r}; there are: {known}", USAGE)


def _features(groups: Sequence[str]) -> list[str]:
    """Return the features of these groups; refuse unknown groups."""
    from newsclean.lab.training.hybrid_training import features_by_group

    by_group = features_by_group()
    for group in groups:
        if group not in by_group:
            known = ", ".join(by_group)
            raise CommandError(f"no group of features named {group!r}; there are: {known}", USAGE)
    return [name for group in groups for name in by_group[group]]


def _show_hybrid(console: Any, trained: Trained, first: set[str]) -> None:
    """Print the figures, with their mean over the collections of the first corpus."""
    from rich.table import Table

    figures = trained.figures
    mean = sum(figures[name] for name in figures if name in first) / len(first & set(figures))
    table = Table("", "word F1", title="cross-validated by publisher")
    for name, figure in {**figures, "mean": mean}.items():
        table.add_row(name, f"{figure:.4f}")
    console.print(table)


def _train_articles(options: argparse.Namespace) -> int:

    from newsclean.lab.training import article_training as training
    from newsclean.lab.training.labelled_pages import CLASSES

    if options.folds < 2:
        raise CommandError("--folds takes 2 or more", USAGE)
    pages, own = _labelled(options)
    if {page.label for page in pages} != set(CLASSES):
        message = "training needs articles and pages of other kinds"
        raise CommandError(f"{options.corpus}: {message}", UNUSABLE)
    further = frozenset(page.collection for page in pages) - {page.collection for page in own}
    of_pages = training.page_examples(pages, options.folds, options.seed, further)
    of_links = training.link_examples(own, options.folds, options.seed)
    if set(of_links.labels) != set(CLASSES):
        message = "training needs the URLs (field url) of articles and of other pages"
        raise CommandError(f"{options.corpus}: {message}", UNUSABLE)
    if any(len(set(examples.fold.tolist())) < 2 for examples in (of_pages, of_links)):
        message = "training needs pages of two or more publishers, with their URLs"
        raise CommandError(f"{options.corpus}: {message}", UNUSABLE)
    models = {}
    with Progress("folds") as progress:
        advance = partial(progress.advance, "trees", 2 * options.folds)
        for name, examples, settings, model_of in (
            ("pages", of_pages, training.PAGE_TREES, training.train_pages),
            ("links", of_links, training.LINK_TREES, training.train_links),
        ):
            probability = training.cross_validate(examples, settings, options.seed, advance)
            models[name] = model_of(examples, probability, options.seed)
    try:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(training.models_to_json(models), "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {error.strerror}", UNREADABLE) from None
    for name, model in models.items():
        print(f"{name}: an article from a probability of {model.threshold}")
        print(f"  trained on {', '.join(f'{n} {what}' for what, n in model.trained_on.items())}")
        for figure, value in model.cross_validated.items():
            print(f"  {figure}: {value:g}")
    print(f"written to {options.out}")
    return 0


def _labelled(options: argparse.Namespace) -> tuple[list[Labelled], list[Labelled]]:
    """Read the pages of all corpora, and of the first one; count those that cannot be used."""

    from newsclean.lab.evaluate.corpus import CorpusError
    from newsclean.lab.folds import not_cross_validated
    from newsclean.lab.training.labelled_pages import KINDS, read_labelled

    corpora = [read_corpus_of(options.corpus, options.collections, KINDS, options.sample)]
    corpora += [read_corpus_of(folder, [], KINDS, options.sample) for folder in options.more]
    _check_names(corpora, [])
    golds = [gold for corpus in corpora for gold in corpus.golds]
    unusable: Counter[str] = Counter()
    try:
        with Progress() as progress:
            pages = read_labelled(
                golds,
                partial(progress.advance, "reading", len(golds)),
                lambda error: unusable.update([error.reason]),
            )
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    if unusable:
        why = ", ".join(f"{reason} ({count})" for reason, count in unusable.most_common())
        print(f"{unusable.total()} pages cannot be used: {why}")
    if warning := not_cross_validated([page.publisher for page in pages]):
        print(f"newsclean: features of the chosen text are {warning}", file=sys.stderr)
    first = {gold.collection for gold in corpora[0].golds}
    return pages, [page for page in pages if page.collection in first]


def _train_visual(options: argparse.Namespace) -> int:
    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.lab.folds import fold_of
    from newsclean.lab.training.visual_training import Settings, save, train_and_measure

    try:
        read = _rendered(options)
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
    if not read.examples:
        raise CommandError("no page could be used", UNUSABLE)
    if len({fold_of(example.gold.site) for example in read.examples}) < 2:
        message = "too few publishers: each page is judged by a network trained on others"
        raise CommandError(message, USAGE)
    given = {"seed": options.seed} | ({"epochs": options.epochs} if options.epochs else {})
    settings = Settings(**given)
    result = train_and_measure(read, settings)
    _show_visual(result.figures)
    folds = options.folds_out or options.out.with_name("folds.npz")
    try:
        save(options.out, folds, read, result, settings)
    except OSError as error:
        message = f"cannot write {error.filename}: {error.strerror}"
        raise CommandError(message, UNREADABLE) from None
    print(f"written to {options.out}, the models of the folds to {folds}")
    return 0


def _rendered(options: argparse.Namespace) -> Read:
    """Render the examples of the corpus; name pages that cannot be used."""
    from rich.console import Console

    from newsclean.lab.evaluate.corpus import CorpusError
    from newsclean.lab.training.rendered_blocks import SnapshotCache
    from newsclean.lab.training.visual_training import read_examples

    corpus = read_corpus_of(options.corpus, options.collections, ("article",), options.sample)
    console = Console(stderr=True)
    try:
        cache = SnapshotCache(options.snapshots)
    except OSError as error:
        message = f"cannot write {error.filename}: {error.strerror}"
        raise CommandError(message, UNREADABLE) from None
    try:
        with Progress() as progress:
            advance = partial(progress.advance, "rendering", len(corpus.golds))
            read = read_examples(corpus, cache, advance)
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    finally:
        cache.close()
    for name, reason in read.left_out.items():
        console.print(f"left out, {reason}: {name}", highlight=False)
    return read


def _show_visual(figures: dict[str, Any]) -> None:
    """Print the figures of the paper's table III, and the confusion matrix."""
    from rich.console import Console
    from rich.table import Table

    from newsclean.extraction.methods.visual.classifier import CLASSES

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
