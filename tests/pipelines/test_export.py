"""The article is exported as itself, or in a third-party item."""

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from scrapy import Field, Item
from scrapy.http import HtmlResponse

from newsclean.article import Article
from newsclean.items import PageItem
from newsclean.pipelines.output import ExportPipeline

from .pages import crawler_with

ROOT = Path(__file__).parents[2]
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
    teaser: str | None = None


def exported(own: Any = None, *, is_article: bool = True, **settings: Any) -> Any:
    response = HtmlResponse("https://example.org/1", body=RAW.encode(), encoding="utf-8")
    article = ARTICLE if is_article else replace(ARTICLE, is_article=False)
    item = PageItem(response, third_party_item=own)
    item.article = article
    return ExportPipeline.from_crawler(crawler_with(**settings)).process_item(item)


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


@pytest.mark.parametrize("raw", [RAW, RAW.encode()])
def test_a_field_with_the_raw_page_gets_the_clean_html(raw: str | bytes) -> None:
    assert exported(StoryItem(page=raw))["page"] == "<p>It rains.</p>"


def test_an_item_without_a_place_for_the_text_is_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = exported(StoryRecord())
    assert (record.headline, record.teaser) == ("Rain", None)
    assert caplog.text.count("StoryRecord has no field 'body'") == 1


def test_of_a_page_that_is_not_an_article_the_item_keeps_what_it_has() -> None:
    item = exported({"section": "Sport", "text": "12 games", "page": RAW}, is_article=False)
    assert (item["section"], item["text"], item["page"]) == ("Sport", "12 games", RAW)
    assert item["is_article"] is False


@pytest.mark.process
def test_the_fields_of_an_item_come_in_the_same_order_each_time() -> None:
    code = (
        "from tests.pipelines.test_export import exported, StoryItem\n"
        "print(list(exported({'rank': 7, 'content': 'raw'})), list(exported(StoryItem(page='x'))))"
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(orders) == 1
    assert orders.pop().startswith("['rank', 'content', 'id', 'url', 'canonical_url', 'site', ")


@dataclass(frozen=True)
class FrozenRecord:
    rank: int
    body: str = "the selector's own"


def test_an_item_that_cannot_be_changed_passes_and_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = exported(FrozenRecord(7))
    assert record == FrozenRecord(7)
    assert caplog.text.count("FrozenRecord: field 'body' not filled") == 1
