"""Sites as pages show them: by state, trouble first, with a curve of articles per day."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newsclean.apps.reader.article_body import Moment, day_words
from newsclean.extraction.text import counted
from newsclean.memory.site_health import STATES, State, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from newsclean.memory.site_health import SiteRun

#: Days of a curve: four weeks, so that weekends show.
DAYS = 28
_DAY = 86400.0
#: Maximum days between two runs that tell how much a site publishes: its pages list no more.
_MAX_GAP = 7 * _DAY
#: Minimum share of a day that runs have seen, to tell its articles.
_MIN_SHARE = 0.1
#: Runs that did not see all of their site: what they brought counts for the next run.
_PARTIAL = (State.LIMITED, State.INTERRUPTED, State.KILLED, State.RUNNING)

#: Width of a day and height of a curve, and the room for its line, in pixels.
_STEP, _HEIGHT, _ROOM = 6, 36, 3
#: Maximum reasons for dropped pages of a site.
_MAX_REASONS = 3
NO_RUNS = "no runs yet"


@dataclass(frozen=True)
class Curve:
    """Articles per day, as shapes of an SVG picture."""

    rates: tuple[float | None, ...]
    #: day from which the site is in trouble, and day of its last new template
    trouble: int | None = None
    template: int | None = None

    width, height = (DAYS - 1) * _STEP + 2 * _ROOM, _HEIGHT

    @property
    def most(self) -> float:
        return max((rate for rate in self.rates if rate is not None), default=0.0)

    @property
    def mean(self) -> float | None:
        known = [rate for rate in self.rates if rate is not None]
        return sum(known) / len(known) if known else None

    @property
    def rate(self) -> str:
        """The mean in words.

        >>> Curve((4.0, None, 8.0)).rate
        '6 a day'
        """
        return "" if self.mean is None else f"{_number(self.mean)} a day"

    @property
    def points(self) -> list[list[tuple[float, float]]]:
        """The points of each stretch of days without a gap."""
        stretches: list[list[tuple[float, float]]] = [[]]
        for day, rate in enumerate(self.rates):
            if rate is None:
                stretches.append([])
                continue
            share = rate / self.most if self.most else 0.0
            height = _HEIGHT - _ROOM - share * (_HEIGHT - 2 * _ROOM)
            stretches[-1].append((self.x(day), round(height, 1)))
        return [stretch for stretch in stretches if stretch]

    @property
    def lines(self) -> list[str]:
        return [" ".join(f"{x},{y}" for x, y in stretch) for stretch in self.points]

    @property
    def areas(self) -> list[str]:
        """The stretches as areas above the ground."""
        ground = _HEIGHT - _ROOM / 2
        return [
            f"{stretch[0][0]},{ground} {line} {stretch[-1][0]},{ground}"
            for stretch, line in zip(self.points, self.lines, strict=True)
        ]

    def x(self, day: int) -> float:
        return _ROOM + day * _STEP

    @property
    def words(self) -> str:
        """Describe the curve for those who do not see it."""
        if self.mean is None:
            return f"articles per day in the last {DAYS} days: not known yet"
        return (
            f"articles per day in the last {DAYS} days: {_number(self.mean)} on average, "
            f"at most {_number(self.most)}"
        )


@dataclass(frozen=True)
class SiteView:
    """The values of one site for the templates."""

    name: str
    state: State | None
    curve: Curve
    last_run: Moment | None = None
    #: what the last run brought
    result: str = ""
    brief: str = ""
    #: since when the site has been in trouble, and in how many runs
    since: Moment | None = None
    troubled_runs: int = 0
    template_day: str = ""
    #: dropped pages, failed sources, missing fields
    facts: tuple[str, ...] = ()
    #: for `newsclean serve`: kept pages, corrections, a problem with their file
    pages: int | None = None
    corrections: int | None = None
    problem: str = ""


@dataclass(frozen=True)
class StateGroup:
    """All sites of one state."""

    state: State | None
    sites: list[SiteView] = field(default_factory=list)

    @property
    def name(self) -> str:
        return NO_RUNS if self.state is None else str(self.state)

    @property
    def kind(self) -> str:
        return "soon" if self.state is None else self.state.kind

    @property
    def meaning(self) -> str:
        return (
            "Pages are kept, but no run of the site is known."
            if self.state is None
            else (STATES[self.state].meaning)
        )

    @property
    def advice(self) -> str:
        return "" if self.state is None else STATES[self.state].advice


@dataclass(frozen=True)
class Overview:
    """All sites, by state."""

    groups: list[StateGroup]
    now: Moment

    def only(self, state: str, letters: str) -> Overview:
        """Return the sites of a state, and with these letters in their name; all if empty."""
        groups = [
            StateGroup(group.state, found)
            for group in self.groups
            if state in ("", group.name)
            and (found := [site for site in group.sites if letters.lower() in site.name])
        ]
        return Overview(groups, self.now)

    @property
    def sites(self) -> int:
        return sum(len(group.sites) for group in self.groups)

    @property
    def trouble(self) -> int:
        return sum(len(group.sites) for group in self.groups if group.kind == "bad")

    @property
    def words(self) -> str:
        """Say in a few words how all sites are.

        >>> Overview([], _moment(0)).words
        'no sites yet'
        """
        if not self.sites:
            return "no sites yet"
        sites = counted(self.sites, "site")
        return f"{sites}, {self.trouble:,} in trouble" if self.trouble else f"{sites}, all well"

    @property
    def curve(self) -> Curve:
        """The sum of all sites."""
        rates: list[float | None] = []
        curves = [site.curve.rates for group in self.groups for site in group.sites]
        for days in zip(*curves, strict=True):
            known = [rate for rate in days if rate is not None]
            rates.append(sum(known) if known else None)
        return Curve(tuple(rates or [None] * DAYS))


#: The meaning of all states, for a legend.
LEGEND = [StateGroup(state) for state in STATES]


def overview(sites: Iterable[SiteView], now: float) -> Overview:
    """Group sites by state, the most urgent first; in a group, by name."""
    by_state: dict[State | None, list[SiteView]] = defaultdict(list)
    for site in sorted(sites, key=lambda site: site.name):
        by_state[site.state].append(site)
    order = [*(state for state in STATES if state is not State.GOOD), None, State.GOOD]
    groups = [StateGroup(state, by_state[state]) for state in order if state in by_state]
    return Overview(groups, _moment(now))


def overview_of(history: Mapping[str, Sequence[SiteRun]], now: float) -> Overview:
    """Return the overview of all sites of a memory."""
    return overview((site_view(site, runs, now) for site, runs in history.items()), now)


def site_view(
    name: str,
    runs: Sequence[SiteRun],
    now: float,
    *,
    pages: int | None = None,
    corrections: int | None = None,
    problem: str = "",
) -> SiteView:
    """Return what is shown of a site, from its runs, oldest first."""
    if not runs:
        nothing = Curve((None,) * DAYS)
        return SiteView(name, None, nothing, pages=pages, corrections=corrections, problem=problem)
    state, last, first_day = state_of(runs), runs[-1], int(now // _DAY) - DAYS + 1
    troubled = _troubled_runs(runs) if state.is_trouble else []
    templates = [run.started for run in runs if run.counts.new_templates]
    curve = Curve(
        _articles_per_day(runs, first_day),
        _place(troubled[0].started, first_day) if troubled else None,
        _place(templates[-1], first_day, is_cut=True) if templates else None,
    )
    return SiteView(
        name,
        state,
        curve,
        _moment(last.started),
        _result_of(last, state),
        f"{last.counts.new:,} new" if last.state is state else f"{last.state}",
        _moment(troubled[0].started) if troubled else None,
        len(troubled),
        day_words(_moment(templates[-1]).day) if templates else "",
        _facts_of(last, state),
        pages,
        corrections,
        problem,
    )


def _troubled_runs(runs: Sequence[SiteRun]) -> list[SiteRun]:
    """Return the runs of the trouble that a site is in, oldest first."""
    found: list[SiteRun] = []
    for run in reversed(runs):
        if run.state.is_judged and not run.state.is_trouble:
            break
        if run.state.is_trouble:
            found.append(run)
    return found[::-1]


def _articles_per_day(runs: Sequence[SiteRun], first_day: int) -> tuple[float | None, ...]:
    """Return the new articles of each day; None where no run tells.

    What a run brings is spread evenly over the time since the run before. The first run does not
    count: it brings what was there already.
    """
    articles, seen = [0.0] * DAYS, [0.0] * DAYS
    last: float | None = None
    brought = 0
    for run in runs:
        brought += run.counts.new
        if run.state in _PARTIAL:
            continue
        if last is not None and 0 < run.started - last <= _MAX_GAP:
            for day in range(int(last // _DAY), int(run.started // _DAY) + 1):
                place = day - first_day
                if 0 <= place < DAYS:
                    share = min(run.started, (day + 1) * _DAY) - max(last, day * _DAY)
                    seen[place] += share / _DAY
                    articles[place] += brought * share / (run.started - last)
        last, brought = run.started, 0
    return tuple(
        count / share if share >= _MIN_SHARE else None
        for count, share in zip(articles, seen, strict=True)
    )


def _place(started: float, first_day: int, *, is_cut: bool = False) -> int | None:
    """Return the place of a day in a curve; one before its start is the first, or cut off."""
    place = int(started // _DAY) - first_day
    return None if is_cut and place < 0 else max(place, 0)


def _result_of(run: SiteRun, state: State) -> str:
    counts = run.counts
    result = f"{counts.new:,} new, {counts.changed:,} changed, {counts.unchanged:,} unchanged"
    return result if run.state is state else f"{run.state}; {result}"


def _facts_of(run: SiteRun, state: State) -> tuple[str, ...]:
    """Return what the last run says about the state, in a few words each."""
    counts, facts = run.counts, []
    if state is State.FEW and run.expected is not None:
        articles = counted(round(run.expected), "new article")
        facts.append(f"expected since the last good run: {articles}")
    if counts.dropped:
        reasons = counts.dropped.most_common(_MAX_REASONS)
        facts.append("Dropped: " + ", ".join(f"{count:,} {reason}" for reason, count in reasons))
    facts += counts.remarks
    if counts.without:
        given = counts.new + counts.changed
        fields = ", ".join(f"{count:,} without {name}" for name, count in counts.without.items())
        facts.append(f"Of {given:,} new and changed: {fields}")
    return tuple(facts)


def _moment(seconds: float) -> Moment:
    return Moment(datetime.fromtimestamp(seconds, UTC))


def _number(value: float) -> str:
    """
    >>> _number(0.24), _number(3.96), _number(1234.5), _number(0)
    ('0.2', '4', '1,234', '0')
    """
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
