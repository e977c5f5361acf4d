"""`newsclean index` and `newsclean search`, as a user calls them."""

import gzip
import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.apps.search import IndexTargetError
from newsclean.apps.search.index_file import SearchedFile
from tests.apps.search.lines import found, line

from .pages import run, run_process

Capture = pytest.CaptureFixture[str]


def json_lines(*lines: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    path.write_bytes(json_lines(line("1", "It rains."), line("2", "Snow fell.")))
    return path


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def test_articles_are_indexed_and_found(
    file: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    done = run(capsys, "index", file)
    assert (done.code, done.out) == (0, "")
    assert "2 new articles, 0 changed, 0 unchanged, 0 older than in the index" in done.err
    again = run(capsys, "index", file)
    assert "0 new articles, 0 changed, 2 unchanged" in again.err
    results = run(capsys, "search", "raining")
    assert results == (
        0,
        "1. A headline\n"
        "   example.org · weather · 2026-03-14T08:00:00+00:00\n"
        "   It **rains**.\n"
        "   https://example.org/1\n\n",
        "",
    )


@pytest.mark.process
def test_compressed_files_and_standard_input_are_read(tmp_path: Path, index: Path) -> None:
    packed = tmp_path / "articles.jsonl.gz"
    packed.write_bytes(gzip.compress(json_lines(line("1"))))
    stdin = gzip.compress(json_lines(line("2")))
    done = run_process("index", packed, "-", "--index", index, stdin=stdin)
    assert (done.code, done.out) == (0, "")
    assert found(index, "rains") == ["1", "2"]
    run_process("index", "-", "--index", index, stdin=json_lines(line("3")))
    assert len(found(index, "rains")) == 3


def test_bad_lines_are_named_counted_and_passed_over(
    tmp_path: Path, index: Path, capsys: Capture
) -> None:
    path = tmp_path / "mixed.jsonl"
    bad = [b"{broken\n", b"[1]\n", b"\xff\xfe\n", b"\n", b'{"id": null}\n'] + [b"junk\n"] * 20
    no_article = json_lines(line("3", is_article=False))
    path.write_bytes(b"".join([json_lines(line("1")), *bad, no_article, json_lines(line("2"))]))
    done = run(capsys, "index", path, "--index", index)
    assert done.code == 0
    assert f"{path}, line 2: not JSON" in done.err
    assert f"{path}, line 3: not an object" in done.err
    assert f"{path}, line 4: not UTF-8" in done.err
    assert "and 4 more such lines" in done.err
    assert "2 new articles" in done.err
    assert (
        "left out: 24 lines that are not articles of newsclean, 1 page that is not an article"
        in done.err
    )
    assert found(index, "rains") == ["1", "2"]
    run(capsys, "index", path, "--index", index, "--all")
    assert "3" in found(index, "rains")


def test_a_damaged_compressed_file_gives_what_can_be_read(
    tmp_path: Path, index: Path, capsys: Capture
) -> None:
    path = tmp_path / "cut.jsonl.gz"
    lines = json_lines(*(line(str(n), f"It rains {n * 7919 % 10007}.") for n in range(2000)))
    path.write_bytes(gzip.compress(lines)[:-2000])
    done = run(capsys, "index", path, "--index", index)
    assert "the compressed file is damaged from here on" in done.err
    assert done.code == 0
    assert len(found(index, "rains", limit=3)) == 3


def test_a_file_without_any_article_is_an_error(
    tmp_path: Path, index: Path, capsys: Capture
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk\n")
    assert run(capsys, "index", path, "--index", index).code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["index", "missing.jsonl"], 3, "missing.jsonl: no such file"),
        (["index", "."], 3, "."),
        (["index", "articles.jsonl", "--index", "articles.jsonl"], 2, "not an index of newsclean"),
        (["index", "articles.jsonl", "--index", "solr://x/y"], 2, "solr://"),
        (["search", "rain"], 2, "create one with newsclean index"),
        (["search", "rain", "--index", "articles.jsonl"], 2, "not an index of newsclean"),
        (["search", "rain", "--since", "soon"], 2, "--since=soon: it takes a date"),
        (["search", "rain", "--limit", "0"], 2, "not a positive number"),
        (["search", "rain", "--limit", "5000"], 2, "at most 1,000"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(
    file: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(file.parent)
    before = file.read_bytes()
    done = run(capsys, *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert file.read_bytes() == before


def test_a_bad_query_names_its_place(file: Path, index: Path, capsys: Capture) -> None:
    run(capsys, "index", file, "--index", index)
    done = run(capsys, "search", 'snow "rain', "--index", index)
    assert done == (2, "", "newsclean: query: a quote that is not closed (at character 6)\n")


def test_nothing_found_is_said(file: Path, index: Path, capsys: Capture) -> None:
    run(capsys, "index", file, "--index", index)
    assert run(capsys, "search", "hail", "--index", index) == (
        0,
        "",
        "newsclean: nothing was found\n",
    )


def test_filters_order_and_pages(tmp_path: Path, index: Path, capsys: Capture) -> None:
    path = tmp_path / "articles.jsonl"
    lines = [
        line(str(day), site=f"s{day % 2}.example", date_published=f"2026-03-{day:02}")
        for day in range(1, 10)
    ]
    path.write_bytes(json_lines(*lines))
    run(capsys, "index", path, "--index", index)

    def ids(*arguments: object) -> list[str]:
        done = run(capsys, "search", "rains", "--json", "--index", index, *arguments)
        return [hit["id"] for hit in json.loads(done.out)["hits"]]

    assert ids("--newest", "--limit", 3) == ["9", "8", "7"]
    assert ids("--newest", "--limit", 3, "--offset", 3) == ["6", "5", "4"]
    assert ids("--newest", "--site", "s0.example") == ["8", "6", "4", "2"]
    assert ids("--newest", "--since", "2026-03-04", "--until", "2026-03-06") == ["5", "4"]
    assert ids("--section", "sport") == []


def test_json_has_all_of_a_hit(file: Path, index: Path, capsys: Capture) -> None:
    run(capsys, "index", file, "--index", index)
    results = json.loads(run(capsys, "search", "snow", "--json", "--index", index).out)
    assert results["total"] == 1
    (hit,) = results["hits"]
    assert hit.pop("score") > 0
    assert hit == {
        "id": "2",
        "url": "https://example.org/2",
        "headline": "A headline",
        "site": "example.org",
        "section": "weather",
        "date": "2026-03-14T08:00:00+00:00",
        "language": "en",
        "snippet": {"text": "Snow fell.", "marks": [[0, 4]]},
        "also_on": [],
        "copies": 0,
    }


def articles_in(index: Path) -> int:
    """How many articles an index has, none if it is only being made."""
    try:
        with closing(SearchedFile(str(index))) as searched:
            return sum(count for _, count in searched.sites())
    except IndexTargetError:
        return 0


@pytest.mark.slow
@pytest.mark.process
def test_killed_in_the_midst_and_started_again_each_article_is_there_once(index: Path) -> None:
    count = 2500
    lines = json_lines(*(line(str(n), f"It rains, says number {n}.") for n in range(count)))
    command = [sys.executable, "-m", "newsclean", "index", "-", "--index", str(index)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(lines)  # and no end of the input: it goes on waiting
        process.stdin.flush()
        while not articles_in(index) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    before = articles_in(index)
    assert 0 < before < count
    done = run_process("index", "-", "--index", index, stdin=lines)
    assert f"{count - before:,} new articles, 0 changed, {before:,} unchanged" in done.err
    assert articles_in(index) == count
    assert found(index, f'"number {count - 1}"') == [str(count - 1)]
