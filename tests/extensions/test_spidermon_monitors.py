"""The report of a run as monitors, run by the real Spidermon."""

import json
import warnings
from pathlib import Path

import pytest

from newsclean.extensions import spidermon_monitors
from newsclean.memory.site_health import State
from tests.crawl.scrapy_command import Run, crawl_plainly
from tests.crawl.small_site import Answer, page, section, serve, story

pytestmark = pytest.mark.slow

SUITE = "newsclean.extensions.spidermon_monitors.SiteMonitorSuite"
TITLES = {f"/2026/03/0{n}/rain-falls-on-town-{n}": f"Rain falls on town {n}" for n in (1, 2, 3)}
SITE = {"/": Answer(section(TITLES))} | {path: Answer(story(t)) for path, t in TITLES.items()}


def crawl(folder: Path, url: str, **settings: object) -> Run:
    addons = {
        "newsclean.addon.Newsclean": 500,
        "newsclean.extensions.package_addons.Spidermon": 600,
    }
    ours: dict[str, object] = {"ADDONS": json.dumps(addons)}
    with warnings.catch_warnings():
        # Spidermon 1.27 logs with a method of the spider that Scrapy 2.19 has deprecated.
        warnings.filterwarnings("ignore", r"Spider\.log\(\)")
        return crawl_plainly(folder, url, **ours | settings)


def test_there_is_a_test_for_each_kind_of_trouble() -> None:
    names = vars(spidermon_monitors.SiteMonitor)
    tests = {name.removeprefix("test_") for name in names if name.startswith("test_")}
    trouble = {state.name.lower() for state in State if state.is_trouble}
    assert tests == trouble | {"report", "storage"}


def test_a_good_run_passes_all_monitors(tmp_path: Path) -> None:
    with serve(SITE) as site:
        run = crawl(tmp_path, f"{site.url}/")
    assert run.stats["item_scraped_count"] == len(TITLES)
    assert "no site is in the state 'not reachable'... OK" in run.log
    assert "FAILED (" not in run.log


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ({}, "start page not found"),
        ({"/": Answer(page("Empty", "<p>Soon.</p>"))}, "no articles"),
    ],
)
def test_a_site_in_trouble_fails_the_monitor_of_its_state(
    tmp_path: Path, answers: dict[str, Answer], state: str
) -> None:
    with serve(answers) as site:
        run = crawl(tmp_path, f"{site.url}/")
    assert f"no site is in the state '{state}'... FAIL" in run.log
    assert f"AssertionError: {site.url.removeprefix('http://')}: {state}" in run.log
    assert "FAILED (failures=1)" in run.log


def test_at_the_wrong_moment_or_without_reports_the_monitor_says_what_to_do(tmp_path: Path) -> None:
    with serve(SITE) as site:
        early = crawl(
            tmp_path,
            f"{site.url}/",
            SPIDERMON_SPIDER_CLOSE_MONITORS=SUITE,
        )
        without = crawl(tmp_path, f"{site.url}/", NEWSCLEAN_REPORTS=False)
    assert "name the suite in SPIDERMON_ENGINE_STOP_MONITORS" in early.log
    assert "NEWSCLEAN_REPORTS is off" in without.log
