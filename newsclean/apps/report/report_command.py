"""`newsclean report`: show the state of each site in its last runs."""

from __future__ import annotations

import argparse
import json
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from newsclean.cli.memory import opened
from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    CommandError,
    for_terminal,
    positive,
    print_table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.memory.site_health import SiteRun

_DESCRIPTION = """Show the state of each site in its last runs, from the memory of the crawls.

Sites in trouble come first, with advice. The chart shows the new articles of
each run, the newest run on the right. The page of --html shows new articles per
day for four weeks, and when the template of a site has changed."""

MAX_RUNS = 14
_BARS = "▁▂▃▄▅▆▇█"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    add = parser.add_argument
    add("site", metavar="SITE", nargs="*", help="only these sites")
    runs = f"show the last N runs of each site (default: {MAX_RUNS})"
    add("--runs", type=positive, default=MAX_RUNS, metavar="N", help=runs)
    add("--html", metavar="FILE", help="also write an HTML page, to display or send")
    add("--json", action="store_true", help="print JSON lines, one per run")
    add("--memory", metavar="FILE", help="use another memory: a file, or postgresql://…")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.memory.site_health import STATES, state_of
    from newsclean.memory.site_report import exit_code

    with opened(options) as memory:
        history = memory.site_runs.history()
    if unknown := [site for site in options.site if site not in history]:
        known = ", ".join(history) or "none"
        raise CommandError(f"no runs of {', '.join(unknown)}; there are runs of {known}", UNUSABLE)
    urgency = list(STATES)
    wanted = {site: runs for site, runs in history.items() if site in (options.site or history)}
    wanted = dict(sorted(wanted.items(), key=lambda item: urgency.index(state_of(item[1]))))
    shown = {site: runs[-options.runs :] for site, runs in wanted.items()}
    if options.json:
        for runs in shown.values():
            for each in runs:
                print(json.dumps(as_dict(each), ensure_ascii=False))
    else:
        show(shown)
    if options.html:
        try:
            Path(options.html).write_text(report_page(wanted, time.time()), "utf-8")
        except OSError as error:
            message = f"--html: cannot write {options.html}: {error.strerror}"
            raise CommandError(message, UNREADABLE) from None
        print(f"written to {for_terminal(options.html)}")
    return exit_code(state_of(runs) for runs in wanted.values())


def report_page(history: Mapping[str, Sequence[SiteRun]], now: float) -> str:
    """Return a page of all sites as one HTML document without scripts and external files."""
    from newsclean.apps import template_environment, template_file
    from newsclean.apps.report.site_overview import DAYS, LEGEND, overview_of

    found = overview_of(history, now)
    style = template_file("newsclean.apps", "base.css")
    style += template_file("newsclean.apps.report", "overview.css")
    template = template_environment("newsclean.apps.report").get_template("report.html")
    return template.render(overview=found, states=LEGEND, days=DAYS, style=Markup(style))


def show(history: dict[str, list[SiteRun]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from newsclean.memory.site_health import STATES, state_of

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("site", overflow="fold")
    for name in ("state", "last run"):
        table.add_column(name, no_wrap=True)
    for name in ("new", "changed", "dropped"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("new, run by run", overflow="fold")
    for site, runs in history.items():
        last, state = runs[-1], state_of(runs)
        table.add_row(
            Text(for_terminal(site)),
            str(state),
            datetime.fromtimestamp(last.started).strftime("%m-%d %H:%M"),
            f"{last.counts.new:,}",
            f"{last.counts.changed:,}",
            f"{last.counts.dropped.total():,}",
            _chart([each.counts.new for each in runs]),
            style="bold red" if state.is_trouble else "",
        )
    print_table(table)
    states = {state_of(runs) for runs in history.values()}
    for state, row in STATES.items():
        if state in states and row.advice:
            print(f"{state}: {row.meaning}\n  What to do: {row.advice}")


def _chart(values: list[int]) -> str:
    """Return a chart with a bar for each value, a dot for 0.

    >>> _chart([0, 1, 4, 8])
    '·▁▄█'
    """
    most = max(values, default=0)
    return "".join(
        _BARS[max(0, -(-value * len(_BARS) // most) - 1)] if value else "·" for value in values
    )


def as_dict(each: SiteRun) -> dict[str, Any]:
    from newsclean.memory.site_report import iso

    return {
        "site": each.site,
        "run": each.run,
        "started": iso(each.started),
        "seconds": each.seconds,
        "state": str(each.state),
        "expected": each.expected,
        **each.counts.to_dict(),
    }
