"""`newsclean evaluate --fields`: headline, authors, date, keywords, pictures beside other tools."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from newsclean.cli.errors import UNREADABLE, USAGE, CommandError

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from newsclean.lab.evaluate.corpus import Corpus
    from newsclean.lab.evaluate.systems import System
    from newsclean.lab.evaluate.tables import Table

#: The file in the folder of `--out`.
FILE = "fields.json"


def systems_of_options(methods: list[str], options: argparse.Namespace) -> list[System]:
    """What is to be measured; a peer that is not installed is named."""
    from newsclean.lab.evaluate.field_peers import FIELD_PEERS
    from newsclean.lab.evaluate.systems import System, missing_message, systems_of

    peers = list(FIELD_PEERS) if options.peers == ["all"] else options.peers
    if unknown := [name for name in peers if name not in FIELD_PEERS]:
        names = ", ".join(FIELD_PEERS)
        message = f"no peer named {unknown[0]!r} gives fields; there are: {names} (or all)"
        raise CommandError(message, USAGE)
    try:
        systems, _ = systems_of(methods, [], options.neighbors)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    for name in peers:
        if FIELD_PEERS[name].installed:
            systems.append(System(name, is_peer=True))
        else:
            print(f"newsclean: {missing_message(name)}", file=sys.stderr)
    if not systems:
        raise CommandError("nothing to measure: give --methods, or --peers that are there", USAGE)
    return systems


def measure_fields(
    options: argparse.Namespace, corpus: Corpus, systems: list[System], console: Console
) -> list[Table]:
    """The tables; with `--out` the figures are written as JSON, too."""
    from newsclean.lab.evaluate.fields import as_json, field_tables, measure, summarise
    from newsclean.lab.evaluate.figures import figure_tables, figures_as_json, measure_figures
    from newsclean.lab.evaluate.progress import shown

    with shown(console, f"fields, {len(systems)} systems") as progress:
        answers = measure(corpus, systems, progress)
    with shown(console, "pages with labels of their figures") as progress:
        figures = measure_figures(corpus, systems, progress)
    if not answers and not figures:
        raise CommandError("no page whose gold has title, authors, date or topics", UNREADABLE)
    summary = summarise(answers)
    if options.out:
        try:
            options.out.mkdir(parents=True, exist_ok=True)
            written = as_json(answers, summary) | {"pictures": figures_as_json(figures)}
            text = json.dumps(written, ensure_ascii=False, indent=1)
            (options.out / FILE).write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"cannot write {error.filename}: {error}", UNREADABLE) from None
    return [*field_tables(summary), *figure_tables(figures)]
