"""Whether a site gives what it usually gives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.reports.counts import SiteCounts

#: Below so many expected articles, or so soon after a good run, nobody can say that some are
#: missing: a site may sleep for a night.
MIN_EXPECTED = 10.0
MIN_DAYS = 0.9
#: Less than this share of what is expected is far less than usual.
FEW = 0.2
#: Runs that have seen the site as it is, and the days that they span together, from which its habit
#: is known.
MIN_RUNS = 3
MIN_HABIT_DAYS = 2.0
#: Days of a weekday that must be known, else all days together say what to expect on it.
MIN_WEEKDAYS = 1.0
#: Days between two runs that still tell how much a site publishes: its pages list no more.
MAX_GAP = 7.0
#: Days that are looked at, more of a site that publishes little, and never more than the last.
SPAN = 3.0
MAX_SPAN = 30.0

DAY = timedelta(days=1).total_seconds()
WEEK = 7 * DAY


class State(StrEnum):
    """How a site is."""

    GOOD = "good"
    #: good as far as one can tell: too little is known, or too little time has passed
    TOO_SOON = "too soon to tell"
    FEW = "far less than usual"
    NO_ARTICLES = "no articles"
    UNREACHABLE = "not reachable"
    #: a run that was to see a part of the site alone
    LIMITED = "limited"
    INTERRUPTED = "interrupted"
    KILLED = "killed"
    #: a run that has not ended
    RUNNING = "running"

    @property
    def is_trouble(self) -> bool:
        return self in (State.FEW, State.NO_ARTICLES, State.UNREACHABLE)

    @property
    def is_judged(self) -> bool:
        """Whether the run says something about the site, and not only about itself."""
        return self.is_trouble or self in (State.GOOD, State.TOO_SOON)


class PastRun(NamedTuple):
    """What is known of an earlier run of a site."""

    started: float
    state: State
    new: int


class Judgement(NamedTuple):
    state: State
    #: how many new articles were expected since the last good run, None if nobody can say
    expected: float | None = None
    #: how many there were
    new: int = 0


class Habit(NamedTuple):
    """How many new articles a site gives a day: on each weekday, in UTC, and on any day.

    None for a weekday of which too little is known.
    """

    weekdays: tuple[float | None, ...]
    any_day: float

    def expected(self, start: float, end: float) -> float:
        """How many articles are expected in a span of time."""
        return sum(
            share * (self.any_day if self.weekdays[day] is None else self.weekdays[day] or 0.0)
            for day, share in weekdays(start, end)
        )

    def knows(self, start: float, end: float) -> bool:
        """Whether most of a span of time is on weekdays of which something is known."""
        known = [(share, self.weekdays[day] is not None) for day, share in weekdays(start, end)]
        return sum(share for share, is_known in known if is_known) * 2 > sum(s for s, _ in known)


def judge(
    counts: SiteCounts, past: Sequence[PastRun], now: float, *, is_limited: bool = False
) -> Judgement:
    """The state of a site after a run; `past` has the runs before, the oldest first.

    A run that is limited (`since`, `until`, `limit`) need not see any articles.
    """
    if not counts.articles and counts.failed_sources and not counts.sources:
        return Judgement(State.NO_ARTICLES if counts.useless_sources else State.UNREACHABLE)
    if is_limited:
        return Judgement(State.LIMITED, new=counts.new)
    if not counts.articles:
        return Judgement(State.NO_ARTICLES)
    # What a killed run has brought nobody knows.
    known = [n for n, run in enumerate(past) if run.state in (State.GOOD, State.KILLED)]
    habit = habit_of(past[: known[-1] + 1]) if known else None
    if habit is None:
        return Judgement(State.GOOD if counts.new else State.TOO_SOON, new=counts.new)
    last = past[known[-1]].started
    span = max(SPAN, 2 * MIN_EXPECTED / habit.any_day) if habit.any_day else MAX_SPAN
    start = max(last, now - min(span, MAX_SPAN) * DAY)
    new = counts.new + _new_between(past, start, now)
    expected = habit.expected(start, now)
    if new and new >= expected * FEW:
        return Judgement(State.GOOD, expected, new)
    if expected < MIN_EXPECTED or now - start < MIN_DAYS * DAY:
        return Judgement(State.TOO_SOON, expected, new)
    if new and (
        not habit.knows(start, now) or new >= FEW * _new_between(past, start - WEEK, now - WEEK)
    ):
        return Judgement(State.TOO_SOON, expected, new)  # a first weekend, or one like the last
    return Judgement(State.FEW, expected, new)


def _new_between(past: Sequence[PastRun], start: float, end: float) -> int:
    return sum(run.new for run in past if start < run.started <= end)


def habit_of(past: Sequence[PastRun]) -> Habit | None:
    """How much a site usually gives; None if too little is known.

    What a run brought was published since the run before it, evenly. The first run brings what was
    there already, and says nothing of a day, nor does one after trouble, a kill or a long pause.
    """
    articles, days = [0.0] * 7, [0.0] * 7
    last: float | None = None
    runs, brought = 0, 0
    for run in past:
        brought += run.new
        if run.state in (State.LIMITED, State.INTERRUPTED):
            continue
        is_seen = run.state in (State.GOOD, State.TOO_SOON)
        if is_seen and last is not None and last < run.started <= last + MAX_GAP * DAY:
            runs += 1
            for weekday, share in weekdays(last, run.started):
                days[weekday] += share
                articles[weekday] += brought * share * DAY / (run.started - last)
        last, brought = run.started if is_seen else None, 0
    if runs < MIN_RUNS or sum(days) < MIN_HABIT_DAYS:
        return None
    rates = (
        count / known if known >= MIN_WEEKDAYS else None
        for count, known in zip(articles, days, strict=True)
    )
    return Habit(tuple(rates), sum(articles) / sum(days))


def weekdays(start: float, end: float) -> Iterator[tuple[int, float]]:
    """Each day of a span of time: its weekday, Monday is 0, and how much of it the span has.

    >>> [(day, round(share, 2)) for day, share in weekdays(0, 1.5 * 86400)]
    [(3, 1.0), (4, 0.5)]
    """
    moment, last = datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)
    while moment < last:
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        until = min(midnight, last)
        yield moment.weekday(), (until - moment) / timedelta(days=1)
        moment = until
