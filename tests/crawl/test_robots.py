"""robots.txt as RFC 9309 has it: a host that cannot say its rules is not crawled."""

from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .scrapy_command import Run, crawl_news, crawl_plainly
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

STORIES = {
    f"/news/the-old-mill-story-{70001 + n}.html": f"The old mill, part {n}" for n in range(3)
}
SITE = {"/news": Answer(section(STORIES))} | {
    path: Answer(story(title)) for path, title in STORIES.items()
}


def crawl(folder: Path, robots_txt: Answer, **settings: object) -> tuple[Run, SmallSite]:
    with serve(SITE | {"/robots.txt": robots_txt}) as site:
        settings = {"DOWNLOAD_TIMEOUT": 1, "RETRY_TIMES": 1} | settings
        return crawl_news(folder, f"url={site.url}/news", **settings), site


@pytest.mark.parametrize(
    ("robots_txt", "words"),
    [
        (Answer("sorry", status=503), "its robots.txt has status 503"),
        (Answer(hangs=True), "cannot fetch its robots.txt: Getting http"),
        (Answer("User-agent: *\n", lost=9), "cannot fetch its robots.txt: ResponseDataLossError"),
    ],
)
def test_a_host_whose_robots_txt_cannot_be_had_is_not_crawled(
    tmp_path: Path, robots_txt: Answer, words: str
) -> None:
    run, site = crawl(tmp_path, robots_txt)
    assert set(site.hits) == {"/robots.txt"}
    assert run.dropped == {"robots-txt-unreachable": 1}
    assert f"Not crawling {urlsplit(site.url).netloc}: {words}" in run.log
    assert "Traceback" not in run.log


@pytest.mark.parametrize("status", [403, 404, 410])
def test_an_answer_that_there_is_none_means_no_rules(tmp_path: Path, status: int) -> None:
    run, _ = crawl(tmp_path, Answer("User-agent: *\nDisallow: /\n", status=status))
    assert len(run.lines()) == len(STORIES)


def test_a_huge_one_is_read_up_to_500_kib(tmp_path: Path) -> None:
    first = "User-agent: *\nDisallow: /news/the-old-mill-story-70001\n"
    filler = "# It has rained all day.\n" * 40_000
    run, _ = crawl(
        tmp_path,
        Answer(first + filler + "Disallow: /\n", "text/plain"),
        DOWNLOAD_MAXSIZE=900_000,
    )
    assert run.dropped == {"robots-txt": 1}
    assert len(run.lines()) == len(STORIES) - 1


def mean_gap(site: SmallSite) -> float:
    """Seconds between two requests on the whole: two may arrive closer together than sent."""
    times = list(chain(*site.times.values()))
    return (max(times) - min(times)) / (len(times) - 1)


def test_a_crawl_delay_is_obeyed_and_autothrottle_does_not_go_below_it(tmp_path: Path) -> None:
    robots_txt = Answer("User-agent: *\nCrawl-delay: 0.6\n", "text/plain")
    run, site = crawl(tmp_path, robots_txt, AUTOTHROTTLE_ENABLED=1, AUTOTHROTTLE_START_DELAY=0.01)
    assert len(run.lines()) == len(STORIES)
    assert mean_gap(site) > 0.55
    assert "waiting 0.6 seconds between requests (Crawl-delay)" in run.log


def test_a_crawl_delay_beyond_the_bound_counts_as_the_bound(tmp_path: Path) -> None:
    robots_txt = Answer("User-agent: *\nCrawl-delay: 86400\n", "text/plain")
    run, site = crawl(tmp_path, robots_txt, NEWSCLEAN_MAX_CRAWL_DELAY=1)
    assert len(run.lines()) == len(STORIES)
    assert 0.9 < mean_gap(site) < 5


def test_another_project_obeys_as_scrapy_does(tmp_path: Path) -> None:
    with serve(SITE | {"/robots.txt": Answer("sorry", status=503)}) as site:
        run = crawl_plainly(tmp_path, f"{site.url}/news", ROBOTSTXT_OBEY=1, DOWNLOAD_DELAY=0)
    assert len(run.lines()) == len(STORIES)
