"""What is a memory's in PostgreSQL alone: lost connections, locks, other machines, its tables."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from newsclean.memory import Memory, MemoryFileError, postgresql_locks
from newsclean.memory import postgresql as module
from newsclean.memory.article_table import ArticleRow, ArticleTable
from newsclean.memory.postgresql import PostgresqlDatabase
from newsclean.memory.postgresql_schema import SCHEMA_LOCK, VERSION, make_tables
from newsclean.storage import StorageError
from tests.servers.postgresql import PostgresqlServer

from .conftest import Remember
from .pages import CATEGORY, MENU, SITE, article, keys, stored_page, texts

URL = f"https://{SITE}/1"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def kind() -> str:
    return "postgresql"


def cut(address: str) -> None:
    """End all other sessions of a database, as a broken network does."""
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def rows(address: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as session:
        return session.execute(sql.encode()).fetchall()


def test_a_memory_goes_on_after_its_connection_was_cut(path: str, remember: Remember) -> None:
    memory = remember(path)
    memory.start_run("job")
    for number in range(3):
        cut(path)
        memory.store_and_learn(stored_page(number), f"page {number}", article(number))
    cut(path)
    assert memory.sites.support_for(SITE, CATEGORY, "other", keys(MENU[0]), 3).texts == [3]
    assert rows(path, "SELECT count(*) FROM newsclean.stored_page") == [(3,)]
    assert rows(path, "SELECT count(*) FROM newsclean.page") == [(3,)]


def test_work_that_is_cut_in_its_midst_is_done_again_and_once(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(path)
    memory.start_run("job")
    delete = memory.sites._delete_outside_window
    cuts = iter([True, True, False])

    def delete_after_cut(*arguments: str) -> None:
        if next(cuts):
            cut(path)
        delete(*arguments)

    monkeypatch.setattr(memory.sites, "_delete_outside_window", delete_after_cut)
    number, _ = memory.store_and_learn(stored_page(1), "page 1", article(1))
    assert memory.pages.counts() == {(SITE, CATEGORY): 1}
    assert number is not None
    assert memory.pages.get(number) == stored_page(1)
    assert memory.sites.neighborhood(SITE).names == ["page 1"]
    assert memory.sites.neighborhood(SITE).count(int(keys(MENU[0]).texts[0])) == 1


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_cut_at_the_end_of_a_transaction_neither_loses_nor_repeats_it(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch, is_committed: bool
) -> None:
    memory = remember(path)
    database = memory.database
    assert isinstance(database, PostgresqlDatabase)
    memory.start_run("job")
    session, done = database._session, []
    execute = session.execute

    def execute_and_cut(statement: Any, *values: Any) -> Any:
        if statement == "COMMIT":
            if is_committed:
                execute(statement)
            cut(path)
        return execute(statement, *values)

    monkeypatch.setattr(session, "execute", execute_and_cut)

    def work() -> int:
        done.append(1)
        ((number,),) = database.query(
            "INSERT INTO run (job, started) VALUES ('extra', 1.0) RETURNING id"
        )
        return int(number)

    number = database.atomically(work)
    assert rows(path, "SELECT id FROM newsclean.run WHERE job = 'extra'") == [(number,)]
    assert len(done) == (1 if is_committed else 2)


@pytest.mark.parametrize("statement", ["UPDATE run SET process", "COMMIT"])
def test_a_run_starts_though_its_connection_is_cut_meanwhile(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    memory = remember(path)
    database = memory.database
    assert isinstance(database, PostgresqlDatabase)
    execute = database._session.execute

    def execute_and_cut(sql: Any, *values: Any) -> Any:
        if statement in (sql if isinstance(sql, str) else sql.decode()):
            cut(path)
        return execute(sql, *values)

    monkeypatch.setattr(database._session, "execute", execute_and_cut)
    memory.start_run("job")
    assert rows(path, "SELECT id FROM newsclean.run") == [(memory.runs.current,)]
    assert database.is_run_alive(memory.runs.current)
    cut(path)
    assert memory.pages.parked() == {}
    assert database.is_run_alive(memory.runs.current)


def test_a_server_that_is_started_again_costs_nothing(
    path: str, remember: Remember, postgresql_server: PostgresqlServer
) -> None:
    memory, other = remember(path), remember(path)
    memory.start_run("job")
    number, _ = memory.store_and_learn(stored_page(1), "page 1", article(1))
    memory.deliveries.add_pending(URL, URL, "hash", texts("x"))
    postgresql_server.restart()
    other.start_run("job")  # waits for what is cut and alive
    assert other.pages.parked() == {}
    memory.mark_delivered(URL, number)
    assert memory.pages.counts() == {}
    assert other.deliveries.add_pending(URL, URL, "hash", texts("x")) is None


def test_a_server_that_stays_away_is_one_clear_error(
    path: str,
    remember: Remember,
    postgresql_server: PostgresqlServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    memory = remember(path)
    monkeypatch.setattr(module, "PATIENCE", 1.0)
    memory.database._patience = 1.0  # type: ignore[attr-defined]
    postgresql_server.stop()
    try:
        for _ in range(2):
            with pytest.raises(StorageError, match=r"cannot use the memory .* start the crawl"):
                memory.store_and_learn(stored_page(1), "page 1", article(1))
    finally:
        postgresql_server.start()
    assert caplog.text.count("cannot be reached") == 1
    memory.store_and_learn(stored_page(1), "page 1", article(1))
    assert memory.pages.counts() == {(SITE, CATEGORY): 1}


def test_a_run_that_was_away_for_too_long_does_not_go_on(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_locks, "GRACE", 0.0)
    monkeypatch.setattr(postgresql_locks, "LOOK_EVERY", 3600.0)
    slow, other = remember(path), remember(path)
    slow.start_run("job")
    slow.store_and_learn(stored_page(1), "page 1", article(1))
    cut(path)
    other.start_run("job")
    assert len(other.pages.parked()) == 1
    with pytest.raises(StorageError, match="another one has taken over"):
        slow.deliveries.add_pending(URL, URL, "hash", texts("x"))
    assert other.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)
    with pytest.raises(StorageError, match="another one has taken over"):
        slow.close()


def test_an_idle_run_takes_its_lock_again(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_locks, "LOOK_EVERY", 0.05)
    idle, other = remember(path), remember(path)
    idle.start_run("job")
    idle.store_and_learn(stored_page(1), "page 1", article(1))
    cut(path)
    other.start_run("job")  # waits until it has come back
    assert other.pages.parked() == {}
    assert other.database.is_run_alive(idle.runs.current)


@pytest.fixture
def two(path: str, remember: Remember) -> tuple[Memory, Memory]:
    return remember(path), remember(path)


def test_a_site_is_written_by_one_at_a_time_and_others_meanwhile(
    two: tuple[Memory, Memory],
) -> None:
    one, other = two
    is_inside, may_end = threading.Event(), threading.Event()
    order = []

    def hold() -> None:
        is_inside.set()
        may_end.wait(60)
        order.append("held")

    holding = threading.Thread(target=one.database.atomically, args=(hold, f"www.{SITE}"))
    holding.start()
    assert is_inside.wait(60)
    other.database.atomically(lambda: order.append("other site"), "example.net")
    waiting = threading.Thread(
        target=other.database.atomically, args=(lambda: order.append("same site"), SITE)
    )
    waiting.start()
    waiting.join(0.3)
    may_end.set()
    holding.join(60)
    waiting.join(60)
    assert order == ["other site", "held", "same site"]


def test_two_processes_agree_on_what_is_new(path: str) -> None:
    """Each offers the same articles, in another order; each is accepted once."""
    script = """
import sys
from newsclean.memory import Memory
from tests.memory.pages import texts

memory = Memory(sys.argv[1])
memory.start_run(sys.argv[2])
for number in range(60)[:: int(sys.argv[3])]:
    url = f"https://example.org/{number}"
    if memory.deliveries.add_pending(url, url, f"hash {number}", texts(f"{number}")):
        print(number)
        memory.mark_delivered(url, None)
memory.close()
"""
    command = [sys.executable, "-c", script, path]
    with ExitStack() as stack:
        runs = [
            stack.enter_context(
                subprocess.Popen([*command, job, step], cwd=ROOT, stdout=subprocess.PIPE, text=True)
            )
            for job, step in (("one", "1"), ("two", "-1"))
        ]
        told = [run.communicate(timeout=120)[0].split() for run in runs]
    assert sorted(map(int, told[0] + told[1])) == list(range(60))


def test_neighborhoods_see_what_other_processes_learn(two: tuple[Memory, Memory]) -> None:
    one, other = two
    one.sites.learn(SITE, CATEGORY, "page 0", article(0))
    for number in range(1, 5):
        other.sites.learn(SITE, CATEGORY, f"page {number}", article(number))
    known = one.sites.support_for(SITE, CATEGORY, "asked", keys(MENU[0]), 3)
    assert (known.count, known.texts.tolist()) == (5, [5])
    other.forget(SITE)
    assert one.sites.support_for(SITE, CATEGORY, "asked", keys(MENU[0]), 3).count == 0


def test_a_page_that_is_imported_anew_is_the_newest(two: tuple[Memory, Memory]) -> None:
    memory, _ = two
    for number in range(3):
        memory.sites.learn(SITE, CATEGORY, f"page {number}", article(number))
    oldest, *_ = memory.sites.learned_pages()
    memory.sites.add_pages([oldest._replace(seen=oldest.seen + 1e6)], {})
    assert [page.name for page in memory.sites.learned_pages()][-1] == "page 0"


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


def test_a_memory_that_is_closed_is_not_opened_again_by_who_looks_after_it(path: str) -> None:
    memory = Memory(path)
    memory.start_run("job")
    assert isinstance(memory.database, PostgresqlDatabase)
    memory.close()
    memory.database._look_after_session()  # it had waited for the lock
    assert memory.database._session.closed


def end(path: str, host: str, *outputs: str, table: str = "") -> Memory:
    """A run on a machine that has ended with a page stored and its article pending."""
    with closing(Memory(path, host=host)) as memory:
        if table:
            memory.articles = ArticleTable(memory.database, table)
        memory.start_run("job", outputs)
        memory.store_and_learn(stored_page(1), URL, article(1))
        memory.store_and_learn(stored_page(2), f"{URL}/2", article(2))
        memory.deliveries.add_pending(URL, URL, "hash", texts("x"))
    return memory


def test_what_is_pending_is_settled_on_the_machine_of_its_output(
    path: str, remember: Remember
) -> None:
    end(path, "north", "/out.jsonl")
    looked = []

    def find(outputs: Any, pending: Any) -> Any:
        looked.append(list(outputs))
        return set()

    south = remember(path, host="south")
    south.start_run("job", ["/out.jsonl"], find, [SITE])
    assert looked == []
    assert list(south.pages.parked().values()) == [stored_page(2).url]
    assert south.deliveries.add_pending(URL, URL, "hash", texts("x")) is None
    north = remember(path, host="north")
    north.start_run("job", ["/out.jsonl"], find, [SITE])
    assert looked == [["/out.jsonl"]]
    assert list(north.pages.parked().values()) == [URL]
    assert north.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)


def test_what_was_pending_for_a_table_is_not_in_it_and_any_machine_knows(
    path: str, remember: Remember
) -> None:
    end(path, "north", "/out.jsonl", table="articles")
    south = remember(path, host="south")
    south.start_run("job", [], lambda outputs, pending: pending)
    assert len(south.pages.parked()) == 2
    assert south.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)


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


def test_tables_of_a_newer_version_and_those_of_others_are_refused(path: str) -> None:
    Memory(path).close()
    newer = f"UPDATE newsclean.fact SET value = '{VERSION + 1}' WHERE name = 'version'"
    for statements, words in (
        ([newer], "newer newsclean"),
        (["DROP TABLE newsclean.fact"], "not a memory"),
    ):
        with psycopg.connect(path) as session:
            for statement in statements:
                session.execute(statement.encode())
        with pytest.raises(MemoryFileError, match=words):
            Memory(path)


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
