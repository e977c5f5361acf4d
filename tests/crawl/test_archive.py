"""The spider `archive`: saved pages through all pipelines, without a network."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError

from newsclean.demo.demo_site import Site
from newsclean.demo.world import DemoArticle, build_world
from newsclean.spiders.saved_page_spiders import ArchiveSpider
from tests.archives.warc_files import WarcFile

from .scrapy_command import HURRY, Run, scrapy

pytestmark = pytest.mark.slow


def demo_pages() -> list[tuple[DemoArticle, bytes]]:
    rng = random.Random(1)
    pages = []
    for publisher in build_world(7):
        site = Site(publisher.at(f"https://www.{publisher.key}.example"))
        articles = site.publisher.articles
        pages += [(article, site.respond(article.path, False, rng).body) for article in articles]
    rng.shuffle(pages)  # an archive has the pages of all sites mixed
    return pages


PAGES = demo_pages()


def write_warc(path: Path, pages: list[tuple[str, bytes]]) -> Path:
    file = WarcFile()
    for url, body in pages:
        file.add(url, body, warc={"WARC-Date": "2026-05-01T08:00:00Z"})
    path.write_bytes(file.data)
    return path


def crawl(folder: Path, *arguments: str, **settings: Any) -> Run:
    given = [f"-a{argument}" for argument in arguments]
    settings = HURRY | settings
    return scrapy(folder, "crawl", "archive", *given, settings="newsclean.settings", **settings)


@pytest.fixture(scope="module")
def demo_warc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "demo.warc.gz"
    return write_warc(path, [(article.url, body) for article, body in PAGES])


@pytest.fixture(scope="module")
def demo_run(demo_warc: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return crawl(tmp_path_factory.mktemp("run"), f"file={demo_warc}")


def test_every_article_comes_out_once_and_clean(
    demo_run: Run, check_line: Callable[[dict[str, Any]], None]
) -> None:
    for line in demo_run.lines():
        check_line(line)
    lines = {line["url"]: line for line in demo_run.lines()}
    assert demo_run.complaints == []
    assert len(demo_run.lines()) == len(PAGES)
    for article, _ in PAGES:
        line = lines[article.url]
        assert line["body"] == article.gold or abs(len(line["body"]) - len(article.gold)) < 200
        assert line["headline"] == article.headline
        assert line["fetched_at"] == "2026-05-01T08:00:00+00:00"
        assert line["extraction"]["neighbors"] >= 5


def test_nothing_is_requested_and_nothing_is_parked(demo_run: Run) -> None:
    assert "downloader/request_count" not in demo_run.stats
    assert "newsclean/parked" not in demo_run.stats
    assert demo_run.stats["item_scraped_count"] == len(PAGES)


def test_a_second_run_delivers_nothing_and_a_changed_page_comes_as_a_revision(
    demo_run: Run, demo_warc: Path
) -> None:
    folder = demo_run.folder
    again = crawl(folder, f"file={demo_warc}", FEEDS='{"second.jsonl":{"format":"jsonlines"}}')
    assert again.dropped == {"unchanged": len(PAGES)}
    article, body = PAGES[0]
    changed = body.replace(b"<p>", b"<p>In the night there was one more turn of events. ", 40)
    newer = write_warc(folder / "newer.warc.gz", [(article.url, body), (article.url, changed)])
    third = crawl(folder, f"file={newer}", FEEDS='{"third.jsonl":{"format":"jsonlines"}}')
    (line,) = third.lines("third.jsonl")
    assert (line["url"], line["revision"]) == (article.url, 2)
    assert third.dropped == {"unchanged": 1}


def test_two_states_of_an_article_keep_their_order(tmp_path: Path) -> None:
    article, body = PAGES[0]
    states = [body.replace(b"<p>", b"<p>State number %d of this. " % n, 40) for n in range(5)]
    warc = write_warc(tmp_path / "states.warc.gz", [(article.url, state) for state in states])
    lines = crawl(tmp_path, f"file={warc}").lines()
    assert [line["revision"] for line in lines] == [1, 2, 3, 4, 5]
    for number, line in enumerate(lines):
        assert f"State number {number} of this." in line["body"]


def test_since_until_and_limit_choose_and_all_pages_still_teach(
    demo_warc: Path, tmp_path: Path
) -> None:
    ledger = [article for article, _ in PAGES if "ledger" in article.url]
    dated = sorted(
        (article for article in ledger if article.path.startswith("/20")),
        key=lambda article: article.path[:11],
        reverse=True,
    )
    day = dated[5].published.date()
    run = crawl(tmp_path, f"file={demo_warc}", f"until={day}", "since=2020-01-01", "limit=3")
    lines = run.lines()
    assert len(lines) == 3
    newest = max(line["date_published"] for line in lines)
    assert newest[:10] < day.isoformat()
    assert all(line["extraction"]["neighbors"] >= 5 for line in lines)


def test_a_damaged_archive_gives_all_that_is_readable_and_counts_the_rest(
    demo_warc: Path, tmp_path: Path
) -> None:
    data = bytearray(demo_warc.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20] = bytes(20)
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(data[:-50])
    run = crawl(tmp_path, f"file={damaged}")
    assert len(run.lines()) == len(PAGES) - 2
    assert run.dropped == {"damaged": 2}
    assert run.log.count("Dropped: [damaged]") == 2


def test_a_job_folder_keeps_no_pages(tmp_path: Path) -> None:
    warc = write_warc(tmp_path / "a.warc.gz", [(article.url, body) for article, body in PAGES[:9]])
    run = crawl(tmp_path, f"file={warc}", JOBDIR="job")
    assert (len(run.lines()), run.complaints) == (9, [])
    assert "scheduler/enqueued/disk" not in run.stats


def test_a_run_that_is_closed_early_ends_and_the_next_one_goes_on(
    demo_warc: Path, tmp_path: Path
) -> None:
    first = crawl(tmp_path, f"file={demo_warc}", CLOSESPIDER_ITEMCOUNT=7)
    assert "Spider closed (closespider_itemcount)" in first.log
    assert len(first.lines()) == 7
    urls = [line["url"] for line in crawl(tmp_path, f"file={demo_warc}").lines()]
    assert sorted(urls) == sorted(article.url for article, _ in PAGES)


def test_a_folder_needs_urls_and_says_how(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    rows = ["file,url,category"]
    for number, (article, body) in enumerate(PAGES[:20]):
        (pages / f"{number}.html").write_bytes(body)
        if number:
            rows.append(f"{number}.html,{article.url},demo")
    (pages / "urls.csv").write_text("\n".join(rows))
    run = crawl(tmp_path, f"file={pages}")
    lines = run.lines()
    assert {line["url"] for line in lines} == {article.url for article, _ in PAGES[1:20]}
    assert {(line["category"], line["fetched_at"]) for line in lines} == {("demo", None)}
    assert run.dropped == {"no-url": 1}
    assert "name it in a urls.csv, or use newsclean extract" in run.log


def test_an_archive_without_pages_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    run = crawl(tmp_path, "file=empty.warc.gz")
    assert run.complaints[0].endswith("No wanted page in empty.warc.gz")
    assert "Closing spider (no_pages)" in run.log


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "say which archives: -a file=PATH"),
        ({"file": "nowhere.warc"}, "cannot read nowhere.warc: No such file"),
        ({"file": "x", "url": "y"}, "unknown argument: url; there are file, since, until, limit"),
    ],
)
def test_a_mistake_is_told(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ArchiveSpider.from_crawler(Crawler(ArchiveSpider), **arguments)
