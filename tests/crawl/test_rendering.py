"""Sites whose pages are made by scripts, crawled with a real browser."""

from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

import pytest

from newsclean.demo import DemoServer
from newsclean.demo.show import GOOD_F1
from newsclean.lab.evaluate.measures import word_bag_agreement

from .scrapy_command import Run, scrapy
from .scripted_site import SCRIPT, SHELL, crawl, data, path_of, scripted
from .small_site import Answer, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.chromium]


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    with DemoServer(scripted=True) as running:
        yield running


@pytest.fixture(scope="module")
def run(demo: DemoServer, tmp_path_factory: pytest.TempPathFactory) -> Run:
    urls = [url for publisher in demo.publishers for url in publisher.section_urls]
    return crawl(tmp_path_factory.mktemp("crawl"), *urls)


def paths(run: Run) -> list[str]:
    return sorted(urlsplit(line["url"]).path for line in run.lines())


def test_all_articles_of_the_demo_sites_come_out_the_scripted_ones_too(
    demo: DemoServer, run: Run
) -> None:
    assert run.exit_code == 0
    assert run.complaints == []
    articles = {article.url for p in demo.publishers for article in p.articles}
    assert sorted(line["url"] for line in run.lines()) == sorted(articles)


def test_the_scripted_articles_have_their_headline_authors_and_text(
    demo: DemoServer, run: Run
) -> None:
    lines = {line["url"]: line for line in run.lines()}
    articles = demo.publishers[-1].articles
    for article in articles:
        assert lines[article.url]["headline"] == article.headline
        assert lines[article.url]["authors"] == list(article.authors)
    figures = [word_bag_agreement(lines[one.url]["body"], one.gold).f1 for one in articles]
    assert mean(figures) >= GOOD_F1


def test_only_pages_of_the_scripted_site_are_rendered_each_once(demo: DemoServer, run: Run) -> None:
    *plain, scripted_one = demo.publishers
    site = urlsplit(scripted_one.base_url).netloc
    pages = len(scripted_one.articles) + 2 * len(scripted_one.sections)
    # Pages that were parked came back as they had been rendered.
    assert run.stats["newsclean/parked"] > 0
    assert run.stats["newsclean/rendering/pages"] == pages
    assert f"Rendered {pages} pages of {site}" in run.log
    assert not any(f"pages of {urlsplit(p.base_url).netloc}" in run.log for p in plain)
    hits = demo.hits[scripted_one.name]
    assert {hits[article.path] for article in scripted_one.articles} == {1}


def test_a_page_asks_for_nothing_of_another_host_or_that_robots_txt_forbids(
    demo: DemoServer, run: Run
) -> None:
    hits = demo.hits[demo.publishers[-1].name]
    assert not hits["/assets/counter.js"]
    assert not hits["/search/suggestions"]
    pages = run.stats["newsclean/rendering/pages"]
    assert run.stats["newsclean/rendering/refused/other-site"] == pages
    assert run.stats["newsclean/rendering/refused/robots-txt"] == pages
    assert run.stats["newsclean/rendering/requests"] >= pages


def test_without_rendering_a_scripted_site_leads_to_nothing(tmp_path: Path) -> None:
    with serve(scripted("The apples of autumn")) as site:
        run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_RENDER="never")
    assert run.exit_code == 1
    assert "newsclean/rendering/pages" not in run.stats
    assert not site.hits["/app.js"]


def test_a_change_of_the_data_is_a_revision_though_the_shell_is_the_same(tmp_path: Path) -> None:
    title = "The apples of autumn"
    with serve(scripted(title, etag='"shell"')) as site:
        for expected in (1, 1, 2):
            if expected == 2:
                changed = story(title).replace("lanterns", "torches")
                site.answers[f"/data{path_of(title)}"] = data(changed)
            run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_RECHECK_ALL=1)
            assert len(run.lines()) == expected
    first, second = run.lines()
    assert (first["revision"], second["revision"]) == (1, 2)
    assert "torches" in second["body"]
    assert not any("If-None-Match" in headers for _, headers in site.requests)


def test_always_renders_pages_with_text_too_and_does_not_ask_whether_they_have_changed(
    tmp_path: Path,
) -> None:
    path = path_of("The apples of autumn")
    later = "Later in the day the clerk counted nine baskets more, and the mayor bought them all."
    adding = (
        "<script>document.querySelectorAll('div')[1]"
        f".insertAdjacentHTML('beforeend', '<p>{later}<' + '/p>')</script></body>"
    )
    whole = story("The apples of autumn").replace("</body>", adding)
    answers = {
        "/news": Answer(section({path: "The apples of autumn"})),
        path: Answer(whole, etag='"1"'),
    }
    with serve(answers) as site:
        first = crawl(tmp_path, f"{site.url}/news")
        assert later not in first.lines()[0]["body"]
        assert "newsclean/rendering/pages" not in first.stats
        second = crawl(
            tmp_path, f"{site.url}/news", NEWSCLEAN_RENDER="always", NEWSCLEAN_RECHECK_ALL=1
        )
    assert [later in line["body"] for line in second.lines()] == [False, True]
    assert second.stats["newsclean/rendering/pages"] == 2


def test_data_that_redirects_to_another_host_is_not_followed(tmp_path: Path) -> None:
    title = "The apples of autumn"
    with serve({"/inside": data("secret")}, "127.0.0.2") as inside, serve(scripted(title)) as site:
        fetches = f"fetch('/away'); fetch('{inside.url}/inside'); {SCRIPT}"
        site.answers["/app.js"] = Answer(fetches, "text/javascript")
        site.answers["/away"] = Answer(status=302, location=f"{inside.url}/inside")
        run = crawl(tmp_path, f"{site.url}/news")
    assert paths(run) == [path_of(title)]
    assert not inside.hits
    assert run.stats["newsclean/rendering/refused/private-address"] == 2
    assert run.stats["newsclean/rendering/refused/other-site"] == 2


def test_a_page_whose_data_fails_is_left_for_the_next_run(tmp_path: Path) -> None:
    lost, good = "The pears of winter", "The apples of autumn"
    with serve(scripted(lost, good)) as site:
        answer = site.answers[f"/data{path_of(lost)}"]
        site.answers[f"/data{path_of(lost)}"] = Answer(status=500)
        run = crawl(tmp_path, f"{site.url}/news", RETRY_ENABLED=0)
        assert paths(run) == [path_of(good)]
        assert run.dropped == {"rendering-incomplete": 1}
        site.answers[f"/data{path_of(lost)}"] = answer
        assert paths(crawl(tmp_path, f"{site.url}/news")) == [path_of(good), path_of(lost)]


PROJECT = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
DOWNLOAD_HANDLERS = dict.fromkeys(
    ("http", "https"), "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler")
PLAYWRIGHT_LAUNCH_OPTIONS = {"executable_path": %r, "args": %r}
"""
SPIDER = """
import scrapy

class Own(scrapy.Spider):
    name = "own"

    async def start(self):
        for path in %r:
            meta = {"playwright": "pears" in path, "playwright_page_goto_kwargs":
                    {"wait_until": "networkidle"}}
            yield scrapy.Request(self.url + path, meta=meta)

    def parse(self, response):
        yield {"url": response.url, "body": None, "flags": response.flags}
"""


def test_a_project_that_uses_scrapy_playwright_itself_works_and_renders_once(
    tmp_path: Path,
) -> None:
    from newsclean.browser.chromium import chromium_arguments, find_chromium

    (tmp_path / "spiders").mkdir()
    (tmp_path / "own_settings.py").write_text(PROJECT % (find_chromium(), chromium_arguments()))
    pears, apples = path_of("The pears of winter"), path_of("The apples of autumn")
    (tmp_path / "spiders" / "__init__.py").write_text(SPIDER % [pears, apples])
    with serve(scripted("The pears of winter", "The apples of autumn")) as site:
        run = scrapy(
            tmp_path,
            "crawl",
            "own",
            f"-aurl={site.url}",
            settings="own_settings",
            NEWSCLEAN_RENDER="empty",
            NEWSCLEAN_MEMORY=":memory:",
        )
    flags = {urlsplit(line["url"]).path: line["flags"] for line in run.lines()}
    assert flags == {pears: ["playwright"], apples: ["newsclean-rendered"]}
    assert all("town clerk counted" in line["body"] for line in run.lines())
    assert run.stats["newsclean/rendering/pages"] == 1
    assert SHELL not in run.log
