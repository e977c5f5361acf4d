"""Damaged rows in an intact file: counted, skipped, one warning for each table."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.cli import main
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines, overview

from .pages import CATEGORY, SITE, article, stored_page, texts

URL = f"https://{SITE}/1"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A file of SQLite's, which anybody can change."""
    return str(tmp_path / "memory.sqlite")


@pytest.fixture
def memory(path: str) -> Iterator[Memory]:
    """A memory with three learned and stored pages, a delivered article and a pending one."""
    with closing(Memory(path)) as memory:
        memory.start_run("job")
        for number in (1, 2, 3):
            page = stored_page(number)
            kept, _ = memory.store_and_learn(page, f"page {number}", article(number))
            assert kept is not None
            memory.pages.park(kept)
        memory.sites.save_samples()
        for url in (URL, f"{URL}/pending"):
            memory.deliveries.add_pending(url, url, f"hash of {url}", texts(url))
        memory.mark_delivered(URL, None)
        yield memory


def damage(path: str, table: str, column: str, value: str, where: str = "1") -> None:
    """Write what no program of ours writes; `value` is SQL."""
    with closing(sqlite3.connect(path)) as database, database:
        changed = database.execute(f"UPDATE {table} SET {column} = {value} WHERE {where}")
        assert changed.rowcount > 0


#: A text that is not UTF-8, as SQL.
NOT_UTF8 = "CAST(x'66ff66' AS TEXT)"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("keys", "x'010203'"),
        ("facts", "x'010203'"),
        ("seen", "1e300"),
        ("seen", "-1.0"),
    ],
)
def test_a_damaged_page_is_not_a_neighbor(
    memory: Memory, path: str, column: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(path, "page", column, value, "name = 'page 2'")
    with closing(Memory(path)) as later:
        names = later.sites.neighborhood(SITE).names
        assert names == [page.name for page in later.sites.learned_pages()] == ["page 1", "page 3"]
        assert sum(row.pages for row in overview(later)) == 2
        assert list(export_lines(later))
        assert later.database.damaged.counts == {"page": 1}
        later.sites.learn(SITE, CATEGORY, "page 4", article(4))
    assert caplog.text.count("damaged rows in the table page") == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("body", "x'789c00'"),
        ("body", "substr(body, 1, length(body) - 5)"),
        ("origin", "x'00'"),
    ],
)
def test_a_damaged_stored_page_says_so(memory: Memory, path: str, column: str, value: str) -> None:
    damage(path, "stored_page", column, value, "number = 1")
    with pytest.raises(ValueError, match="damaged"):
        memory.pages.get(1)
    assert memory.database.damaged.counts == {"stored_page": 1}
    assert memory.pages.get(2) == stored_page(2)


@pytest.mark.parametrize("table", ["article", "pending_delivery"])
def test_an_article_whose_body_is_damaged_is_still_known_by_its_hash(
    memory: Memory, path: str, table: str
) -> None:
    damage(path, table, "body", "x'010203'")
    url = URL if table == "article" else f"{URL}/pending"
    assert memory.deliveries.add_pending(url, url, f"hash of {url}", texts(url)) is None
    assert memory.database.damaged.counts == {table: 1}
    assert memory.deliveries.add_pending(url, url, "other", texts("changed")) == (url, 2)


@pytest.mark.parametrize(
    ("table", "column", "value", "counted"),
    [
        ("run", "outputs", "'{1'", 1),
        ("run", "job", NOT_UTF8, 0),
        ("pending_delivery", "url", NOT_UTF8, 0),
        ("pending_delivery", "content_hash", NOT_UTF8, 0),
        ("stored_page", "site", NOT_UTF8, 0),
    ],
)
def test_a_run_starts_over_what_a_damaged_one_has_left(
    memory: Memory, path: str, table: str, column: str, value: str, counted: int
) -> None:
    memory.close()
    damage(path, table, column, value)
    with closing(Memory(path)) as later:
        later.start_run("job", ["/out.jsonl"], lambda _, pending: {x for x in pending if x[1][0]})
        assert later.database.damaged.counts == ({table: 1} if counted else {})


def test_a_text_that_is_not_utf8_is_a_text_that_nobody_looks_for(memory: Memory, path: str) -> None:
    damage(path, "page", "name", NOT_UTF8, "name = 'page 2'")
    with closing(Memory(path)) as later:
        names = later.sites.neighborhood(SITE).names
        assert names == ["page 1", "f\N{REPLACEMENT CHARACTER}f", "page 3"]
        later.sites.learn(SITE, CATEGORY, "page 4", article(4))


def test_a_memory_with_damaged_rows_is_listed_and_they_are_counted(
    memory: Memory, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(path, "page", "keys", "x'01'", "name = 'page 2'")
    memory.close()
    assert main(["memory", "--memory", path, "list"]) == 0
    shown = capsys.readouterr().out
    assert SITE in shown
    assert "damaged rows skipped in the table page: 1" in shown
    arguments: list[list[str]] = [["show", SITE], ["export", str(Path(path).parent / "x")]]
    for action in [*arguments, ["forget", SITE, "--articles"]]:
        assert main(["memory", "--memory", path, *action]) == 0


def test_a_command_that_cannot_write_the_memory_says_so(
    memory: Memory, path: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    memory.close()
    connect = sqlite3.connect

    def connect_read_only(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.execute("PRAGMA query_only = 1")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_read_only)
    assert main(["memory", "--memory", path, "forget", SITE]) == 3
    told = capsys.readouterr().err
    assert told.startswith(f"newsclean: cannot use the memory file {path}: attempt to write")
    assert len(told.splitlines()) == 1
