"""Pages with too few neighbors wait outside of the flow, and all of them come out."""

from collections import Counter
from pathlib import Path

import pytest

from newsclean.demo import DemoServer

from .scrapy_command import crawl_news, crawl_plainly
from .small_site import FOOTER, Answer, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {
    "/news/the-lantern-parade-50001.html": "The lantern parade",
    "/news/the-wagon-race-50002.html": "The wagon race",
    "/news/the-harbour-supper-50003.html": "The harbour supper",
}
FEW = {path: Answer(story(title)) for path, title in TITLES.items()}


@pytest.mark.parametrize("slot_size", [5_000_000, 1])
def test_a_section_of_three_pages_comes_out_whole_with_the_two_neighbors_that_each_has(
    tmp_path: Path, slot_size: int
) -> None:
    with serve(FEW | {"/news": Answer(section(TITLES))}) as site:
        run = crawl_plainly(tmp_path, f"{site.url}/news", SCRAPER_SLOT_MAX_ACTIVE_SIZE=slot_size)
        assert [site.hits[path] for path in TITLES] == [1, 1, 1]
    lines = run.lines()
    assert run.exit_code == 0
    assert sorted(line["headline"] for line in lines) == sorted(TITLES.values())
    assert [line["extraction"]["neighbors"] for line in lines] == [2, 2, 2]
    assert not any(FOOTER in line["body"] for line in lines)
    assert run.stats["newsclean/parked"] == 3
    assert run.complaints == []


def test_a_single_page_comes_out_and_says_that_it_had_no_neighbor(tmp_path: Path) -> None:
    path, title = next(iter(TITLES.items()))
    with serve({path: FEW[path], "/news": Answer(section({path: title}))}) as site:
        run = crawl_plainly(tmp_path, f"{site.url}/news")
    (line,) = run.lines()
    assert line["headline"] == title
    assert line["extraction"]["neighbors"] == 0
    assert line["extraction"]["scope"] is None


def test_more_waiting_pages_than_scrapy_holds_do_not_stop_the_crawl(
    demo: DemoServer, tmp_path: Path
) -> None:
    publisher = demo.publishers[0]
    wanted = [a.url for a in publisher.articles if a.section == publisher.sections[0].name]
    run = crawl_news(
        tmp_path,
        f"url={publisher.section_urls[0]}",
        "pages=9",
        NEWSCLEAN_MIN_NEIGHBORS=len(publisher.articles) + 1,  # more than there are
        SCRAPER_SLOT_MAX_ACTIVE_SIZE=1,
    )
    lines = run.lines()
    times = Counter(line["url"] for line in lines)
    assert set(times.values()) == {1}
    assert set(times) >= set(wanted)
    assert run.stats["newsclean/parked"] >= len(lines)
    # When nothing else was left, each went on with all the others as neighbors.
    assert {line["extraction"]["neighbors"] for line in lines} == {
        run.stats["newsclean/parked"] - 1
    }


def test_without_a_minimum_no_page_waits(tmp_path: Path) -> None:
    with serve(FEW | {"/news": Answer(section(TITLES))}) as site:
        run = crawl_plainly(tmp_path, f"{site.url}/news", NEWSCLEAN_MIN_NEIGHBORS=0)
    assert sorted(line["headline"] for line in run.lines()) == sorted(TITLES.values())
    assert "newsclean/parked" not in run.stats
