"""Corrections in a crawl: from the folder of site files to articles, stats and the report."""

from pathlib import Path

import pytest
from scrapy.crawler import Crawler

from newsclean import Extractor, Page
from newsclean.crawl_state import CrawlState
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.teaching import LabelledPage, blocks_beginning
from newsclean.pipelines import worker

from .pages import FOOTER, Chain, crawler_with, page_item, story

PROMO = "Read all of it in our paper, which comes each morning to your door, at no cost at all."


def with_promo(town: str) -> str:
    return story(town).replace("</p></div>", f"</p><div class=promo><p>{PROMO}</p></div></div>", 1)


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    """A folder with a correction of example.org: the promo box is no part of the article."""
    found = Extractor("coreex")(Page.from_html(with_promo("Oslo"), "https://example.org/oslo"))
    assert PROMO in found.text
    correction = LabelledPage(found, exclude=blocks_beginning(found.page, PROMO)).correction()
    path = tmp_path / "example.corrections.toml"
    Corrections("example.org").with_(correction).write(path)
    return tmp_path


def crawl(sites: Path, *towns: str, html: str | None = None) -> tuple[Crawler, list[str]]:
    crawler = crawler_with(
        NEWSCLEAN_MIN_NEIGHBORS=0, NEWSCLEAN_METHOD="coreex", NEWSCLEAN_SITES=str(sites)
    )
    chain = Chain(crawler)
    items = [page_item(town, html or with_promo(town)) for town in towns]
    return crawler, [chain.process(item).body for item in items]


@pytest.fixture(autouse=True)
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(function: object, *arguments: object) -> object:
        assert callable(function)
        return function(*arguments)

    monkeypatch.setattr(worker, "run_in_thread", run)


def stat(crawler: Crawler, name: str) -> object:
    assert crawler.stats is not None
    return crawler.stats.get_value(f"newsclean/corrections/{name}")


def test_a_crawl_uses_the_corrections_of_the_site(sites: Path, tmp_path: Path) -> None:
    crawler, bodies = crawl(sites, "Moss", "Hamar")
    assert not any(PROMO in body for body in bodies)
    assert (stat(crawler, "pages"), stat(crawler, "words")) == (2, 2 * len(PROMO.split()))
    assert CrawlState.of(crawler).counts.of("https://example.org/").corrections.notes == [
        "corrections changed 2 of 2 pages"
    ]
    crawler, bodies = crawl(tmp_path / "none", "Moss")
    assert PROMO in bodies[0]
    assert stat(crawler, "pages") is None


def test_a_correction_of_a_template_that_is_gone_is_named_in_the_report(sites: Path) -> None:
    towns = [f"Town{chr(97 + n)}" for n in range(10)]
    crawler = crawler_with(
        NEWSCLEAN_MIN_NEIGHBORS=0, NEWSCLEAN_METHOD="coreex", NEWSCLEAN_SITES=str(sites)
    )
    chain = Chain(crawler)
    for town in towns:
        chain.process(page_item(town))
    (correction,) = Corrections.read(sites / "example.corrections.toml")
    notes = CrawlState.of(crawler).counts.of("https://example.org/").corrections.notes
    assert notes == [f"corrections inactive: {correction.id}"]


def test_a_correction_that_would_change_far_more_is_held_back_and_reported(
    sites: Path, caplog: pytest.LogCaptureFixture
) -> None:
    long = " ".join([FOOTER] * 40)
    crawler, (body,) = crawl(sites, "Moss", html=with_promo("Moss").replace(PROMO, long))
    assert long in body
    assert stat(crawler, "held_back") == 1
    assert "words, far more than on the labelled pages" in caplog.text


def test_a_file_that_makes_no_sense_does_not_end_the_crawl(
    sites: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (sites / "other.corrections.toml").write_text("site = 1")
    crawler, bodies = crawl(sites, "Moss")
    assert PROMO not in bodies[0]
    assert stat(crawler, "unreadable") == 1
    assert "other.corrections.toml: site = 1 is not a text" in caplog.text
