"""Crawls that go on where others have stopped."""

import json
import random
import subprocess
from contextlib import closing
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from newsclean.cli import main
from newsclean.demo import DemoServer
from newsclean.lab.evaluate.measures import word_bag_agreement
from newsclean.memory import Memory
from newsclean.urls import site_of

from .demo_sites import urls as urls_in
from .scrapy_command import TIMEOUT, Run, crawl_news, crawl_plainly, start_crawl
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

#: Seconds after its start at which a crawl is killed: before its first page, and up to its end.
KILL_SECONDS = (0.2, 2.0)


def all_sections(demo: DemoServer) -> str:
    urls = [url for publisher in demo.publishers for url in publisher.section_urls]
    return f"url={','.join(urls)}"


def golds(demo: DemoServer) -> dict[str, str]:
    return {a.url: a.gold for publisher in demo.publishers for a in publisher.articles}


def f1(lines: list[dict[str, Any]], demo: DemoServer) -> float:
    gold = golds(demo)
    return mean(word_bag_agreement(line["body"], gold[line["url"]]).f1 for line in lines)


def assert_each_article_is_there_once(run: Run, demo: DemoServer) -> None:
    assert sorted(line["url"] for line in run.lines()) == sorted(golds(demo))
    assert {line["revision"] for line in run.lines()} == {1}


@pytest.mark.versions
def test_a_second_crawl_holds_nothing_back_until_the_memory_is_deleted(
    tmp_path: Path, demo: DemoServer
) -> None:
    memory = tmp_path / "memory.sqlite"
    first = crawl_news(tmp_path, all_sections(demo), NEWSCLEAN_MEMORY=memory)
    assert first.stats["newsclean/parked"] > 0
    second = crawl_news(tmp_path, all_sections(demo), NEWSCLEAN_MEMORY=memory)
    assert "newsclean/parked" not in second.stats
    assert second.dropped["unchanged"] >= len(golds(demo))
    assert_each_article_is_there_once(second, demo)
    memory.unlink()
    third = crawl_news(tmp_path, all_sections(demo), NEWSCLEAN_MEMORY=memory)
    assert third.stats["newsclean/parked"] > 0


def test_with_an_imported_memory_a_site_is_cleaned_from_the_first_page_on(
    tmp_path: Path, demo: DemoServer
) -> None:
    learned, copy = tmp_path / "learned.sqlite", tmp_path / "copy.sqlite"
    crawl_news(tmp_path, all_sections(demo), NEWSCLEAN_MEMORY=learned)
    (tmp_path / "articles.jsonl").unlink()
    exported = str(tmp_path / "export.jsonl")
    assert main(["memory", "--memory", str(learned), "export", exported]) == 0
    assert main(["memory", "--memory", str(copy), "import", exported]) == 0
    run = crawl_news(tmp_path, all_sections(demo), NEWSCLEAN_MEMORY=copy)
    assert "newsclean/parked" not in run.stats
    assert len(run.lines()) == len(golds(demo))
    assert f1(run.lines()[:10], demo) > 0.98


@pytest.mark.process
@pytest.mark.parametrize(("jobdir", "kills"), [(None, 10), ("job", 4)])
def test_killed_again_and_again_every_article_comes_out_once(
    tmp_path: Path, demo: DemoServer, jobdir: str | None, kills: int
) -> None:
    rng = random.Random(jobdir)
    options = {} if jobdir is None else {"JOBDIR": jobdir}
    killed = 0
    while killed < kills:
        process = start_crawl(tmp_path, all_sections(demo), **options)
        try:
            process.wait(rng.uniform(*KILL_SECONDS))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    run = crawl_news(tmp_path, all_sections(demo), **options)
    assert run.exit_code == 0
    assert_each_article_is_there_once(run, demo)
    assert f1(run.lines(), demo) > 0.98
    assert list(tmp_path.rglob("*-run-*")) == []


@pytest.mark.process
@pytest.mark.parametrize("series", range(5))
def test_a_killed_run_is_taken_up_by_whoever_comes_next(
    tmp_path: Path, demo: DemoServer, series: int
) -> None:
    """Six kills of runs on one site, the other, or both, each with an output of its own."""
    rng = random.Random(series)
    settings = {"NEWSCLEAN_MEMORY": "memory.sqlite"}
    killed = 0
    while killed < 6:
        some = rng.choice([demo.publishers[:1], demo.publishers[1:], demo.publishers])
        urls = ",".join(url for publisher in some for url in publisher.section_urls)
        feeds = {rng.choice(["articles.jsonl", "other.jsonl"]): {"format": "jsonlines"}}
        process = start_crawl(tmp_path, f"url={urls}", **settings, FEEDS=json.dumps(feeds))
        try:
            process.wait(rng.uniform(*KILL_SECONDS))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    last = [
        crawl_news(tmp_path, f"url={','.join(publisher.section_urls)}", **settings)
        for publisher in demo.publishers
    ]
    assert [run.exit_code for run in last] == [0, 0]
    lines = [line for feed in tmp_path.glob("*.jsonl") for line in last[0].lines(feed.name)]
    assert sorted(line["url"] for line in lines) == sorted(golds(demo))
    assert {line["revision"] for line in lines} == {1}
    with closing(Memory(str(tmp_path / "memory.sqlite"))) as memory:
        for table in ("stored_page", "pending_delivery", "run"):
            assert memory.database.query(f"SELECT * FROM {table}") == []


@pytest.mark.process
def test_two_crawls_at_once_share_one_memory(tmp_path: Path, demo: DemoServer) -> None:
    memory = tmp_path / "memory.sqlite"

    crawls = []
    for publisher in demo.publishers:
        folder = tmp_path / publisher.key
        folder.mkdir()
        urls = ",".join(publisher.section_urls)
        crawls.append(start_crawl(folder, f"url={urls}", NEWSCLEAN_MEMORY=memory))
    assert [crawl.wait(TIMEOUT) for crawl in crawls] == [0, 0]
    for publisher in demo.publishers:
        assert urls_in(tmp_path / publisher.key / "articles.jsonl") == sorted(
            article.url for article in publisher.articles
        )
    together = Memory(str(memory))
    names = {page.name for page in together.sites.learned_pages()}
    together.close()
    assert names >= set(golds(demo))


def test_a_new_template_half_way_is_noticed_and_costs_little(tmp_path: Path) -> None:
    with DemoServer() as demo:
        before = crawl_news(tmp_path, all_sections(demo), "pages=1")
        old = len(before.lines())
        assert "newsclean/relearned" not in before.stats
        demo.redesign()
        after = crawl_news(tmp_path, all_sections(demo))
    assert {line["url"] for line in after.lines()} == set(golds(demo))
    for publisher in demo.publishers:
        new = [line for line in after.lines()[old:] if line["site"] == site_of(publisher.base_url)]
        assert len(new) > 10
        assert f1(new[10:], demo) > 0.97
    told = [line for line in after.complaints if "new template" in line]
    assert len(told) == len(demo.publishers)
    assert after.stats["newsclean/relearned"] >= 2


def test_fifty_cold_categories_of_three_pages_end(tmp_path: Path) -> None:
    answers: dict[str, Answer] = {}
    for category in range(50):
        numbers = range(100_000 + 10 * category, 100_003 + 10 * category)
        titles = {f"/c{category}/report-{n}.html": f"Report number {n}" for n in numbers}
        answers |= {path: Answer(story(title)) for path, title in titles.items()}
        answers[f"/c{category}"] = Answer(section(titles))
    with serve(answers) as site:
        urls = ",".join(f"{site.url}/c{category}" for category in range(50))
        run = crawl_plainly(tmp_path, urls, NEWSCLEAN_MIN_NEIGHBORS=1000)
    assert run.exit_code == 0
    assert len(run.lines()) == run.stats["newsclean/parked"] == 150
    assert len({line["category"] for line in run.lines()}) == 50
