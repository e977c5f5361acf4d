"""The chain of pipelines in a real crawl: what `ITEM_PIPELINES` says is what happens."""

import json
from pathlib import Path
from typing import Any

import pytest

from newsclean.demo import DemoServer
from newsclean.settings import ITEM_PIPELINES

from .scrapy_command import HURRY, Run, crawl_news, scrapy

pytestmark = pytest.mark.slow

OURS = "newsclean.pipelines."


def crawl(folder: Path, demo: DemoServer, orders: dict[str, Any], **settings: Any) -> Run:
    pipelines = {OURS + name: order for name, order in orders.items()}
    url = f"url={demo.publishers[0].base_url}/"
    return crawl_news(folder, url, "limit=5", ITEM_PIPELINES=json.dumps(pipelines), **settings)


def test_scrapy_settings_shows_the_chain(tmp_path: Path) -> None:
    shown = scrapy(tmp_path, "settings", "--get", "ITEM_PIPELINES", settings="newsclean.settings")
    assert json.loads(shown.output) == ITEM_PIPELINES
    assert list(ITEM_PIPELINES.values()) == sorted(ITEM_PIPELINES.values())


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ({"ContentPipeline": 115}, "ContentPipeline (115) needs 'evidence', which Neighborhood"),
        ({"PagePipeline": None}, "NeighborhoodPipeline (120) needs 'page', which no pipeline"),
        ({"ExportPipeline": 100}, "ExportPipeline (100) needs 'article', which ArticlePipeline"),
        ({"ExportPipeline": None}, "no pipeline turns pages into items for the feeds"),
    ],
)
def test_a_wrong_chain_ends_the_crawl_before_its_first_request(
    tmp_path: Path, demo: DemoServer, orders: dict[str, Any], message: str
) -> None:
    before = demo.fetched()
    run = crawl(tmp_path, demo, orders)
    assert run.exit_code != 0
    (complaint,) = run.complaints
    assert f"ITEM_PIPELINES: {message}" in complaint
    assert not (tmp_path / "articles.jsonl").exists()
    assert demo.fetched() == before


def test_without_dynamic_noise_nothing_is_marked_as_such(tmp_path: Path, demo: DemoServer) -> None:
    method = {"NEWSCLEAN_METHOD": "stadynot+coreex"}
    without, whole = tmp_path / "without", tmp_path / "whole"
    for folder, orders in ((without, {"DynamicNoisePipeline": None}), (whole, {})):
        folder.mkdir()
        run = crawl(folder, demo, orders, **method)
        assert run.exit_code == 0
        marked = [line["extraction"]["dynamic_chars"] for line in run.lines()]
        assert len(marked) > 2
        assert (sum(marked) > 0) == (folder is whole)


PROJECT = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["early"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
ITEM_PIPELINES = {"early.Duplicates": 50}
"""
EARLY = """
import scrapy
from scrapy.exceptions import DropItem


class Duplicates:
    def __init__(self):
        self.seen = set()

    def process_item(self, item):
        if item["url"] in self.seen:
            raise DropItem("twice")
        self.seen.add(item["url"])
        return item


class EarlySpider(scrapy.Spider):
    name = "early"

    async def start(self):
        yield scrapy.Request(self.home)

    def parse(self, response):
        found = response.css("a::attr(href)").re(r"^/\\d+/[^?#]*$")
        for href in list(dict.fromkeys(found))[:8]:
            yield response.follow(href, self.parse_story)

    def parse_story(self, response):
        yield {"url": response.url, "title": "mine"}
"""


def test_a_pipeline_in_front_of_newscleans_gets_each_item_of_the_project_once(
    tmp_path: Path, demo: DemoServer
) -> None:
    (tmp_path / "project.py").write_text(PROJECT)
    (tmp_path / "early.py").write_text(EARLY)
    url = f"{demo.publishers[0].base_url}/"
    start = ["crawl", "early", f"-ahome={url}"]
    run = scrapy(tmp_path, *start, settings="project", **HURRY)
    assert run.exit_code == 0
    assert len(run.lines()) == 8
    assert all(line["body"] and line["title"] == "mine" for line in run.lines())
    assert not run.complaints
