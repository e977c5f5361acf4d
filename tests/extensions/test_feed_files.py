"""Output files: lines after a kill, CSV."""

import csv
import json
import os
import resource
import signal
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.settings import Settings

from newsclean.article import Article
from newsclean.extensions.feed_files import (
    ArticleCsvExporter,
    LineByLineStorage,
    delivered_in,
    merge_feeds,
    repair_last_line,
    why_not_writable,
)
from newsclean.files import AtomicWriteFile


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (b'{"a": 1}\n', b'{"a": 1}\n'),
        (b'{"a": 1}\n{"b": "half a li', b'{"a": 1}\n'),
        (b'{"half a li', b""),
        (b'{"a": 1}\n{"b": 2}', b'{"a": 1}\n{"b": 2}\n'),
    ],
)
def test_half_a_line_is_cut_off_and_whole_lines_stay(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_bytes(before)
    repair_last_line(file)
    assert file.read_bytes() == after


def test_a_long_half_line_is_cut_off_whole(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_bytes(b'{"a": 1}\n{"b": "' + b"x" * 200_000)
    repair_last_line(file)
    assert file.read_bytes() == b'{"a": 1}\n'


def test_a_missing_file_needs_no_mending(tmp_path: Path) -> None:
    repair_last_line(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_articles_are_found_in_the_output_by_url_and_content(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_text('{"url": "a", "content_hash": "1"}\n{"url": "b", "content_hash": "1"}\n{bro')
    asked = {("a", "1", 1), ("a", "2", 1), ("c", "1", 1)}
    assert delivered_in([file, tmp_path / "none"], asked) == {("a", "1", 1)}


def test_a_revision_that_only_the_byline_tells_from_the_last_is_found_by_its_number(
    tmp_path: Path,
) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_text('{"url": "a", "content_hash": "1", "revision": 1}\n')
    assert delivered_in([file], {("a", "1", 1)}) == {("a", "1", 1)}
    assert delivered_in([file], {("a", "1", 2)}) == set()


def test_a_write_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    with AtomicWriteFile(file, "ab") as output:
        output.write(b'{"a": 1}\n')
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
        with AtomicWriteFile(file, "ab") as output, pytest.raises(OSError, match="large"):
            output.write(b"x" * 200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert file.read_bytes() == b'{"a": 1}\n'


LINES = {"format": "jsonlines", "overwrite": False}


def merged(feeds: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    settings = Settings()
    settings.set("FEEDS", feeds, priority="cmdline")
    merge_feeds(settings)
    assert settings.getpriority("FEEDS") == 40
    return settings.getdict("FEEDS")


@pytest.mark.parametrize("spelling", ["./out.jsonl", "{}/out.jsonl", "file://{}/out.jsonl", "link"])
def test_the_feeds_of_a_file_are_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    spelling: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("out.jsonl")
    uri = spelling.format(tmp_path)
    assert merged({uri: {"format": "jsonlines"}, "out.jsonl": LINES}) == {"out.jsonl": LINES}
    assert caplog.text == ""
    overwriting = {uri: {"format": "jsonlines", "overwrite": True}, "out.jsonl": LINES}
    assert merged(overwriting) == {"out.jsonl": LINES}
    assert f"{uri} and out.jsonl are the same file" in caplog.text


def test_feeds_of_other_files_places_and_items_stay_apart() -> None:
    feeds: dict[str, dict[str, object]] = {
        "a.jsonl": LINES,
        "b.jsonl": LINES,
        "s3://bucket/a.jsonl": LINES,
        "stdout:": LINES,
        "./a.jsonl": LINES | {"item_classes": ["some.Item"]},
    }
    assert merged(feeds) == feeds


def test_a_pipe_that_nobody_reads_yet_counts_as_writable(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert why_not_writable(tmp_path / "pipe") is None
    assert why_not_writable(tmp_path) == "Is a directory"
    assert why_not_writable(tmp_path / "new" / "file") is None
    assert list(tmp_path.iterdir()) == [tmp_path / "pipe"]


def test_half_a_line_of_another_process_between_two_lines_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "articles.jsonl"
    storage = LineByLineStorage(str(path), feed_options={"format": "jsonlines"})
    with storage.open(Spider("news")) as file:
        file.write(b'{"a": 1}\n')
        file.write(b'{"a": 2}\n')
        with path.open("ab") as other:
            other.write(b'{"b": "half a li')
        file.write(b'{"a": 3}\n')
    assert path.read_bytes() == b'{"a": 1}\n{"a": 2}\n{"a": 3}\n'


def export(path: Path, article: Article) -> None:
    with path.open("ab") as file:
        exporter = ArticleCsvExporter(file)
        exporter.start_exporting()
        exporter.export_item(article)
        exporter.finish_exporting()


def test_columns_are_those_of_an_article_and_come_once(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    export(path, Article(url="a", authors=["Ann Lee", "Bo, Jr."], body="One.\n\nTwo"))
    export(path, Article(url="b", extraction={"score": 1}))
    with path.open(newline="", encoding="utf-8") as file:
        head, first, second = csv.reader(file)
    assert head == [field.name for field in fields(Article)]
    one, two = dict(zip(head, first, strict=True)), dict(zip(head, second, strict=True))
    assert (one["url"], one["body"], two["url"]) == ("a", "One.\n\nTwo", "b")
    assert json.loads(one["authors"]) == ["Ann Lee", "Bo, Jr."]
    assert json.loads(two["extraction"]) == {"score": 1}


@pytest.mark.parametrize("start", [*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_cell_is_a_formula_for_a_spreadsheet(tmp_path: Path, start: str) -> None:
    path = tmp_path / "articles.csv"
    formula = f'{start}HYPERLINK("https://example.org/";"Rain")'
    export(path, Article(headline=formula, authors=[formula], body=formula))
    with path.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["headline"], row["body"]) == (f"'{formula}", f"'{formula}")
    assert json.loads(row["authors"]) == [formula]
    assert not any(cell.startswith(start) for cell in row.values())


def test_numbers_and_other_texts_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    texts: dict[str, Any] = {
        "headline": "-5",
        "kicker": "+12.5",
        "section": "It's = 3",
        "url": "https://a.b/=c",
    }
    export(path, Article(**texts, article_probability=-0.5, revision=-1, body="a\n=b"))
    with path.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert {name: row[name] for name in texts} == texts
    assert (row["article_probability"], row["revision"], row["body"]) == ("-0.5", "-1", "a\n=b")


def test_a_file_to_which_is_appended_keeps_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "articles.csv"
    path.write_bytes(b"headline,url\r\nRain,a\r\n")
    export(path, Article(url="b", headline="Snow"))
    assert path.read_bytes() == b"headline,url\r\nRain,a\r\nSnow,b\r\n"
