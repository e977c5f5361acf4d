"""Parquet feeds, read by DuckDB and pandas: complete or absent, whatever happens."""

import io
import json
import os
import resource
import signal
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from scrapy import Spider

from newsclean.article import Article, MarkdownArticle
from newsclean.extensions.feed_files import LineByLineStorage, delivered_in, why_not_parquet
from newsclean.extensions.parquet_files import ParquetExporter
from newsclean.files import StorageError

from .conftest import MakeCrawl

PARQUET = {"format": "parquet"}


class Feed:
    """A Parquet feed, as Scrapy opens and closes it."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.storage = LineByLineStorage(str(path), feed_options=PARQUET | options)
        self.file = self.storage.open(Spider("news"))
        self.exporter = ParquetExporter(self.file)

    def write(self, *items: Any) -> "Feed":
        for item in items:
            self.exporter.export_item(item)
        return self

    def close(self) -> None:
        self.exporter.finish_exporting()
        self.storage.store(self.file)


def article(number: int, **values: Any) -> Article:
    url = f"https://example.org/{number}"
    return Article(id=f"{number:032x}", url=url, content_hash=f"hash {number}", **values)


def rows(path: Path, query: str = "SELECT * FROM file") -> list[tuple[Any, ...]]:
    with duckdb.connect() as database:
        return database.sql(query.replace("file", f"'{path}'")).fetchall()


def test_duckdb_and_pandas_read_the_fields_of_an_article_in_their_types(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    image = {"url": "a.jpg", "caption": None, "credit": None, "width": 7, "height": 5}
    first = article(1, headline="Rain", authors=["Ann Lee"], free_access=True, revision=2)
    first.images = [{**image, "role": "lead"}]  # type: ignore[typeddict-item]
    first.extraction = {"method": "hybrid", "neighbors": 5}
    Feed(path).write(first, article(2)).close()
    query = "SELECT headline, authors, free_access, revision, images[1].width FROM file"
    assert rows(path, query) == [
        ("Rain", ["Ann Lee"], True, 2, 7),
        (None, [], None, 1, None),
    ]
    assert rows(path, "SELECT CAST(extraction->>'neighbors' AS int) FROM file")[0] == (5,)
    table = pd.read_parquet(path)
    assert list(table) == [field.name for field in fields(Article)]
    assert list(table.revision) == [2, 1]
    assert list(table.authors[0]) == ["Ann Lee"]


def test_the_file_is_not_there_before_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out" / "articles.parquet"
    feed = Feed(path).write(*map(article, range(1200)))
    assert not path.exists()
    feed.close()
    assert rows(path, "SELECT count(*), count(DISTINCT url) FROM file") == [(1200, 1200)]
    assert os.listdir(path.parent) == ["articles.parquet"]


def test_a_second_run_adds_its_rows_and_a_run_without_any_leaves_the_file_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1)).close()
    Feed(path).write(article(2), article(3)).close()
    before = path.stat()
    Feed(path).close()
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert rows(path, "SELECT url[-1] FROM file") == [("1",), ("2",), ("3",)]
    Feed(path, overwrite=True).write(article(4)).close()
    assert rows(path, "SELECT url[-1] FROM file") == [("4",)]


def test_a_run_without_articles_makes_a_file_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).close()
    assert rows(path, "SELECT count(*) FROM file") == [(0,)]
    assert list(pd.read_parquet(path)) == [field.name for field in fields(Article)]


def test_a_column_that_is_new_is_empty_in_the_old_rows(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1)).close()
    Feed(path).write(MarkdownArticle.of(article(2, body_html="<p>Rain</p>"))).close()
    Feed(path).write(article(3)).close()
    assert rows(path, "SELECT url[-1], markdown FROM file") == [
        ("1", None),
        ("2", "Rain"),
        ("3", None),
    ]


def test_what_a_killed_process_has_left_is_neither_read_nor_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1)).close()
    Feed(path).write(*map(article, range(2, 900))).file.close()  # and nothing else: a kill
    assert rows(path, "SELECT count(*) FROM file") == [(1,)]
    Feed(path).write(article(2)).close()
    assert rows(path, "SELECT count(*) FROM file") == [(2,)]


def test_two_crawls_do_not_write_to_one_file_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    first = Feed(path).write(article(1))
    second = Feed(path)
    assert "another crawl is writing to it" in str(second.storage.failure)
    first.close()
    assert rows(path, "SELECT count(*) FROM file") == [(1,)]


def test_a_run_that_has_lost_its_domains_adds_nothing(tmp_path: Path) -> None:
    feed = Feed(tmp_path / "articles.parquet").write(article(1))

    def check() -> None:
        raise StorageError("another run has the domain")

    feed.storage.check = check
    feed.close()
    assert str(feed.storage.failure) == "another run has the domain"
    assert os.listdir(tmp_path) == []


def test_a_disk_that_is_full_leaves_the_old_file_and_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1)).close()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
        feed = Feed(path).write(article(2))
        feed.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert "cannot use the feed" in str(feed.storage.failure)
    assert rows(path, "SELECT count(*) FROM file") == [(1,)]
    assert os.listdir(tmp_path) == ["articles.parquet"]


def test_a_column_of_another_type_is_named_and_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    pd.DataFrame({"url": [1, 2]}).to_parquet(path)
    feed = Feed(path).write(article(1))
    feed.close()
    assert "its column 'url' is int64, not string" in str(feed.storage.failure)
    assert rows(path) == [(1,), (2,)]


@dataclass
class Own:
    title: str
    number: int
    tags: list[str]
    more: dict[str, Any]
    when: Any = None


def test_items_of_a_project_have_the_columns_that_their_class_declares(tmp_path: Path) -> None:
    path = tmp_path / "own.parquet"
    Feed(path).write(Own("Rain", 3, ["a"], {"b": [1]}, 7.5)).close()
    assert rows(path) == [("Rain", 3, ["a"], '{"b": [1]}', "7.5")]


def test_dicts_have_the_columns_of_the_first_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "own.parquet"
    Feed(path).write({"headline": "Rain", "revision": 2, "price": 3}, {"other": 1}).close()
    assert rows(path) == [("Rain", 2, "3"), (None, None, None)]
    assert "no column for the field 'other'" in caplog.text


def test_an_item_that_does_not_fit_is_refused_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "own.parquet"
    feed = Feed(path).write(Own("Rain", 3, [], {}))
    with pytest.raises(ValueError, match="does not fit the columns"):
        feed.write(Own("Snow", "many", [], {}))  # type: ignore[arg-type]
    feed.write(Own("Wind", 5, [], {})).close()
    assert rows(path, "SELECT title FROM file") == [("Rain",), ("Wind",)]


def test_a_feed_has_the_fields_that_it_asks_for_under_their_names(tmp_path: Path) -> None:
    file = io.BytesIO()
    exporter = ParquetExporter(file, fields_to_export={"headline": "title", "revision": "n"})
    exporter.export_item(article(1, headline="Rain"))
    exporter.finish_exporting()
    (tmp_path / "out.parquet").write_bytes(file.getvalue())
    assert rows(tmp_path / "out.parquet", "SELECT title, n + 1 FROM file") == [("Rain", 2)]


def test_without_the_storage_of_newsclean_a_file_that_exists_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1)).close()
    with path.open("ab") as file, pytest.raises(ValueError, match="no rows can be added"):
        ParquetExporter(file)
    assert rows(path, "SELECT count(*) FROM file") == [(1,)]


def test_articles_of_a_dead_run_are_found_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "articles.parquet"
    Feed(path).write(article(1), article(2, revision=3)).close()
    one, two = "https://example.org/1", "https://example.org/2"
    asked = {(one, "hash 1", 1), (two, "hash 2", 2), (two, "hash 2", 3)}
    assert delivered_in([path], asked) == {(one, "hash 1", 1), (two, "hash 2", 3)}


def test_what_cannot_be_a_parquet_file_is_refused_before_the_crawl(
    tmp_path: Path, make_crawl: MakeCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why_not_parquet(tmp_path / "none.parquet") is None
    assert "not a file" in str(why_not_parquet(Path("/dev/null")))
    (tmp_path / "lines.parquet").write_text("{}\n")
    with pytest.raises(Exception, match=r"lines\.parquet: it exists, and is not a Parquet file"):
        make_crawl({"lines.parquet": PARQUET})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Exception, match=r"Parquet needs pyarrow: pip install .*\[parquet\]"):
        make_crawl({"new.parquet": PARQUET})


EXPORTERS = {"parquet": "newsclean.extensions.parquet_files.ParquetExporter"}


def test_articles_are_delivered_when_the_file_is_closed(
    make_crawl: MakeCrawl, tmp_path: Path
) -> None:
    crawl = make_crawl({"out.parquet": PARQUET}, FEED_EXPORTERS=EXPORTERS).start()
    crawl.deliver(crawl.arrive(1))
    assert crawl.stored == 1
    crawl.stop()
    after = make_crawl()
    assert after.stored == 0
    assert not after.start().is_new("https://example.org/1")
    url = "https://example.org/1"
    assert rows(tmp_path / "out.parquet") == [(url, f"hash of {url}")]


def test_a_killed_run_delivers_again_even_if_the_lines_are_written(
    make_crawl: MakeCrawl, tmp_path: Path
) -> None:
    feeds = {"out.parquet": PARQUET, "out.jsonl": {"format": "jsonlines"}}
    killed = make_crawl(feeds, FEED_EXPORTERS=EXPORTERS).start()
    killed.deliver(killed.arrive(1))
    assert json.loads((tmp_path / "out.jsonl").read_text())["url"] == "https://example.org/1"
    killed.memory.close()
    for slot in killed.slots:
        slot.file.close()
    after = make_crawl(feeds, FEED_EXPORTERS=EXPORTERS).start()
    assert after.is_new("https://example.org/1")
    after.stop()


def test_a_run_that_is_killed_after_its_file_is_closed_delivers_nothing_twice(
    make_crawl: MakeCrawl, tmp_path: Path
) -> None:
    killed = make_crawl({"out.parquet": PARQUET}, FEED_EXPORTERS=EXPORTERS).start()
    killed.deliver(killed.arrive(1))
    (slot,) = killed.slots
    slot.finish_exporting()
    slot.storage.store(slot.file)
    killed.memory.close()
    after = make_crawl({"out.parquet": PARQUET}, FEED_EXPORTERS=EXPORTERS).start()
    assert not after.is_new("https://example.org/1")
    after.stop()
    assert len(rows(tmp_path / "out.parquet")) == 1
