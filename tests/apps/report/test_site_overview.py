"""What the pages say of sites: curves, groups, facts."""

import pytest
from lxml import html

from newsclean.apps.report.report_command import report_page
from newsclean.apps.report.site_overview import DAYS, overview_of, site_view
from newsclean.memory.site_health import STATES, SiteCounts, SiteRun, State

from .runs import DAY, NOW, daily


def text_of(page: str, path: str = "/*") -> str:
    return str(html.fromstring(page).xpath(f"normalize-space({path})"))


def test_the_curve_has_the_new_articles_of_each_day_and_not_those_of_the_first_run() -> None:
    curve = site_view("example.org", daily("example.org", [500, 10, 20, 20]), NOW).curve
    assert len(curve.rates) == DAYS
    # A run at noon tells of half of its day, and of half of the day before.
    assert curve.rates[-4:] == (10, 15, 20, 20)
    assert set(curve.rates[:-4]) == {None}
    assert curve.rate == "16 a day"


def test_runs_in_the_same_hour_and_after_a_long_pause_tell_nothing() -> None:
    first, *_ = daily("example.org", [500])
    again = first._replace(run=2, started=first.started + 60)
    late = first._replace(run=3, started=first.started + 20 * DAY)
    view = site_view("example.org", [first, again, late], NOW + 20 * DAY)
    assert set(view.curve.rates) == {None}
    assert not view.curve.lines


def test_what_an_interrupted_run_brought_counts_with_the_next_one() -> None:
    runs = daily("example.org", [500, 30, 10])
    runs[1] = runs[1]._replace(state=State.INTERRUPTED)
    assert site_view("example.org", runs, NOW).curve.rates[-1] == 20


def test_trouble_has_a_beginning_and_a_place_in_the_curve() -> None:
    runs = daily("example.org", [500, 40, 40, 0, 0], State.FEW, unchanged=60)
    runs[-2] = runs[-2]._replace(state=State.FEW)
    view = site_view("example.org", runs, NOW)
    assert view.troubled_runs == 2
    assert view.since is not None
    assert view.since.instant.timestamp() == NOW - DAY
    assert view.curve.trouble == DAYS - 2


def test_the_last_new_template_has_its_day() -> None:
    runs = daily("example.org", [500, 10, 10])
    runs[1].counts.new_templates = 2
    view = site_view("example.org", runs, NOW)
    assert view.curve.template == DAYS - 2
    assert view.template_day == "19 November 2023"


def test_groups_are_in_the_order_of_the_states_and_sites_by_name() -> None:
    states = {"b.example": State.GOOD, "a.example": State.GOOD, "z.example": State.NO_ARTICLES}
    history = {site: daily(site, [3], state) for site, state in states.items()}
    found = overview_of(history, NOW)
    assert [(group.name, [site.name for site in group.sites]) for group in found.groups] == [
        ("no articles", ["z.example"]),
        ("good", ["a.example", "b.example"]),
    ]
    assert found.words == "3 sites, 1 in trouble"


@pytest.mark.parametrize("state", [state for state in STATES if state.is_trouble])
def test_the_page_says_what_to_do_about_each_trouble(state: State) -> None:
    page = text_of(report_page({"example.org": daily("example.org", [9, 0], state)}, NOW))
    assert f"What to do: {STATES[state].advice}" in page


def test_the_page_says_what_the_articles_lack_and_which_sources_failed() -> None:
    counts = SiteCounts(new=2, failed_sources=1)
    counts.without["date"] = 2
    run = SiteRun(1, "example.org", NOW, 1.0, State.FEW, counts, 40.0)
    page = text_of(report_page({"example.org": [run]}, NOW))
    assert "expected since the last good run: 40 new articles" in page
    assert "Of 2 new and changed: 2 without date" in page
    assert "1 section or feed failed" in page


def test_the_page_explains_every_state_and_needs_no_script_and_no_other_file() -> None:
    page = report_page({"<b>.example": daily("<b>.example", [9, 5])}, NOW)
    places = range(1, len(STATES) + 1)
    assert [text_of(page, f"(//dt)[{n}]") for n in places] == [str(state) for state in STATES]
    assert "<b>.example" not in page
    assert "<script" not in page
    assert "src=" not in page


def test_a_memory_without_runs_has_a_page_that_says_what_to_do() -> None:
    assert "newsclean crawl URL" in text_of(report_page({}, NOW))
