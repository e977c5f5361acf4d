"""Several sites in one process: each has its own pace, and none waits for another."""

from itertools import chain
from pathlib import Path

import pytest

from .demo_sites import HURRY, newsclean, urls
from .scrapy_command import HURRY as SCRAPY_HURRY
from .scrapy_command import scrapy
from .small_site import Answer, SmallSite, page, section, serve, story

pytestmark = pytest.mark.slow

HOSTS = ("127.0.0.1", "127.0.0.2")
STORIES = {
    f"/news/2026/03/{day:02}/the-old-mill-{70000 + day}.html": f"The old mill, day number {day}"
    for day in range(1, 8)
}
SITE = {"/news": Answer(section(STORIES))} | {
    path: Answer(story(title)) for path, title in STORIES.items()
}
#: In a part of the page where links are doubtful: they wait for all sources of their site.
DEFERRED = {f"/report-{70000 + number}.html": f"Report {number}" for number in range(3)}
LABELS = "".join(f'<aside><a href="{path}">{title}</a></aside>' for path, title in DEFERRED.items())


def site_file(folder: Path, name: str, site: SmallSite, more: str = "") -> None:
    (folder / "sites").mkdir(exist_ok=True)
    text = f'{more}\n[[section]]\nurl = "{site.url}/news"\n'
    (folder / "sites" / f"{name}.toml").write_text(text)


def mean_gap(site: SmallSite) -> float:
    """Seconds between two requests on the whole: two may arrive closer together than sent."""
    times = list(chain(*site.times.values()))
    return (max(times) - min(times)) / (len(times) - 1)


def test_the_delay_of_a_site_file_holds_for_its_site_and_no_other(tmp_path: Path) -> None:
    with serve(SITE, HOSTS[0]) as slow, serve(SITE, HOSTS[1]) as fast:
        site_file(tmp_path, "slow", slow, "delay = 0.6")
        site_file(tmp_path, "fast", fast)
        start = ("-sAUTOTHROTTLE_START_DELAY=0.01", "-sAUTOTHROTTLE_MAX_DELAY=0.02")
        run = newsclean(tmp_path, "crawl", "--sites", "sites", *start)
        assert run.exit_code == 0, run.errors
        assert len(urls(tmp_path / "articles.jsonl")) == 2 * len(STORIES)
    assert mean_gap(slow) > 0.55
    assert mean_gap(fast) < 0.3


@pytest.mark.parametrize(("asked", "least"), [("0.2", 0.55), ("0.9", 0.85)])
def test_of_a_site_file_and_robots_txt_the_longer_delay_counts(
    tmp_path: Path, asked: str, least: float
) -> None:
    robots_txt = Answer(f"User-agent: *\nCrawl-delay: {asked}\n", "text/plain")
    with serve(SITE | {"/robots.txt": robots_txt}) as site:
        site_file(tmp_path, "slow", site, "delay = 0.6")
        run = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
        assert run.exit_code == 0, run.errors
        assert len(urls(tmp_path / "articles.jsonl")) == len(STORIES)
    assert least < mean_gap(site) < 2


def test_a_slow_site_does_not_hold_back_the_deferred_links_of_another(tmp_path: Path) -> None:
    answers = SITE | {path: Answer(story(title)) for path, title in DEFERRED.items()}
    answers["/news"] = Answer(page("All the news", LABELS))
    with serve({"/news": Answer(hangs=True)}, HOSTS[0]) as slow, serve(answers, HOSTS[1]) as site:
        run = scrapy(
            tmp_path, "crawl", "news", f"-aurl={slow.url}/news,{site.url}/news",
            settings="newsclean.settings",
            **(SCRAPY_HURRY | {"DOWNLOAD_TIMEOUT": 6, "RETRY_ENABLED": 0, "LOG_LEVEL": "DEBUG"}),
        )  # fmt: skip
    failed = run.log.index("Section news has failed")
    for path in DEFERRED:
        assert 0 < run.log.find(f"Crawled (200) <GET {site.url}{path}>") < failed


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.process)])
def test_a_limit_is_one_of_each_site_whatever_the_number_of_processes(
    tmp_path: Path, jobs: str
) -> None:
    with serve(SITE, HOSTS[0]) as one, serve(SITE, HOSTS[1]) as other:
        site_file(tmp_path, "one", one)
        site_file(tmp_path, "other", other)
        command = ("crawl", "--sites", "sites", "--jobs", jobs, "--limit", "3", *HURRY)
        run = newsclean(tmp_path, *command)
        assert run.exit_code == 0, run.errors
        newest = list(STORIES)[-3:]
        expected = [f"{site.url}{path}" for site in (one, other) for path in newest]
        assert urls(tmp_path / "articles.jsonl") == sorted(expected)


def test_a_limit_is_one_of_each_site_of_several_feeds_or_urls(tmp_path: Path) -> None:
    items = "".join(f"<item><link>{path}</link></item>" for path in STORIES)
    answers = SITE | {"/feed": Answer(f"<rss><channel>{items}", "application/rss+xml")}
    with serve(answers, HOSTS[0]) as one, serve(answers, HOSTS[1]) as other:
        newest = list(STORIES)[-2:]
        expected = sorted(f"{site.url}{path}" for site in (one, other) for path in newest)
        run = newsclean(tmp_path, "crawl", f"{one.url}/news", f"{other.url}/news", "--limit=2",
                        "-o", "news.jsonl", "-sNEWSCLEAN_MEMORY=:memory:", *HURRY)  # fmt: skip
        assert run.exit_code == 0, run.errors
        assert urls(tmp_path / "news.jsonl") == expected
        feeds = scrapy(
            tmp_path, "crawl", "feed", f"-aurl={one.url}/feed,{other.url}/feed", "-alimit=2",
            settings="newsclean.settings", **SCRAPY_HURRY,
        )  # fmt: skip
        assert sorted(line["url"] for line in feeds.lines()) == expected


def test_a_slow_feed_does_not_hold_back_the_articles_of_another_site(tmp_path: Path) -> None:
    items = "".join(f"<item><link>{path}</link></item>" for path in STORIES)
    answers = SITE | {"/feed": Answer(f"<rss><channel>{items}", "application/rss+xml")}
    with serve({"/feed": Answer(hangs=True)}, HOSTS[0]) as slow, serve(answers, HOSTS[1]) as site:
        run = scrapy(
            tmp_path, "crawl", "feed", f"-aurl={slow.url}/feed,{site.url}/feed",
            settings="newsclean.settings",
            **(SCRAPY_HURRY | {"DOWNLOAD_TIMEOUT": 6, "RETRY_ENABLED": 0, "LOG_LEVEL": "DEBUG"}),
        )  # fmt: skip
    failed = run.log.index("ERROR: Source failed: ")
    for path in STORIES:
        assert 0 < run.log.find(f"Crawled (200) <GET {site.url}{path}>") < failed
