"""Callbacks that get articles as arguments, by the real scrapy-poet."""

import json
from pathlib import Path

import pytest

from tests.crawl.scrapy_command import HURRY, scrapy
from tests.crawl.small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

SETTINGS = """
ADDONS = {"newsclean.extensions.package_addons.Poet": 300}
SPIDER_MODULES = ["spiders"]
FEEDS = {"out.jsonl": {"format": "jsonlines"}}
"""
SPIDER = """
from scrapy import Spider
from zyte_common_items import ArticleList
import zyte_common_items
import newsclean


class Papers(Spider):
    name = "papers"

    def __init__(self, url, **kw):
        super().__init__(**kw)
        self.start_urls = [url]

    async def parse(self, response, articles: ArticleList):
        for link in articles.articles:
            yield response.follow(link.url, self.parse_article)

    async def parse_article(self, response, article: newsclean.Article):
        yield {"url": article.url, "headline": article.headline, "body": article.body,
               "neighbors": article.extraction.get("neighbors"), "is_article": article.is_article}


class Items(Papers):
    name = "items"

    async def parse_article(self, response, article: zyte_common_items.Article):
        yield article


class Bad(Papers):
    name = "bad"

    async def parse(self, response, article: newsclean.Article):
        yield {"url": article.url, "is_article": article.is_article}
"""
TITLES = {
    f"/2026/03/0{number}/rain-falls-on-{town}": f"Rain falls again on {town} and its port"
    for number, town in enumerate(
        ("bergen", "oslo", "tromso", "hamar", "narvik", "moss", "bodo"), 1
    )
}
PAGES = {"/": Answer(section(TITLES))} | {
    path: Answer(story(title)) for path, title in TITLES.items()
}


def run(folder: Path, spider: str, url: str, settings: str = SETTINGS) -> list[dict[str, object]]:
    (folder / "spiders.py").write_text(SPIDER)
    (folder / "own.py").write_text(settings)
    ended = scrapy(folder, "crawl", spider, f"-aurl={url}", settings="own", **HURRY)
    assert ended.exit_code == 0
    assert "Traceback" not in ended.log, ended.log
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_a_callback_gets_the_article_and_that_of_a_section_its_links(tmp_path: Path) -> None:
    with serve(PAGES) as site:
        found = run(tmp_path, "papers", f"{site.url}/")
    assert {item["url"]: item["headline"] for item in found} == {
        f"{site.url}{path}": title for path, title in TITLES.items()
    }
    assert all("lanterns" in str(item["body"]) for item in found)
    assert max(int(str(item["neighbors"] or 0)) for item in found) >= 5


def test_with_the_add_on_the_items_go_through_its_pipelines_too(tmp_path: Path) -> None:
    ours = '"newsclean.addon.Newsclean": 500}'
    settings = SETTINGS.replace("300}", f"300, {ours}")
    with serve(PAGES) as site:
        found = run(tmp_path, "papers", f"{site.url}/", settings)
    assert {item["headline"] for item in found} == set(TITLES.values())
    assert {item["revision"] for item in found} == {1}


def test_the_spiders_of_newsclean_run_in_a_project_with_scrapy_poet(tmp_path: Path) -> None:
    """scrapy-poet reads the types of all callbacks, and fails where it cannot."""
    both = '{"scrapy_poet.Addon": 300, "newsclean.addon.Newsclean": 500}'
    (tmp_path / "own.py").write_text(
        f"ADDONS = {both}\nSPIDER_MODULES = ['newsclean.spiders']\n"
        "FEEDS = {'out.jsonl': {'format': 'jsonlines'}}\n"
    )
    feed = "".join(f"<item><link>{{}}{path}</link></item>" for path in list(TITLES)[:3])
    link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    front = Answer(section(TITLES).replace("<head>", f"<head>{link}"))
    with serve(PAGES | {"/": front}) as site:
        rss = f"<rss version='2.0'><channel>{feed.replace('{}', site.url)}</channel></rss>"
        site.answers["/feed"] = Answer(rss, content_type="application/rss+xml")
        ended = scrapy(tmp_path, "crawl", "news", f"-aurl={site.url}/", settings="own", **HURRY)
    assert "Traceback" not in ended.log, ended.log
    assert site.hits["/feed"] == 1
    assert len(ended.lines("out.jsonl")) == len(TITLES)


def test_an_article_of_zyte_common_items_is_provided_too(tmp_path: Path) -> None:
    with serve(PAGES) as site:
        found = run(tmp_path, "items", f"{site.url}/")
    assert {item["headline"] for item in found} == set(TITLES.values())
    assert all("lanterns" in str(item["articleBody"]) for item in found)


def test_a_page_that_is_no_page_gives_an_article_that_says_so(tmp_path: Path) -> None:
    with serve({"/": Answer('{"a": 1}', content_type="application/json")}) as site:
        found = run(tmp_path, "bad", f"{site.url}/")
    assert found == [{"url": f"{site.url}/", "is_article": False}]
