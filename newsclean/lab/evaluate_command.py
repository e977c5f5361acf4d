"""`newsclean evaluate`: measure quality and speed on a corpus, next to other tools."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from newsclean.cli.terminal import UNREADABLE, UNUSABLE, USAGE, CommandError, Progress, positive
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.lab.evaluate.evaluation_report import why_no_plots

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.page_scores import Scores
    from newsclean.lab.evaluate.peers import Peer
    from newsclean.lab.evaluate.score_tables import Table
    from newsclean.lab.evaluate.systems import Count, System

#: Lines of progress in a log.
_LOG_LINES = 20

_DESCRIPTION = """Measure methods and other tools against the gold texts of a corpus.

A corpus is a folder of collections, each with gold.jsonl and pages/ID.html.gz
(docs/evaluate.md). The neighbors of a page are the other pages of its site."""

_EXAMPLES = """examples:
  newsclean evaluate corpus/ --peers trafilatura,readability --out results/
  newsclean evaluate corpus/ --collections news --methods stadynot,stadynot+coreex --neighbors 0,1,4,9
  newsclean evaluate corpus/ --worst 10
  newsclean evaluate corpus/ --explain news/example.org-03
"""  # noqa: E501


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="folder of the corpus")
    add = parser.add_argument
    add("--collections", metavar="A,B", type=names, default=[], help="only these (default: all)")
    kinds = "only pages of these kinds (default: article)"
    add("--kinds", metavar="A,B", type=names, default=["article"], help=kinds)
    add(
        "--methods",
        metavar="A,B+C",
        type=names,
        default=[DEFAULT_METHOD],
        help=f"methods, chained with +; none: only peers (default: {DEFAULT_METHOD})",
    )
    add("--peers", metavar="A,B|all", type=names, default=[], help="other tools (default: none)")
    add(
        "--neighbors",
        metavar="0,1,4,9|all",
        type=counts,
        default=["all"],
        help="number of neighbors, or all; several numbers are compared (default: all)",
    )
    add("--sample", metavar="N", type=positive, help="at most N pages of each collection")
    add("--jobs", metavar="N", type=positive, default=1, help="processes (default: 1)")
    add("--out", metavar="DIR", type=Path, help="folder for the results: JSON, tables and plots")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--fields",
        action="store_true",
        help="measure headline, authors, date, keywords and images instead of the text",
    )
    what.add_argument(
        "--corrections",
        action="store_true",
        help="measure how one, two and three corrected pages improve the others of a site",
    )
    what.add_argument("--explain", metavar="ID", help="show the errors on one page, and why")
    add(
        "--snapshots",
        metavar="DIR",
        type=Path,
        help="folder for rendered pages, for visual (default: snapshots in --out)",
    )
    add("--worst", metavar="N", type=positive, help="list the N pages with the lowest F1")
    parser.set_defaults(run=run)


def names(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())]


def counts(text: str) -> list[Count]:
    found: list[Count] = []
    for name in names(text):
        if name != "all" and not (name.isascii() and name.isdigit()):
            raise argparse.ArgumentTypeError(f"{name!r} is neither a number nor all")
        found.append("all" if name == "all" else int(name))
    if not found:
        raise argparse.ArgumentTypeError("no number given")
    return list(dict.fromkeys(found))


def run(options: argparse.Namespace) -> int:
    from rich.console import Console

    console = Console(stderr=True)
    systems, missing = _systems(options)
    corpus = _checked_corpus(options, console)
    if options.explain:
        return _explain(corpus, systems)
    if options.fields:
        return _measure_fields(options, corpus, systems)
    if options.corrections:
        return _measure_corrections(options, corpus, systems)
    return _measure_texts(options, corpus, systems, missing)


def _systems(options: argparse.Namespace) -> tuple[list[System], list[str]]:
    """Return what is to be measured, and the names of peers that are not installed."""
    from newsclean.lab.evaluate.peers import FIELD_PEERS, PEERS
    from newsclean.lab.evaluate.systems import missing_message, systems_of

    known: Mapping[str, Peer] = FIELD_PEERS if options.fields else PEERS
    peers = list(known) if options.peers == ["all"] else options.peers
    methods = [] if options.methods == ["none"] else options.methods
    try:
        systems, missing = systems_of(methods, peers, options.neighbors, known)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    for name in missing:
        print(f"newsclean: {missing_message(name)}", file=sys.stderr)
    if not systems:
        raise CommandError(
            "nothing to measure: give --methods, or --peers that are installed", USAGE
        )
    return systems, missing


def read_corpus_of(
    folder: Path,
    collections: Sequence[str],
    kinds: Collection[str],
    sample: int | None = None,
) -> Corpus:
    """Read a corpus, or the requested part of it."""
    from newsclean.lab.evaluate.corpus import CorpusError, UnknownNameError, read_corpus

    try:
        corpus = read_corpus(folder, collections, kinds)
    except UnknownNameError as error:
        raise CommandError(str(error), USAGE) from None
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    return corpus.sample(sample) if sample else corpus


def _checked_corpus(options: argparse.Namespace, console: Console) -> Corpus:
    """Read the corpus and check that all its pages can be read."""
    from newsclean.lab.evaluate.corpus import CorpusError, UnknownNameError, check_pages

    corpus = read_corpus_of(options.corpus, options.collections, options.kinds, options.sample)
    try:
        if options.explain:
            corpus = corpus.only([corpus.find(options.explain)])
        with console.status("checking pages"):
            return check_pages(corpus)
    except CorpusError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except UnknownNameError as error:
        raise CommandError(str(error), USAGE) from None


def _explain(corpus: Corpus, systems: Sequence[System]) -> int:
    from newsclean.lab.evaluate.page_explanation import explain_page

    gold = corpus.golds[0]
    _warn(corpus, systems)
    for system in systems:
        explain_page(result_console(highlight=False), gold, corpus.others(gold), system)
    return 0


def _warn(corpus: Corpus, systems: Sequence[System]) -> None:
    """Warn if the figures are not cross-validated."""
    from newsclean.lab.evaluate.systems import cross_validation_warning

    if warning := cross_validation_warning(systems, [gold.site for gold in corpus.golds]):
        print(f"newsclean: {warning}", file=sys.stderr)


def _measure_texts(
    options: argparse.Namespace,
    corpus: Corpus,
    systems: Sequence[System],
    missing: list[str],
) -> int:
    from newsclean.lab.evaluate import score_tables
    from newsclean.lab.evaluate.evaluation_report import Circumstances, remarks, write_report
    from newsclean.lab.evaluate.summary import summarise, worst

    done = _scores(options, corpus, systems)
    summary = summarise(done.scores, systems)
    how = Circumstances(
        shlex.join(["newsclean", *sys.argv[1:]]), str(options.corpus), options.jobs, missing
    )
    tables = [
        score_tables.f1_table(summary),
        score_tables.precision_recall_table(summary),
        score_tables.difference_table(summary),
        score_tables.speed_table(summary),
    ]
    if options.worst:
        first = summary.systems[0].system
        found = worst(done.scores, first, options.worst)
        tables.append(score_tables.worst_table(found, done.scores, first))
    print_tables(filter(None, tables))
    for remark in remarks(done, summary, how):
        print(f"· {remark}")
    if options.out:
        try:
            write_report(options.out, done, summary, how)
        except OSError as error:
            raise CommandError(f"cannot write {error.filename}: {error}", UNREADABLE) from None
        say_written(options.out, "results.json", "results.md")
    return 0


def _scores(options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]) -> Scores:
    from concurrent.futures.process import BrokenProcessPool

    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.lab.evaluate.page_scores import score_pages

    if options.out:
        _make_folder(options.out)
    snapshots = options.snapshots or (options.out and options.out / "snapshots")
    try:
        with _progress(f"{len(systems)} systems") as progress:
            return score_pages(corpus, systems, options.jobs, progress, snapshots)
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
    except BrokenProcessPool:
        message = "a process died (out of memory, or a crash in a library)"
        raise CommandError(message, UNUSABLE) from None


def _measure_fields(options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]) -> int:
    from newsclean.lab.evaluate.field_scores import as_json, field_tables, measure, summarise
    from newsclean.lab.evaluate.figure_scores import figure_tables, figures_as_json, measure_figures

    with _progress(f"fields, {len(systems)} systems") as progress:
        answers = measure(corpus, systems, progress)
    with _progress("labels of figures") as progress:
        figures = measure_figures(corpus, systems, progress)
    if not answers and not figures:
        raise CommandError("no page has a gold title, authors, date or topics", UNREADABLE)
    summary = summarise(answers)
    print_tables([*field_tables(summary), *figure_tables(figures)])
    _warn(corpus, systems)
    if options.out:
        written = as_json(answers, summary) | {"pictures": figures_as_json(figures)}
        _write(options.out / "fields.json", written)
        print(f"written to {options.out}: fields.json")
    return 0


def _measure_corrections(
    options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]
) -> int:
    from newsclean.lab.evaluate.correction_scores import (
        MIN_PAGES,
        correction_table,
        measure_corrections,
        sites_to_teach,
        to_dict,
    )
    from newsclean.lab.evaluate.evaluation_report import why_no_plots

    if not sites_to_teach(corpus):
        raise CommandError(f"no site of the corpus has {MIN_PAGES} pages", USAGE)
    results = []
    for method in dict.fromkeys(system.name for system in systems if not system.is_peer):
        with _progress(method, "sites") as progress:
            results.append(measure_corrections(corpus, method, progress))
    text = correction_table(results) + "\n"
    print(text)
    _warn(corpus, systems)
    if options.out:
        _write(options.out / "corrections.json", to_dict(results))
        (options.out / "corrections.md").write_text(text, "utf-8")
        if why_no_plots() is None:
            from newsclean.lab.evaluate.score_plots import draw_corrections, save

            save(options.out, {"corrections": draw_corrections(results)})
        say_written(options.out, "corrections.json", "corrections.md")
    return 0


@contextmanager
def _progress(title: str, unit: str = "pages") -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with how much is done, and of how much."""
    with Progress(unit, lines=_LOG_LINES) as progress:
        yield lambda done, total: progress.update(title, done, total)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot write to {folder}: {error.strerror}", UNREADABLE) from None


def _write(path: Path, figures: Any) -> None:
    _make_folder(path.parent)
    try:
        path.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}", UNREADABLE) from None


#: Characters a line where no terminal says how many it has.
_PIPED_WIDTH = 200


def result_console(*, highlight: bool = True) -> Console:
    """Standard output for tables, which are not folded where no terminal shows them."""
    from rich.console import Console

    console = Console(highlight=highlight)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    return console


def print_tables(tables: Iterable[Table]) -> None:
    from rich.table import Table as RichTable
    from rich.text import Text

    console = result_console()
    for table in tables:
        drawn = RichTable(title=table.title, title_justify="left", caption=table.note or None)
        for place, name in enumerate(table.header):
            side: Literal["left", "right"] = "right" if place else "left"
            drawn.add_column(name, justify=side, no_wrap=not place, overflow="fold")
        for row in table.rows:
            drawn.add_row(*map(Text, row))
        console.print(drawn)


def say_written(folder: Path, *files: str) -> None:
    """Say which files and plots a folder holds now, or why it holds no plots."""
    why = why_no_plots()
    if why:
        print(f"newsclean: {why}", file=sys.stderr)
    print(f"written to {folder}: {', '.join([*files, *([] if why else ['plots'])])}")
