"""The runs of a site, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.reports.counts import SiteCounts
from newsclean.reports.judgement import PastRun, State

if TYPE_CHECKING:
    from collections.abc import Sequence


class SiteRun(NamedTuple):
    """One run of one site."""

    run: int
    site: str
    started: float
    #: None while it runs, and for one that was killed
    seconds: float | None
    state: State
    counts: SiteCounts
    #: new articles that were expected, None if nobody can say
    expected: float | None = None

    @property
    def past(self) -> PastRun:
        return PastRun(self.started, self.state, self.counts.new)


def state_of(runs: Sequence[SiteRun]) -> State:
    """How a site was when a run could last tell; else how its last run was."""
    judged = (run.state for run in reversed(runs) if run.state.is_judged)
    return next(judged, runs[-1].state)
