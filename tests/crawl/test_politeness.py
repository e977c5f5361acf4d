"""A crawl asks only for what may have changed, and only when it is due."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from .scrapy_command import HURRY, Run, crawl_news, scrapy, start_crawl
from .small_site import Answer, SmallSite, page, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {
    f"/town/report-number-{number}-from-the-market-{80000 + number}.html": f"Report {word} is out"
    for number, word in enumerate("one two three four five six seven eight".split(), 1)
}
PATHS = list(TITLES)
#: A page that looks like an article by its URL, and is none.
LIST = "/town/all-the-wagons-in-a-list-80100.html"
#: Every article is due in every run.
ALWAYS_DUE = {"NEWSCLEAN_RECHECK_MIN": 0, "NEWSCLEAN_RECHECK_SHARE": 0}


def article(path: str, version: int = 1, **fields: Any) -> Answer:
    extra = f"<p>The clerk counted once more, for the {version}. time, and found it so.</p>"
    html = story(TITLES[path]).replace("</h1>", f"</h1>{extra if version > 1 else ''}")
    answer: dict[str, Any] = {
        "etag": f'"{PATHS.index(path)}-{version}"',
        "headers": {"Cache-Control": "no-cache"},
    }
    return Answer(html, **(answer | fields))


def front(paths: list[str]) -> Answer:
    return Answer(section({path: TITLES[path] for path in paths}))


@pytest.fixture
def site() -> Iterator[SmallSite]:
    answers = {path: article(path) for path in PATHS[:6]} | {"/town": front(PATHS[:6])}
    with serve(answers) as running:
        yield running


def crawl(folder: Path, site: SmallSite, *arguments: str, **settings: Any) -> Run:
    site.hits.clear()
    site.requests.clear()
    settings = {"NEWSCLEAN_RECHECK_ALL": 0, "NEWSCLEAN_DISCOVER": 0} | settings
    run = crawl_news(folder, f"url={site.url}/town", *arguments, **settings)
    assert run.exit_code == 0, run.log
    return run


def requested(site: SmallSite) -> set[str]:
    """The paths that were asked for, but for the section page and robots.txt."""
    return set(site.hits) - {"/town", "/robots.txt"}


def urls(run: Run, site: SmallSite) -> list[str]:
    return [line["url"].removeprefix(site.url) for line in run.lines()]


def test_a_second_run_at_once_asks_for_no_article(tmp_path: Path, site: SmallSite) -> None:
    site.answers[LIST] = Answer(page("All the wagons", "<ul><li>One</li><li>Two</li></ul>"))
    titles = {path: TITLES[path] for path in PATHS[:6]}
    site.answers["/town"] = Answer(section(titles | {LIST: "All the wagons in a list"}))
    assert sorted(urls(crawl(tmp_path, site), site)) == PATHS[:6]
    assert requested(site) == {*PATHS[:6], LIST}

    again = crawl(tmp_path, site)
    assert requested(site) == set()
    assert len(again.lines()) == 6
    assert again.stats["newsclean/not_due"] == 7
    assert again.complaints == []


def test_the_next_due_run_exports_exactly_what_has_changed_or_is_new(
    tmp_path: Path, site: SmallSite
) -> None:
    crawl(tmp_path, site)
    for path in PATHS[:3]:
        site.answers[path] = article(path, version=2)
    site.answers |= {path: article(path) for path in PATHS[6:]}
    site.answers["/town"] = front(PATHS)

    assert sorted(urls(crawl(tmp_path, site), site)[6:]) == PATHS[6:]  # the others are not due
    run = crawl(tmp_path, site, **ALWAYS_DUE)
    assert sorted(urls(run, site)[8:]) == PATHS[:3]
    assert {line["revision"] for line in run.lines()[8:]} == {2}
    assert run.stats["newsclean/not_modified"] == 5


@pytest.mark.parametrize("source", ["feed", "sitemap"])
def test_what_a_feed_or_sitemap_calls_changed_is_due_before_its_time(
    tmp_path: Path, site: SmallSite, source: str
) -> None:
    crawl(tmp_path, site)
    with closing(sqlite3.connect(tmp_path / ".scrapy/newsclean/memory.sqlite")) as memory, memory:
        memory.execute("UPDATE fetch SET fetched = fetched - 86400, published = published - 2e6")
    for path in PATHS[:4]:
        site.answers[path] = article(path, version=2)
    assert len(crawl(tmp_path, site).lines()) == 6  # none is due

    hour = 3600.0
    ages = dict(zip(PATHS[:6], (hour, hour, hour, 30 * hour, 30 * hour, -hour), strict=True))
    days = {path: datetime.now(UTC) - timedelta(seconds=age) for path, age in ages.items()}
    if source == "feed":
        items = "".join(
            f'<entry><link href="{path}"/><published>2026-01-01</published>'
            f"<updated>{day.isoformat()}</updated></entry>"
            for path, day in days.items()
        )
        head = '<link rel=alternate type="application/atom+xml" href="/feed">'
        site.answers["/feed"] = Answer(f"<feed>{items}</feed>", "application/atom+xml")
        links = site.answers["/town"].body
        assert isinstance(links, str)
        site.answers["/town"] = Answer(links.replace("</head>", f"{head}</head>"))
    else:
        news = "<news:news><news:publication_date>2026-01-01</news:publication_date></news:news>"
        items = "".join(
            f"<url><loc>{site.url}{path}</loc><lastmod>{day.isoformat()}</lastmod>{news}</url>"
            for path, day in days.items()
        )
        name = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
        site.answers["/news.xml"] = Answer(f"<urlset {name}>{items}</urlset>", "text/xml")
        site.answers["/robots.txt"] = Answer(f"Sitemap: {site.url}/news.xml\n", "text/plain")
    run = crawl(tmp_path, site, NEWSCLEAN_DISCOVER=1)
    assert sorted(urls(run, site)[6:]) == PATHS[:3]
    assert not {*PATHS[3:6]} & set(site.hits)


def test_three_changed_and_two_new_articles_come_out_of_one_due_run(
    tmp_path: Path, site: SmallSite
) -> None:
    crawl(tmp_path, site)
    for path in PATHS[:3]:
        site.answers[path] = article(path, version=2)
    site.answers |= {path: article(path) for path in PATHS[6:]}
    site.answers["/town"] = front(PATHS)
    with closing(sqlite3.connect(tmp_path / ".scrapy/newsclean/memory.sqlite")) as memory, memory:
        memory.execute("UPDATE fetch SET fetched = fetched - 3600, published = published - 3600")
    run = crawl(tmp_path, site)
    assert sorted(urls(run, site)[6:]) == [*PATHS[:3], *PATHS[6:]]


def test_a_validator_is_sent_although_the_page_is_not_to_be_cached(
    tmp_path: Path, site: SmallSite
) -> None:
    first = crawl(tmp_path, site)
    assert not any("If-None-Match" in headers for _, headers in site.requests)
    run = crawl(tmp_path, site, "recheck=all")
    sent = {path: headers.get("If-None-Match") for path, headers in site.requests}
    assert {path: sent[path] for path in PATHS[:6]} == {
        path: site.answers[path].etag for path in PATHS[:6]
    }
    assert run.stats["downloader/response_status_count/304"] == 6
    assert run.stats["newsclean/not_modified"] == 6
    assert len(run.lines()) == len(first.lines()) == 6
    assert not (tmp_path / ".scrapy/httpcache").exists()


def test_the_date_of_the_last_change_is_a_validator_as_well(
    tmp_path: Path, site: SmallSite
) -> None:
    date = "Sat, 14 Mar 2026 09:26:53 GMT"
    for path in PATHS[:6]:
        site.answers[path] = article(path, etag="", headers={"Last-Modified": date})
    crawl(tmp_path, site)
    crawl(tmp_path, site, NEWSCLEAN_RECHECK_ALL=1)
    sent = [headers.get("If-Modified-Since") for path, headers in site.requests if path in TITLES]
    assert sent == [date] * 6


@pytest.mark.process
def test_what_a_killed_run_did_not_deliver_is_requested_without_validators(
    tmp_path: Path, site: SmallSite
) -> None:
    answer, site.answers[PATHS[5]] = site.answers[PATHS[5]], Answer(hangs=True)
    process = start_crawl(tmp_path, f"url={site.url}/town", NEWSCLEAN_DISCOVER=0)
    deadline = time.monotonic() + 30
    while stored_pages(tmp_path) < 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    process.kill()
    process.wait()
    assert stored_pages(tmp_path) == 5
    site.answers[PATHS[5]] = answer
    run = crawl(tmp_path, site)
    assert requested(site) == set(PATHS[:6])
    assert not any("If-None-Match" in headers for _, headers in site.requests)
    assert sorted(urls(run, site)) == PATHS[:6]


def stored_pages(folder: Path) -> int:
    path = folder / ".scrapy/newsclean/memory.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as memory:
        try:
            return int(memory.execute("SELECT count(*) FROM stored_page").fetchone()[0])
        except sqlite3.OperationalError:  # it is being made
            return 0


def test_a_redirected_article_is_not_asked_for_again_at_once(
    tmp_path: Path, site: SmallSite
) -> None:
    site.answers["/town"] = front(PATHS)
    for old, new in ((PATHS[6], "/moved/one-80200.html"), (PATHS[7], "/moved/two-80201.html")):
        site.answers[old] = Answer(status=301, location=new)
        site.answers[new] = article(old)
    assert len(crawl(tmp_path, site).lines()) == 8
    crawl(tmp_path, site)
    assert requested(site) == set()
    run = crawl(tmp_path, site, **ALWAYS_DUE)
    assert run.stats["newsclean/not_modified"] == 8
    assert len(run.lines()) == 8


def test_a_page_with_noindex_is_left_out_unless_the_setting_says_otherwise(
    tmp_path: Path, site: SmallSite
) -> None:
    tagged = article(PATHS[0], headers={"X-Robots-Tag": "noarchive, noindex"})
    marked = story(TITLES[PATHS[1]]).replace("<head>", '<head><meta name="robots" content="none">')
    other = article(PATHS[2], headers={"X-Robots-Tag": "otherbot: noindex"})
    site.answers |= {PATHS[0]: tagged, PATHS[1]: Answer(marked), PATHS[2]: other}
    run = crawl(tmp_path, site)
    assert sorted(urls(run, site)) == PATHS[2:6]
    assert run.dropped == {"noindex": 2}
    run = crawl(tmp_path, site, NEWSCLEAN_OBEY_NOINDEX=0, **ALWAYS_DUE)
    assert sorted(urls(run, site)) == PATHS[:6]


def test_a_site_that_asks_to_wait_is_left_alone_for_so_long(
    tmp_path: Path, site: SmallSite
) -> None:
    answer = site.answers[PATHS[0]]
    busy = Answer(status=429, headers={"Retry-After": "2"})
    site.once[PATHS[0]] = busy
    run = crawl(tmp_path, site, CONCURRENT_REQUESTS=1)
    assert site.answers[PATHS[0]] is answer
    assert sorted(urls(run, site)) == PATHS[:6]
    times = {path: moments for path, moments in site.times.items() if path in TITLES}
    refused, retried = times[PATHS[0]]
    assert retried - refused >= 1.9
    later = [moment for moments in times.values() for moment in moments if moment > refused]
    assert min(later) - refused >= 1.9
    assert run.stats["newsclean/retry_after"] == 1


def test_a_site_that_asks_to_wait_too_long_is_not_asked_again_in_this_run(
    tmp_path: Path, site: SmallSite
) -> None:
    refused = PATHS[2:6]
    for path in refused:
        site.answers[path] = Answer(status=503, headers={"Retry-After": "86400"})
    run = crawl(tmp_path, site, CONCURRENT_REQUESTS=1)
    assert sum(site.hits[path] for path in refused) == 1
    assert run.dropped == {"http-503": 1, "retry-after": 5 - len(run.lines())}
    assert [line for line in run.complaints if "asks for a pause of" in line]


class BusyFor(dict[str, Answer]):
    """The answers of a site that asks to be left alone for some seconds after its first request."""

    def __init__(self, seconds: int, answers: dict[str, Answer], free: set[str]) -> None:
        super().__init__(answers)
        self.seconds, self.free = seconds, free
        self.resumes = 0.0

    def get(self, path: str, default: Any = None) -> Any:
        if path in self.free:
            return super().get(path, default)
        now = time.monotonic()
        self.resumes = self.resumes or now + self.seconds
        if now >= self.resumes:
            return super().get(path, default)
        return Answer(status=429, headers={"Retry-After": str(self.seconds)})


@pytest.mark.versions
@pytest.mark.parametrize("free", [{"/robots.txt"}, set()], ids=["pages", "robots.txt"])
def test_a_site_that_asks_to_wait_holds_up_no_other_site(
    tmp_path: Path, site: SmallSite, free: set[str]
) -> None:
    busy = site.answers = BusyFor(5, {path: article(path) for path in PATHS}, free)
    settings = HURRY | {
        "CONCURRENT_REQUESTS": 4,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0.01,
    }
    with serve({path: article(path) for path in PATHS}, "localhost") as other:
        addresses = [f"{server.url}{path}" for server in (site, other) for path in PATHS]
        (tmp_path / "list.txt").write_text("\n".join(addresses))
        run = scrapy(
            tmp_path, "crawl", "urls", "-afile=list.txt", settings="newsclean.settings", **settings
        )
    assert sorted(line["url"] for line in run.lines()) == sorted(addresses)
    assert run.complaints == []
    moments = [moment for path, times in site.times.items() if path not in free for moment in times]
    assert sorted(moments)[1] >= busy.resumes
    assert max(other.times[path][0] for path in PATHS) < busy.resumes
    assert run.stats["newsclean/retry_after"] == 1


@pytest.mark.versions
def test_a_host_gets_one_request_at_a_time_if_that_is_the_limit_and_there_is_any_delay(
    tmp_path: Path, site: SmallSite
) -> None:
    seconds = 0.1
    site.answers["/town"] = front(PATHS)
    site.answers |= {path: article(path, takes=seconds) for path in PATHS}
    run = crawl(tmp_path, site, DOWNLOAD_DELAY=0.01, CONCURRENT_REQUESTS_PER_DOMAIN=1)
    assert sorted(urls(run, site)) == PATHS
    came = [site.times[path][0] for path in PATHS]
    at_once = [sum(other <= moment < other + seconds for other in came) for moment in came]
    assert max(at_once) == 1


def test_no_site_is_told_from_which_other_one_a_link_came(tmp_path: Path, site: SmallSite) -> None:
    with serve({"/elsewhere": Answer(story("Elsewhere"))}) as other:
        site.answers[PATHS[0]] = Answer(status=302, location=f"{other.url}/elsewhere")
        crawl(tmp_path, site)
        assert other.requests
        assert not any("Referer" in headers for _, headers in other.requests)
    assert any(headers.get("Referer") == f"{site.url}/town" for _, headers in site.requests)
