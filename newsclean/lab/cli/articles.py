"""`newsclean articles`: is it one? The paper's experiment, training, and answers with reasons."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsclean.lab.trees.experiment import Outcome
    from newsclean.lab.trees.labelled import Labelled, Wanted

DESCRIPTION = """Tell articles from other pages.

experiment   do link targets help to identify articles? (docs/results.md)
train        learn the shipped models anew from a corpus with page types
explain      the path of one page through the trees, in words
score        how likely URLs lead to articles, without fetching them"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _experiment_parser(actions)
    _train_parser(actions)
    _explain_parser(actions)
    _score_parser(actions)


def _corpus_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="see docs/evaluate.md")
    parser.add_argument("--collections", help="only these, with commas")
    parser.add_argument(
        "--sample", type=positive, metavar="N", help="only N pages of each collection"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folds", type=int, default=10, metavar="N", help="default: 10")


def _experiment_parser(actions: Any) -> None:
    parser = actions.add_parser("experiment", help="the experiment of the 2019 slides")
    _corpus_arguments(parser)
    parser.add_argument("--repetitions", type=positive, default=20, metavar="N", help="default: 20")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the table and the tree")
    parser.set_defaults(run=experiment)


def experiment(options: argparse.Namespace) -> int:
    from newsclean.lab.trees.experiment import TREES, run_experiment
    from newsclean.lab.trees.labelled import Wanted

    if options.folds < 2:
        raise CommandError("--folds takes 2 or more", USAGE)
    pages = _labelled(options, Wanted(paper=True, readerable=_has_trafilatura()))
    try:
        with _progress("trees", options.repetitions * len(TREES)) as advance:
            outcome = run_experiment(
                pages,
                folds=options.folds,
                repetitions=options.repetitions,
                seed=options.seed,
                advance=advance,
            )
    except ValueError as error:
        raise CommandError(f"{options.corpus}: {error}", UNUSABLE) from None
    _show(outcome)
    if options.out:
        _write_experiment(options.out, outcome)
    return 0


def _labelled(options: argparse.Namespace, wanted: Wanted) -> list[Labelled]:
    from rich.console import Console
    from rich.progress import Progress

    from newsclean.lab.evaluate.corpus import CorpusError, UnknownNameError
    from newsclean.lab.folds import not_cross_validated
    from newsclean.lab.trees.labelled import read_labelled

    names = [name for name in (options.collections or "").split(",") if name]
    unusable: Counter[str] = Counter()
    try:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("pages")
            pages = read_labelled(
                options.corpus,
                wanted,
                names,
                options.sample,
                lambda done, total: progress.update(task, completed=done, total=total),
                lambda error: unusable.update([error.reason]),
            )
    except UnknownNameError as error:
        raise CommandError(str(error), USAGE) from None
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    if unusable:
        why = ", ".join(f"{reason} ({count})" for reason, count in unusable.most_common())
        print(f"{unusable.total()} pages cannot be used: {why}")
    if wanted.page and (warning := not_cross_validated([page.publisher for page in pages])):
        print(f"newsclean: features of the chosen text are {warning}", file=sys.stderr)
    return pages


@contextmanager
def _progress(name: str, total: int) -> Iterator[Callable[[], None]]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(name, total=total)
        yield lambda: progress.advance(task)


def _has_trafilatura() -> bool:
    from importlib.util import find_spec

    return find_spec("trafilatura") is not None


def _table(outcome: Outcome) -> list[list[str]]:
    rows = [["", "precision", "recall", "F1", "± repetitions", "± folds", "nodes"]]
    for row in outcome.rows:
        figures = (row.precision, row.recall, row.f1, row.spread, row.fold_spread)
        size = f"{row.size:.0f}" if row.size else ""
        rows.append([row.name, *(f"{figure:.3f}" for figure in figures), size])
    return rows


def _sentences(outcome: Outcome) -> str:
    return (
        f"{outcome.pages} pages drawn each time, half of them articles, "
        f"of {outcome.publishers} publishers in all. "
        f"Corrected resampled t-test: t = {outcome.t:.2f}, p = {outcome.p:.3g}.\n\n"
        f"{outcome.answer}"
    )


def _show(outcome: Outcome) -> None:
    from rich.console import Console
    from rich.table import Table

    header, *rows = _table(outcome)
    table = Table(*header)
    for row in rows:
        table.add_row(*row)
    console = Console()
    console.print(table)
    console.print(_sentences(outcome), highlight=False)


def _write_experiment(folder: Path, outcome: Outcome) -> None:
    from newsclean.lab.trees.drawing import as_svg, as_text
    from newsclean.lab.trees.saving import tree_to_json

    header, *rows = _table(outcome)
    lines = [header, ["---"] * len(header), *rows]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    files = {
        "experiment.md": f"{table}\n\n{_sentences(outcome)}\n",
        "tree.txt": as_text(outcome.tree) + "\n",
        "tree.svg": as_svg(outcome.tree, max_depth=4),
        "tree.json": json.dumps(tree_to_json(outcome.tree), indent=1) + "\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write to {folder}: {error.strerror}", UNREADABLE) from None
    print(f"written to {folder}: {', '.join(files)}")


def _train_parser(actions: Any) -> None:
    parser = actions.add_parser("train", help="learn the models of pages and links from a corpus")
    _corpus_arguments(parser)
    parser.add_argument(
        "--out", type=Path, default=Path("model.json"), metavar="FILE", help="default: model.json"
    )
    parser.set_defaults(run=train)


def train(options: argparse.Namespace) -> int:
    from newsclean.lab.trees import training
    from newsclean.lab.trees.labelled import CLASSES, Wanted
    from newsclean.lab.trees.saving import models_to_json

    if options.folds < 2:
        raise CommandError("--folds takes 2 or more", USAGE)
    wanted = Wanted(page=True, menu=True, paper=True, readerable=_has_trafilatura())
    pages = _labelled(options, wanted)
    if {page.label for page in pages} != set(CLASSES):
        raise CommandError(
            f"{options.corpus}: training needs articles and pages of other kinds", UNUSABLE
        )
    of_pages = training.page_examples(pages, options.folds, options.seed)
    of_links = training.link_examples(pages, options.folds, options.seed)
    if set(of_links.labels) != set(CLASSES):
        message = "training needs addresses (the field url) of articles and of other pages"
        raise CommandError(f"{options.corpus}: {message}", UNUSABLE)
    if any(len(set(examples.fold.tolist())) < 2 for examples in (of_pages, of_links)):
        message = "training needs pages of two publishers or more, with their addresses"
        raise CommandError(f"{options.corpus}: {message}", UNUSABLE)
    models = {}
    with _progress("trees", 2 * options.folds) as advance:
        for name, examples, settings, model_of in (
            ("pages", of_pages, training.PAGE_TREES, training.train_pages),
            ("links", of_links, training.LINK_TREES, training.train_links),
        ):
            probability = training.cross_validate(examples, settings, options.seed, advance)
            models[name] = model_of(examples, probability, options.seed)
    try:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(models_to_json(models), "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {error.strerror}", UNREADABLE) from None
    for name, model in models.items():
        print(f"{name}: yes from a probability of {model.threshold} on")
        print(f"  trained on {', '.join(f'{n} {what}' for what, n in model.trained_on.items())}")
        for figure, value in model.cross_validated.items():
            print(f"  {figure}: {value:g}")
    compared = training.compare(pages, options.folds, options.seed)
    if compared:
        print("for comparison, on the same pages:")
    for name, found in compared.items():
        print(f"  {name}: {found.precision:.3f} precision, {found.recall:.3f} recall", end=", ")
        print(f"{found.f1:.3f} F1")
    print(f"written to {options.out}")
    return 0


def _explain_parser(actions: Any) -> None:
    parser = actions.add_parser("explain", help="why a page is an article, or is not one")
    parser.add_argument("source", metavar="FILE|URL|-", help="the page; - is standard input")
    parser.add_argument("--url", help="the page's address, if FILE does not say it")
    parser.add_argument(
        "--trees", type=positive, default=3, metavar="N", help="paths shown; default: 3"
    )
    parser.set_defaults(run=explain)


def explain(options: argparse.Namespace) -> int:
    from newsclean.cli.sources import read_source
    from newsclean.lab.trees.explaining import explain_page
    from newsclean.page import Page, PageError

    body, url, content_type = read_source(options.source)
    try:
        page = Page.from_html(body, options.url or url, content_type)
    except PageError as error:
        raise CommandError(f"{options.source}: {error}", UNUSABLE) from None
    print("\n".join(explain_page(page, options.trees)))
    return 0


def _score_parser(actions: Any) -> None:
    parser = actions.add_parser(
        "score", help="how likely URLs lead to articles; nothing is fetched"
    )
    parser.add_argument("urls", metavar="URL", nargs="+")
    parser.set_defaults(run=score)


def score(options: argparse.Namespace) -> int:
    from newsclean.articles import LIKELY, SURELY_NOT, article_likelihood

    for url in options.urls:
        likelihood = article_likelihood(url)
        word = "likely" if likelihood >= LIKELY else "perhaps"
        print(f"{likelihood:.3f}  {'surely not' if likelihood < SURELY_NOT else word:10}  {url}")
    return 0
