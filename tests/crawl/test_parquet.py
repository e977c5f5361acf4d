"""Crawls that write Parquet."""

import json
import random
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from newsclean.demo import DemoServer

from .demo_sites import HURRY, demo_sites, newsclean
from .scrapy_command import crawl_news, start_crawl
from .test_memory import KILL_SECONDS, all_sections, golds

pytestmark = pytest.mark.slow

FEEDS = json.dumps({"articles.parquet": {"format": "parquet"}})


def test_the_articles_of_a_crawl_are_a_table_and_the_next_crawl_adds_to_it(
    tmp_path: Path, demo: DemoServer
) -> None:
    for site in (*demo.publishers, demo.publishers[0]):
        run = newsclean(
            tmp_path, "crawl", f"{site.base_url}/", "-o", "articles.parquet", "--limit", "5", *HURRY
        )
        assert run.exit_code == 0, run.errors
    table = pd.read_parquet(tmp_path / "articles.parquet")
    assert table.site.nunique() == len(demo.publishers)
    assert table.url.is_unique
    assert table.body.str.len().min() > 200


def test_several_processes_do_not_share_a_parquet_file(tmp_path: Path) -> None:
    with demo_sites(tmp_path, 1):
        run = newsclean(
            tmp_path, "crawl", "--sites", "sites", "--jobs", "2", "-o", "articles.parquet", *HURRY
        )
    assert run.exit_code == 2
    assert "several processes cannot share a CSV or Parquet file" in run.errors


@pytest.mark.process
def test_killed_again_and_again_every_article_is_in_the_table_once(
    tmp_path: Path, demo: DemoServer
) -> None:
    rng = random.Random(7)
    killed = 0
    while killed < 6:
        process = start_crawl(tmp_path, all_sections(demo), FEEDS=FEEDS)
        try:
            process.wait(rng.uniform(*KILL_SECONDS))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
        if (tmp_path / "articles.parquet").exists():
            pd.read_parquet(tmp_path / "articles.parquet")
    run = crawl_news(tmp_path, all_sections(demo), FEEDS=FEEDS)
    assert run.exit_code == 0
    table = pd.read_parquet(tmp_path / "articles.parquet")
    assert sorted(table.url) == sorted(golds(demo))
    assert {path.name for path in tmp_path.glob("*parquet*")} == {"articles.parquet"}
    assert list(tmp_path.glob(".*.part")) == []
