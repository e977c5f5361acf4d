"""What a crawl does with articles whose way out is blocked, and with items that have no page."""

from pathlib import Path

import pytest

from newsclean.memory import Memory

from .scrapy_command import scrapy
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {f"/news/report-{n}.html": f"Report number {n}" for n in range(70_001, 70_008)}

BROKEN_FEED = """
from scrapy.exporters import JsonLinesItemExporter

class Broken(JsonLinesItemExporter):
    def export_item(self, item):
        if "70003" in item.url:
            raise OSError(28, "No space left on device")
        super().export_item(item)
"""

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["newsclean.spiders", "spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
NEWSCLEAN_MEMORY = "memory.sqlite"
NEWSCLEAN_MIN_NEIGHBORS = 2
"""


def test_an_article_that_a_feed_did_not_take_comes_in_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN_FEED)
    (tmp_path / "spiders.py").write_text("")
    (tmp_path / "plain.py").write_text(SETTINGS)
    exporters = 'FEED_EXPORTERS = {"jsonlines": "broken.Broken"}\n'
    (tmp_path / "failing.py").write_text(SETTINGS + exporters)
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        first = scrapy(tmp_path, "crawl", "news", f"-aurl={site.url}/news", settings="failing")
        assert len(first.lines()) == len(TITLES) - 1
        assert any("the next run outputs it again" in line for line in first.complaints)
        second = scrapy(tmp_path, "crawl", "news", f"-aurl={site.url}/news", settings="plain")
        urls = sorted(line["url"] for line in second.lines())
        assert urls == sorted(site.url + path for path in TITLES)
    memory = Memory(str(tmp_path / "memory.sqlite"))
    assert memory.pages.counts() == {}
    memory.close()


SPIDER = """
import scrapy

class Own(scrapy.Spider):
    name = "own"

    async def start(self):
        yield scrapy.Request(self.site + "/news", self.parse)
        yield scrapy.Request(self.site + "/data.json", self.parse_data)

    def parse(self, response):
        for link in response.css("h2 a"):
            yield response.follow(link, self.parse_story)

    def parse_story(self, response):
        yield {"url": response.url}
        raise ValueError("after the item")

    def parse_data(self, response):
        yield {"url": response.url, "value": response.json()["value"]}
"""


def test_items_before_an_error_and_items_without_a_page_come_out(tmp_path: Path) -> None:
    (tmp_path / "spiders.py").write_text(SPIDER)
    (tmp_path / "plain.py").write_text(SETTINGS)
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    answers["/data.json"] = Answer('{"value": 7}', content_type="application/json")
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        run = scrapy(tmp_path, "crawl", "own", f"-asite={site.url}", settings="plain")
    lines = {line["url"].removeprefix(site.url): line for line in run.lines()}
    assert set(lines) == {*TITLES, "/data.json"}
    assert lines["/data.json"] == {"url": f"{site.url}/data.json", "value": 7}
    assert all("town clerk" in lines[path]["body"] for path in TITLES)
