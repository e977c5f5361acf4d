"""Which pages a crawl asks for: articles and sections, in this order of hope, and little else."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from newsclean.demo import DemoServer
from newsclean.demo.demo_site import Kind

from .scrapy_command import Run, crawl_news
from .small_site import Answer, page, serve, story

pytestmark = pytest.mark.slow

Fetched = dict[str, Counter[Kind]]

USEFUL = (Kind.SECTION, Kind.ARTICLE)


def crawl_of(demo: DemoServer, folder: Path, **settings: object) -> Run:
    urls = [url for publisher in demo.publishers for url in publisher.section_urls]
    return crawl_news(folder, f"url={','.join(urls)}", **settings)


@pytest.fixture(scope="module", params=[False, True], ids=["first template", "redesigned"])
def demo(request: pytest.FixtureRequest) -> Iterator[DemoServer]:
    """A server that nobody else has asked."""
    with DemoServer() as running:
        if request.param:
            running.redesign()
        yield running


@pytest.fixture(scope="module")
def crawl(demo: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return crawl_of(demo, tmp_path_factory.mktemp("crawl"))


@pytest.fixture(scope="module")
def fetched(crawl: Run, demo: DemoServer) -> Fetched:
    assert crawl.exit_code == 0
    return demo.fetched()


def test_at_most_one_fetched_page_in_twenty_is_neither_section_nor_article(
    fetched: Fetched,
) -> None:
    assert len(fetched) == 2
    for kinds in fetched.values():
        useless = kinds.total() - sum(kinds[kind] for kind in USEFUL)
        assert useless * 20 <= kinds.total(), kinds


def test_every_article_is_found_also_under_an_unusual_url(
    crawl: Run, fetched: Fetched, demo: DemoServer
) -> None:
    for publisher in demo.publishers:
        assert fetched[publisher.name][Kind.ARTICLE] == len(publisher.articles)
        unusual = [
            publisher.in_section(section)[int(place)]
            for section in publisher.sections
            for place in section.unusual
        ]
        assert len(unusual) == 3
        found = {line["url"] for line in crawl.lines()}
        assert {article.url for article in unusual} <= found
        assert {article.url for article in publisher.articles} <= found


def test_links_that_are_not_followed_are_counted_by_reason(crawl: Run) -> None:
    prefix = "newsclean/links/not_followed/"
    counts = {k.removeprefix(prefix): n for k, n in crawl.stats.items() if k.startswith(prefix)}
    assert set(counts) - {"other-site"} == {"file", "section", "url", "label", "menu"}
    assert counts["file"] == 2  # one PDF for each publisher
    assert counts["section"] == 2  # the front pages; all others are read as sections
    assert counts["menu"] == 2


def test_without_skipping_all_kinds_are_fetched_and_what_is_no_article_is_dropped_by_reason(
    tmp_path: Path,
) -> None:
    with DemoServer() as demo:
        run = crawl_of(demo, tmp_path, NEWSCLEAN_SKIP_LINKS=0)
        fetched = demo.fetched()
        truth = {article.url for p in demo.publishers for article in p.articles}
    for kinds in fetched.values():
        wanted = "article gallery video topic author shop subscription log-in about empty".split()
        assert set(kinds) >= set(wanted)
        assert kinds[Kind.SECTION] == 9  # each once
    assert truth <= {line["url"] for line in run.lines()}
    judged = sum(n for reason, n in run.dropped.items() if reason.startswith("no-article/"))
    others = sum(
        kinds.total() - sum(kinds[kind] for kind in (*USEFUL, Kind.COPY, Kind.EMPTY, Kind.MISSING))
        for kinds in fetched.values()
    )
    slipped = {line["url"] for line in run.lines()} - truth
    assert len(slipped) <= 2
    assert others - judged <= len(slipped)
    assert judged > 40
    assert not [name for name in run.stats if name.endswith(("/address", "/label", "/menu"))]


def test_pages_that_are_no_articles_are_kept_if_the_setting_says_so(tmp_path: Path) -> None:
    with DemoServer() as demo:
        run = crawl_of(demo, tmp_path, NEWSCLEAN_DROP="unchanged,duplicate")
        publishers = demo.publishers
    truth = {article.url for p in publishers for article in p.articles}
    others = {line["url"]: line for line in run.lines() if line["url"] not in truth}
    assert {urlsplit(url).path for url in others} == {
        "/2026/04/16/what-the-harbour-master-earns",
        "/tv/the-bakers-of-herring-lane-104873.html",
    }
    assert not any(line["is_article"] for line in others.values())
    assert not [reason for reason in run.dropped if reason.startswith("no-article/")]
    lowest = min(line["article_probability"] for line in run.lines() if line["url"] in truth)
    assert max(line["article_probability"] for line in others.values()) < lowest


STORIES = {
    "/who-won": "Who won on Sunday, and why",
    "/bridge.html": "The bridge over the river is closed",
    "/kvhc7x2": "The ferry that came back after the storm",
    "/news/the-parade": "The parade that nobody had expected",
    "/news/the-lantern-parade-of-the-harbour": "The lantern parade of the harbour",
    "/2026/03/14/the-wagon-race-around-the-old-mill-50002.html": "The wagon race around the mill",
}
ELSEWHERE = {"https://ads.example/1": "A bicycle for sale", "https://b.example/": "Our friends"}
DOUBTFUL = {"/news/the-harbour-supper-and-the-cook": "Supper"}


def front() -> str:
    """A section page, the likeliest articles last."""
    links = DOUBTFUL | ELSEWHERE | STORIES
    return page(
        "All the news",
        "".join(f'<p><a href="{path}">{text}</a></p>' for path, text in links.items()),
    )


def test_the_likeliest_articles_are_fetched_first_and_the_doubtful_ones_all_the_same(
    tmp_path: Path,
) -> None:
    titles = STORIES | {"/news/the-harbour-supper-and-the-cook": "The harbour supper"}
    answers = {path: Answer(story(title)) for path, title in titles.items()}
    with serve(answers | {"/news": Answer(front())}) as site:
        run = crawl_news(tmp_path, f"url={site.url}/news", CONCURRENT_REQUESTS=1)
        asked = [path for path in site.hits if path in titles]
    assert run.exit_code == 0
    assert asked[0] == list(STORIES)[-1]
    assert asked.index("/news/the-lantern-parade-of-the-harbour") < asked.index("/news/the-parade")
    assert {urlsplit(line["url"]).path for line in run.lines()} == set(titles)
    assert run.stats["newsclean/links/not_followed/other-site"] == len(ELSEWHERE)


def test_a_label_that_turns_out_to_be_a_headline_on_the_next_page_is_followed(
    tmp_path: Path,
) -> None:
    path, title = "/news/supper", "The harbour supper, and who paid for it"
    first = page("News", f'<a href="{path}">Supper</a><a rel="next" href="/news?page=2">Older</a>')
    second = page("News", f'<h2><a href="{path}">{title}</a></h2>')
    answers = {
        "/news": Answer(first),
        "/news?page=2": Answer(second),
        path: Answer(story("The harbour supper")),
    }
    with serve(answers) as site:
        run = crawl_news(tmp_path, f"url={site.url}/news")
    assert [line["headline"] for line in run.lines()] == ["The harbour supper"]
    assert "newsclean/links/not_followed/label" not in run.stats
