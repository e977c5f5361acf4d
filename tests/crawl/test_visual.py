"""A crawl by a method that sees pages as a browser shows them."""

from pathlib import Path

import pytest

from .scrapy_command import scrapy
from .scripted_site import crawl, path_of, scripted
from .small_site import serve

pytestmark = [pytest.mark.slow, pytest.mark.chromium]

VISUAL = {"NEWSCLEAN_METHOD": "visual", "NEWSCLEAN_RENDER": "always"}
TITLES = ("The apples of autumn", "The bells of winter")


def test_articles_of_a_scripted_site_are_found_by_their_looks_and_made_again(
    tmp_path: Path,
) -> None:
    with serve(scripted(*TITLES)) as site:
        run = crawl(tmp_path, f"{site.url}/news", **VISUAL)
        hits = site.hits.copy()
        again = crawl(tmp_path, "--reextract", f"{site.url}/news", **VISUAL)
        assert site.hits == hits
    lines = {line["headline"]: line for line in run.lines()}
    assert set(lines) >= set(TITLES)
    for title in TITLES:
        assert lines[title]["extraction"]["method"] == "visual"
        assert "lanterns" in lines[title]["body"]
    # Both were parked for lack of neighbors, and shown again when they came back.
    assert run.stats["newsclean/parked"] == 2
    assert run.stats["newsclean/rendering/snapshots"] == 4
    assert {hits[path_of(title)] for title in TITLES} == {1}
    assert again.stats["newsclean/rendering/snapshots"] == 2


def test_pages_of_an_archive_are_refused_with_the_way_to_do_it(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>It rains.")
    arguments = ("crawl", "archive", "-afile=page.html")
    run = scrapy(tmp_path, *arguments, settings="newsclean.settings", **VISUAL)
    assert run.exit_code != 0
    assert "newsclean extract --method visual" in run.log
