"""`newsclean extract --cc-news`: articles of some sites, from news archives of the web."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.archives import archive_server
from tests.archives.archive_host import ArchiveHost, archive_path
from tests.archives.warc_files import WarcFile

from .pages import TOWNS, Outcome, run, story

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def host() -> ArchiveHost:
    host = ArchiveHost()
    for day, towns in ((1, TOWNS[:3]), (2, TOWNS[3:])):
        file = WarcFile()
        for town in towns:
            for site in ("www.rain.example", "other.example"):
                file.add(url_of(site, town), story(town).encode())
        host.add(archive_path(day), file.data)
    return host


@pytest.fixture
def server(host: ArchiveHost, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(archive_server, "_PAUSE", 0.0)
    monkeypatch.setattr(archive_server, "_FIRST_WAIT", 0.0)
    with host.running() as address:
        yield address


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def url_of(site: str, town: str) -> str:
    return f"https://{site}/weather/{town.lower()}"


def extract(capsys: Capture, server: str, period: str, *arguments: object) -> Outcome:
    return run(capsys, "extract", "--cc-news", period, "--cc-news-server", server, *arguments)


def urls(lines: str) -> list[str]:
    return [line["url"] for line in map(json.loads, lines.splitlines())]


def test_the_articles_of_a_site_come_from_all_archives_of_a_month(
    capsys: Capture, server: str, folder: Path
) -> None:
    outcome = extract(capsys, server, "2026-08", "--site", "rain.example", "-o", "rain.jsonl")
    assert outcome.code == 0, outcome.err
    written = (folder / "rain.jsonl").read_text("utf-8")
    assert urls(written) == [url_of("www.rain.example", town) for town in TOWNS]
    line: dict[str, Any] = json.loads(written.splitlines()[0])
    assert line["source"] == "cc-news/pages/rain.example/2026-08-01.warc.gz"
    assert "It has rained in Bergen" in line["body"]
    assert "6 pages in 2 archives" in outcome.err
    assert "6 pages extracted" in outcome.err


def test_sites_are_repeated_or_in_a_file(capsys: Capture, server: str, folder: Path) -> None:
    sites = "--site rain.example --site https://www.other.example/".split()
    both = extract(capsys, server, "2026-08-01", *sites)
    assert len(urls(both.out)) == 6
    (folder / "sites.txt").write_text("# papers\nrain.example\n\nother.example\n", "utf-8")
    assert extract(capsys, server, "2026-08-01", "--site", "sites.txt").out == both.out


def test_a_mistyped_line_of_the_file_is_named(capsys: Capture, folder: Path) -> None:
    (folder / "sites.txt").write_text("rain.example\nrain example\n", "utf-8")
    outcome = extract(capsys, "http://127.0.0.1:9", "2026-08", "--site", "sites.txt")
    assert outcome.code == 2
    assert "sites.txt, line 2: 'rain example' is not the name of a site" in outcome.err


def test_a_missing_file_of_sites_is_not_taken_for_a_site(capsys: Capture) -> None:
    outcome = extract(capsys, "http://127.0.0.1:9", "2026-08", "--site", "papers.txt")
    assert outcome.code == 3
    assert "cannot read papers.txt" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--cc-news", "2026-08"], "--cc-news needs a --site"),
        (["--cc-news", "2026-8", "--site", "a.org"], "'2026-8' is not a period"),
        (["--cc-news", "2026-08", "--site", "a"], "'a' is not the name of a site"),
        (["--cc-news", "2026-08", "--site", "a.org", "x.html"], "takes no other pages: x.html"),
        (
            ["--cc-news", "2026-08", "--site", "a.org", "--cc-news-server", "ftp://a.org"],
            "'ftp://a.org' is not the http:// or https:// address",
        ),
        (
            ["--cc-news", "2026-08", "--site", "a.org", "--format", "html"],
            "--format html is for one page",
        ),
        (["--site", "a", "--site", "b", "x.html"], "several --site need --cc-news"),
        (["--ignore-robots", "x.html"], "--ignore-robots is only for --cc-news"),
        ([], "extract needs a page, a folder, an archive or --cc-news"),
    ],
)
def test_a_wrong_option_is_named_before_any_request(
    capsys: Capture, folder: Path, arguments: list[str], said: str
) -> None:
    outcome = run(capsys, "extract", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert list(folder.iterdir()) == []


def test_a_site_without_pages_is_said_and_leaves_the_output_as_it_is(
    capsys: Capture, server: str, folder: Path
) -> None:
    (folder / "old.jsonl").write_text("{}\n")
    outcome = extract(capsys, server, "2026-08", "--site", "rein.example", "-o", "old.jsonl")
    assert outcome.code == 1
    assert "no pages of rein.example; did you mean rain.example?" in outcome.err
    assert "0 pages in 2 archives" in outcome.err
    assert (folder / "old.jsonl").read_text() == "{}\n"


def test_an_output_that_cannot_be_written_is_named_before_any_request(
    capsys: Capture, server: str, host: ArchiveHost
) -> None:
    outcome = extract(capsys, server, "2026-08", "--site", "rain.example", "-o", "no/such.jsonl")
    assert outcome.code == 3
    assert "cannot write no/such.jsonl" in outcome.err
    assert host.asked == []


def test_an_unreachable_server_is_named(capsys: Capture, host: ArchiveHost, server: str) -> None:
    with host.running() as gone:
        pass
    outcome = extract(capsys, gone, "2026-08", "--site", "rain.example")
    assert outcome.code == 3
    assert f"Connection refused ({archive_server.ATTEMPTS} attempts)" in outcome.err


def test_damaged_archives_give_their_articles_and_an_exit_code(
    capsys: Capture, server: str, host: ArchiveHost
) -> None:
    host.files[archive_path(2)] = host.files[archive_path(2)][:-9]
    outcome = extract(capsys, server, "2026-08", "--site", "other.example")
    assert outcome.code == 3
    assert len(urls(outcome.out)) == 5
    assert "5 pages in 2 archives; left out: 1 damaged" in outcome.err


def read_to() -> int:
    """How far the first archive is known to be read."""
    with closing(sqlite3.connect("cc-news/index.sqlite")) as index:
        (place,) = index.execute("SELECT min(read_to) FROM archives WHERE size > 0").fetchone()
    return place or 0


@pytest.mark.process
def test_a_killed_command_goes_on_without_loss_and_without_repetition(
    capsys: Capture, server: str, host: ArchiveHost
) -> None:
    first = host.files[archive_path(1)]
    arguments = ["--site", "rain.example", "-o", "rain.jsonl"]
    command = ["extract", "--cc-news", "2026-08", "--cc-news-server", server]
    script = (
        "import sys; from newsclean.archives import cc_news; cc_news._BLOCK = 1500; "
        "from newsclean.cli import main; main(sys.argv[1:])"
    )
    host.held = len(first) - 300
    host.released.clear()
    running = subprocess.Popen(
        [sys.executable, "-c", script, *command, *arguments], stderr=subprocess.DEVNULL
    )
    try:
        assert host.is_holding.wait(60)
        while running.poll() is None and not read_to():
            host.released.wait(0.05)
    finally:
        running.kill()
        running.wait()
    host.released.set()
    host.forget()
    outcome = extract(capsys, server, "2026-08", *arguments)
    assert outcome.code == 0, outcome.err
    assert urls(Path("rain.jsonl").read_text("utf-8")) == [
        url_of("www.rain.example", town) for town in TOWNS
    ]
    assert host.archives_asked[0].sent < len(first)
