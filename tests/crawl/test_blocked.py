"""A blocked site is told from an empty one: by its pages, its report and the exit code."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.extraction.is_article.wall_pages import WALLS

from .demo_sites import HURRY, lines, newsclean
from .scrapy_command import crawl_news, scrapy
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {
    f"/news/{n}-the-{name}": f"The {name}"
    for n, name in enumerate(["fair", "flood", "bridge", "market", "harvest", "storm"], 1001)
}
WELL = {"/news/": Answer(section(TITLES))} | {
    path: Answer(story(title)) for path, title in TITLES.items()
}
CONSENT = WALLS["a consent page of the site's own"].html
LOGIN = WALLS["a log-in form in place of the page"].html


def wall(name: str) -> Answer:
    page = WALLS[name]
    return Answer(page.html, status=page.status, headers=page.headers)


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with serve(WELL) as small_site:
        yield small_site


@pytest.mark.parametrize(
    "name",
    [
        "Cloudflare, by its page",  # 503, which Scrapy would retry
        "Kasada",  # 429
        "AWS WAF, captcha",
        "Akamai, meta refresh",  # which Scrapy would follow
        "a log-in form in place of the page",
    ],
)
def test_a_wall_for_every_url_is_a_blocked_site(tmp_path: Path, name: str) -> None:
    blocked = wall(name)
    with serve({"/news/": blocked, "/robots.txt": Answer("", "text/plain")}) as site:
        run = newsclean(tmp_path, "crawl", f"{site.url}/news/", "--report", "report.json", *HURRY)
    kind = WALLS[name].kind
    assert run.exit_code == 8, run.errors
    assert site.hits["/news/"] == 1
    assert f": blocked; 0 new, 0 changed, 0 unchanged, 1 dropped (most: 1 blocked/{kind})" in (
        run.output
    )
    (reported,) = json.loads((tmp_path / "report.json").read_text())["sites"]
    assert reported["state"] == "blocked"
    assert reported["is_trouble"]
    assert reported["notes"][0].startswith("1 blocked by ")
    assert lines(tmp_path / "articles.jsonl") == []
    assert newsclean(tmp_path, "report").exit_code == 8


@pytest.mark.parametrize(
    "name", ["Cloudflare, by its header", "a consent page in place of the page"]
)
def test_articles_behind_walls_leave_nothing_in_the_memory(
    tmp_path: Path, site: SmallSite, name: str
) -> None:
    site.answers.update(dict.fromkeys(TITLES, wall(name)))
    command = ("crawl", f"{site.url}/news/", *HURRY)
    run = newsclean(tmp_path, *command)
    assert run.exit_code == 8, run.errors
    assert {path: site.hits[path] for path in TITLES} == dict.fromkeys(TITLES, 1)
    assert lines(tmp_path / "articles.jsonl") == []
    with sqlite3.connect(tmp_path / ".scrapy/newsclean/memory.sqlite") as memory:
        for table in ("stored_page", "page", "fetch", "url_pattern", "article"):
            assert memory.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    # Nothing was learned of the URLs either: the next run requests them.
    site.answers.update(WELL)
    assert newsclean(tmp_path, *command).exit_code == 0
    assert len(lines(tmp_path / "articles.jsonl")) == len(TITLES)


def test_a_known_article_behind_a_wall_stays_as_it_is(tmp_path: Path, site: SmallSite) -> None:
    assert crawl_news(tmp_path, f"url={site.url}/news/").exit_code == 0
    path = next(iter(TITLES))
    site.answers[path] = Answer(status=302, location=f"/zustimmung?url={path}")
    site.answers[f"/zustimmung?url={path}"] = Answer(CONSENT)
    run = crawl_news(tmp_path, f"url={site.url}/news/")
    assert run.dropped == {"blocked/consent": 1, "unchanged": len(TITLES) - 1}
    site.answers.update(WELL)
    run = crawl_news(tmp_path, f"url={site.url}/news/")
    assert run.dropped == {"unchanged": len(TITLES)}
    assert len(run.lines()) == len(TITLES)


def test_articles_for_subscribers_do_not_make_a_site_blocked(
    tmp_path: Path, site: SmallSite
) -> None:
    site.answers.update(dict.fromkeys(list(TITLES)[1:], Answer(LOGIN)))
    run = newsclean(tmp_path, "crawl", f"{site.url}/news/", *HURRY)
    assert run.exit_code == 0, run.output
    assert "good; 1 new" in run.output
    assert "5 blocked by a log-in wall: put the cookie" in run.output


def test_a_wall_in_place_of_a_feed_is_one(tmp_path: Path) -> None:
    with serve({"/feed": Answer(LOGIN)}) as site:
        (tmp_path / "sites").mkdir()
        (tmp_path / "sites/example.toml").write_text(f'feeds = ["{site.url}/feed"]\n')
        run = newsclean(tmp_path, "crawl", "--sites", "sites", *HURRY)
    assert run.exit_code == 8, run.errors
    assert "1 blocked/login" in run.output


def test_a_host_that_sends_challenges_alone_gets_no_more_requests(
    tmp_path: Path, site: SmallSite
) -> None:
    titles = {f"/news/{n}-part-{n}-of-the-fair": f"Part {n} of the fair" for n in range(2001, 2031)}
    challenge = wall("Cloudflare, by its header")
    site.answers = {"/news/": Answer(section(titles)), **dict.fromkeys(titles, challenge)}
    run = crawl_news(tmp_path, f"url={site.url}/news/", CONCURRENT_REQUESTS=1)
    assert sum(site.hits[path] for path in titles) == 10
    assert run.dropped == {"blocked/challenge": 10, "blocked/not-requested": 20}
    assert "keeps answering with browser checks: no more requests to it in this run" in run.log


SPIDER = """
import scrapy

class Stories(scrapy.Spider):
    name = "stories"
    def parse(self, response):
        yield {"url": response.url, "status": response.status, "body": "my own"}
"""


@pytest.mark.parametrize(("drop", "number"), [(None, 2), ("http", 2), ("blocked", 0)])
def test_an_item_of_another_spider_is_dropped_only_if_a_setting_asks_for_it(
    tmp_path: Path, drop: str | None, number: int
) -> None:
    settings = {} if drop is None else {"NEWSCLEAN_DROP": drop}
    with serve({"/a": Answer(LOGIN), "/b": Answer(CONSENT)}) as site:
        (tmp_path / "own.py").write_text(
            'ADDONS = {"newsclean.addon.Newsclean": 500}\n'
            'SPIDER_MODULES = ["stories"]\n'
            'FEEDS = {"items.jsonl": {"format": "jsonlines"}}\n'
        )
        (tmp_path / "stories.py").write_text(
            SPIDER + f'    start_urls = ["{site.url}/a", "{site.url}/b"]\n'
        )
        run = scrapy(tmp_path, "crawl", "stories", settings="own", **settings)
    assert run.exit_code == 0, run.log
    assert [item["body"] for item in run.lines("items.jsonl")] == ["my own"] * number
