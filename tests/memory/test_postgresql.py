"""A memory in PostgreSQL whose connection is lost, or whose server is away."""

from typing import Any

import pytest

from newsclean.files import StorageError
from newsclean.memory import Memory, postgresql_locks
from newsclean.memory import postgresql as module
from newsclean.memory.postgresql import PostgresqlDatabase
from tests.servers.postgresql import PostgresqlServer

from .conftest import Remember
from .pages import CATEGORY, MENU, SITE, article, keys, stored_page, texts
from .sessions import cut, rows

URL = f"https://{SITE}/1"


@pytest.fixture
def kind(postgresql_server: object) -> str:
    return "postgresql"


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
            "INSERT INTO run (job, started, outputs) VALUES ('extra', 1.0, '') RETURNING id"
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
    assert caplog.text.count("Cannot reach") == 1
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
    with pytest.raises(StorageError, match="another run has taken over"):
        slow.deliveries.add_pending(URL, URL, "hash", texts("x"))
    assert other.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)
    with pytest.raises(StorageError, match="another run has taken over"):
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


def test_a_memory_that_is_closed_is_not_opened_again_by_who_looks_after_it(path: str) -> None:
    memory = Memory(path)
    memory.start_run("job")
    assert isinstance(memory.database, PostgresqlDatabase)
    memory.close()
    memory.database._look_after_session()  # it had waited for the lock
    assert memory.database._session.closed
