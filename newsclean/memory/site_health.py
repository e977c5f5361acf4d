"""Tell whether a site brings as many new articles as usual.

`RunCounts` counts what a run brings from each site. `judge` compares the counts of a site with its
earlier runs and returns its state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from newsclean.extraction.is_article.walls import BLOCKED, KINDS, LOGIN
from newsclean.extraction.text import counted
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from newsclean.article import Article
    from newsclean.extraction.corrections.site_corrections import CorrectionResult

#: With fewer expected articles, or fewer days since a good run, none count as missing: a site may
#: publish nothing overnight.
_MIN_EXPECTED = 10.0
_MIN_DAYS = 0.9
#: Less than this share of the expected articles is far less than usual.
FEW = 0.2
#: Minimum good runs, and the days that they span together, to know the habit of a site.
_MIN_RUNS = 3
_MIN_HABIT_DAYS = 2.0
#: Minimum days of a weekday to know its rate; otherwise the mean of all days counts.
_MIN_WEEKDAYS = 1.0
#: Maximum days between two runs that tell how much a site publishes: its pages list no more.
_MAX_GAP = 7.0
#: Days over which articles are counted, more for a site that publishes little, up to a maximum.
_SPAN = 3.0
_MAX_SPAN = 30.0

_DAY = timedelta(days=1).total_seconds()
_WEEK = 7 * _DAY

#: A correction that applied to none of at least this many pages is inactive.
MIN_PAGES = 10
#: Maximum ids in a note.
_MAX_NAMED = 5

_COUNTERS = ("dropped", "without")
#: The reasons for which a page that does not exist is dropped.
_NOT_FOUND = ("http-404", "http-410")


class State(StrEnum):
    """The state of a site after a run, or of the run; `STATES` says what each one means."""

    UNREACHABLE = "not reachable"
    BLOCKED = "blocked"
    NOT_FOUND = "start page not found"
    NO_ARTICLES = "no articles"
    FEW = "far less than usual"
    KILLED = "killed"
    INTERRUPTED = "interrupted"
    RUNNING = "running"
    LIMITED = "limited"
    TOO_SOON = "too soon to tell"
    GOOD = "good"

    @property
    def is_trouble(self) -> bool:
        return bool(STATES[self].exit_code)

    @property
    def is_judged(self) -> bool:
        """Whether the state is one of the site, and not only of the run."""
        return self.is_trouble or self in (State.GOOD, State.TOO_SOON)

    @property
    def kind(self) -> str:
        """How urgent it is, for pages: `bad`, `soon` or `good`."""
        if self.is_trouble:
            return "bad"
        return "good" if self is State.GOOD else "soon"


class StateMeaning(NamedTuple):
    """What a state means, and what to do about it."""

    meaning: str
    advice: str = ""
    #: the exit code of a crawl whose sites are all in trouble; 0 if the state is no trouble
    exit_code: int = 0


#: All states, the most urgent first: the order of pages, legends and lists. If all sites of a
#: crawl are in trouble, the last of their states in this order gives the exit code.
STATES = {
    State.UNREACHABLE: StateMeaning(
        "No start page, feed or sitemap could be read: unknown host, error status, robots.txt.",
        "Open the start page in a browser. If it loads, see why pages were dropped, and what the "
        "site's robots.txt says. If it does not, wait for the next run.",
        3,
    ),
    State.BLOCKED: StateMeaning(
        "Walls came in place of pages: browser checks, refusals, requests for consent, log-ins.",
        "See the reasons below, and docs/blocked.md for what you can do about each. newsclean does "
        "not try to get past them.",
        8,
    ),
    State.NOT_FOUND: StateMeaning(
        "The server answers, but the start page does not exist any more (404 or 410).",
        "The section has moved or was closed. Look up its new URL, or run newsclean site, and "
        "change the site file.",
        3,
    ),
    State.NO_ARTICLES: StateMeaning(
        "Pages came, but none of them was an article, or all links to articles led nowhere.",
        "See why pages were dropped. If scripts make the pages, set NEWSCLEAN_RENDER. If the "
        "start page has no links to articles, crawl another section or a feed.",
        1,
    ),
    State.FEW: StateMeaning(
        "Less than a fifth of the new articles that are usual for these days.",
        "Compare the start page with the articles of the last run. If the site has a new design, "
        "check a page with newsclean look, and correct it with newsclean serve.",
        6,
    ),
    State.KILLED: StateMeaning("The last run was killed; the next one completes it."),
    State.INTERRUPTED: StateMeaning("The last run was interrupted; the next one completes it."),
    State.RUNNING: StateMeaning("A first run is under way."),
    State.LIMITED: StateMeaning("The last run was asked to see only a part of the site."),
    State.TOO_SOON: StateMeaning(
        "No sign of trouble, but too little is known of the site, or too little time has passed "
        "since the last good run."
    ),
    State.GOOD: StateMeaning("The site gave its usual number of articles, or its first ones."),
}


class PastRun(NamedTuple):
    """An earlier run of a site."""

    started: float
    state: State
    new: int


class Judgement(NamedTuple):
    state: State
    #: new articles expected since the last good run, None if unknown
    expected: float | None = None
    #: new articles since then
    new: int = 0


class Habit(NamedTuple):
    """New articles per day: on each weekday in UTC (None if unknown), and on the mean day."""

    weekdays: tuple[float | None, ...]
    any_day: float

    def expected(self, start: float, end: float) -> float:
        """Return the number of articles expected in a span of time."""
        return sum(
            share * (self.any_day if self.weekdays[day] is None else self.weekdays[day] or 0.0)
            for day, share in weekdays(start, end)
        )

    def knows(self, start: float, end: float) -> bool:
        """Tell whether the rates of most of a span of time are known by weekday."""
        known = [(share, self.weekdays[day] is not None) for day, share in weekdays(start, end)]
        return sum(share for share, is_known in known if is_known) * 2 > sum(s for s, _ in known)


def judge(
    counts: SiteCounts, past: Sequence[PastRun], now: float, *, is_limited: bool = False
) -> Judgement:
    """Return the state of a site after a run; `past` has the earlier runs, oldest first.

    A limited run (`since`, `until`, `limit`) need not bring any articles.
    """
    if _is_blocked(counts):
        return Judgement(State.BLOCKED, new=counts.new)
    if not counts.articles and counts.failed_sources and not counts.sources:
        return Judgement(_lost_state(counts))
    if is_limited:
        return Judgement(State.LIMITED, new=counts.new)
    if not counts.articles:
        return Judgement(State.NO_ARTICLES)
    # What a killed run brought is unknown: it may have been good.
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


def _is_blocked(counts: SiteCounts) -> bool:
    """Tell whether walls are why a site gives nothing, or more of them came than articles.

    Beside articles, log-in walls do not count: some articles of a site may need a subscription.
    """
    walls = counts.walls
    if not counts.articles:
        return bool(walls) and 2 * walls.total() >= counts.dropped.total()
    return walls.total() - walls[LOGIN] > counts.articles


def _lost_state(counts: SiteCounts) -> State:
    """Return the state of a site none of whose sources could be used."""
    if counts.useless_sources:
        return State.NO_ARTICLES
    is_gone = counts.missing_sources == counts.failed_sources
    return State.NOT_FOUND if is_gone else State.UNREACHABLE


def _new_between(past: Sequence[PastRun], start: float, end: float) -> int:
    return sum(run.new for run in past if start < run.started <= end)


def habit_of(past: Sequence[PastRun]) -> Habit | None:
    """Return how much a site usually publishes, None if too little is known.

    The new articles of a run are spread evenly over the time since the run before. The first run
    does not count, as it brings what was there already; nor does one after trouble, a kill or a
    long pause.
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
    """Return the weekday (Monday is 0) and the covered share of each day of a span of time.

    >>> [(day, round(share, 2)) for day, share in weekdays(0, 1.5 * 86400)]
    [(3, 1.0), (4, 0.5)]
    """
    moment, last = datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC)
    while moment < last:
        midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        until = min(midnight, last)
        yield moment.weekday(), (until - moment) / timedelta(days=1)
        moment = until


@dataclass
class CorrectionCounts:
    """On how many pages of a run the corrections of a site could have applied, and did, by id."""

    pages: int = 0
    changed: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    met: set[str] = field(default_factory=set)
    held_back: Counter[str] = field(default_factory=Counter)
    of_other_methods: set[str] = field(default_factory=set)

    def add(self, result: CorrectionResult) -> None:
        self.pages += 1
        self.changed += result.is_changed
        self.seen.update(result.known)
        self.met |= result.met
        self.held_back.update(result.held_back.keys())
        self.of_other_methods |= result.of_other_methods

    @property
    def inactive(self) -> list[str]:
        """The corrections whose slots were on no page: the template may have changed."""
        return sorted(
            name for name, pages in self.seen.items() if pages >= MIN_PAGES and name not in self.met
        )

    @property
    def notes(self) -> list[str]:
        """The lines for a report."""
        found = []
        if self.changed:
            found.append(f"corrections changed {self.changed:,} of {counted(self.pages, 'page')}")
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


@dataclass
class SiteCounts:
    """What one run has brought from one site."""

    #: articles that were delivered for the first time, and again because they had changed
    new: int = 0
    changed: int = 0
    #: articles that were delivered before and are the same, downloaded or not
    unchanged: int = 0
    #: items in the output that are not articles: the add-on keeps them
    others: int = 0
    requests: int = 0
    #: dropped pages by reason
    dropped: Counter[str] = field(default_factory=Counter)
    #: new and changed articles without a field, by field
    without: Counter[str] = field(default_factory=Counter)
    #: section pages, feeds and sitemaps that led to articles, and those that could not be used
    sources: int = 0
    failed_sources: int = 0
    #: failed sources that were downloaded, and those that do not exist (404 or 410)
    useless_sources: int = 0
    missing_sources: int = 0
    #: how often a category or the whole site had a new template
    new_templates: int = 0
    corrections: CorrectionCounts = field(default_factory=CorrectionCounts)

    @property
    def articles(self) -> int:
        return self.new + self.changed + self.unchanged

    @property
    def walls(self) -> Counter[str]:
        """The walls among the dropped pages, by kind."""
        reasons = ((*name.partition("/"), count) for name, count in self.dropped.items())
        return Counter({kind: count for name, _, kind, count in reasons if name == BLOCKED})

    @property
    def remarks(self) -> list[str]:
        """What a report says if it is not zero."""
        kept = counted(
            self.others, "item kept that is not an article", "items kept that are not articles"
        )
        failed = counted(self.failed_sources, "section or feed", "sections or feeds")
        return [kept] * bool(self.others) + [f"{failed} failed"] * bool(self.failed_sources)

    def count_passed(self, *, is_known: bool) -> None:
        """Count a third-party item that passed without its article."""
        if is_known:
            self.unchanged += 1
        else:
            self.others += 1

    def count_failed_source(self, reason: str, *, is_useless: bool) -> None:
        """Count a section, feed or sitemap that led to nothing, and whether it was downloaded."""
        self.failed_sources += 1
        self.useless_sources += is_useless
        self.missing_sources += reason in _NOT_FOUND

    def count_article(self, article: Article) -> None:
        """Count an item of the output; some crawls also output pages that are not articles."""
        if not article.is_article:
            self.others += 1
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
        """Read what `to_dict` of any version has written; ignore unknown fields."""
        counts = cls()
        for name, value in values.items():
            if name in _COUNTERS and isinstance(value, dict):
                counted = {str(k): v for k, v in value.items() if isinstance(v, int)}
                getattr(counts, name).update(counted)
            elif name in vars(counts) and isinstance(value, int):
                setattr(counts, name, value)
        return counts


def wall_notes(counts: SiteCounts) -> list[str]:
    """Return a line for each kind of wall that a site has sent, with what a user can do."""
    return [
        f"{count:,} blocked by {KINDS[kind].text}: {KINDS[kind].advice}"
        for kind, count in counts.walls.most_common()
        if kind in KINDS
    ]


def _missing_fields(article: Article) -> list[str]:
    """Return the usual fields that an article lacks.

    If many articles lack a field, the site has probably changed. Pictures may be switched off in
    the body, so one in `<head>` is enough.
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

    Pages of other hosts of a registered domain count for the site from which the crawl started.
    """

    def __init__(self) -> None:
        self.sites: dict[str, SiteCounts] = {}
        #: the sites from which the crawl started
        self.started: set[str] = set()
        self._owners: dict[str, str] = {}

    def start(self, urls: Iterable[str]) -> None:
        """Add the sites of the URLs from which the crawl starts."""
        for url in urls:
            if name := site_of(url):
                self.started.add(name)
                self.sites.setdefault(name, SiteCounts())
                self._owners.setdefault(registered_domain(name), name)

    def of(self, url: str) -> SiteCounts:
        """Return the counts of the site of a URL."""
        name = site_of(url) or ""
        if name not in self.sites:
            name = self._owners.setdefault(registered_domain(name), name)
        return self.sites.setdefault(name, SiteCounts())

    def reported(self) -> dict[str, SiteCounts]:
        """Return the sites for the report: those with articles, or from which the crawl started.

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
            if counts.articles or counts.others or counts.dropped or not counts.sources
        }


class SiteRun(NamedTuple):
    """One run of one site."""

    run: int
    site: str
    started: float
    #: None if it is running or was killed
    seconds: float | None
    state: State
    counts: SiteCounts
    #: new articles that were expected, None if unknown
    expected: float | None = None

    @property
    def past(self) -> PastRun:
        return PastRun(self.started, self.state, self.counts.new)


def state_of(runs: Sequence[SiteRun]) -> State:
    """Return the last known state of a site, else the state of its last run."""
    judged = (run.state for run in reversed(runs) if run.state.is_judged)
    return next(judged, runs[-1].state)
