"""Pages that are of no use are dropped with a reason, and the crawl goes on."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from .scrapy_command import Run, crawl_news
from .small_site import FOOTER, MENU, Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

GOOD = "/news/the-apples-of-autumn-10001.html"
MOVED = "/news/the-pears-have-moved-10002.html"
MOVED_TO = "/news/the-pears-of-winter-10003.html"
UNNAMED = "/news/the-plums-without-a-type-10004.html"

MISSING = "/news/a-page-that-is-missing-20001.html"
BROKEN = "/news/a-page-that-breaks-the-server-20002.html"
EMPTY = "/news/a-page-with-nothing-in-it-20003.html"
BLANK = "/news/a-page-of-white-space-20004.html"
PDF = "/news/a-leaflet-for-the-printer-20005.html"
DISGUISED = "/news/a-leaflet-that-calls-itself-html-20006.html"
PICTURE = "/news/a-picture-of-the-harbour-20007.html"
JSON = "/news/a-page-for-machines-20008.html"
LARGE = "/news/a-page-too-large-for-newsclean-20009.html"
LARGER = "/news/a-page-too-large-to-download-20010.html"
ELSEWHERE = "/news/a-page-that-leads-elsewhere-20011.html"
HANGING = "/news/a-page-that-never-comes-20012.html"
FORBIDDEN = "/news/a-page-that-robots-txt-forbids-20013.html"
CIRCLE = "/news/a-page-that-leads-to-itself-20014.html"
CUT = "/news/a-page-that-breaks-off-20016.html"
NOTICE = "/news/a-page-of-a-few-words-only-20015.html"

LARGEST, LARGEST_DOWNLOAD = 200_000, 400_000

SITE = {
    "/robots.txt": Answer(f"User-agent: *\nDisallow: {FORBIDDEN}\n", "text/plain"),
    GOOD: Answer(story("The apples of autumn")),
    MOVED: Answer(status=301, location=MOVED_TO),
    MOVED_TO: Answer(story("The pears of winter")),
    UNNAMED: Answer(story("The plums without a type"), content_type=""),
    MISSING: Answer(story("A page that is missing"), status=404),
    BROKEN: Answer(story("A page that breaks"), status=500),
    EMPTY: Answer(""),
    BLANK: Answer(" \n\t\n "),
    PDF: Answer(b"%PDF-1.7\n" + b"a leaflet " * 900, "application/pdf"),
    DISGUISED: Answer(b"%PDF-1.7\n" + b"a leaflet " * 900),
    PICTURE: Answer(b"\x89PNG\r\n\x1a\n" + bytes(900), "image/png"),
    JSON: Answer('{"story": "none"}', "application/json"),
    LARGE: Answer(story("A page too large", paragraphs=1_100)),
    LARGER: Answer(story("A page much too large", paragraphs=2_500)),
    HANGING: Answer(hangs=True),
    FORBIDDEN: Answer(story("A page that is forbidden")),
    CIRCLE: Answer(status=302, location=CIRCLE),
    CUT: Answer(story("A page that breaks off"), lost=1_000),
    NOTICE: Answer("<title>Notice</title><p>The office is closed on Friday."),
}

REASONS = {
    MISSING: "http-404",
    BROKEN: "http-500",
    EMPTY: "empty",
    BLANK: "empty",
    PDF: "not-html",
    DISGUISED: "not-html",
    PICTURE: "not-html",
    JSON: "not-html",
    LARGE: "too-large",
    LARGER: "download/DownloadCancelledError",
    HANGING: "download/DownloadTimeoutError",
    FORBIDDEN: "robots-txt",
    CIRCLE: "redirect-loop",
    CUT: "truncated",
    NOTICE: "no-article/too-short",
}


@pytest.fixture(scope="module")
def site() -> Iterator[SmallSite]:
    with serve({"/moved-here-30001.html": Answer(story("Elsewhere"))}) as other:
        away = Answer(status=302, location=f"{other.url}/moved-here-30001.html")
        paths = [path for path in [*SITE, ELSEWHERE] if path.startswith("/news/")]
        links = {path: f"Read all about {path[6:-11]}" for path in paths if path != MOVED_TO}
        front = {"/news": Answer(section(links)), ELSEWHERE: away}
        with serve(SITE | front) as running:
            yield running


@pytest.fixture(scope="module")
def crawl(site: SmallSite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return crawl_news(
        tmp_path_factory.mktemp("odd"),
        f"url={site.url}/news",
        DOWNLOAD_TIMEOUT=2,
        RETRY_TIMES=1,
        NEWSCLEAN_MAX_PAGE_SIZE=LARGEST,
        DOWNLOAD_MAXSIZE=LARGEST_DOWNLOAD,
    )


def test_the_crawl_goes_on_and_finishes_without_a_traceback(crawl: Run) -> None:
    assert crawl.exit_code == 0
    assert "Spider closed (finished)" in crawl.log
    assert "Traceback" not in crawl.log


def test_the_good_pages_come_out_clean_wherever_they_were_found(crawl: Run) -> None:
    bodies = {urlsplit(line["url"]).path: line["body"] for line in crawl.lines()}
    assert set(bodies) == {GOOD, MOVED_TO, UNNAMED}
    for body in bodies.values():
        assert body.count("\n\n") == 3
        assert MENU not in body
        assert FOOTER not in body


@pytest.mark.parametrize(("path", "reason"), REASONS.items())
def test_a_page_of_no_use_is_dropped_with_its_reason_in_the_log(
    crawl: Run, site: SmallSite, path: str, reason: str
) -> None:
    (told,) = [line for line in crawl.log.splitlines() if "Dropped: " in line and path in line]
    assert told.endswith(f"[{reason}] <{site.url}{path}>")
    assert re.search(r"Dropped: \w", told)


def test_a_dropped_page_is_named_by_its_url_and_not_by_all_its_fields(
    crawl: Run, site: SmallSite
) -> None:
    assert f"\n<PageItem {site.url}{NOTICE}>\n" in crawl.log
    assert "PageItem(" not in crawl.log


def test_a_page_on_another_site_is_dropped_and_the_link_named(crawl: Run, site: SmallSite) -> None:
    assert f"<{site.url}{ELSEWHERE}> leads to another site [other-site]" in crawl.log


def test_the_stats_count_what_was_dropped_by_reason(crawl: Run) -> None:
    reasons = [*REASONS.values(), "other-site"]
    assert crawl.dropped == {reason: reasons.count(reason) for reason in sorted(set(reasons))}


def test_the_size_that_was_too_large_is_named_with_its_setting(crawl: Run) -> None:
    size = len(SITE[LARGE].body)
    assert LARGEST < size < LARGEST_DOWNLOAD < len(SITE[LARGER].body)
    assert f"{size:,} bytes, NEWSCLEAN_MAX_PAGE_SIZE is {LARGEST:,}" in crawl.log


def test_what_robots_txt_forbids_is_not_even_asked_for(crawl: Run, site: SmallSite) -> None:
    assert crawl.exit_code == 0
    assert site.hits["/robots.txt"] == 1
    assert site.hits[FORBIDDEN] == 0
    assert site.hits[HANGING] == 2  # RETRY_TIMES=1


def test_a_binary_page_is_nobodys_neighbor(crawl: Run) -> None:
    assert {line["extraction"]["neighbors"] for line in crawl.lines()} == {3}
