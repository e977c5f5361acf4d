"""Reports of runs: a line, JSON and an exit code per run.

`SiteRuns` stores the runs of each site: when, how long, what they brought, and the state of the
site after them.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from newsclean.memory.site_health import STATES, SiteCounts, SiteRun, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from newsclean.memory.database import Database

#: The exit code if some sites are in trouble, and others are not.
PARTIAL = 5

#: Earlier runs of a site in a report.
MAX_BEFORE = 7
#: Runs stored per site: every hour for two months.
MAX_RUNS = 1500

_REPLACE_RUN = (
    "ON CONFLICT (site, run) DO UPDATE SET started = excluded.started, "
    "seconds = excluded.seconds, state = excluded.state, counts = excluded.counts, "
    "expected = excluded.expected"
)


@dataclass
class SiteReport:
    """What a run has brought from one site."""

    site: str
    state: State
    counts: SiteCounts
    started: float
    seconds: float
    #: new articles since the last good run, and how many were expected
    new_since: int = 0
    expected: float | None = None
    #: new articles of the earlier runs, newest first
    before: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {
            "site": self.site,
            "state": str(self.state),
            "is_trouble": self.state.is_trouble,
            "started": iso(self.started),
            "seconds": round(self.seconds, 1),
            **self.counts.to_dict(),
            "new_since_last_good_run": self.new_since,
            "expected": None if self.expected is None else round(self.expected, 1),
            "new_in_runs_before": self.before,
            "notes": self.notes,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        return cls(
            site=values["site"],
            state=State(values["state"]),
            counts=SiteCounts.from_dict(values),
            started=datetime.fromisoformat(values["started"]).timestamp(),
            seconds=values["seconds"],
            new_since=values["new_since_last_good_run"],
            expected=values["expected"],
            before=values["new_in_runs_before"],
            notes=values["notes"],
        )

    def line(self) -> str:
        """Return the report as a line for people."""
        counts = self.counts
        parts = [f"{counts.new:,} new", f"{counts.changed:,} changed"]
        parts.append(f"{counts.unchanged:,} unchanged")
        if dropped := counts.dropped.total():
            reason, count = counts.dropped.most_common(1)[0]
            parts.append(f"{dropped:,} dropped (most: {count:,} {reason})")
        parts += counts.remarks
        if self.state is State.FEW and self.expected is not None:
            parts.append(
                f"{self.new_since:,} new since the last good run, {self.expected:,.0f} expected"
            )
        return f"{self.site}: {self.state}; {', '.join([*parts, *self.notes])}"


def exit_code(states: Iterable[State]) -> int:
    """Return the exit code of a run with these states of its sites.

    >>> exit_code([State.GOOD, State.TOO_SOON]), exit_code([State.GOOD, State.FEW])
    (0, 5)
    >>> exit_code([State.FEW, State.UNREACHABLE]), exit_code([State.UNREACHABLE]), exit_code([])
    (6, 3, 0)
    """
    states = list(states)
    trouble = [state for state in states if state.is_trouble]
    if not trouble:
        return 0
    if len(trouble) < len(states):
        return PARTIAL
    return next(STATES[state].exit_code for state in reversed(STATES) if state in trouble)


def write_report(path: Path, sites: Iterable[SiteReport]) -> None:
    """Write the report of a run as JSON; a reader never sees an unfinished file."""
    reports = sorted(sites, key=lambda report: report.site)
    states = [report.state for report in reports]
    report = {
        "written": iso(datetime.now(UTC).timestamp()),
        "exit_code": exit_code(states),
        "sites": [report.to_dict() for report in reports],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def iso(seconds: float) -> str:
    """Format a time as ISO 8601 in UTC.

    >>> iso(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class SiteRuns:
    """The stored runs of all sites."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def start(self, run: int, sites: Iterable[str]) -> list[str]:
        """Record that a run has started; return those of its sites that another run is crawling.

        Mark runs without a living process as killed.
        """
        now, names = time.time(), list(sites)

        def note() -> set[str]:
            running = self.database.query(
                "SELECT run, site FROM site_run WHERE state = ?", (State.RUNNING,)
            )
            alive = [(r, s) for r, s in running if self.database.is_run_alive(r)]
            killed = [(State.KILLED, r) for r in {r for r, _ in running} - {r for r, _ in alive}]
            self.database.execute_many(
                "UPDATE site_run SET state = ? WHERE run = ? AND state = 'running'", killed
            )
            self.database.execute_many(
                "INSERT INTO site_run (run, site, started, state, counts) "
                "VALUES (?, ?, ?, ?, '{}') " + _REPLACE_RUN,
                [(run, site, now, State.RUNNING) for site in names],
            )
            return {s for r, s in alive if r != run}

        busy = self.database.atomically(note)
        return [site for site in names if site in busy]

    def finish(self, runs: Iterable[SiteRun]) -> None:
        """Record the result of a run, and delete the oldest runs of its sites.

        Keep the last good run: it tells since when a site has been in trouble.
        """
        every = list(runs)

        def write() -> None:
            for run in every:
                counts = json.dumps(run.counts.to_dict())
                self.database.execute(
                    "INSERT INTO site_run (run, site, started, seconds, state, counts, expected) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?) " + _REPLACE_RUN,
                    (run.run, run.site, run.started, run.seconds, run.state, counts, run.expected),
                )
                self.database.execute(
                    "DELETE FROM site_run WHERE site = ? AND run NOT IN "
                    "(SELECT run FROM site_run WHERE site = ? ORDER BY run DESC LIMIT ?) "
                    "AND run <> (SELECT coalesce(max(run), 0) FROM site_run "
                    "WHERE site = ? AND state = ?)",
                    (run.site, run.site, MAX_RUNS, run.site, State.GOOD),
                )

        self.database.atomically(write)

    def drop_unreported(self, run: int) -> None:
        """Delete the sites that a finished run does not report."""
        statement = "DELETE FROM site_run WHERE run = ? AND state = ?"
        self.database.execute(statement, (run, State.RUNNING))

    def history(self, site: str | None = None) -> dict[str, list[SiteRun]]:
        """Return the runs of each site, or of one, oldest first."""
        condition, values = ("", ()) if site is None else ("WHERE site = ? ", (site,))
        rows = self.database.query(
            "SELECT run, site, started, seconds, state, counts, expected FROM site_run "
            f"{condition}ORDER BY site, run",
            values,
        )
        by_site: dict[str, list[SiteRun]] = {}
        for row in rows:
            try:
                run = _site_run(*row)
            except ValueError:
                self.database.damaged.note("site_run", tuple(row[:2]))
            else:
                by_site.setdefault(run.site, []).append(run)
        return by_site

    def alerted(self) -> dict[str, str]:
        """Return the sites for which an alert was sent, with their state then."""
        rows = self.database.query("SELECT site, state FROM site_alert")
        return dict(rows)

    def set_alerted(self, site: str, state: State) -> None:
        """Record that an alert was sent: trouble, or recovery."""
        if state.is_trouble:
            statement = (
                "INSERT INTO site_alert (site, state, since) VALUES (?, ?, ?) "
                "ON CONFLICT (site) DO UPDATE SET state = excluded.state, since = excluded.since"
            )
            self.database.execute(statement, (site, state, time.time()))
        else:
            self.database.execute("DELETE FROM site_alert WHERE site = ?", (site,))

    def forget(self, site: str) -> None:
        self.database.execute("DELETE FROM site_run WHERE site = ?", (site,))
        self.database.execute("DELETE FROM site_alert WHERE site = ?", (site,))


def _site_run(
    run: int,
    site: str,
    started: float,
    seconds: float | None,
    state: str,
    counts: str,
    expected: float | None,
) -> SiteRun:
    """Read a run from a row; raises ValueError if it is damaged."""
    found = SiteCounts.from_dict(json.loads(counts))
    return SiteRun(run, site, started, seconds, State(state), found, expected)
