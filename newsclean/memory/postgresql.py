"""The database of a memory in PostgreSQL, shared by processes on several machines.

A lost connection is opened again, and interrupted work is repeated.
"""

from __future__ import annotations

import logging
import socket
import time
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.string import StrDumper

from newsclean.files import StorageError
from newsclean.memory.database import (
    MAX_BUSY_SECONDS,
    DamagedRows,
    MemoryFileError,
    NoMemoryError,
    hide_password,
    storable_text,
    without_password,
)
from newsclean.memory.postgresql_locks import (
    MAX_SILENCE,
    DomainLocks,
    RunSession,
    begin_statement,
    clock,
    seconds_since,
)
from newsclean.memory.postgresql_schema import SCHEMA, has_tables, make_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds for which an unreachable server is tried again: when a memory is opened, and later.
OPENING_PATIENCE = 10.0
PATIENCE = 60.0
#: Seconds between two tries, at first and at most.
_FIRST_PAUSE, _MAX_PAUSE = 0.1, 2.0
#: Maximum tries after lost connections and conflicts with other transactions.
_MAX_TRIES = 10
#: Seconds between two checks whether a transaction was committed.
_STATUS_PAUSE = 0.1

#: Both sides notice within a minute that the other machine is gone.
_KEEPALIVES = {"idle": 30, "interval": 10, "count": 3}
#: Milliseconds; keepalives do not help while sent data is not acknowledged.
_UNANSWERED = 60_000
OPTIONS: dict[str, Any] = {
    "application_name": "newsclean",
    "client_encoding": "UTF8",
    "connect_timeout": 30,  # a busy server is slow to answer
    "keepalives": 1,
    **{f"keepalives_{name}": value for name, value in _KEEPALIVES.items()},
    "tcp_user_timeout": _UNANSWERED,
}
_SETTINGS = {
    "search_path": SCHEMA,
    # Wait for other processes no longer than with SQLite. A process that is suspended in a
    # transaction blocks others for half of that time; it repeats the transaction later.
    "lock_timeout": int(1000 * MAX_BUSY_SECONDS),
    "idle_in_transaction_session_timeout": int(500 * MAX_BUSY_SECONDS),
    **{f"tcp_keepalives_{name}": value for name, value in _KEEPALIVES.items()},
    "tcp_user_timeout": _UNANSWERED,
}

#: Errors of a statement, not of the database.
_STATEMENT_ERRORS = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.NotSupportedError,
    psycopg.ProgrammingError,
    psycopg.errors.ProgramLimitExceeded,
)
#: Exceptions to these: errors of the database.
_RIGHTS_ERRORS = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.UndefinedTable,
    psycopg.errors.InvalidSchemaName,
)
#: Errors of a transaction that the server has rolled back in favor of another.
_CONFLICTS = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

_REMEDY = (
    "check that the server runs, can be reached, has free space and lets this user write, and "
    "start the crawl again: it completes what is left"
)


class TextDumper(StrDumper):
    """Replace what PostgreSQL refuses in texts."""

    def dump(self, obj: str) -> Any:
        return super().dump(storable_text(obj))


class InterruptedTransactionError(StorageError):
    """A transaction that was not committed: connection lost, or conflict with another one."""


class PostgresqlDatabase:
    """One session, which the threads of this process use in turn.

    The session holds the locks of its run and domains. A lost session is opened again, and takes
    these locks again before anything else.
    """

    def __init__(self, address: str, host: str | None = None, *, make: bool = True) -> None:
        self.path = without_password(address)
        self.host: str | None = host or socket.gethostname()
        self.lock = RLock()
        self.damaged = DamagedRows(self.path)
        self._address = address
        self._patience = OPENING_PATIENCE
        self._in_transaction = False
        #: the run of this process, and one that the current transaction adds
        self._run: RunSession | None = None
        self._new_run: RunSession | None = None
        self._domains = DomainLocks()
        #: when the server last answered
        self._heard = clock()

        def begin(session: psycopg.Connection) -> None:
            if not make and not has_tables(session):
                raise NoMemoryError(f"there is no memory at {self.path}")
            make_tables(session, self.path)

        try:
            self._session = _open_patiently(address, self.path, self._patience, begin)
        except psycopg.Error as error:
            raise _opening_error(error, address, self.path) from None
        self._patience = PATIENCE

    def atomically(self, work: Callable[[], T], site: str | None = None) -> T:
        with self.lock:
            for left in reversed(range(_MAX_TRIES)):
                try:
                    with self._transaction(site):
                        result = work()
                except InterruptedTransactionError:
                    if self._in_transaction or not left:
                        raise
                else:
                    return result
        raise AssertionError("the last try returns or raises")

    def transaction(self) -> Any:
        return self._transaction(None)

    @contextmanager
    def _transaction(self, site: str | None) -> Iterator[None]:
        with self.lock:
            if self._in_transaction:  # ours: other threads wait for the lock
                yield
                return
            number = self._begin(site)
            self._in_transaction = True
            try:
                yield
            except BaseException:
                with suppress(psycopg.Error):
                    self._session.execute("ROLLBACK")
                raise
            else:
                self._commit(number)
                self._adopt_new_run()
            finally:
                self._in_transaction = False
                self._new_run = None

    def _begin(self, site: str | None) -> str:
        """Begin a transaction, and return the number by which the server knows it."""

        def begin() -> str:
            cursor = self._session.execute(begin_statement(site).encode())
            cursor.nextset()
            row = cursor.fetchone()
            assert row is not None
            return str(row[0])

        return self._again_if_lost(begin)

    def _commit(self, number: str) -> None:
        try:
            self._session.execute("COMMIT")
        except psycopg.Error as error:
            if not _is_lost(self._session, error):
                raise self._error(error) from error
            if not self._was_committed(number):
                raise InterruptedTransactionError(self._message(error)) from error
            if self._new_run is not None:
                self._new_run.take_again(self._session, self.path)

    def _was_committed(self, number: str) -> bool:
        """Tell whether a transaction was committed although its connection was lost."""
        self._in_transaction = False
        while True:
            ((status,),) = self.query("SELECT pg_xact_status(CAST(? AS xid8))", (number,))
            if status != "in progress":
                return bool(status == "committed")
            time.sleep(_STATUS_PAUSE)

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.lock:
            return self._again_if_lost(
                lambda: self._session.execute(_statement(sql), values).fetchall()
            )

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        with self.lock:
            return self._again_if_lost(
                lambda: self._session.execute(_statement(sql), values).rowcount
            )

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        every = list(rows)
        if len(every) == 1:
            self.execute(sql, every[0])
        elif every:
            self.atomically(lambda: self._execute_many(sql, every))

    def _execute_many(self, sql: str, rows: list[Sequence[Any]]) -> None:
        def write() -> None:
            with self._session.cursor() as cursor:
                cursor.executemany(_statement(sql), rows)

        self._again_if_lost(write)

    def _again_if_lost(self, action: Callable[[], T]) -> T:
        """Do something, and repeat it if it is interrupted.

        Inside a transaction, raise `InterruptedTransactionError` to repeat all of it.
        """
        for left in reversed(range(_MAX_TRIES)):
            asked = clock()
            try:
                result = action()
            except psycopg.Error as error:
                lost = _is_lost(self._session, error)
                if not lost and not isinstance(error, _CONFLICTS):
                    raise self._error(error) from error
                if self._in_transaction or not left:
                    raise InterruptedTransactionError(self._message(error)) from error
                if lost:
                    self._open_again(error)
            else:
                self._heard = asked
                return result
        raise AssertionError("the last try returns or raises")

    def _open_again(self, lost: psycopg.Error) -> None:
        def begin(session: psycopg.Connection) -> None:
            if self._run is not None:
                self._run.take_again(session, self.path)
            self._domains.take_again(session, self.path)

        self._session.close()
        try:
            self._session = _open_patiently(self._address, self.path, self._patience, begin)
        except psycopg.Error as error:
            self._patience = 0.0  # the next caller need not wait as well
            raise StorageError(self._message(error)) from lost
        self._patience = PATIENCE

    def _error(self, error: psycopg.Error) -> Exception:
        """Return an error of a statement unchanged, any other as the one that ends a crawl."""
        if isinstance(error, _STATEMENT_ERRORS) and not isinstance(error, _RIGHTS_ERRORS):
            return error
        return StorageError(self._message(error))

    def _message(self, error: psycopg.Error) -> str:
        return f"cannot use the memory {self.path}: {reason(error, self._address)}; {_REMEDY}"

    def check_writable(self) -> None:
        self.atomically(
            lambda: self.execute("UPDATE fact SET value = value WHERE name = 'version'")
        )

    def size(self) -> int:
        rows = self.query(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r'",
            (SCHEMA,),
        )
        return int(rows[0][0])

    def lock_run(self, run: int) -> None:
        new = RunSession(run, self._look_after_session)
        self.execute("UPDATE run SET process = ? WHERE id = ?", (new.process, run))
        self._again_if_lost(lambda: new.take(self._session))
        self._new_run = new

    def lock_domains(self, domains: Sequence[str]) -> str | None:
        with self.lock:
            return self._again_if_lost(lambda: self._domains.take(self._session, domains))

    def check_held(self) -> None:
        if self._run is not None and seconds_since(self._heard) > MAX_SILENCE:
            self.query("SELECT 1")

    def _adopt_new_run(self) -> None:
        """Make the added run the current one, and check its session when there is no work."""
        if self._new_run is not None:
            if self._run is not None:
                self._run.stop()
            self._run = self._new_run
            self._run.start()

    def _look_after_session(self) -> None:
        with suppress(StorageError), self.lock:  # the next user of the memory reports it
            if self._run is None:  # closed while this thread waited for the lock
                return
            if not self._session.closed or self._patience:
                self.query("SELECT 1")

    def is_run_alive(self, run: int) -> bool:
        return bool(self.query(RunSession.IS_LOCKED, (run,)))

    def is_run_gone(self, run: int, *, wait: bool) -> bool:
        return RunSession.is_gone(self, run, wait=wait)

    def end_run(self, run: int) -> None:
        self.execute("UPDATE run SET ended = true WHERE id = ?", (run,))

    def close(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.stop()
        with self.lock:
            try:
                if run is not None and not self._session.closed:
                    self.end_run(run.number)
                    run.release(self._session)
            finally:
                self._session.close()


def _statement(sql: str) -> bytes:
    """Return a statement with the placeholders of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _open_session(address: str) -> psycopg.Connection:
    given = conninfo_to_dict(address)
    options = {name: value for name, value in OPTIONS.items() if name not in given}
    session = psycopg.connect(make_conninfo(address, **options), autocommit=True)
    try:
        session.adapters.register_dumper(str, TextDumper)
        settings = "; ".join(f"SET {name} = {value}" for name, value in _SETTINGS.items())
        session.execute(settings.encode())
    except BaseException:
        session.close()
        raise
    return session


def _open_patiently(
    address: str, path: str, patience: float, begin: Callable[[psycopg.Connection], None]
) -> psycopg.Connection:
    """Open a session and call `begin` with it; try for `patience` seconds, then raise the error."""
    started, pause, is_told = time.monotonic(), _FIRST_PAUSE, False
    while True:
        try:
            session = _open_session(address)
            try:
                begin(session)
            except BaseException:
                session.close()
                raise
        except psycopg.OperationalError as error:
            if time.monotonic() + pause > started + patience or _is_final(error):
                raise
            if not is_told:
                logger.warning(
                    "Cannot reach %s (%s): retrying for %.0f seconds",
                    path,
                    reason(error, address),
                    patience,
                )
                is_told = True
            time.sleep(pause)
            pause = min(2 * pause, _MAX_PAUSE)
        else:
            if is_told:
                logger.warning("Reached %s again", path)
            return session


def _is_final(error: psycopg.OperationalError) -> bool:
    """Tell whether another try would fail as well, because the server refuses the connection."""
    text = str(error)
    words = ("authentication failed", "does not exist", "no pg_hba.conf entry", "not permitted")
    return any(word in text for word in words)


def _is_lost(session: psycopg.Connection, error: psycopg.Error) -> bool:
    """Tell whether an error has ended the session."""
    return session.closed or isinstance(error, psycopg.InterfaceError)


def reason(error: Exception, address: str) -> str:
    """Return the first line of an error message, without the password."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return hide_password(lines[0] if lines else type(error).__name__, address)


def _opening_error(error: psycopg.Error, address: str, path: str) -> MemoryFileError:
    return MemoryFileError(f"cannot open the memory {path}: {reason(error, address)}")
