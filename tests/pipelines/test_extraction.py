"""From a page item to an article item, step by step and in one hop."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from newsclean.drops import ParkedPage, UnusablePage
from newsclean.items import ArticleItem
from newsclean.memory.crawl import memory_of
from newsclean.pipelines import extraction
from newsclean.pipelines.extraction import ExtractionPipeline
from newsclean.pipelines.revision import FoundArticle

from .pages import FOOTER, crawler_with, page_item, story

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar", "Bodø")


def pipeline_of(crawler: Crawler) -> ExtractionPipeline:
    return ExtractionPipeline.from_crawler(crawler)


def stat(crawler: Crawler, name: str) -> Any:
    assert crawler.stats is not None
    return crawler.stats.get_value(f"newsclean/{name}")


@pytest.fixture
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Work that would be done in a worker is done at once; the names of the calls."""
    calls: list[str] = []

    async def run(function: Any, *arguments: Any) -> Any:
        calls.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(extraction, "run_in_thread", run)
    monkeypatch.setattr(Crawler, "get_downloader_middleware", lambda *_: None)
    return calls


def test_a_page_becomes_an_article_with_category_time_and_revision() -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    item = page_item("Oslo", fetched_at="2026-03-14T09:30:00+00:00")
    done = pipeline_of(crawler).work(item)
    article = done.article
    assert (article.headline, article.category) == ("Rain in Oslo goes on", "news")
    assert (article.fetched_at, article.revision) == ("2026-03-14T09:30:00+00:00", 1)
    assert article.is_article
    assert done.page is item
    assert item.number is not None


def test_the_work_of_a_page_is_one_hop_into_a_worker(in_this_thread: list[str]) -> None:
    pipeline = pipeline_of(crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0))
    done = asyncio.run(pipeline.process_item(page_item("Oslo")))
    assert isinstance(done, ArticleItem)
    assert in_this_thread == ["work"]


def test_work_that_was_done_ahead_is_not_done_again(in_this_thread: list[str]) -> None:
    pipeline = pipeline_of(crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0))
    items = [page_item("Oslo"), page_item("Moss", status=404), page_item("Hamar")]
    pipeline.work_ahead(items)
    done = asyncio.run(pipeline.process_item(items[0]))
    assert (done.article.headline, done.article.revision) == ("Rain in Oslo goes on", 1)
    with pytest.raises(UnusablePage, match="error status"):
        asyncio.run(pipeline.process_item(items[1]))
    assert asyncio.run(pipeline.process_item(items[2])).name == items[2].url
    assert in_this_thread == []


def test_two_states_of_an_article_are_never_pending_at_once() -> None:
    pipeline = pipeline_of(crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0))
    changed = page_item("Oslo", story("Oslo").replace("old bridge", "new bridge"))
    items = [page_item("Moss"), page_item("Oslo"), changed, page_item("Hamar")]
    pipeline.work_ahead(items)
    assert [item.outcome is None for item in items] == [False, False, True, True]


def test_an_error_in_one_of_several_pages_leaves_nothing_pending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipeline = pipeline_of(crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0))
    revise = pipeline.revision.revise

    def fail_for_moss(found: FoundArticle) -> ArticleItem:
        if "moss" in found.item.url:
            raise RuntimeError("broken")
        return revise(found)

    monkeypatch.setattr(pipeline.revision, "revise", fail_for_moss)
    items = [page_item("Oslo"), page_item("Moss")]
    pipeline.work_ahead(items)
    assert [item.outcome for item in items] == [None, None]
    assert pipeline.revision.memory.deliveries.counts() == {}


def test_other_items_pass_without_any_work(in_this_thread: list[str]) -> None:
    pipeline = pipeline_of(crawler_with())
    item = {"url": "https://example.org/teaser"}
    assert asyncio.run(pipeline.process_item(item)) is item
    assert in_this_thread == []


def test_a_page_with_too_few_neighbors_is_parked_and_goes_on_in_its_final_attempt(
    in_this_thread: list[str],
) -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=2)
    pipeline = pipeline_of(crawler)
    item = page_item("Oslo")
    with pytest.raises(ParkedPage, match="has 0 neighbors"):
        asyncio.run(pipeline.process_item(item))
    assert stat(crawler, "parked") == 1
    assert memory_of(crawler).pages.parked() == {item.number: item.url}
    again = page_item("Oslo", number=item.number, final_attempt=True)
    done = asyncio.run(pipeline.process_item(again))
    assert done.article.extraction["neighbors"] == 0


def test_neighbors_take_away_what_the_site_repeats_and_it_is_counted(
    in_this_thread: list[str],
) -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    pipeline = pipeline_of(crawler)
    for town in TOWNS:
        done = asyncio.run(pipeline.process_item(page_item(town)))
    assert done.article.extraction["neighbors"] == len(TOWNS) - 1
    assert FOOTER not in done.article.body
    assert stat(crawler, "static_noise/chars") >= len(FOOTER)


@pytest.mark.parametrize(
    ("fields", "settings", "reason"),
    [
        ({"status": 404}, {}, "http-404"),
        ({"html": "<p>" + "x" * 500}, {"NEWSCLEAN_MAX_PAGE_SIZE": 300}, "too-large"),
        ({"html": " "}, {}, "empty"),
        ({"html": "<p>Nothing to see here.</p>"}, {}, "no-article/too-short"),
    ],
)
def test_a_page_that_cannot_be_used_is_dropped_with_a_counted_reason(
    in_this_thread: list[str], fields: dict[str, Any], settings: dict[str, Any], reason: str
) -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0, **settings)
    with pytest.raises(UnusablePage, match=reason):
        asyncio.run(pipeline_of(crawler).process_item(page_item("Oslo", **fields)))
    assert stat(crawler, f"dropped/{reason}") == 1


def test_an_article_that_was_delivered_is_dropped_until_it_changes() -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    pipeline = pipeline_of(crawler)
    first = pipeline.work(page_item("Oslo"))
    memory_of(crawler).mark_delivered(first.name, first.page.number)
    with pytest.raises(UnusablePage, match="unchanged"):
        pipeline.work(page_item("Oslo"))
    changed = story("Oslo").replace("closed the old bridge", "opened the new bridge")
    assert pipeline.work(page_item("Oslo", changed)).article.revision == 2


def test_the_item_of_another_spider_passes_where_its_page_cannot_be_used(
    in_this_thread: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    origin = {"url": "mine", "text": "Sorry, we have moved."}
    item = page_item("Oslo", status=404, origin=origin)
    assert asyncio.run(pipeline_of(crawler).process_item(item)) is origin
    assert origin == {"url": "mine", "text": "Sorry, we have moved."}
    assert stat(crawler, "not_cleaned/http-404") == 1
    assert "Its item passes as it is: not a page: error status [http-404]" in caplog.text


def test_the_item_of_another_spider_says_what_was_delivered_before_and_as_which_revision() -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    pipeline = pipeline_of(crawler)
    changed = story("Oslo").replace("closed the old bridge", "opened the new bridge")
    seen = []
    for html in (None, changed, changed):
        done = pipeline.work(page_item("Oslo", html, origin={}))
        memory_of(crawler).mark_delivered(done.name, done.page.number)
        seen.append((done.article.revision, done.article.unchanged))
    assert seen == [(1, False), (2, False), (2, True)]
    with pytest.raises(UnusablePage, match="unchanged"):
        pipeline.work(page_item("Oslo", changed))


def test_a_list_page_of_another_spider_is_kept_and_says_that_it_is_not_an_article() -> None:
    pipeline = pipeline_of(crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0))
    html = "<h1>Results</h1><ul>" + "<li><a href=/1>Oslo 3, Moss 1</a>" * 30 + "</ul>"
    assert not pipeline.work(page_item("Oslo", html, origin={})).article.is_article
    with pytest.raises(UnusablePage, match="no-article"):
        pipeline.work(page_item("Oslo", html))


def test_a_site_with_a_new_template_is_reported_once(
    in_this_thread: list[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    def page(number: int, name: str) -> str:
        menu = "".join(f"<li>{name} {word}" for word in "News Sport Culture Science Help".split())
        return f"<ul>{menu}</ul>{story(f'Town{number}')}".replace(FOOTER, f"{name} {number}")

    def crawl(numbers: range, old: int) -> Crawler:
        memory = str(tmp_path / "memory.sqlite")
        crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0, NEWSCLEAN_MEMORY=memory)
        pipeline = pipeline_of(crawler)
        for number in numbers:
            html = page(number, "Old" if number < old else "New")
            asyncio.run(pipeline.process_item(page_item(f"Town{number}", html)))
        memory_of(crawler).close()
        return crawler

    first = crawl(range(20), old=10)  # a site that has both
    assert "new template" not in caplog.text
    assert stat(first, "relearned") is None
    second = crawl(range(20, 60), old=20)
    assert caplog.text.count("example.org has a new template") == 1
    assert stat(second, "relearned") >= 1


def test_threads_that_work_at_once_learn_every_page() -> None:
    crawler = crawler_with(NEWSCLEAN_MIN_NEIGHBORS=0)
    pipeline = pipeline_of(crawler)
    items = [page_item(f"Town{number}") for number in range(24)]
    threads = [threading.Thread(target=pipeline.work, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory_of(crawler).sites.neighborhood("example.org", "news")) == 24
    last = pipeline.work(page_item("Oslo"))
    assert last.article.extraction["neighbors"] == 24


def test_a_model_that_cannot_be_read_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"NEWSCLEAN_MODEL: .*none\.npz cannot be read"):
        crawler_with(NEWSCLEAN_MODEL=str(tmp_path / "none.npz"))
