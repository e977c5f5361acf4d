"""The scripts of examples/, each as its user runs it."""

import csv
import json
from pathlib import Path

import pytest

from newsclean.demo import DemoServer
from tests.cli.pages import TOWNS, story
from tests.code_blocks import ROOT
from tests.console import run_shell

EXAMPLES = ROOT / "examples"


def test_every_script_is_in_the_list_and_is_tested() -> None:
    scripts = {path.stem for path in EXAMPLES.glob("*.py")}
    listed = (EXAMPLES / "README.md").read_text("utf-8")
    assert all(f"[{name}.py]({name}.py)" in listed for name in scripts)
    assert scripts == {"aggregator", "search_engineer", "researcher", "scrapy_spider"}


@pytest.mark.slow
@pytest.mark.process
def test_an_aggregator_gets_one_feed_and_a_search_engineer_passages_of_it(tmp_path: Path) -> None:
    with DemoServer() as demo:
        fronts = [f"{site.base_url}/" for site in demo.publishers]
        command = f"python {EXAMPLES / 'aggregator.py'} {' '.join(fronts)}"
        printed = run_shell(command, tmp_path)
        articles = {article.url for site in demo.publishers for article in site.articles}
        assert "articles in feed.json; the newest: " in printed
        feed = json.loads((tmp_path / "feed.json").read_text("utf-8"))
        assert {item["url"] for item in feed["items"]} <= articles
        assert len(feed["items"]) == min(len(articles), 100)
        assert "0 new or changed" in run_shell(command, tmp_path)
    command = f"python {EXAMPLES / 'search_engineer.py'} articles.jsonl passages.jsonl"
    assert "passages in passages.jsonl" in run_shell(command, tmp_path)
    lines = (tmp_path / "passages.jsonl").read_text("utf-8").splitlines()
    passages = [json.loads(line) for line in lines]
    assert len({passage["id"] for passage in passages}) == len(passages) > len(articles)
    assert {passage["url"] for passage in passages} <= articles
    assert all(passage["text"] for passage in passages)


@pytest.mark.process
def test_a_researcher_gets_a_table_of_saved_pages(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for town in TOWNS:
        (tmp_path / "pages" / f"{town}.html").write_text(story(town), "utf-8")
    (tmp_path / "pages" / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    printed = run_shell(f"python {EXAMPLES / 'researcher.py'} pages articles.csv", tmp_path)
    assert f"{len(TOWNS)} pages in articles.csv" in printed
    assert "left out: picture.html: " in printed
    with (tmp_path / "articles.csv").open(encoding="utf-8") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    assert rows["Bergen.html"]["headline"] == "Rain in Bergen goes on"
    assert all(float(row["agreement"]) > 0.5 for row in rows.values())


@pytest.mark.slow
@pytest.mark.process
def test_a_scrapy_user_gets_clean_texts_in_items_of_his_own(tmp_path: Path) -> None:
    with DemoServer() as demo:
        site = demo.publishers[0]
        spider = EXAMPLES / "scrapy_spider.py"
        printed = run_shell(
            f"scrapy runspider {spider} -a url={site.section_urls[0]} -O stories.jsonl", tmp_path
        )
    lines = (tmp_path / "stories.jsonl").read_text("utf-8").splitlines()
    assert lines, printed
    golds = {article.url: article for article in site.articles}
    for line in map(json.loads, lines):
        gold = golds[line["url"]]
        assert line["title"] == gold.headline
        assert line["author"]
        assert line["desk"] == "sport desk"
        assert line["words"] == len(line["text"].split())
        assert gold.gold.split()[0] in line["text"]
