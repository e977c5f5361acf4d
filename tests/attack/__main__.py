"""Runs the whole attack and prints what held: `python -m tests.attack --kills 100`."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.attack.faults import CATALOGUE
from tests.attack.promise import Promise
from tests.attack.script_vectors import PLACES
from tests.attack.shapes import SHAPES
from tests.attack.vectors import VECTORS


@dataclass(frozen=True)
class Part:
    """A module of the attack, and how often it tries."""

    module: str
    tries: int


def parts(arguments: argparse.Namespace) -> list[Part]:
    everything = [
        Part("pages", arguments.pages),
        Part("growth", arguments.growth),
        Part("server", arguments.faults),
        Part("kills", arguments.kills),
        Part("script_vectors", arguments.vectors),
        Part("disk", 1),
    ]
    return [part for part in everything if not arguments.only or part.module in arguments.only]


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    add = parser.add_argument
    add("--pages", type=int, default=2000, help="mutated pages")
    add("--growth", type=int, default=len(SHAPES), help="shapes of page that are measured")
    add("--faults", type=int, default=len(CATALOGUE), help="faulty sites that are crawled")
    add("--kills", type=int, default=20, help="crawls that are killed")
    add("--vectors", type=int, default=len(VECTORS) * len(PLACES), help="pages with a script")
    add("--seed", type=int, default=1)
    add("--only", nargs="*", default=[], metavar="PART", help="modules of tests/attack")
    return parser.parse_args(arguments)


def table_of(promises: list[Promise], seconds: float) -> Table:
    table = Table(title=f"{seconds:.0f} seconds", title_justify="left")
    for name in ("part", "promise"):
        table.add_column(name)
    for name in ("tries", "failures"):
        table.add_column(name, justify="right")
    for promise in promises:
        tried = f"{promise.tries:,}" if promise.tries else "not run"
        style = "bold red" if promise.failures else "" if promise.tries else "yellow"
        row = (promise.part, promise.promise, tried, f"{promise.failures:,}")
        table.add_row(*row, style=style)
    return table


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    console, started = Console(), time.monotonic()
    promises: list[Promise] = []
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        for part in parts(given):
            task = progress.add_task(f"{part.module}: {part.tries:,}", total=None)
            module = importlib.import_module(f"tests.attack.{part.module}")
            promises += module.run(part.tries, given.seed)
            progress.update(task, total=1, completed=1)
    console.print(table_of(promises, time.monotonic() - started))
    for promise in promises:
        if promise.example:
            console.print(f"{promise.part}: {promise.promise}: {promise.example}", markup=False)
    return int(any(promise.failures for promise in promises))


if __name__ == "__main__":
    sys.exit(main())
