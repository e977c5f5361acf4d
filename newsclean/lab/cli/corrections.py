"""`newsclean evaluate --corrections`: what corrected pages bring to the others of their site."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.console import Console
    from rich.progress import Progress, TaskID

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.teaching.measure import Result

FILES = ("corrections.json", "corrections.md")
PICTURE = "corrections"


def run_corrections(options: argparse.Namespace, console: Console) -> int:
    from newsclean.lab.cli.selection import corpus_of_options, systems_of_options
    from newsclean.lab.cli.written import say_written
    from newsclean.lab.evaluate.systems import cross_validation_warning

    systems, _ = systems_of_options(options)
    corpus = corpus_of_options(options, console)
    methods = list(dict.fromkeys(system.name for system in systems if not system.is_peer))
    print(measure_corrections(options, methods, corpus, console))
    if warning := cross_validation_warning(systems, [gold.site for gold in corpus.golds]):
        print(f"· {warning}")
    if options.out:
        say_written(options.out, *FILES)
    return 0


def measure_corrections(
    options: argparse.Namespace, methods: Sequence[str], corpus: Corpus, console: Console
) -> str:
    """Measure each method, write what is wanted, and return the table."""
    from rich.progress import Progress

    from newsclean.lab.teaching.measure import MIN_PAGES, measure, sites_to_teach
    from newsclean.lab.teaching.report import table

    if not sites_to_teach(corpus):
        raise CommandError(f"no site of the corpus has {MIN_PAGES} pages", USAGE)
    results = []
    with Progress(console=console, transient=True) as bar:
        for method in methods:
            advance = partial(_advance, bar, bar.add_task(method))
            results.append(measure(corpus, method, advance))
    made = table(results)
    costs = "\n".join(
        f"{result.method}: corrections of three pages cost {result.cost[0]:.3f} parses a page "
        f"(95 % of pages: up to {result.cost[1]:.3f})"
        for result in results
    )
    text = f"{made}\n\n{costs}\n"
    if options.out is not None:
        write(options, results, text)
    return text


def _advance(bar: Progress, task: TaskID, done: int, total: int) -> None:
    bar.update(task, completed=done, total=total)


def write(options: argparse.Namespace, results: Sequence[Result], text: str) -> None:
    from newsclean.lab.evaluate.report import why_no_plots
    from newsclean.lab.teaching.report import draw_curve, to_dict

    try:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / FILES[0]).write_text(json.dumps(to_dict(results), indent=1) + "\n", "utf-8")
        (options.out / FILES[1]).write_text(text, "utf-8")
        if why_no_plots():
            return
        figure = draw_curve(results)
        for ending in ("png", "svg"):
            metadata = {"Date": None} if ending == "svg" else None
            figure.savefig(
                options.out / f"{PICTURE}.{ending}", dpi=150, bbox_inches="tight", metadata=metadata
            )
    except OSError as error:
        raise CommandError(f"--out: cannot write: {error.strerror}", UNREADABLE) from None
