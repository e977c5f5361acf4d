"""`newsclean evaluate`: how good and how fast, on a corpus, beside the tools that people use."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.lab.cli.results import print_tables, result_console
from newsclean.lab.cli.selection import (
    corpus_of_options,
    methods_of_options,
    systems_of_options,
)
from newsclean.methods import DEFAULT_METHOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.neighbors import Count
    from newsclean.lab.evaluate.run import Run
    from newsclean.lab.evaluate.summary import Summary
    from newsclean.lab.evaluate.systems import System

DESCRIPTION = """Measure methods and peers against the gold texts of a corpus.

A corpus is a folder of collections, each with gold.jsonl and pages/ID.html.gz
(see docs/evaluate.md). The neighbors of a page are the other pages of its site."""

EXAMPLES = """examples:
  newsclean evaluate corpus/ --peers trafilatura,readability --out results/
  newsclean evaluate corpus/ --collections news --methods stadynot,stadynot+coreex --neighbors 0,1,4,9
  newsclean evaluate corpus/ --worst 10
  newsclean evaluate corpus/ --explain news/example.org-03

With --out, a run that was broken off goes on where it stopped when the same
command is given again.
"""  # noqa: E501


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXAMPLES
    parser.add_argument("corpus", metavar="CORPUS", type=Path)
    add = parser.add_argument
    add("--collections", metavar="A,B", type=names, default=[], help="default: all")
    add("--kinds", metavar="A,B", type=names, default=["article"], help="default: article")
    add(
        "--methods",
        metavar="A,B+C",
        type=names,
        help=f"default: {DEFAULT_METHOD}; none: only peers",
    )
    add("--peers", metavar="A,B|all", type=names, default=[], help="other tools; default: none")
    add(
        "--neighbors",
        metavar="0,1,4,9|all",
        type=counts,
        default=["all"],
        help="this many other pages of the site, or all of them (default: all)",
    )
    add("--sample", metavar="N", type=positive, help="at most N pages of each collection")
    add("--jobs", metavar="N", type=positive, default=1, help="processes (default: 1)")
    add("--out", metavar="DIR", type=Path, help="folder for results.json, results.md and plots")
    add(
        "--fields",
        action="store_true",
        help="measure headline, authors, date, keywords and pictures in place of the text",
    )
    add(
        "--corrections",
        action="store_true",
        help="measure what one, two and three corrected pages of a site bring to its others",
    )
    add(
        "--snapshots",
        metavar="DIR",
        type=Path,
        help="where rendered pages are kept, for visual (default: snapshots in --out)",
    )
    add("--explain", metavar="ID", help="one page: what was missed, what was too much, and why")
    add("--worst", metavar="N", type=positive, help="list the pages with the lowest F1")
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
        raise argparse.ArgumentTypeError("no number is given")
    return list(dict.fromkeys(found))


def run(options: argparse.Namespace) -> int:
    from rich.console import Console

    console = Console(stderr=True)
    if options.fields:
        return run_fields(options, console)
    if options.corrections:
        from newsclean.lab.cli.corrections import run_corrections

        return run_corrections(options, console)
    systems, missing = systems_of_options(options)
    corpus = corpus_of_options(options, console)
    if options.explain:
        return explain(options, corpus, systems)
    return measure(options, corpus, systems, missing, console)


def run_fields(options: argparse.Namespace, console: Console) -> int:
    from newsclean.lab.cli.fields import FILE, measure_fields, systems_of_options
    from newsclean.lab.evaluate.systems import cross_validation_warning

    systems = systems_of_options(methods_of_options(options), options)
    corpus = corpus_of_options(options, console)
    print_tables(measure_fields(options, corpus, systems, console))
    if warning := cross_validation_warning(systems, [gold.site for gold in corpus.golds]):
        print(f"· {warning}")
    if options.out:
        print(f"written to {options.out}: {FILE}")
    return 0


def explain(options: argparse.Namespace, corpus: Corpus, systems: Sequence[System]) -> int:
    from newsclean.lab.evaluate.explain import explain_page
    from newsclean.lab.evaluate.systems import cross_validation_warning

    gold = corpus.golds[0]
    console = result_console(highlight=False)
    if warning := cross_validation_warning(systems, [gold.site]):
        print(f"newsclean: {warning}", file=sys.stderr)
    for system in systems:
        explain_page(console, gold, corpus.others(gold), system)
    return 0


def measure(
    options: argparse.Namespace,
    corpus: Corpus,
    systems: Sequence[System],
    missing: list[str],
    console: Console,
) -> int:
    from newsclean.lab.cli.written import say_written
    from newsclean.lab.evaluate.report import Circumstances, remarks, write_report
    from newsclean.lab.evaluate.summary import summarise

    done = _run(options, corpus, systems, console)
    if not done.scores:
        return _interrupted(options, done)
    summary = summarise(done.scores, systems)
    how = Circumstances(_command(), str(options.corpus), options.jobs, missing)
    _print_tables(options, done, summary)
    for remark in remarks(done, summary, how):
        print(f"· {remark}")
    if options.out:
        try:
            write_report(options.out, done, summary, how)
        except OSError as error:
            raise CommandError(f"cannot write {error.filename}: {error}", UNREADABLE) from None
        say_written(options.out, "results.json", "results.md")
    return _interrupted(options, done) if done.interrupted else 0


def _run(
    options: argparse.Namespace, corpus: Corpus, systems: Sequence[System], console: Console
) -> Run:
    from concurrent.futures.process import BrokenProcessPool

    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.lab.evaluate.journal import Journal
    from newsclean.lab.evaluate.progress import shown
    from newsclean.lab.evaluate.run import run as run_all

    try:
        journal = Journal(options.out)
    except OSError as error:
        raise CommandError(f"cannot write to {options.out}: {error.strerror}", UNREADABLE) from None
    snapshots = options.snapshots or (options.out and options.out / "snapshots")
    try:
        with shown(console, f"{len(systems)} systems") as progress:
            return run_all(corpus, systems, journal, options.jobs, progress, snapshots)
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
    except BrokenProcessPool:
        raise CommandError(
            "a process died (out of memory, or a crash in a library); with --out, "
            "the same command goes on after the pages that are done",
            UNUSABLE,
        ) from None
    finally:
        journal.close()


def _print_tables(options: argparse.Namespace, done: Run, summary: Summary) -> None:
    from newsclean.lab.evaluate import tables
    from newsclean.lab.evaluate.summary import worst

    shown = [
        tables.f1_table(summary),
        tables.precision_recall_table(summary),
        tables.difference_table(summary),
        tables.speed_table(summary),
    ]
    if options.worst:
        first = summary.systems[0].system
        found = worst(done.scores, first, options.worst)
        shown.append(tables.worst_table(found, done.scores, first))
    print_tables(filter(None, shown))


def _interrupted(options: argparse.Namespace, done: Run) -> int:
    pages = f"stopped after {done.pages[0]} of {done.pages[1]} pages"
    if options.out:
        hint = f"they are kept in {options.out}; to go on, give the same command again"
    else:
        hint = "with --out DIR they would have been kept"
    print(f"newsclean: {pages}; {hint}: {_command()}", file=sys.stderr)
    return 130


def _command() -> str:
    return shlex.join(["newsclean", *sys.argv[1:]])
