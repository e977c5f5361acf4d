"""One line in the settings of somebody's own Scrapy project: his items come out clean."""

from pathlib import Path
from typing import Any

import pytest
from scrapy import version_info as scrapy_version

from newsclean.demo import DemoArticle, DemoServer
from newsclean.demo.world import Publisher
from newsclean.lab.evaluate.measures import word_bag_agreement

from .scrapy_command import HURRY, Run, scrapy

pytestmark = [pytest.mark.slow, pytest.mark.versions]

ONE_LINE = 'ADDONS = {"newsclean.addon.Newsclean": 500}'

ITEMS = """
from dataclasses import dataclass, field

import scrapy


class Story(scrapy.Item):
    url = scrapy.Field()
    headline = scrapy.Field()
    desk = scrapy.Field()
    html = scrapy.Field()
    body = scrapy.Field()
    body_html = scrapy.Field()


@dataclass
class Card:
    url: str
    raw: str
    headline: str = "the spider's own headline"
    authors: list[str] = field(default_factory=list)
    body: str = ""


class Bare(scrapy.Item):
    url = scrapy.Field()
"""

SPIDER = """
import scrapy

from paper.items import Bare, Card, Story


class PaperSpider(scrapy.Spider):
    name = "paper"

    async def start(self):
        for section in self.sections.split(","):
            yield scrapy.Request(section)

    def parse(self, response):
        callbacks = [self.as_dict, self.as_item, self.as_dataclass, self.as_bare_item]
        teasers = response.css("article.teaser")
        for number, teaser in enumerate(teasers):
            link = teaser.css("h2 a")[0]
            yield {"teaser": link.css("::text").get(), "html": teaser.get()}
            yield response.follow(link, callbacks[number % len(callbacks)])

    def as_dict(self, response):
        yield {"url": response.url, "html": response.text, "note": "mine"}

    async def as_item(self, response):
        yield Story(url=response.url, html=response.text, desk="foreign desk")
        yield response.follow("/contact", self.as_dict)

    def as_dataclass(self, response):
        return [Card(response.url, response.text)]

    def as_bare_item(self, response):
        yield Bare(url=response.url)
"""

PIPELINE = """
import json

from itemadapter import ItemAdapter


class PaperPipeline:
    def open_spider(self):
        self.file = open("seen.jsonl", "w")

    def close_spider(self):
        self.file.close()

    def process_item(self, item):
        seen = ItemAdapter(item).asdict() | {"kind": type(item).__name__}
        self.file.write(json.dumps(seen) + "\\n")
        return item
"""


def make_project(folder: Path) -> Path:
    """A project as `scrapy startproject` makes it, with a spider, items and a pipeline."""
    made = scrapy(folder, "startproject", "paper")
    assert made.exit_code == 0, made.log
    project = folder / "paper"
    (project / "paper" / "items.py").write_text(ITEMS)
    (project / "paper" / "pipelines.py").write_text(PIPELINE)
    (project / "paper" / "spiders" / "paper.py").write_text(SPIDER)
    with (project / "paper" / "settings.py").open("a") as settings:
        settings.write('\nITEM_PIPELINES = {"paper.pipelines.PaperPipeline": 300}\n')
        settings.write(f"{ONE_LINE}\n")
    return project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def publisher(demo: DemoServer) -> Publisher:
    return demo.publishers[0]


@pytest.fixture(scope="module")
def articles(publisher: Publisher) -> dict[str, DemoArticle]:
    return {article.url: article for article in publisher.articles}


@pytest.fixture(scope="module")
def crawl(project: Path, publisher: Publisher) -> Run:
    sections = f"-asections={','.join(publisher.section_urls[:2])}"
    return scrapy(project, "crawl", "paper", sections, "-O", "items.jsonl", **HURRY)


@pytest.fixture(scope="module")
def seen(crawl: Run) -> list[dict[str, Any]]:
    """The items as the project's own pipeline has seen them."""
    return crawl.lines("seen.jsonl")


def of_kind(items: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    found = [item for item in items if item["kind"] == kind and "teaser" not in item]
    assert found
    return found


def is_whole(body: str, article: DemoArticle) -> bool:
    """Whether a body is the article; few neighbors may leave a line of noise in it."""
    agreement = word_bag_agreement(body, article.gold)
    return agreement.recall == 1 and agreement.precision > 0.9


def test_the_crawl_ends_well_without_a_deprecated_word(crawl: Run) -> None:
    assert crawl.exit_code == 0
    assert "Deprecat" not in crawl.log
    assert "Traceback" not in crawl.log
    # The one complaint is on the item that has no field for what newsclean finds.
    (complaint,) = crawl.complaints
    assert "Bare has no field 'body'" in complaint


def test_a_dict_gets_the_article_and_its_raw_page_becomes_clean_html(
    seen: list[dict[str, Any]], articles: dict[str, DemoArticle]
) -> None:
    found = [item for item in of_kind(seen, "dict") if item["is_article"]]
    assert found
    for item in found:
        article = articles[item["url"]]
        assert item["headline"] == article.headline
        assert item["authors"] == list(article.authors)
        assert item["date_published"] == article.date_published
        assert is_whole(item["body"], article)
        assert item["html"] == item["body_html"]
        assert "<html" not in item["html"]
        assert item["note"] == "mine"
        assert item["extraction"]["method"]


def test_a_scrapy_item_gets_the_fields_that_it_has(
    seen: list[dict[str, Any]], articles: dict[str, DemoArticle]
) -> None:
    for item in of_kind(seen, "Story"):
        article = articles[item["url"]]
        assert set(item) == {*"url headline desk html body body_html".split(), "kind"}
        assert item["headline"] == article.headline
        assert is_whole(item["body"], article)
        assert item["html"] == item["body_html"]
        assert item["desk"] == "foreign desk"


def test_a_dataclass_keeps_what_the_spider_has_filled_in(
    seen: list[dict[str, Any]], articles: dict[str, DemoArticle]
) -> None:
    cards = [item for item in of_kind(seen, "Card") if item["url"] in articles]
    assert cards
    for item in cards:
        article = articles[item["url"]]
        assert item["headline"] == "the spider's own headline"
        assert item["authors"] == list(article.authors)
        assert is_whole(item["body"], article)
        assert "<html" not in item["raw"]


def test_an_item_without_a_place_for_the_text_passes_as_it_was(seen: list[dict[str, Any]]) -> None:
    for item in of_kind(seen, "Bare"):
        assert set(item) == {"url", "kind"}


def test_several_items_of_one_page_pass_untouched(
    seen: list[dict[str, Any]], articles: dict[str, DemoArticle]
) -> None:
    teasers = [item for item in seen if "teaser" in item]
    assert len(teasers) > 5
    assert {article.headline for article in articles.values()} & {t["teaser"] for t in teasers}
    for teaser in teasers:
        assert set(teaser) == {"teaser", "html", "kind"}
        assert teaser["html"].startswith("<article")


def test_every_item_comes_once_and_what_is_no_article_says_so(
    crawl: Run, seen: list[dict[str, Any]], publisher: Publisher
) -> None:
    urls = [item["url"] for item in seen if "url" in item]
    assert len(set(urls)) == len(urls)
    newest = {a.url for s in publisher.sections[:2] for a in publisher.in_section(s)[:6]}
    assert newest < set(urls)
    others = [item for item in of_kind(seen, "dict") if item["url"] not in newest]
    assert others
    for item in others:
        assert item["is_article"] is False
        assert "<html" in item["html"]  # the page, as the spider has read it
    assert crawl.dropped == {}


def test_what_the_feed_gets_is_what_the_pipeline_has_seen(
    crawl: Run, seen: list[dict[str, Any]]
) -> None:
    for exported, item in zip(crawl.lines("items.jsonl"), seen, strict=True):
        assert exported == {name: value for name, value in item.items() if name != "kind"}


def test_a_wrong_method_stops_the_crawl_and_says_which_there_are(
    project: Path, publisher: Publisher
) -> None:
    sections = f"-asections={','.join(publisher.section_urls[:2])}"
    run = scrapy(
        project, "crawl", "paper", sections, "-O", "none.jsonl", NEWSCLEAN_METHOD="best", **HURRY
    )
    assert run.exit_code == 1
    if scrapy_version >= (2, 14):  # the older one adds a traceback
        assert len(run.complaints) == 1
    assert "NEWSCLEAN_METHOD: no method named 'best'; there are: " in run.log
    assert "stadynot" in run.log
    assert not (project / "none.jsonl").exists()
