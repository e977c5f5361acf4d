"""Sections that overlap: every article is found, once, and under the section that it belongs to."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .scrapy_command import crawl_news
from .small_site import Answer, page, serve, story

TOWN = "/town/the-bridge-is-closed-80001.html"
COAST = "/coast/the-lighthouse-is-lit-80002.html"
OLDER = "/archived/the-winter-of-the-ferry-80003.html"
ASIDE = "/letters-2026/what-the-readers-write-80004.html"

STORIES = {
    TOWN: "The bridge is closed again",
    COAST: "The lighthouse is lit again",
    OLDER: "The winter of the ferry",
    ASIDE: "What the readers write",
}


def listing(path: str, beside: str, following: str) -> Answer:
    """A section with one story, another one beside it, and a next page."""
    return Answer(
        page(
            "A section",
            f'<h2><a href="{path}">{STORIES[path]}</a></h2>'
            f'<a rel="next" href="{following}">Older stories</a>'
            f'<aside><a href="{beside}">{STORIES[beside]}</a></aside>',
        )
    )


@pytest.mark.slow
def test_sections_with_a_common_next_page_lose_no_story_and_mix_no_category(
    tmp_path: Path,
) -> None:
    answers = {path: Answer(story(title)) for path, title in STORIES.items()} | {
        "/town": listing(TOWN, COAST, "/all?page=2"),
        "/coast": listing(COAST, TOWN, "/all?page=2"),
        "/all?page=2": listing(OLDER, ASIDE, "/all?page=2"),
    }
    with serve(answers) as site:
        run = crawl_news(tmp_path, f"url={site.url}/town,{site.url}/coast")
        assert [site.hits[path] for path in STORIES] == [1, 1, 1, 1]
        assert site.hits["/all?page=2"] == 1
    assert run.exit_code == 0
    categories = {urlsplit(line["url"]).path: line["category"] for line in run.lines()}
    assert set(categories) == set(STORIES)
    assert (categories[TOWN], categories[COAST]) == ("town", "coast")
