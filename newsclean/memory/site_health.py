"""Whether a site gives what it usually gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from newsclean.article import Article
    from newsclean.extraction.corrections.site_corrections import CorrectionResult


#: Below so many expected articles, or so soon after a good run, nobody can say that some are
#: missing: a site may sleep for a night.
_MIN_EXPECTED = 10.0
_MIN_DAYS = 0.9
#: Less than this share of what is expected is far less than usual.
FEW = 0.2
#: Runs that have seen the site as it is, and the days that they span together, from which its habit
#: is known.
_MIN_RUNS = 3
_MIN_HABIT_DAYS = 2.0
#: Days of a weekday that must be known, else all days together say what to expect on it.
_MIN_WEEKDAYS = 1.0
#: Days between two runs that still tell how much a site publishes: its pages list no more.
_MAX_GAP = 7.0
#: Days that are looked at, more of a site that publishes little, and never more than the last.
_SPAN = 3.0
_MAX_SPAN = 30.0

_DAY = timedelta(days=1).total_seconds()
_WEEK = 7 * _DAY


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
    span = max(_SPAN, 2 * _MIN_EXPECTED / habit.any_day) if habit.any_day else _MAX_SPAN
    start = max(last, now - min(span, _MAX_SPAN) * _DAY)
    new = counts.new + _new_between(past, start, now)
    expected = habit.expected(start, now)
    if new and new >= expected * FEW:
        return Judgement(State.GOOD, expected, new)
    if expected < _MIN_EXPECTED or now - start < _MIN_DAYS * _DAY:
        return Judgement(State.TOO_SOON, expected, new)
    if new and (
        not habit.knows(start, now) or new >= FEW * _new_between(past, start - _WEEK, now - _WEEK)
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
        if is_seen and last is not None and last < run.started <= last + _MAX_GAP * _DAY:
            runs += 1
            for weekday, share in weekdays(last, run.started):
                days[weekday] += share
                articles[weekday] += brought * share * _DAY / (run.started - last)
        last, brought = run.started if is_seen else None, 0
    if runs < _MIN_RUNS or sum(days) < _MIN_HABIT_DAYS:
        return None
    rates = (
        count / known if known >= _MIN_WEEKDAYS else None
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


# What a run has seen of the corrections of a site.

#: A correction that applied to none of this many pages is inactive.
MIN_PAGES = 10
#: Ids that a note names.
_MAX_NAMED = 5


@dataclass
class CorrectionCounts:
    """By the ids of the corrections: on how many pages they could have applied, and did."""

    pages: int = 0
    changed: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    met: set[str] = field(default_factory=set)
    held_back: Counter[str] = field(default_factory=Counter)
    of_other_methods: set[str] = field(default_factory=set)

    def add(self, result: CorrectionResult) -> None:
        """Count one page."""
        self.pages += 1
        self.changed += result.is_changed
        self.seen.update(result.known)
        self.met |= result.met
        self.held_back.update(result.held_back.keys())
        self.of_other_methods |= result.of_other_methods

    @property
    def inactive(self) -> list[str]:
        """The corrections whose slots no page had: the template may have changed."""
        return sorted(
            name for name, pages in self.seen.items() if pages >= MIN_PAGES and name not in self.met
        )

    @property
    def notes(self) -> list[str]:
        """The lines for a report."""
        found = []
        if self.changed:
            found.append(f"corrections changed {self.changed:,} of {self.pages:,} pages")
        if inactive := self.inactive:
            found.append(f"corrections inactive: {_named(inactive)}")
        if self.held_back:
            found.append(f"corrections held back: {_named(sorted(self.held_back))}")
        if self.of_other_methods:
            found.append(f"corrections of another method: {_named(sorted(self.of_other_methods))}")
        return found


def _named(ids: list[str]) -> str:
    more = f" and {len(ids) - _MAX_NAMED} more" if len(ids) > _MAX_NAMED else ""
    return " ".join(ids[:_MAX_NAMED]) + more


# What a crawl has counted, site by site.

_COUNTERS = ("dropped", "without")


@dataclass
class SiteCounts:
    """What one run has brought from one site."""

    #: articles that were delivered for the first time, and again because they had changed
    new: int = 0
    changed: int = 0
    #: articles that were delivered before and are the same, downloaded or not
    unchanged: int = 0
    requests: int = 0
    #: pages that were of no use, by reason
    dropped: Counter[str] = field(default_factory=Counter)
    #: new and changed articles of which a field was not found, by field
    without: Counter[str] = field(default_factory=Counter)
    #: section pages, feeds and sitemaps that led to articles, and those that could not be used
    sources: int = 0
    failed_sources: int = 0
    #: of the failed sources, those that have arrived
    useless_sources: int = 0
    #: how often a category or the whole site had a new template
    new_templates: int = 0
    corrections: CorrectionCounts = field(default_factory=CorrectionCounts)

    @property
    def articles(self) -> int:
        """All articles that were seen."""
        return self.new + self.changed + self.unchanged

    def count_article(self, article: Article) -> None:
        """Count what is handed on; some crawls hand on what others drop."""
        if not article.is_article:
            self.dropped["no-article"] += 1
        elif article.unchanged:
            self.unchanged += 1
        else:
            if (article.revision or 1) > 1:
                self.changed += 1
            else:
                self.new += 1
            self.without.update(_missing_fields(article))

    def to_dict(self) -> dict[str, Any]:
        counters = {name: dict(getattr(self, name).most_common()) for name in _COUNTERS}
        values = {**vars(self), **counters}
        del values["corrections"]  # a report has notes of them
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` has written, by any version; what is unknown is left out."""
        counts = cls()
        for name, value in values.items():
            if name in _COUNTERS and isinstance(value, dict):
                counted = {str(k): v for k, v in value.items() if isinstance(v, int)}
                getattr(counts, name).update(counted)
            elif name in vars(counts) and isinstance(value, int):
                setattr(counts, name, value)
        return counts


def _missing_fields(article: Article) -> list[str]:
    """What most articles have and this one lacks; where many do, the site gives it otherwise now.

    Pictures may be unwanted in the body; that the head names one is enough.
    """
    found = {
        "headline": article.headline,
        "authors": article.authors,
        "date": article.date_published,
        "picture": article.images or article.image,
    }
    return [name for name, value in found.items() if not value]


class RunCounts:
    """The counts of all sites of a run.

    Pages under other hosts of the same owner count for the site from which the crawl started.
    """

    def __init__(self) -> None:
        self.sites: dict[str, SiteCounts] = {}
        #: those from which the crawl started
        self.started: set[str] = set()
        self._owners: dict[str, str] = {}

    def start(self, addresses: Iterable[str]) -> None:
        """The sites from which the crawl starts."""
        for address in addresses:
            if name := site_of(address):
                self.started.add(name)
                self.sites.setdefault(name, SiteCounts())
                self._owners.setdefault(registered_domain(name), name)

    def of(self, url: str) -> SiteCounts:
        """The counts of the site of an address."""
        name = site_of(url) or ""
        if name not in self.sites:
            name = self._owners.setdefault(registered_domain(name), name)
        return self.sites.setdefault(name, SiteCounts())

    def reported(self) -> dict[str, SiteCounts]:
        """The sites that a report has: those that gave articles, or from which it started.

        A host that only serves the feeds of another site is left out.
        """
        sites = {
            site: counts
            for site, counts in self.sites.items()
            if counts.articles or site in self.started
        }
        if not any(counts.articles for site, counts in sites.items() if site not in self.started):
            return sites
        return {
            site: counts
            for site, counts in sites.items()
            if counts.articles or counts.dropped or not counts.sources
        }


# The runs of a site, one after the other.


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
