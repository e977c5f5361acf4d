"""The report of a run: for people, as JSON, and as an exit code."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from newsclean.reports.counts import SiteCounts
from newsclean.reports.judgement import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Exit codes for the states of sites; with other codes they are in `cli/crawl_result.py`.
NO_ARTICLES, UNREACHABLE, PARTIAL, FEW = 1, 3, 5, 6
#: The code of a run of which all sites are in trouble is the first one here.
EXIT_CODES = {State.FEW: FEW, State.NO_ARTICLES: NO_ARTICLES, State.UNREACHABLE: UNREACHABLE}

#: Earlier runs of a site with which a report compares.
MAX_BEFORE = 7


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
    #: new articles of the last runs, the newest first
    before: list[int] = field(default_factory=list)
    #: what else there is to say
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
        """Read what `to_dict` has written."""
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
        """The site in a line for people."""
        counts = self.counts
        parts = [f"{counts.new:,} new", f"{counts.changed:,} changed"]
        parts.append(f"{counts.unchanged:,} unchanged")
        if dropped := counts.dropped.total():
            reason, count = counts.dropped.most_common(1)[0]
            parts.append(f"{dropped:,} dropped (most: {count:,} {reason})")
        if counts.failed_sources:
            parts.append(f"{counts.failed_sources:,} sections or feeds failed")
        if self.state is State.FEW and self.expected is not None:
            parts.append(
                f"{self.new_since:,} new since the last good run, {self.expected:,.0f} expected"
            )
        return f"{self.site}: {self.state}; {', '.join([*parts, *self.notes])}"


def exit_code(states: Iterable[State]) -> int:
    """The exit code of a run by the states of its sites.

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
    return next(code for state, code in EXIT_CODES.items() if state in trouble)


def write_report(path: Path, sites: Iterable[SiteReport]) -> None:
    """Write the report of a run as JSON; what reads it never sees half of it."""
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
    """A moment as people and programs read it.

    >>> iso(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
