"""`newsclean read`: which files come out, and which are written again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree, html

from newsclean.apps.reader.catalogue import PAGE
from tests.cli.pages import run_process

from .lines import article_pages, line, pages, read, write_lines

ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "articles.jsonl"


def test_an_article_is_in_the_lists_of_its_site_section_and_day(out: Path, file: Path) -> None:
    write_lines(file, line(1))
    assert read(out, file) == 0
    (name,) = (path for path in pages(out) if path.startswith("articles/"))
    lists = (
        "index.html",
        "sites/example.org/index.html",
        "sites/example.org/sections/*/index.html",
        "days/2026-03-02/index.html",
    )
    for path in lists:
        (found,) = out.glob(path)
        links = html.parse(str(found)).xpath("//ul[@class='entries']//a/@href")
        assert [(found.parent / link).resolve() for link in links] == [(out / name).resolve()]


def test_every_link_between_pages_leads_to_a_file(out: Path, file: Path) -> None:
    write_lines(file, *(line(n, section="Ünruh & Sturm / 政治") for n in range(PAGE * 3)))
    assert read(out, file) == 0
    seen = 0
    for path in out.rglob("*.html"):
        for link in html.parse(str(path)).xpath("//a/@href | //link/@href"):
            if not link.startswith(("https://", "#")):
                assert (path.parent / link).is_file(), (path, link)
                seen += 1
    assert seen > PAGE


def test_a_second_run_writes_nothing(out: Path, file: Path) -> None:
    write_lines(file, *map(line, range(30)))
    read(out, file)
    before = {path: os.stat(out / path).st_mtime_ns for path in pages(out)}
    read(out, file)
    assert {path: os.stat(out / path).st_mtime_ns for path in pages(out)} == before


@pytest.mark.slow
@pytest.mark.process
def test_pages_are_the_same_in_every_process(out: Path, file: Path) -> None:
    body = (
        '<p>Rain <a href="/a">now</a> <abbr title="x">TLP</abbr></p><ol start="2"><li>One</li></ol>'
        '<img src="/a.png" width="5" height="6" alt="z"><table><tr><td colspan="2" rowspan="3">1'
    )
    lead = {"url": "https://example.org/b.png", "role": "lead", "width": 5, "height": 6}
    write_lines(file, line(1, body_html=body, images=[lead], keywords=["b", "a", "c"]))
    seen = set()
    for _ in range(8):  # an order that is chosen by chance is the same in one process of two
        done = run_process("read", file, "--out", out)
        assert done.code == 0, done.err
        seen.add(tuple(sorted(pages(out).items())))
    assert len(seen) == 1
    assert " 0 files written" in done.err


def test_a_revision_rewrites_its_page_the_lists_and_the_feed_alone(out: Path, file: Path) -> None:
    lines = [line(1), line(2, site="other.org", url="https://other.org/2")]
    write_lines(file, *lines)
    read(out, file)
    before = pages(out)
    changed = line(1, headline="Snow", revision=2, fetched_at="2026-03-30T10:00:00+00:00")
    write_lines(file, *lines, changed)
    read(out, file)
    after = pages(out)
    assert before.keys() == after.keys()
    different = {path for path in after if after[path] != before[path]}
    assert {path.split("/")[0] for path in different} == {
        "articles", "index.html", "sites", "days", "feed.xml"
    }  # fmt: skip
    assert not any("other.org" in path for path in different)


def test_a_new_article_leaves_the_older_pages_of_lists_as_they_are(out: Path, file: Path) -> None:
    days = [f"2026-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(PAGE * 4 + 1)]
    lines = [line(n, date_published=day) for n, day in enumerate(days)]
    write_lines(file, *lines[:-1])
    read(out, file)
    old = pages(out)
    write_lines(file, *lines)
    read(out, file)
    new = pages(out)
    assert [path for path in ("page-1.html", "page-2.html", "page-3.html") if path in new]
    assert all(new[p] == old[p] for p in old if "page-" in p)
    assert new["index.html"] != old["index.html"]


def test_undated_articles_are_marked_and_come_last_by_their_download(out: Path, file: Path) -> None:
    write_lines(
        file,
        line(1, headline="Dated", date_published="2026-03-02"),
        line(2, headline="Late", date_published=None, fetched_at="2026-03-29T10:00:00+00:00"),
        line(3, headline="Early", date_published=None, fetched_at="2026-03-08T10:00:00+00:00"),
        line(4, headline="Changed", date_published=None, date_modified="2026-03-04T08:00:00+01:00"),
        line(5, headline="Unknown", date_published=None, fetched_at=None),
    )
    assert read(out, file) == 0
    latest = html.parse(str(out / "index.html"))
    days = latest.xpath("//h2[@class='day']/text()")
    assert days == ["4 March 2026", "2 March 2026", "Undated"]
    assert latest.xpath("//h3/a/text()") == ["Changed", "Dated", "Late", "Early", "Unknown"]
    said = {
        entry.findtext("h3/a"): " ".join(entry.xpath("string(p[@class='meta'])").split())
        for entry in latest.xpath("//ul[@class='entries']/li")
    }
    assert said["Late"].endswith("undated, downloaded 29 March 2026")
    assert said["Unknown"].endswith("undated")
    assert said["Changed"].endswith("updated 08:00")
    assert "undated" not in said["Dated"]
    (page,) = (page for page in article_pages(out) if "<h1>Late" in page)
    assert "undated, downloaded" in page


@pytest.mark.parametrize("is_last", [True, False])
def test_the_last_state_of_an_article_wins_wherever_its_line_is(
    tmp_path: Path, out: Path, is_last: bool
) -> None:
    old = write_lines(tmp_path / "old.jsonl", line(1, headline="Old", fetched_at="2026-03-01"))
    new = write_lines(tmp_path / "new.jsonl", line(1, headline="New", revision=2))
    read(out, *((old, new) if is_last else (new, old)))
    (page,) = article_pages(out)
    assert "New</h1>" in page


def test_what_the_input_no_longer_has_is_removed_unless_asked(out: Path, file: Path) -> None:
    write_lines(file, line(1), line(2, site="gone.org", url="https://gone.org/2"))
    read(out, file)
    (out / "mine.txt").write_text("my own")
    write_lines(file, line(1))
    read(out, file, "--keep")
    assert (out / "articles" / "gone.org").exists()
    read(out, file)
    assert not (out / "articles" / "gone.org").exists()
    assert not (out / "sites" / "gone.org").exists()
    assert (out / "mine.txt").read_text() == "my own"


def test_broken_lines_are_named_and_nothing_is_removed_for_them(
    out: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(file, line(1), line(2))
    read(out, file)
    good = file.read_text().splitlines()[0]
    file.write_bytes(f'{good}\n{{"headline": "cut off\n[1]\n\xff'.encode("latin-1") + b"\n{}\n")
    assert read(out, file) == 0
    told = capsys.readouterr().err
    for number in (2, 3, 4, 5):
        assert f"{file}, line {number}: " in told
    assert "4 broken lines" in told
    assert len(article_pages(out)) == 2


def test_an_input_without_articles_changes_nothing(
    out: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(file, line(1))
    read(out, file)
    before = pages(out)
    write_lines(file, line(1, is_article=False))
    assert read(out, file) == 1
    assert "1 page that is not an article" in capsys.readouterr().err
    assert pages(out) == before
    assert read(out, file, "--all") == 0


def test_a_folder_with_files_of_others_is_refused(out: Path, file: Path) -> None:
    write_lines(file, line(1))
    out.mkdir()
    (out / "index.html").write_text("my own page")
    assert read(out, file) == 2
    assert pages(out) == {"index.html": b"my own page"}


def test_a_file_that_is_missing_is_told_before_anything_is_written(out: Path, file: Path) -> None:
    assert read(out, file) == 3
    assert not out.exists()


@pytest.mark.parametrize(
    "name", ["../../../etc", "..", "", "a/b", "C:\\x", "con", "\x00", "ü" * 500]
)
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path, file: Path) -> None:
    out = tmp_path / "deep" / "site"
    write_lines(file, line(1, site=name, section=name, url=f"https://example.org/{name}", id=name))
    assert read(out, file) == 0
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {
        file, *(path for path in out.rglob("*") if path.is_file())
    }  # fmt: skip
    assert len(article_pages(out)) == 1


def test_the_feed_has_what_rfc_4287_asks_for(out: Path, file: Path) -> None:
    write_lines(
        file,
        line(1, body_html="<p>Rain &amp; <b>wind</b></p>"),
        line(2, authors=[], date_published="2026-03-05", date_modified=None, url=None, id="x"),
    )
    read(out, file, "--base-url", "https://reader.example/news")
    first = (out / "feed.xml").read_bytes()
    feed = etree.fromstring(first)
    for name in ("id", "title", "updated"):
        assert len(feed.findall(f"a:{name}", ATOM)) == 1, name
    own = feed.find("a:link[@rel='self']", ATOM)
    assert own is not None
    assert own.get("href") == "https://reader.example/news/feed.xml"
    entries = feed.findall("a:entry", ATOM)
    assert len(entries) == 2
    for entry in entries:
        for name in ("id", "title", "updated", "content"):
            assert len(entry.findall(f"a:{name}", ATOM)) == 1, name
        assert entry.findtext("a:author/a:name", None, ATOM)
        content = entry.find("a:content", ATOM)
        assert content is not None
        assert content.get("type") == "html"
        assert entry.find("a:link[@rel='alternate']", ATOM) is not None
        assert entry.findtext("a:updated", "", ATOM).endswith(("Z", "+01:00"))
    newest, oldest = entries
    assert newest.findtext("a:id", "", ATOM).startswith("urn:uuid:")
    assert newest.findtext("a:updated", "", ATOM) == "2026-03-05T00:00:00Z"
    assert oldest.findtext("a:content", "", ATOM) == "<p>Rain &amp; <b>wind</b></p>"
