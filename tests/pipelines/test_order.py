"""`ITEM_PIPELINES` says what happens to a page, and an order that makes no sense is refused."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest
from scrapy.exceptions import UsageError

from newsclean.article import Article
from newsclean.extraction.methods.chain import Choice
from newsclean.items import PageItem
from newsclean.pipelines import ContentPipeline, WorkerPipeline, worker
from newsclean.pipelines.worker import PipelineError

from .pages import Chain, page_item, story

OURS = "newsclean.pipelines."
MINE = f"{__name__}."
LINKS = "<ul class=more>" + "".join(f"<li><a href=/{n}>Read story {n}</a>" for n in range(20))
HTML = story("Oslo").replace("<p class=foot>", f"{LINKS}</ul><p class=foot>")


class Plain:
    """A pipeline as any project has them, which notes what it gets."""

    seen: ClassVar[list[Any]] = []

    def process_item(self, item: Any) -> Any:
        content = item.content if isinstance(item, PageItem) else None
        marks = set(item.choice.noise) if isinstance(item, PageItem) and item.choice else set()
        self.seen.append((type(item).__name__, marks, content))
        return item


class WholePage(ContentPipeline):
    """Takes all that is left for the article."""

    def process_page(self, item: PageItem) -> None:
        assert item.choice is not None
        item.content = replace(item.choice, strategy="everything")


class Forgetful(ContentPipeline):
    def process_page(self, item: PageItem) -> None:
        pass


class Shouting(WorkerPipeline):
    """Changes the article, in the same hop as newsclean's own."""

    needs = ("article",)

    def process_page(self, item: PageItem) -> None:
        assert item.article is not None
        item.article.headline = (item.article.headline or "").upper()


class Silent:
    """Has nothing to say about what it needs and gives."""

    def process_item(self, item: Any) -> Any:
        return item


@pytest.fixture(autouse=True)
def hops(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """How often work went to a worker thread, and through which pipelines."""
    calls: list[Any] = []

    async def run(function: Any, *arguments: Any) -> Any:
        calls.append([type(each).__name__ for each in function.__self__.run])
        return function(*arguments)

    monkeypatch.setattr(worker, "run_in_thread", run)
    Plain.seen.clear()
    return calls


def chain_with(**orders: Any) -> Chain:
    """The chain with `stadynot+coreex`, and pipelines that are removed or added."""
    own = {
        (MINE if name in globals() and not name.endswith("Pipeline") else OURS) + name: order
        for name, order in orders.items()
    }
    return Chain(NEWSCLEAN_MIN_NEIGHBORS=0, NEWSCLEAN_METHOD="stadynot+coreex", ITEM_PIPELINES=own)


def crawled(**orders: Any) -> Article:
    item = page_item("Oslo", HTML, fetched_at="2026-03-14T09:30:00+00:00")
    article = chain_with(**orders).process(item)
    assert isinstance(article, Article)
    return article


def test_a_pipeline_that_is_removed_is_left_out() -> None:
    assert crawled().extraction["dynamic_chars"] > 0
    without = crawled(DynamicNoisePipeline=None)
    assert without.extraction["dynamic_chars"] == 0
    assert crawled(StaticNoisePipeline=None).extraction["static_chars"] == 0


@pytest.mark.parametrize("name", ["NeighborhoodPipeline", "RevisionPipeline"])
def test_the_chain_works_without_the_pipelines_that_remember(name: str) -> None:
    article = crawled(**{name: None})
    assert (article.headline, article.revision) == ("Rain in Oslo goes on", 1)


def test_a_subclass_in_the_place_of_a_pipeline_is_used() -> None:
    assert "strategy" not in crawled().extraction
    whole = crawled(ContentPipeline=None, WholePage=150)
    assert whole.extraction["strategy"] == "everything"


def test_a_plain_pipeline_between_two_sees_the_marks_and_splits_the_hop(hops: list[Any]) -> None:
    article = crawled(Plain=145)
    assert Plain.seen == [("PageItem", {"static", "dynamic", "formatting"}, None)]
    assert hops == [
        ["PagePipeline", "NeighborhoodPipeline", "StaticNoisePipeline", "DynamicNoisePipeline"],
        ["ContentPipeline", "ArticlePipeline", "RevisionPipeline"],
    ]
    assert article == replace(crawled(), fetched_at=article.fetched_at)


def test_a_plain_pipeline_with_a_low_number_runs_first() -> None:
    crawled(Plain=50)
    assert Plain.seen == [("PageItem", set(), None)]


def test_a_plain_pipeline_after_the_export_gets_the_article() -> None:
    crawled(Plain=300)
    assert Plain.seen == [("Article", set(), None)]


def test_a_subclass_of_the_projects_own_joins_the_hop(hops: list[Any]) -> None:
    assert crawled(Shouting=165).headline == "RAIN IN OSLO GOES ON"
    (hop,) = hops
    assert hop[-3:] == ["ArticlePipeline", "Shouting", "RevisionPipeline"]


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (
            {"ContentPipeline": None},
            r"ArticlePipeline \(160\) needs 'content', which no pipeline gives: "
            r"newsclean\.pipelines\.ContentPipeline does",
        ),
        (
            {"ContentPipeline": None, "Silent": 150},
            r"ArticlePipeline \(160\) needs 'content', which no pipeline gives: .*, and a pipeline "
            r"of your own declares it with gives = \('content',\)",
        ),
        (
            {"PagePipeline": 125},
            r"NeighborhoodPipeline \(120\) needs 'page', which PagePipeline \(125\) gives: it must "
            "have a lower number",
        ),
        (
            {"StaticNoisePipeline": 155},
            r"ContentPipeline \(150\) needs 'choice', which StaticNoisePipeline \(155\) gives",
        ),
        (
            {"NeighborhoodPipeline": 135},
            r"StaticNoisePipeline \(130\) needs 'evidence', which NeighborhoodPipeline \(135\)",
        ),
        ({"ExportPipeline": 105}, r"ExportPipeline \(105\) needs 'article', which"),
        ({"RevisionPipeline": 195}, r"RevisionPipeline \(195\) works on pages: it must come"),
        ({"ExportPipeline": None}, "no pipeline turns pages into items for the feeds: "),
        ({"Shouting": 300}, r"Shouting \(300\) works on pages: it must come before Export"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(orders: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"ITEM_PIPELINES: {message}"):
        chain_with(**orders)


def test_a_pipeline_that_does_not_give_what_it_declares_is_an_error() -> None:
    chain = chain_with(ContentPipeline=None, Forgetful=150)
    with pytest.raises(PipelineError, match="Forgetful declares that it gives 'content', but"):
        chain.process(page_item("Oslo", HTML))


def test_a_page_without_an_article_is_never_exported() -> None:
    export = chain_with().pipelines[-1]
    with pytest.raises(PipelineError, match="no pipeline has set the article of <PageItem"):
        export.process_item(page_item("Oslo"))


def test_no_feed_takes_a_page_for_an_item() -> None:
    from itemadapter import ItemAdapter

    assert not ItemAdapter.is_item(page_item("Oslo"))


def test_a_third_party_item_that_other_pipelines_get_first_is_never_parked() -> None:
    chain = Chain(NEWSCLEAN_MIN_NEIGHBORS=5, ITEM_PIPELINES={MINE + "Silent": 50})
    own = {"url": "mine"}
    assert chain.process(page_item("Oslo", third_party_item=own))["headline"] == own["headline"]
    assert not chain.memory.pages.parked()


def test_a_choice_of_ones_own_is_a_choice(hops: list[Any]) -> None:
    item = page_item("Oslo", HTML)
    chain = chain_with(ContentPipeline=None, WholePage=150, Plain=155)
    chain.process(item)
    (_, _, content) = Plain.seen[0]
    assert isinstance(content, Choice)
