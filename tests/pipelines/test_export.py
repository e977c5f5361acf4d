"""The article leaves as itself, or in the item of somebody else's spider."""

from dataclasses import dataclass
from typing import Any

import pytest
from scrapy import Field, Item
from scrapy.http import HtmlResponse

from newsclean.article import Article
from newsclean.items import ArticleItem, PageItem
from newsclean.pipelines.export import ExportPipeline

from .pages import crawler_with

RAW = "<p>It rains.<script>x()</script>"
ARTICLE = Article(
    url="https://example.org/1",
    headline="Rain",
    body="It rains.",
    body_html="<p>It rains.</p>",
    is_article=True,
)


class StoryItem(Item):
    body = Field()
    headline = Field()
    page = Field()


@dataclass
class StoryRecord:
    headline: str | None = None
    text: str | None = None


def exported(origin: Any = None) -> Any:
    response = HtmlResponse("https://example.org/1", body=RAW.encode(), encoding="utf-8")
    item = ArticleItem(PageItem(response, origin=origin), ARTICLE, "https://example.org/1")
    return ExportPipeline.from_crawler(crawler_with()).process_item(item)


def test_an_article_of_our_own_spider_leaves_as_itself() -> None:
    assert exported() is ARTICLE


def test_an_item_that_is_no_article_passes() -> None:
    item = {"url": "https://example.org/teaser"}
    assert ExportPipeline.from_crawler(crawler_with()).process_item(item) is item


def test_a_dict_gets_all_fields_and_keeps_its_own() -> None:
    item = exported({"headline": "Mine", "rank": 7})
    assert (item["headline"], item["rank"]) == ("Mine", 7)
    assert (item["body"], item["is_article"]) == ("It rains.", True)


def test_an_item_gets_the_fields_that_it_declares() -> None:
    item = exported(StoryItem(body="raw text of a selector"))
    assert dict(item) == {"body": "It rains.", "headline": "Rain"}


def test_a_field_with_the_raw_page_gets_the_clean_html() -> None:
    assert exported(StoryItem(page=RAW))["page"] == "<p>It rains.</p>"


def test_an_item_without_a_place_for_the_text_is_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = exported(StoryRecord())
    assert (record.headline, record.text) == ("Rain", None)
    assert caplog.text.count("StoryRecord has no field 'body'") == 1
