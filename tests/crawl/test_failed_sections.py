"""A section that leads to nothing is an error that nobody can miss."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .scrapy_command import Run, crawl_news
from .small_site import Answer, SmallSite, page, section, serve, story

pytestmark = pytest.mark.slow

STORY = "/news/the-apples-of-autumn-10001.html"
LINKS = {STORY: "The apples of autumn are ripe"}

#: Why each section fails.
FAILING = {
    "/nowhere": "[http-404]",
    "/leaflet": "[section-not-html]",
    "/about": "no link looks like an article [section-no-links]",
    "/slow": "[download/DownloadTimeoutError]",
    "/closed": "[robots-txt]",
    "/closed/too": "[robots-txt]",
}


@pytest.fixture(scope="module")
def site() -> Iterator[SmallSite]:
    answers = {
        "/robots.txt": Answer("User-agent: *\nDisallow: /closed\n", "text/plain"),
        "/leaflet": Answer(b"%PDF-1.7\n" + b"a leaflet " * 900, "application/pdf"),
        "/about": Answer(story("About this paper")),
        "/closed": Answer(section(LINKS)),
        "/closed/too": Answer(section(LINKS)),
        "/slow": Answer(hangs=True),
        "/news": Answer(section(LINKS)),
        STORY: Answer(story("The apples of autumn")),
    }
    with serve(answers) as running:
        yield running


def crawl(site: SmallSite, folder: Path, *paths: str) -> Run:
    urls = ",".join(site.url + path for path in paths)
    return crawl_news(folder, f"url={urls}", DOWNLOAD_TIMEOUT=1, RETRY_ENABLED=0)


def test_each_failed_section_is_an_error_with_its_reason_and_the_others_are_crawled(
    site: SmallSite, tmp_path: Path
) -> None:
    run = crawl(site, tmp_path, *FAILING, "/news")
    assert run.exit_code == 0
    assert len(run.complaints) == len(FAILING) == run.stats["newsclean/sections/failed"]
    for path, reason in FAILING.items():
        (told,) = [line for line in run.complaints if f"{reason} <{site.url}{path}>" in line]
        assert f"ERROR: Section {path[1:]} has failed: " in told
    assert "Spider closed (finished)" in run.log
    assert [urlsplit(line["url"]).path for line in run.lines()] == [STORY]


def test_when_every_section_has_failed_the_crawl_says_so_at_its_end(
    site: SmallSite, tmp_path: Path
) -> None:
    run = crawl(site, tmp_path, "/nowhere", "/about")
    assert run.stats["newsclean/sections/failed"] == 2
    assert "Spider closed (all_sections_failed)" in run.log


def test_a_section_fails_only_if_none_of_its_pages_leads_to_an_article(
    site: SmallSite, tmp_path: Path
) -> None:
    listed = f'<a href="{STORY}">{LINKS[STORY]}</a>'
    site.answers |= {
        "/late": Answer(page("Late", '<a rel="next" href="/late?page=2">Older</a>')),
        "/late?page=2": Answer(page("Late", listed)),
        "/never": Answer(page("Never", '<a rel="next" href="/never?page=2">Older</a>')),
        "/early": Answer(page("Early", listed + '<a rel="next" href="/early?page=2">Older</a>')),
    }
    run = crawl(site, tmp_path, "/late", "/early", "/never")
    (told,) = run.complaints
    assert f"Section never has failed: error status [http-404] <{site.url}/never?page=2>" in told
    assert run.dropped["http-404"] == 2


def test_a_start_page_that_is_an_article_is_told_and_has_no_next_page(
    site: SmallSite, tmp_path: Path
) -> None:
    pager = '<p><a href="?page=2">2</a> <a href="?page=2">Next</a></p></body>'
    body = str(site.answers[STORY].body).replace("</body>", pager)
    site.answers[STORY] = Answer(body)
    run = crawl(site, tmp_path, STORY, "/news")
    assert site.hits[f"{STORY}?page=2"] == 0
    warnings = [line for line in run.complaints if "WARNING" in line]
    (told,) = warnings
    assert "`newsclean extract`" in told
    assert f"<{site.url}{STORY}>" in told
