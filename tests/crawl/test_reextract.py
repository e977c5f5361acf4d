"""Articles made again from kept pages, without a download."""

import json
from pathlib import Path
from typing import Any

import pytest

from newsclean.extraction.methods.hybrid.network import write_model
from tests.extraction.methods.hybrid.networks import model_that_takes

from .demo_sites import HURRY, newsclean
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {f"/news/report-{n}.html": f"Report number {n}" for n in range(100_000, 100_006)}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_articles_are_made_again_by_another_method_without_a_download(tmp_path: Path) -> None:
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        url = f"{site.url}/news"
        assert newsclean(tmp_path, "crawl", url, *HURRY).exit_code == 0
        requested = list(site.requests)
        command = ("crawl", url, "--reextract", "-o", "again.jsonl", "-sNEWSCLEAN_METHOD=mss")
        again = newsclean(tmp_path, *command, *HURRY)
        assert again.exit_code == 0, again.errors
        assert f"{len(TITLES)} articles extracted again from kept pages" in again.output
        assert list(site.requests) == requested
        first, second = (lines(tmp_path / name) for name in ("articles.jsonl", "again.jsonl"))
        assert sorted(a["url"] for a in second) == sorted(a["url"] for a in first)
        for article in second:
            assert article["revision"] == 1
            assert article["extraction"]["reextracted"] is True
            assert article["extraction"]["method"] == "mss"
            assert article["fetched_at"]
        assert not any("reextracted" in article["extraction"] for article in first)
        # And a plain crawl knows that nothing was edited.
        plain = newsclean(tmp_path, "crawl", url, "-a", "recheck=all", *HURRY)
        assert plain.exit_code == 0, plain.errors
    assert lines(tmp_path / "articles.jsonl") == first


def test_after_a_new_model_delivered_articles_come_out_again_only_when_asked_for(
    tmp_path: Path,
) -> None:
    write_model(tmp_path / "new.npz", {"": model_that_takes("in p")}, {})
    new_model = "-sNEWSCLEAN_MODEL=new.npz"
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as site:
        url = f"{site.url}/news"
        assert newsclean(tmp_path, "crawl", url, *HURRY).exit_code == 0
        first = lines(tmp_path / "articles.jsonl")
        assert len(first) == len(TITLES)
        for more in ((), ("-a", "recheck=all")):
            second = newsclean(tmp_path, "crawl", url, *more, new_model, *HURRY)
            assert second.exit_code == 0, second.errors
            assert lines(tmp_path / "articles.jsonl") == first
        asked = newsclean(
            tmp_path, "crawl", url, "--reextract", "-o", "again.jsonl", new_model, *HURRY
        )
        assert asked.exit_code == 0, asked.errors
    again = lines(tmp_path / "again.jsonl")
    assert sorted(a["url"] for a in again) == sorted(a["url"] for a in first)


def test_without_kept_pages_there_is_nothing_to_make(tmp_path: Path) -> None:
    run = newsclean(tmp_path, "crawl", "http://127.0.0.1:9/", "--reextract", *HURRY)
    assert run.exit_code == 1
    assert "No pages of 127.0.0.1:9 are kept" in run.errors
