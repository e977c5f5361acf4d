"""The same articles come out whichever way they are found."""

from pathlib import Path

import pytest

from newsclean.demo import DemoServer

from .scrapy_command import HURRY, Run, scrapy
from .small_site import Answer, page, serve, story

pytestmark = pytest.mark.slow


def crawl(folder: Path, spider: str, *arguments: str, **overrides: object) -> Run:
    given = [f"-a{argument}" for argument in arguments]
    settings = HURRY | overrides
    return scrapy(folder, "crawl", spider, *given, settings="newsclean.settings", **settings)


def urls(run: Run) -> set[str]:
    found = [line["url"] for line in run.lines()]
    assert len(set(found)) == len(found)
    return set(found)


@pytest.fixture(scope="module")
def articles(demo: DemoServer) -> set[str]:
    return {article.url for publisher in demo.publishers for article in publisher.articles}


@pytest.mark.parametrize("spider", ["feed", "sitemap", "sitemap-robots", "urls", "home"])
def test_each_spider_finds_all_articles_of_the_demo_sites(
    tmp_path: Path, demo: DemoServer, articles: set[str], spider: str
) -> None:
    bases = [publisher.base_url for publisher in demo.publishers]
    if spider == "urls":
        (tmp_path / "list.csv").write_text("url\n" + "\n".join(sorted(articles)))
        run = crawl(tmp_path, "urls", "file=list.csv")
    else:
        name, path = {
            "feed": ("feed", "/rss.xml"),
            "sitemap": ("sitemap", "/sitemap.xml"),
            "sitemap-robots": ("sitemap", "/robots.txt"),
            "home": ("news", "/"),
        }[spider]
        run = crawl(tmp_path, name, "url=" + ",".join(f"{base}{path}" for base in bases))
    assert run.exit_code == 0
    assert urls(run) == articles


def test_a_front_page_without_links_is_read_through_its_feed(tmp_path: Path) -> None:
    paths = {f"/story/{number}": f"Rain in town number {number}" for number in range(8)}
    items = "".join(f"<item><link>{path}</link></item>" for path in paths)
    head = '<link rel=alternate type="application/rss+xml" href="/feed"><div id=app></div>'
    answers = {path: Answer(story(title)) for path, title in paths.items()}
    answers["/"] = Answer(page("Front", head))
    answers["/feed"] = Answer(
        f"<rss><channel>{items}</channel></rss>", content_type="application/rss+xml"
    )
    with serve(answers) as site:
        run = crawl(tmp_path, "news", f"url={site.url}/")
        assert run.exit_code == 0
        assert urls(run) == {f"{site.url}{path}" for path in paths}


def test_a_limit_takes_the_newest_and_since_leaves_the_old_ones(
    tmp_path: Path, demo: DemoServer
) -> None:
    publisher = demo.publishers[0]
    newest = sorted(publisher.articles, key=lambda article: article.published, reverse=True)
    run = crawl(tmp_path, "feed", f"url={publisher.base_url}/rss.xml", "limit=5")
    assert urls(run) == {article.url for article in newest[:5]}
    (tmp_path / "articles.jsonl").unlink()
    run = crawl(
        tmp_path,
        "sitemap",
        f"url={publisher.base_url}/sitemap.xml",
        f"since={newest[9].published.isoformat()}",
        NEWSCLEAN_MEMORY=":memory:",
    )
    assert urls(run) == {article.url for article in newest[:10]}


def test_a_source_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    with serve({"/feed": Answer("<html><p>Not found")}) as site:
        run = crawl(tmp_path, "feed", f"url={site.url}/feed")
    assert "it is not a feed: its root is <html> [source-unreadable]" in run.log
    assert "all_sources_failed" in run.log


@pytest.mark.parametrize(
    ("spider", "arguments", "message"),
    [
        ("feed", [], "say where to start"),
        ("feed", ["url=example.org"], "'example.org' is not a URL"),
        ("sitemap", ["url=https://a.org/x.xml", "depth=3"], "unknown argument: depth"),
        ("urls", [], "say which list"),
        ("urls", ["file=none.txt"], "cannot read none.txt"),
        ("urls", ["file=none.txt", "limit=0"], "limit=0: it takes a number"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_requested(
    tmp_path: Path, spider: str, arguments: list[str], message: str
) -> None:
    run = crawl(tmp_path, spider, *arguments)
    assert run.exit_code != 0
    assert message in run.log + run.output
