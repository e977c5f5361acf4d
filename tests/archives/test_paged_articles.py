"""`newsclean extract` joins the pages of an article that lie anywhere in archives and folders."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from newsclean import Extractor
from newsclean.archives.archive_index import build_index
from newsclean.archives.extracting import ExtractionOptions
from newsclean.archives.paged_articles import join_article, join_articles
from newsclean.cli.extract_many import PageWorkers, Task
from tests.cli.deadly_work import die_on_pages
from tests.cli.pages import Outcome, run
from tests.crawl.long_article import TITLE, URL, comments, gallery, numbered, texts
from tests.crawl.small_site import story

from .warc_files import WINDOW, WarcFile

HOST = "https://www.example.org"
ARTICLE = HOST + URL
SECOND, THIRD = f"{ARTICLE}?page=2", f"{ARTICLE}?page=3"
DAY = "2026-05-01T08:00:00Z"

Capture = pytest.CaptureFixture[str]


def others(number: int) -> list[tuple[str, str]]:
    return [(f"{HOST}/news/200{n}-other-{n}", story(f"Other story {n}")) for n in range(number)]


def warc(path: Path, pages: list[tuple[str, str]], days: list[str] | None = None) -> Path:
    file = WarcFile()
    for (url, body), day in zip(pages, days or [DAY] * len(pages), strict=True):
        file.add(url, body.encode(), warc={"WARC-Date": day})
    path.write_bytes(file.data)
    return path


def lines(outcome: Outcome) -> list[dict[str, Any]]:
    return [json.loads(line) for line in outcome.out.splitlines()]


def body_of(*parts: int) -> str:
    return "\n\n".join(text for part in parts for text in texts(part))


def test_the_pages_of_an_article_may_lie_anywhere_in_an_archive(
    capsys: Capture, tmp_path: Path, check_line: Callable[[dict[str, Any]], None]
) -> None:
    first, *rest = others(3)
    pages = [(THIRD, numbered(3, 3)), first, (ARTICLE, numbered(1, 3)), *rest]
    path = warc(tmp_path / "a.warc.gz", [*pages, (SECOND, numbered(2, 3))])
    outcome = run(capsys, "extract", path)
    found = lines(outcome)
    assert [line["url"] for line in found] == [first[0], ARTICLE, *(url for url, _ in rest)]
    assert found[1]["body"] == body_of(1, 2, 3)
    assert found[1]["extraction"]["pages"] == 3
    assert "missing_pages" not in found[1]["extraction"]
    assert found[1]["extraction"]["neighbors"] == 3
    assert "1 article joined from 3 pages" in outcome.err
    for line in found:
        check_line(line)


@pytest.mark.parametrize("form", ["?page={}", "/{}", "/page/{}", "?seite={}"])
def test_the_pages_may_be_in_several_archives(capsys: Capture, tmp_path: Path, form: str) -> None:
    second = f"{ARTICLE.replace('https', 'http')}{form.format(2)}"
    one = warc(tmp_path / "a.warc.gz", [(second, numbered(2, 2, form))])
    two = warc(tmp_path / "b.warc.gz", [(ARTICLE, numbered(1, 2, form))])
    (line,) = lines(run(capsys, "extract", one, two))
    assert (line["source"], line["body"]) == (str(two), body_of(1, 2))


@pytest.mark.parametrize(
    ("form", "saved"), [("/{}", "/2/"), ("/{}/", "/2"), ("?page={}", "/?page=2")]
)
def test_a_slash_that_a_redirect_adds_or_takes_does_not_matter(
    capsys: Capture, tmp_path: Path, form: str, saved: str
) -> None:
    pages = [(ARTICLE, numbered(1, 2, form)), (f"{ARTICLE}{saved}", numbered(2, 2, form))]
    (line,) = lines(run(capsys, "extract", warc(tmp_path / "a.warc.gz", pages)))
    assert (line["url"], line["body"]) == (ARTICLE, body_of(1, 2))


def test_a_wacz_file_is_an_archive_like_others(capsys: Capture, tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc.gz", [(SECOND, numbered(2, 2)), (ARTICLE, numbered(1, 2))])
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as packed:
        packed.write(path, "archive/a.warc.gz")
    (line,) = lines(run(capsys, "extract", tmp_path / "a.wacz"))
    assert line["body"] == body_of(1, 2)


def test_a_folder_joins_the_pages_whose_urls_are_listed(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, part in (("a", 2), ("b", 1)):
        (folder / f"{name}.html").write_text(numbered(part, 2))
    assert len(lines(run(capsys, "extract", folder))) == 2
    (folder / "urls.csv").write_text(f"file,url,category\na.html,{SECOND},x\nb.html,{ARTICLE},fair")
    (line,) = lines(run(capsys, "extract", folder))
    assert (line["url"], line["category"]) == (ARTICLE, "fair")
    assert line["body"] == body_of(1, 2)


def test_pages_that_were_not_saved_are_named(capsys: Capture, tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc.gz", [(ARTICLE, numbered(1, 4)), (THIRD, numbered(3, 4))])
    (line,) = lines(run(capsys, "extract", path))
    assert line["body"] == body_of(1, 3)
    assert (line["extraction"]["pages"], line["extraction"]["missing_pages"]) == (4, [2, 4])


def test_a_later_page_without_the_first_one_stays_an_article(
    capsys: Capture, tmp_path: Path
) -> None:
    path = warc(tmp_path / "a.warc.gz", [(SECOND, numbered(2, 3)), (THIRD, numbered(3, 3))])
    found = lines(run(capsys, "extract", path))
    assert [line["url"] for line in found] == [SECOND, THIRD]
    assert [line["body"] for line in found] == [body_of(2), body_of(3)]
    assert all("pages" not in line["extraction"] for line in found)


def test_a_view_of_all_pages_is_taken_and_its_parts_are_left_out(
    capsys: Capture, tmp_path: Path
) -> None:
    every = "".join(f"<p>{text}</p>" for part in (1, 2, 3) for text in texts(part))
    link = f'<a href="{URL}?view=all">On one page</a>'
    pages = [
        (SECOND, numbered(2, 3)),
        (f"{ARTICLE}?view=all", f"<h1>{TITLE}</h1><div>{every}</div>"),
        (ARTICLE, numbered(1, 3, more=link)),
    ]
    (line,) = lines(run(capsys, "extract", warc(tmp_path / "a.warc.gz", pages)))
    assert (line["url"], line["body"]) == (ARTICLE, body_of(1, 2, 3))
    assert line["extraction"]["pages"] == 3


def test_links_that_lead_in_a_circle_end(capsys: Capture, tmp_path: Path) -> None:
    back = f'<a rel="next" href="{URL}">next</a><a rel="next" href="{URL}?page=2">2</a>'
    pages = [(ARTICLE, numbered(1, 2)), (SECOND, numbered(2, 3, more=back))]
    pages += [(THIRD, numbered(2, 3, more=back))]  # its server shows the last page for any number
    (line,) = lines(run(capsys, "extract", warc(tmp_path / "a.warc.gz", pages)))
    assert line["body"] == body_of(1, 2)
    assert line["extraction"]["missing_pages"] == [3]


def test_each_version_of_an_article_gets_the_pages_of_its_time(
    capsys: Capture, tmp_path: Path
) -> None:
    def at(part: int, horses: str) -> str:
        return numbered(part, 2).replace("horses", horses)

    pages = [
        (SECOND, at(2, "goats")),
        (SECOND, at(2, "mules")),
        (ARTICLE, at(1, "mules")),
        (ARTICLE, at(1, "goats")),
    ]
    days = [f"2026-0{month}-01T08:00:00Z" for month in (1, 6, 6, 1)]
    found = lines(run(capsys, "extract", warc(tmp_path / "a.warc.gz", pages, days)))
    assert [line["fetched_at"][:7] for line in found] == ["2026-06", "2026-01"]
    assert [line["body"] for line in found] == [
        body_of(1, 2).replace("horses", animals) for animals in ("mules", "goats")
    ]


@pytest.mark.parametrize("second", [comments, gallery, lambda _: story("Another article")])
def test_what_does_not_continue_an_article_stands_for_itself(
    capsys: Capture, tmp_path: Path, second: Callable[[int], str]
) -> None:
    pages = [(ARTICLE, numbered(1, 3)), (SECOND, second(2)), (THIRD, second(3))]
    found = lines(run(capsys, "extract", warc(tmp_path / "a.warc.gz", pages)))
    assert [line["url"] for line in found] == [ARTICLE, SECOND, THIRD]
    assert all("pages" not in line["extraction"] for line in found)
    assert texts(2)[0] not in found[0]["body"]


def test_no_more_pages_are_joined_than_asked_for(capsys: Capture, tmp_path: Path) -> None:
    pages = [(f"{ARTICLE}?page={n}" if n > 1 else ARTICLE, numbered(n, 4)) for n in range(1, 5)]
    path = warc(tmp_path / "a.warc.gz", pages)
    assert len(lines(run(capsys, "extract", path, "--article-pages", 1))) == 4
    (line,) = lines(run(capsys, "extract", path, "--article-pages", 2))
    assert line["extraction"]["missing_pages"] == [3, 4]


def test_the_number_of_pages_to_join_may_be_beyond_all_reason(
    capsys: Capture, tmp_path: Path
) -> None:
    pages = [(ARTICLE, numbered(1, 2)), (SECOND, numbered(2, 2))]
    path = warc(tmp_path / "a.warc.gz", pages)
    (line,) = lines(run(capsys, "extract", path, "--article-pages", 10**15))
    assert line["body"] == body_of(1, 2)


def test_a_damaged_further_page_is_missing_and_reported(capsys: Capture, tmp_path: Path) -> None:
    file = WarcFile()
    file.add(ARTICLE, numbered(1, 3).encode())
    file.add(SECOND, b"\x01\x02 not gzip", http={"Content-Encoding": "gzip"})
    file.add(THIRD, numbered(3, 3).encode())
    (tmp_path / "a.warc.gz").write_bytes(file.data)
    outcome = run(capsys, "extract", tmp_path / "a.warc.gz")
    (line,) = lines(outcome)
    assert line["body"] == body_of(1, 3)
    assert line["extraction"]["missing_pages"] == [2]
    assert "left out: 1 damaged" in outcome.err
    assert outcome.code == 3


def test_an_archive_without_such_urls_is_not_read_twice(tmp_path: Path) -> None:
    pages = [*others(5), (f"{HOST}/news/", "<p>News"), (f"{HOST}/news/?page=30", "<p>News")]
    assert not list(build_index([str(warc(tmp_path / "a.warc.gz", pages))], WINDOW).may_be_joined())


def test_many_versions_of_many_pages_are_compared_one_by_one(tmp_path: Path) -> None:
    """Not each version of the first page with each of the others."""
    pages = [(ARTICLE, ""), (SECOND, ""), (THIRD, "")] * 30
    index = build_index([str(warc(tmp_path / "a.warc.gz", pages))], WINDOW)
    found = list(index.may_be_joined())
    assert [first for first, _ in found] == list(range(0, 90, 3))
    assert sum(len(further) for _, further in found) == 60


def test_pages_that_nobody_wants_are_not_read(tmp_path: Path) -> None:
    pages = [(SECOND, numbered(2, 2)), (ARTICLE, numbered(1, 2))]
    path = str(warc(tmp_path / "a.warc.gz", pages, ["2026-06-01T08:00:00Z", DAY]))

    def since(day: str) -> list[str]:
        wanted = build_index(
            [path], WINDOW, wanted=lambda moment: moment is not None and f"{moment}" >= day
        )
        join_articles(
            wanted, str(tmp_path), lambda all_: (join_article(a, Extractor(), 10) for a in all_)
        )
        return [f"{position.offset}" for position in wanted]

    assert len(since("2026-04-01")) == 1  # the article, by its first page
    assert since("2026-05-15") == []  # the second page is newer, but belongs to it
    late = build_index([path], WINDOW, wanted=lambda moment: False)
    assert not list(late.may_be_joined())


@pytest.mark.process
def test_several_processes_write_the_same_lines(capsys: Capture, tmp_path: Path) -> None:
    pages = [(THIRD, numbered(3, 3)), *others(9), (ARTICLE, numbered(1, 3))]
    pages += [(f"{url}b", body) for url, body in others(9)] + [(SECOND, numbered(2, 3))]
    path = warc(tmp_path / "a.warc.gz", pages)
    alone, together = (run(capsys, "extract", path, "--jobs", jobs) for jobs in (1, 2))
    assert len(lines(alone)) == 19
    assert together.out == alone.out


@pytest.mark.process
def test_an_article_that_kills_its_process_comes_out_in_its_pages(tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc.gz", [(ARTICLE, numbered(1, 2)), (SECOND, numbered(2, 2))])
    index = build_index([str(path)], WINDOW)
    with PageWorkers(1, print) as workers:
        task = Task(die_on_pages, ExtractionOptions(), lambda _: None)
        join_articles(index, str(tmp_path), lambda articles: workers.in_order(task, articles))
    assert [position.joined for position in index] == [None, None]
