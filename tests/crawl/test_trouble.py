"""A run that nobody watches says by exit code, report and alert that a site is broken."""

import json
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from newsclean.memory import Memory
from newsclean.memory.site_health import SiteCounts, SiteRun, State
from newsclean.urls import site_of

from .demo_sites import HURRY, newsclean
from .scrapy_command import crawl_news
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {
    f"/news/{n}-{name}": f"The {name}" for n, name in enumerate(["fair", "flood", "bridge"], 1001)
}
STORIES = {path: Answer(story(title)) for path, title in TITLES.items()}
WELL = {"/news/": Answer(section(TITLES)), **STORIES}
#: What breaks a site: the URL that is crawled, and what the server answers.
FAULTS = {
    "unknown host": ("http://no-such-host.invalid/news/", WELL, 3),
    "robots.txt forbids all": (
        "",
        WELL | {"/robots.txt": Answer("User-agent: *\nDisallow: /\n", "text/plain")},
        3,
    ),
    "section not found": ("", {**STORIES}, 3),
    "all articles not found": ("", {"/news/": WELL["/news/"]}, 1),
    "a section without links": ("", {"/news/": Answer(section({}))}, 1),
}


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with serve(WELL) as small_site:
        yield small_site


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_has_its_exit_code(tmp_path: Path, fault: str) -> None:
    url, answers, code = FAULTS[fault]
    with serve(answers) as broken:
        run = newsclean(tmp_path, "crawl", url or f"{broken.url}/news/", *HURRY)
    assert run.exit_code == code, run.errors
    assert "Traceback" not in run.errors


@pytest.mark.process
def test_one_of_five_sites_is_broken(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    with ExitStack() as stack:
        servers = [stack.enter_context(serve(WELL)) for _ in range(4)]
        servers.append(stack.enter_context(serve({})))
        for number, server in enumerate(servers):
            text = f'[[section]]\nurl = "{server.url}/news/"\n'
            (tmp_path / f"sites/site{number}.toml").write_text(text)
        command = ("crawl", "--sites", "sites", "--jobs", "2", "--report", "report.json", *HURRY)
        run = newsclean(tmp_path, *command)
    assert run.exit_code == 5, run.errors
    broken = site_of(servers[-1].url)
    assert f"{broken}: start page not found" in run.output
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["exit_code"] == 5
    assert {s["site"] for s in report["sites"] if s["is_trouble"]} == {broken}
    assert sum(s["new"] for s in report["sites"]) == 4 * len(STORIES)


@pytest.mark.parametrize(
    ("damage", "new", "lost"),
    [("&#xD800;", 5, "1 entry-unreadable"), ("", 6, ""), (None, 3, "1 section or feed failed")],
)
def test_what_a_site_loses_of_its_feed_is_in_its_report(
    tmp_path: Path, damage: str | None, new: int, lost: str
) -> None:
    more = {f"/story/{number}-rain-in-town": f"The rain number {number}" for number in range(3)}
    items = "".join(
        f"<item><link>{path}</link><title>{title}</title></item>" for path, title in more.items()
    )
    items = items.replace("number 1", f"number 1{damage}")
    feed = "<html>" if damage is None else f"<rss><channel>{items}</channel></rss>"
    link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    answers = WELL | {path: Answer(story(title)) for path, title in more.items()}
    answers["/news/"] = Answer(section(TITLES).replace("</head>", f"{link}</head>"))
    answers["/feed"] = Answer(feed, "application/rss+xml")
    with serve(answers) as site:
        run = newsclean(tmp_path, "crawl", f"{site.url}/news/", *HURRY)
    assert run.exit_code == 0, run.errors
    assert f"{new} new" in run.output
    assert lost in run.output
    assert "Traceback" not in run.errors


def test_a_site_that_gave_forty_articles_a_day_and_gives_none(
    tmp_path: Path, site: SmallSite
) -> None:
    command = ("crawl", f"{site.url}/news/", *HURRY)
    assert newsclean(tmp_path, *command).exit_code == 0
    gave(tmp_path, site, [40] * 8)
    run = newsclean(tmp_path, *command)
    assert run.exit_code == 6
    assert "far less than usual" in run.output
    assert "0 new since the last good run, 40 expected" in run.output
    shown = newsclean(tmp_path, "report", "--html", "report.html")
    assert shown.exit_code == 6
    assert "far less than usual" in shown.output
    page = (tmp_path / "report.html").read_text()
    assert "expected since the last good run: 40 new articles" in page
    assert "<script" not in page


def test_a_second_run_at_once_is_too_soon_to_tell(tmp_path: Path, site: SmallSite) -> None:
    command = ("crawl", f"{site.url}/news/", *HURRY)
    newsclean(tmp_path, *command)
    run = newsclean(tmp_path, *command)
    assert run.exit_code == 0
    assert "too soon to tell; 0 new, 0 changed, 3 unchanged" in run.output


def gave(folder: Path, site: SmallSite, new: list[int]) -> None:
    """Let the site have been crawled each day until yesterday, with so many new articles."""
    name = site_of(site.url)
    assert name is not None
    now, days = time.time(), len(new)
    with closing(Memory(str(folder / ".scrapy/newsclean/memory.sqlite"))) as memory:
        memory.database.execute("DELETE FROM site_run")
        memory.site_runs.finish(
            SiteRun(
                number - days, name, now - (days - number) * 86400.0, 1.0, State.GOOD,
                SiteCounts(new=count),
            )
            for number, count in enumerate(new)
        )  # fmt: skip


@pytest.mark.process
def test_somebody_is_told_once_that_a_site_is_broken_and_once_that_it_has_recovered(
    tmp_path: Path, site: SmallSite
) -> None:
    script = tmp_path / "hook.py"
    script.write_text("import sys; open('alerts', 'a').write(sys.stdin.read() + '\\n')")
    hook = shlex.join([sys.executable, str(script)])
    command = ("crawl", f"{site.url}/news/", "-s", f"NEWSCLEAN_ALERT={hook}", *HURRY)
    assert newsclean(tmp_path, *command).exit_code == 0
    site.answers.clear()
    assert newsclean(tmp_path, *command).exit_code == 3
    assert newsclean(tmp_path, *command).exit_code == 3
    site.answers.update(WELL)
    assert newsclean(tmp_path, *command).exit_code == 0
    alerts = [json.loads(line) for line in (tmp_path / "alerts").read_text().splitlines()]
    assert [(alert["event"], alert["site"]) for alert in alerts] == [
        ("broken", site_of(site.url)),
        ("recovered", site_of(site.url)),
    ]


@pytest.mark.parametrize(("fails", "code"), [(0, 0), (1, 1)])
def test_scrapy_crawl_fails_if_a_setting_asks_for_it(
    tmp_path: Path, site: SmallSite, fails: int, code: int
) -> None:
    for path in STORIES:
        del site.answers[path]
    file = tmp_path / "report.json"
    run = crawl_news(
        tmp_path,
        f"url={site.url}/news/",
        NEWSCLEAN_FAIL_ON_TROUBLE=fails,
        NEWSCLEAN_REPORT_FILE=file,
    )
    assert run.exit_code == code
    assert json.loads(file.read_text())["sites"][0]["state"] == "no articles"
    assert run.stats["newsclean/sites/trouble"] == 1
