"""Crawls that archive their pages, and archives that are extracted again."""

import json
import subprocess
from pathlib import Path

import pytest

from newsclean.demo import DemoServer

from .demo_sites import (
    HURRY,
    demo_sites,
    lines,
    newsclean,
    newsclean_process,
    start_newsclean,
    urls,
)

pytestmark = pytest.mark.slow


def test_the_pages_of_a_crawl_are_extracted_again_with_another_method(tmp_path: Path) -> None:
    with DemoServer() as demo:
        front = f"{demo.publishers[0].base_url}/"
        run = newsclean(tmp_path, "crawl", front, "--warc", "pages.warc.gz", *HURRY)
    assert run.exit_code == 0, run.errors
    assert "pages archived" in run.output
    crawled = {line["url"]: line for line in lines(tmp_path / "articles.jsonl")}
    for method in ("hybrid", "stadynot+coreex"):
        out = f"{method}.jsonl"
        again = newsclean(
            tmp_path, "extract", "pages.warc.gz", "--method", method, "--out", out, "--jobs", "1"
        )
        assert again.exit_code == 0, again.errors
        found = {line["url"]: line for line in lines(tmp_path / out)}
        assert found.keys() >= crawled.keys()
        assert {line["extraction"]["method"] for line in found.values()} == {method}
        assert [found[url]["id"] for url in crawled] == [each["id"] for each in crawled.values()]
        if method == "hybrid":
            bodies = [found[url]["body"] == each["body"] for url, each in crawled.items()]
            assert sum(bodies) > 0.9 * len(bodies)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--warc", "pages.warc"], "--warc pages.warc: use a name that ends in .warc.gz"),
        (["--warc", "pages.warc.gz", "--reextract"], "--reextract, which downloads nothing"),
        (["--warc", "notes.warc.gz"], "cannot write notes.warc.gz: it exists, and is not a WARC"),
        (["--warc", "notes.warc.gz/a.warc.gz"], "cannot write notes.warc.gz/a.warc.gz"),
    ],
)
def test_an_archive_that_cannot_be_written_is_refused_before_the_crawl(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "notes.warc.gz").write_text("notes")
    run = newsclean(tmp_path, "crawl", "http://127.0.0.1:9/", *arguments)
    assert run.exit_code == 2
    assert message in run.errors
    assert "Traceback" not in run.errors
    assert (tmp_path / "notes.warc.gz").read_text() == "notes"


@pytest.mark.process
def test_several_processes_share_an_archive(tmp_path: Path) -> None:
    with demo_sites(tmp_path, 1) as articles:
        run = newsclean_process(
            tmp_path, "crawl", "--sites", "sites", "--jobs", "2", "--warc", "pages.warc.gz", *HURRY
        )
    assert run.exit_code == 0, run.errors
    run = newsclean_process(tmp_path, "extract", "pages.warc.gz", "--out", "again.jsonl")
    assert run.exit_code == 0, run.errors
    assert articles <= {line["url"] for line in lines(tmp_path / "again.jsonl")}


@pytest.mark.process
def test_after_kills_each_delivered_article_has_its_page_in_the_archive(tmp_path: Path) -> None:
    with DemoServer(delay=0.02) as demo:
        command = ("crawl", f"{demo.publishers[0].base_url}/", "--warc", "pages.warc.gz", *HURRY)
        for seconds in (2.0, 2.5, 3.0):
            process = start_newsclean(tmp_path, *command)
            try:
                process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
        run = newsclean(tmp_path, *command)
        assert run.exit_code == 0, run.errors
        expected = sorted(article.url for article in demo.publishers[0].articles)
    assert urls(tmp_path / "articles.jsonl") == expected
    run = newsclean(tmp_path, "extract", "pages.warc.gz", "--out", "again.jsonl", "--jobs", "1")
    assert run.exit_code == 0, run.errors
    assert set(expected) <= {line["url"] for line in lines(tmp_path / "again.jsonl")}
    assert "damaged" not in json.dumps([run.output, run.errors])
