"""Whether a site gives what it usually gives."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from newsclean.memory.site_health import (
    STATES,
    Habit,
    PastRun,
    RunCounts,
    SiteCounts,
    State,
    habit_of,
    judge,
    wall_notes,
)

DAY = 86400.0
MONDAY = 4 * DAY  # 5 January 1970


def days(*new: int, state: State = State.GOOD) -> list[PastRun]:
    """A run each day, from a Monday on, with so many new articles."""
    return [PastRun(MONDAY + number * DAY, state, count) for number, count in enumerate(new)]


def habit(past: list[PastRun]) -> Habit:
    found = habit_of(past)
    assert found is not None
    return found


def state_after(past: list[PastRun], counts: SiteCounts, after: float = 1.0) -> State:
    start = past[-1].started if past else MONDAY
    return judge(counts, past, start + after * DAY).state


def test_a_site_that_gave_forty_articles_a_day_and_gives_none_is_in_trouble() -> None:
    past = days(300, 40, 38, 42, 41, 39)
    assert state_after(past, SiteCounts(unchanged=60, sources=3)) is State.FEW
    assert state_after(past, SiteCounts(new=39, sources=3)) is State.GOOD


def test_few_articles_are_trouble_once_the_weekday_is_known() -> None:
    past = days(300, *[40] * 13)
    assert state_after(past, SiteCounts(new=7, sources=3)) is State.FEW
    assert state_after(past, SiteCounts(new=9, sources=3)) is State.GOOD


def test_the_first_run_brings_what_was_there_and_says_nothing_of_a_day() -> None:
    assert habit(days(300, 40, 40, 40)).expected(MONDAY, MONDAY + DAY) == pytest.approx(40)


def test_an_hour_after_a_good_run_it_is_too_soon_to_tell() -> None:
    past = days(300, 40, 38, 42, 41, 39)
    assert state_after(past, SiteCounts(unchanged=60), after=1 / 24) is State.TOO_SOON


def test_runs_that_were_too_soon_do_not_hide_that_nothing_comes_any_more() -> None:
    past = days(300, 40, 38, 42, 41, 39)
    end = past[-1].started
    hours = [PastRun(end + hour * DAY / 24, State.TOO_SOON, 0) for hour in range(1, 24)]
    judgement = judge(SiteCounts(unchanged=60), past + hours, end + DAY)
    assert judgement.state is State.FEW
    assert judgement.expected == pytest.approx(40, abs=2)


def test_few_articles_a_week_are_no_habit_that_a_day_could_break() -> None:
    past = days(30, 1, 0, 2, 1, 1, 0, 1)
    assert state_after(past, SiteCounts(unchanged=20)) is State.TOO_SOON


def test_a_weekday_has_a_habit_of_its_own() -> None:
    # Monday to Sunday twice; the run of a day brings what came since the day before.
    week = [40, 40, 40, 40, 40, 2, 2]
    past = days(100, *week, *week)
    last = past[-1].started  # a Monday
    assert habit(past).expected(last, last + DAY) == pytest.approx(40)
    saturday = last + 5 * DAY
    assert habit(past).expected(saturday, saturday + DAY) == pytest.approx(2)


def test_a_site_without_a_past_is_good_if_it_gives_articles() -> None:
    assert state_after([], SiteCounts(new=12, sources=1)) is State.GOOD


def test_nothing_is_trouble_at_once() -> None:
    failed = SiteCounts(failed_sources=2)
    assert state_after([], failed) is State.UNREACHABLE
    failed.missing_sources = 2
    assert state_after([], failed) is State.NOT_FOUND
    failed.useless_sources = 1
    assert state_after([], failed) is State.NO_ARTICLES
    assert state_after([], SiteCounts(sources=1)) is State.NO_ARTICLES


def test_a_start_page_that_is_gone_is_another_trouble_than_a_server_that_is_away() -> None:
    gone, partly = SiteCounts(), SiteCounts()
    gone.count_failed_source("http-404", is_useless=False)
    gone.count_failed_source("http-410", is_useless=False)
    partly.count_failed_source("http-404", is_useless=False)
    partly.count_failed_source("http-503", is_useless=False)
    assert state_after([], gone) is State.NOT_FOUND
    assert state_after([], partly) is State.UNREACHABLE


def test_every_state_has_a_meaning_and_every_trouble_says_what_to_do() -> None:
    assert set(STATES) == set(State)
    for state, row in STATES.items():
        assert row.meaning.endswith("."), state
        assert bool(row.advice) == state.is_trouble, state


def test_the_documentation_names_every_state() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    rows = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| "))
    assert [state for state in State if state not in rows] == []


def test_trouble_comes_first_and_good_sites_last() -> None:
    kinds = [state.kind for state in STATES]
    assert kinds == sorted(kinds, key=["bad", "soon", "good"].index)


def test_a_narrow_window_need_not_have_articles() -> None:
    assert judge(SiteCounts(sources=1), [], MONDAY, is_limited=True).state is State.LIMITED
    broken = SiteCounts(failed_sources=1)
    assert judge(broken, [], MONDAY, is_limited=True).state is State.UNREACHABLE


def test_a_run_that_was_interrupted_neither_breaks_a_habit_nor_loses_its_articles() -> None:
    past = days(300, 40, 38, 42, 41, 39)
    stopped = PastRun(past[-1].started + DAY / 2, State.INTERRUPTED, 35)
    judgement = judge(SiteCounts(new=4), [*past, stopped], past[-1].started + DAY)
    assert (judgement.state, judgement.new) == (State.GOOD, 39)


def test_pages_under_other_hosts_of_a_site_count_for_it() -> None:
    counts = RunCounts()
    counts.start(["https://www.example.org/news"])
    counts.of("https://sport.example.org/1").new += 1
    counts.of("https://example.org/2").new += 1
    counts.of("https://example.net/robots.txt").requests += 1
    assert {site: found.new for site, found in counts.reported().items()} == {"example.org": 2}


def test_a_host_that_only_serves_feeds_of_another_site_is_not_reported() -> None:
    counts = RunCounts()
    counts.start(["https://feeds.example.net/all.xml"])
    counts.of("https://feeds.example.net/all.xml").sources += 1
    counts.of("https://example.org/1").new += 1
    assert list(counts.reported()) == ["example.org"]


def test_counts_of_any_version_are_read() -> None:
    counts = SiteCounts(new=3)
    counts.dropped["http-404"] = 2
    assert SiteCounts.from_dict(counts.to_dict() | {"unknown": 1, "changed": "x"}) == counts


def crawled(new: list[int], hour: float = 5.3) -> list[State]:
    """The state after each of daily runs, from a Monday on, that bring so many new articles."""
    past: list[PastRun] = []
    for number, count in enumerate(new):
        now = MONDAY + number * DAY + hour * 3600
        state = judge(SiteCounts(new=count, unchanged=50, sources=3), past, now).state
        past.append(PastRun(now, state, count))
    return [run.state for run in past]


def test_no_weekend_is_an_alarm() -> None:
    # A run in the morning brings what the day before had: little on Sunday and Monday.
    for size in (40, 400):
        week = [size // 20, size, size, size, size, size, size // 20]
        states = crawled([300, *week[1:], *week * 5])
        assert not [state for state in states if state.is_trouble]


def test_a_site_that_stops_on_a_weekday_is_an_alarm_on_the_next_day() -> None:
    week = [2, 40, 40, 40, 40, 40, 2]
    states = crawled([300, *week[1:], *week * 3, 2, 40, 40, 0, 0, 0])
    assert [state.is_trouble for state in states[-5:]] == [False, False, True, True, True]


def test_a_pause_of_the_crawls_is_no_trouble_of_the_site() -> None:
    past = days(300, *[40] * 13)
    assert state_after(past, SiteCounts(new=100, sources=3), after=21) is State.GOOD


def test_after_an_outage_the_first_good_day_is_good() -> None:
    states = crawled([300, *[40] * 13, *[0] * 20, 40, 40])
    assert all(state is State.FEW for state in states[14:34])
    assert states[34:] == [State.GOOD, State.GOOD]


def test_a_site_of_one_article_a_day_is_in_trouble_after_some_weeks() -> None:
    states = crawled([30, *[1] * 40, *[0] * 25])
    assert not any(state.is_trouble for state in states[:50])
    assert states[-1] is State.FEW


@pytest.mark.parametrize("first", [State.KILLED, State.LIMITED, State.UNREACHABLE, State.TOO_SOON])
def test_whatever_the_first_run_was_a_site_comes_to_be_judged(first: State) -> None:
    past = [PastRun(MONDAY - DAY, first, 0)]
    for number in range(20):
        now = MONDAY + number * DAY
        count = 40 if number < 19 else 0
        state = judge(SiteCounts(new=count, unchanged=9, sources=1), past, now).state
        past.append(PastRun(now, state, count))
    assert past[-2].state is State.GOOD
    assert past[-1].state is State.FEW


def test_what_a_killed_run_has_brought_is_not_missed() -> None:
    past = [*days(300, *[40] * 13), PastRun(MONDAY + 14 * DAY, State.KILLED, 0)]
    assert state_after(past, SiteCounts(new=2, sources=3), after=1 / 12) is State.GOOD
    assert state_after(past, SiteCounts(unchanged=50), after=1 / 12) is State.TOO_SOON


def test_a_site_that_sends_walls_in_place_of_pages_is_blocked() -> None:
    walls = Counter({"blocked/challenge": 40})
    assert judged(dropped=walls, sources=3) is State.BLOCKED
    assert judged(dropped=Counter({"blocked/login": 1}), failed_sources=1) is State.BLOCKED
    assert judged(dropped=walls, new=5, sources=3) is State.BLOCKED
    assert State.BLOCKED.is_trouble


def test_some_walls_do_not_make_a_site_blocked() -> None:
    assert judged(dropped=Counter({"blocked/challenge": 4}), new=40, sources=3) is State.GOOD
    assert judged(dropped=Counter({"blocked/login": 40}), new=5, sources=3) is State.GOOD
    mostly_gone = Counter({"blocked/denied": 2, "http-404": 30})
    assert judged(dropped=mostly_gone, sources=3) is State.NO_ARTICLES


def test_each_kind_of_wall_has_its_advice() -> None:
    counts = SiteCounts(dropped=Counter({"blocked/consent": 2, "blocked/login": 3, "http-404": 9}))
    login, consent = wall_notes(counts)
    assert login.startswith("3 blocked by a log-in wall: put the cookie")
    assert consent.startswith("2 blocked by a consent wall: ")


def judged(**counts: Any) -> State:
    return judge(SiteCounts(**counts), [], MONDAY).state
