"""Articles pass into the spool of an index before the crawl counts them as delivered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Field, Item
from scrapy.exceptions import NotConfigured, UsageError

from newsclean.apps.search.index_pipeline import IndexPipeline
from newsclean.apps.search.index_target import open_search
from newsclean.article import Article
from newsclean.crawl_state import CrawlState
from newsclean.files import StorageError
from newsclean.items import UnstoredPage
from tests.pipelines.pages import crawler_with

ARTICLE = Article(
    id="0" * 32,
    url="https://example.org/1",
    site="example.org",
    headline="Rain",
    body="It rains.",
    is_article=True,
)


class StoryItem(Item):
    title = Field()
    key = Field()
    content = Field()


def pipeline_with(tmp_path: Path, **settings: Any) -> IndexPipeline:
    settings = {
        "NEWSCLEAN_INDEX": str(tmp_path / "index.db"),
        "NEWSCLEAN_INDEX_SPOOL": str(tmp_path / "spool.sqlite"),
    } | settings
    return IndexPipeline.from_crawler(crawler_with(**settings))


def process(pipeline: IndexPipeline, *items: Any) -> None:
    async def all_items() -> None:
        for item in items:
            assert await pipeline.process_item(item) is item

    asyncio.run(all_items())


def close(pipeline: IndexPipeline) -> dict[str, Any]:
    """End the crawl; the stats of the index."""
    asyncio.run(pipeline.spider_closed())
    assert pipeline.crawler.stats is not None
    stats = pipeline.crawler.stats.get_stats()
    return {
        name.removeprefix("newsclean/index/"): value
        for name, value in stats.items()
        if name.startswith("newsclean/index/")
    }


def test_an_article_is_in_the_spool_when_it_has_passed_and_in_the_index_at_the_end(
    tmp_path: Path,
) -> None:
    pipeline = pipeline_with(tmp_path)
    process(pipeline, ARTICLE)
    assert pipeline.spool.waiting() == 1
    pipeline.spider_opened()
    assert close(pipeline) == {"new": 1}
    index = open_search(str(tmp_path / "index.db"))
    assert index.article("0" * 32) == ARTICLE.to_dict()
    index.close()


def test_what_has_no_id_or_is_no_article_passes_and_is_not_indexed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline = pipeline_with(tmp_path)
    no_article = ARTICLE.to_dict() | {"is_article": False}
    process(pipeline, {"url": "https://example.org/x"}, {"url": ""}, "text", no_article)
    assert pipeline.spool.waiting() == 0
    assert close(pipeline) == {"without_id": 3}
    assert caplog.text.count("dict is not indexed, because it has no id") == 1


def test_fields_of_somebody_elses_item_are_indexed_by_our_names(tmp_path: Path) -> None:
    names = {"key": "id", "title": "headline", "content": "body"}
    pipeline = pipeline_with(tmp_path, NEWSCLEAN_FIELDS=names)
    process(pipeline, StoryItem(key="k1", title="Rain", content="It rains."))
    (waiting,) = pipeline.spool.batch(10, 1000)
    assert (waiting.line["id"], waiting.line["headline"]) == ("k1", "Rain")
    close(pipeline)


def test_what_is_left_at_the_end_is_in_the_stats_and_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "index.db").write_bytes(b"no index at all" * 100)
    pipeline = pipeline_with(tmp_path, NEWSCLEAN_INDEX_WAIT=0.1)
    pipeline.spider_opened()
    process(pipeline, ARTICLE)
    stats = close(pipeline)
    assert stats["left"] == 1
    assert "1 article waiting for the index" in caplog.text
    assert "`newsclean index --deliver --index" in caplog.text


def test_a_spool_that_cannot_be_written_ends_the_crawl_and_the_page_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = pipeline_with(tmp_path)

    def full(line: object) -> None:
        raise StorageError("no space left")

    monkeypatch.setattr(pipeline.spool, "add", full)
    engine = SimpleNamespace(spider=None)  # of a crawl that has not started
    monkeypatch.setattr(pipeline.crawler, "_engine", engine, raising=False)
    with pytest.raises(UnstoredPage):
        process(pipeline, ARTICLE)
    assert CrawlState.of(pipeline.crawler).has_failed
    close(pipeline)


def test_without_an_index_there_is_no_pipeline(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured):
        pipeline_with(tmp_path, NEWSCLEAN_INDEX=None)


def test_a_spool_that_is_another_file_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "spool.sqlite").write_text("my notes, " * 100)
    with pytest.raises(UsageError, match=r"NEWSCLEAN_INDEX_SPOOL: .* is not a spool of newsclean"):
        pipeline_with(tmp_path)
    assert (tmp_path / "spool.sqlite").read_text() == "my notes, " * 100
