"""From a page item to its article, pipeline by pipeline and in one hop."""

import threading
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from newsclean.article import Article
from newsclean.crawl_state import CrawlState
from newsclean.items import PageItem, ParkedPage, UnusablePage
from newsclean.pipelines import RevisionPipeline, worker

from .pages import FOOTER, Chain, page_item, story

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar", "Bodø")


@pytest.fixture
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Work that would be done in a worker is done at once; the names of the calls."""
    calls: list[str] = []

    async def run(function: Any, *arguments: Any) -> Any:
        calls.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(worker, "run_in_thread", run)
    return calls


def article_of(item: PageItem) -> Article:
    assert item.article is not None
    return item.article


def test_a_page_becomes_an_article_with_category_time_and_revision() -> None:
    item = page_item("Oslo", fetched_at="2026-03-14T09:30:00+00:00")
    article = article_of(Chain(NEWSCLEAN_MIN_NEIGHBORS=0).work(item))
    assert (article.headline, article.category) == ("Rain in Oslo goes on", "news")
    assert (article.fetched_at, article.revision) == ("2026-03-14T09:30:00+00:00", 1)
    assert article.is_article
    assert item.number is not None


def test_the_work_of_a_page_is_one_hop_into_a_worker(in_this_thread: list[str]) -> None:
    article = Chain(NEWSCLEAN_MIN_NEIGHBORS=0).process(page_item("Oslo"))
    assert isinstance(article, Article)
    assert in_this_thread == ["work"]


def test_work_that_was_done_ahead_is_not_done_again(in_this_thread: list[str]) -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    items = [page_item("Oslo"), page_item("Moss", status=404), page_item("Hamar")]
    chain.first.work_ahead(items)
    article = chain.process(items[0])
    assert (article.headline, article.revision) == ("Rain in Oslo goes on", 1)
    with pytest.raises(UnusablePage, match="error status"):
        chain.process(items[1])
    assert items[2].pending_name == items[2].url
    assert chain.process(items[2]).headline == "Rain in Hamar goes on"
    assert in_this_thread == []


def test_two_states_of_an_article_are_never_pending_at_once() -> None:
    changed = page_item("Oslo", story("Oslo").replace("old bridge", "new bridge"))
    items = [page_item("Moss"), page_item("Oslo"), changed, page_item("Hamar")]
    Chain(NEWSCLEAN_MIN_NEIGHBORS=0).first.work_ahead(items)
    assert [bool(item.worked_by) for item in items] == [True, True, False, False]


def test_an_error_in_one_of_several_pages_leaves_nothing_pending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    revise = RevisionPipeline.process_page

    def fail_for_moss(pipeline: RevisionPipeline, item: PageItem) -> None:
        if "moss" in item.url:
            raise RuntimeError("broken")
        revise(pipeline, item)

    monkeypatch.setattr(RevisionPipeline, "process_page", fail_for_moss)
    items = [page_item("Oslo"), page_item("Moss")]
    chain.first.work_ahead(items)
    assert [(item.worked_by, item.failure) for item in items] == [([], None)] * 2
    assert chain.memory.deliveries.counts() == {}


def test_other_items_pass_without_any_work(in_this_thread: list[str]) -> None:
    item = {"url": "https://example.org/teaser"}
    assert Chain().process(item) is item
    assert in_this_thread == []


def test_a_page_with_too_few_neighbors_is_parked_and_goes_on_in_its_final_attempt(
    in_this_thread: list[str],
) -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=2)
    item = page_item("Oslo")
    with pytest.raises(ParkedPage, match="parked with 0 neighbors"):
        chain.process(item)
    assert chain.stat("parked") == 1
    assert chain.memory.pages.parked() == {item.number: item.url}
    again = page_item("Oslo", number=item.number, final_attempt=True)
    assert chain.process(again).extraction["neighbors"] == 0


def test_neighbors_take_away_what_the_site_repeats_and_it_is_counted(
    in_this_thread: list[str],
) -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    articles = [chain.process(page_item(town)) for town in TOWNS]
    assert articles[-1].extraction["neighbors"] == len(TOWNS) - 1
    assert FOOTER not in articles[-1].body
    assert chain.stat("static_noise/chars") >= len(FOOTER)


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
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0, **settings)
    with pytest.raises(UnusablePage, match=reason):
        chain.process(page_item("Oslo", **fields))
    assert chain.stat(f"dropped/{reason}") == 1


def test_an_article_that_was_delivered_is_dropped_until_it_changes() -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    chain.deliver(page_item("Oslo"))
    with pytest.raises(UnusablePage, match="unchanged"):
        chain.work(page_item("Oslo"))
    changed = story("Oslo").replace("closed the old bridge", "opened the new bridge")
    assert article_of(chain.work(page_item("Oslo", changed))).revision == 2


def test_a_third_party_item_passes_where_its_page_cannot_be_used(
    in_this_thread: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    own = {"url": "mine", "text": "Sorry, we have moved."}
    item = page_item("Oslo", status=404, third_party_item=own)
    assert chain.process(item) is own
    assert own == {"url": "mine", "text": "Sorry, we have moved."}
    assert chain.stat("not_cleaned/http-404") == 1
    counts = CrawlState.of(chain.crawler).counts.of(item.url)
    assert (counts.others, counts.dropped.total()) == (1, 0)
    assert "item passed through unchanged: error status [http-404]" in caplog.text


def test_a_third_party_item_says_what_was_delivered_before_and_as_which_revision() -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    changed = story("Oslo").replace("closed the old bridge", "opened the new bridge")
    seen = []
    for html in (None, changed, changed):
        article = article_of(chain.deliver(page_item("Oslo", html, third_party_item={})))
        seen.append((article.revision, article.unchanged))
    assert seen == [(1, False), (2, False), (2, True)]
    with pytest.raises(UnusablePage, match="unchanged"):
        chain.work(page_item("Oslo", changed))


def test_a_third_party_list_page_is_kept_and_says_that_it_is_not_an_article() -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    html = "<h1>Results</h1><ul>" + "<li><a href=/1>Oslo 3, Moss 1</a>" * 30 + "</ul>"
    assert not article_of(chain.work(page_item("Oslo", html, third_party_item={}))).is_article
    with pytest.raises(UnusablePage, match="no-article"):
        chain.work(page_item("Oslo", html))


def test_a_site_with_a_new_template_is_reported_once(
    in_this_thread: list[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    def page(number: int, name: str) -> str:
        menu = "".join(f"<li>{name} {word}" for word in "News Sport Culture Science Help".split())
        return f"<ul>{menu}</ul>{story(f'Town{number}')}".replace(FOOTER, f"{name} {number}")

    def crawl(numbers: range, old: int) -> Chain:
        memory = str(tmp_path / "memory.sqlite")
        chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0, NEWSCLEAN_MEMORY=memory)
        for number in numbers:
            html = page(number, "Old" if number < old else "New")
            chain.process(page_item(f"Town{number}", html))
        chain.memory.close()
        return chain

    first = crawl(range(20), old=10)  # a site that has both
    assert "new template" not in caplog.text
    assert first.stat("relearned") is None
    second = crawl(range(20, 60), old=20)
    assert caplog.text.count("example.org has a new template") == 1
    assert second.stat("relearned") >= 1


def test_threads_that_work_at_once_learn_every_page() -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    items = [page_item(f"Town{number}") for number in range(24)]
    threads = [threading.Thread(target=chain.work, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(chain.memory.sites.neighborhood("example.org", "news")) == 24
    last = article_of(chain.work(page_item("Oslo")))
    assert last.extraction["neighbors"] == 24


def test_a_model_that_cannot_be_read_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"NEWSCLEAN_MODEL: .*none\.npz cannot be read"):
        Chain(NEWSCLEAN_MODEL=str(tmp_path / "none.npz"))


def test_a_page_is_freed_in_the_worker_and_keeps_what_a_later_pipeline_needs() -> None:
    whole = Chain(NEWSCLEAN_MIN_NEIGHBORS=0).work(page_item("Oslo"))
    assert (whole.page, whole.evidence, whole.extraction) == (None, None, None)
    assert whole.article is not None
    dropped = page_item("Moss", html="<p>Nothing to see here.</p>")
    with pytest.raises(UnusablePage):
        Chain(NEWSCLEAN_MIN_NEIGHBORS=0).work(dropped)
    assert (dropped.page, dropped.extraction) == (None, None)


def test_an_error_of_a_pipeline_is_raised_by_that_pipeline(
    in_this_thread: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(pipeline: RevisionPipeline, item: PageItem) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(RevisionPipeline, "process_page", fail)
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=0)
    revision = next(each for each in chain.pipelines if isinstance(each, RevisionPipeline))
    item = page_item("Oslo")
    with pytest.raises(RuntimeError, match="broken"):
        chain.process(item)
    assert revision not in item.worked_by
    assert len(item.worked_by) == len(revision.run) + 5
