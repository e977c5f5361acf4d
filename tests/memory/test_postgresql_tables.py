"""The tables of a memory in PostgreSQL, and the table of articles beside them."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from newsclean.files import StorageError
from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.database import VERSION
from newsclean.memory.postgresql_schema import (
    SCHEMA_LOCK,
    ArticleRow,
    ArticleTable,
    make_tables,
)
from newsclean.memory.sqlite import connect

from .conftest import Remember
from .pages import MENU, SITE, keys, texts
from .sessions import rows

URL = f"https://{SITE}/1"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def kind(postgresql_server: object) -> str:
    return "postgresql"


def row(revision: int = 1, item: str = "{}") -> ArticleRow:
    return ArticleRow("a" * 32, revision, URL, SITE, "Rain", "en", 0.0, item)


def test_a_row_and_its_confirmation_are_written_together_or_not_at_all(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(path)
    memory.articles = ArticleTable(memory.database, "articles")
    memory.articles.make()
    memory.start_run("job")
    memory.deliveries.add_pending(URL, URL, "hash", texts("x"))

    def fail(name: str) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(memory.deliveries, "discard", fail)
        with pytest.raises(OSError, match="killed"):
            memory.mark_delivered(URL, None, row=row())
    assert rows(path, "SELECT * FROM articles") == []
    assert memory.deliveries.counts() == {SITE: 1}
    memory.mark_delivered(URL, None, row=row())
    memory.mark_delivered(URL, None, row=row(item='{"body": "again"}'))
    memory.mark_delivered(URL, None, row=row(2))
    found = rows(path, "SELECT revision, item, published::date::text FROM articles ORDER BY 1")
    assert found == [(1, {"body": "again"}, "1970-01-01"), (2, {}, "1970-01-01")]
    assert memory.deliveries.counts() == {}


@pytest.mark.parametrize("name", ["", "a b", "x;y", 'q"', "newsclean.article", "A"])
def test_a_table_that_cannot_be_named_is_refused(remember: Remember, name: str) -> None:
    with pytest.raises(ValueError, match=r"name of a table|memory's own"):
        ArticleTable(remember().database, name)


def test_tables_of_another_version_and_those_of_others_are_refused(path: str) -> None:
    Memory(path).close()
    newer = f"UPDATE newsclean.fact SET value = '{VERSION + 1}' WHERE name = 'version'"
    for statements, words in (
        ([newer], "use the newsclean that made it"),
        (["DROP TABLE newsclean.fact"], "not a memory"),
    ):
        with psycopg.connect(path) as session:
            for statement in statements:
                session.execute(statement.encode())
        with pytest.raises(MemoryFileError, match=words):
            Memory(path)


#: The types of PostgreSQL for those of SQLite.
TYPES = {"TEXT": "text", "INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"}
#: What only several machines need.
ADDED_COLUMNS = {("run", name) for name in ("process", "missed", "ended")}
ADDED_INDEXES = {"pending_delivery_by_run", "pending_delivery_by_hash"}


def test_both_databases_have_the_same_tables_columns_keys_and_indexes(
    path: str, tmp_path: Path
) -> None:
    Memory(path).close()
    columns = {
        (table, name): (kind, nullable == "NO", collation)
        for table, name, kind, nullable, collation in rows(
            path,
            "SELECT table_name, column_name, data_type, is_nullable, collation_name "
            "FROM information_schema.columns WHERE table_schema = 'newsclean'",
        )
        if (table, name) not in ADDED_COLUMNS
    }
    keys_and_indexes = {
        (table, tuple(names))
        for table, index, names in rows(
            path,
            "SELECT t.relname, i.relname, array(SELECT a.attname::text FROM pg_attribute a "
            "WHERE a.attrelid = i.oid ORDER BY a.attnum) FROM pg_index x "
            "JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid "
            "JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = 'newsclean'",
        )
        if index not in ADDED_INDEXES
    }
    expected, expected_indexes = {}, set()
    with closing(connect(str(tmp_path / "memory.sqlite"))) as sqlite:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for (table,) in sqlite.execute(tables).fetchall():
            found = sqlite.execute(f"PRAGMA table_info('{table}')").fetchall()
            for _, name, kind, not_null, _, key in found:
                collation = "C" if kind == "TEXT" else None
                expected[table, name] = TYPES[kind], bool(not_null or key), collation
            keyed = sorted((key, name) for _, name, *_, key in found if key)
            expected_indexes.add((table, tuple(name for _, name in keyed)))
            for _, index, *_ in sqlite.execute(f"PRAGMA index_list('{table}')").fetchall():
                parts = sqlite.execute(f"PRAGMA index_info('{index}')").fetchall()
                expected_indexes.add((table, tuple(name for *_, name in parts)))
    assert columns == expected
    assert keys_and_indexes == expected_indexes


def test_a_user_who_may_not_write_is_told_so(path: str) -> None:
    Memory(path).close()
    with psycopg.connect(path, autocommit=True) as session:
        session.execute("DROP ROLE IF EXISTS reader")
        session.execute("CREATE ROLE reader LOGIN")
        session.execute("GRANT USAGE ON SCHEMA newsclean TO reader")
        session.execute("GRANT SELECT ON ALL TABLES IN SCHEMA newsclean TO reader")
    with (
        closing(Memory(path.replace("postgres@", "reader@"))) as memory,
        pytest.raises(StorageError, match=r"permission denied .* lets this user write"),
    ):
        memory.database.check_writable()
    with psycopg.connect(path, autocommit=True) as session:
        session.execute("DROP OWNED BY reader")
        session.execute("DROP ROLE reader")


def test_several_processes_make_the_tables_at_once(path: str) -> None:
    script = f"from newsclean.memory import Memory; Memory({path!r}).close()"
    runs = [subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) for _ in range(3)]
    assert [run.wait(120) for run in runs] == [0, 0, 0]


def test_tables_that_another_process_makes_meanwhile_are_ours(path: str) -> None:
    waiters = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with psycopg.connect(path, autocommit=True) as session, ThreadPoolExecutor(1) as executor:
        session.execute(f"SELECT pg_advisory_lock({SCHEMA_LOCK})".encode())
        opening = executor.submit(Memory, path)
        while rows(path, waiters) == [(0,)]:
            time.sleep(0.02)
        make_tables(session, path)
        session.execute("SELECT pg_advisory_unlock_all()")
        opening.result(120).close()


def test_texts_that_postgresql_refuses_are_stored_without_what_it_refuses(
    remember: Remember,
) -> None:
    memory = remember()
    name = f"{URL}/\x00\ud800"
    memory.sites.learn(SITE, "a\x00b", name, keys("a\x00b", *MENU))
    memory.sites.learn(SITE, "a\x00b", "other", keys("a\x00b", *MENU))
    memory.sites.save_samples()
    assert (
        memory.deliveries.add_pending(name, name, "hash", texts("x", headline="\x00")) is not None
    )
    memory.mark_delivered(name, None)
    assert memory.deliveries.add_pending(name, name, "hash", texts("x", headline="\x00")) is None
    assert memory.sites.names() == [SITE]
