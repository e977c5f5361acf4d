"""One article under several addresses comes out once, and its revisions do, too."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .scrapy_command import crawl_news
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

RIVER, MILL = "/news/river-rises-893", "/news/the-mill-is-sold-894"
FROM_HOME = f"{RIVER}?ref=home"
LINKS = {
    RIVER: "The river rises again in the night",
    FROM_HOME: "The river rises again in the night",
    MILL: "The mill is sold to the miller",
}


def write_river(site: SmallSite, title: str) -> None:
    site.answers |= {path: Answer(story(title)) for path in (RIVER, FROM_HOME)}


def test_an_article_under_two_urls_comes_out_once_in_each_of_its_states(
    tmp_path: Path,
) -> None:
    answers = {"/news": Answer(section(LINKS)), MILL: Answer(story("The mill is sold"))}
    titles = ["The river rises", "The river falls", "The river rises"]
    with serve(answers) as site:
        for number, title in enumerate(titles, 1):
            write_river(site, title)
            run = crawl_news(tmp_path, f"url={site.url}/news")
            assert site.hits[RIVER] == site.hits[FROM_HOME] == number
            assert run.dropped["duplicate"] == 1
            assert "Dropped: the same article as <" in run.log
    out = [(urlsplit(line["url"]).path, line["headline"]) for line in run.lines()]
    assert out.count((MILL, "The mill is sold")) == 1
    assert [headline for path, headline in out if path == RIVER] == titles
    assert len(out) == 4
