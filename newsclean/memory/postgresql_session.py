"""A session with a PostgreSQL server: how it is opened, and what its errors mean."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.string import StrDumper

from newsclean.memory.address import hide_password
from newsclean.memory.postgresql_schema import SCHEMA
from newsclean.memory.schema import MAX_BUSY_SECONDS, MemoryFileError
from newsclean.memory.storable import storable_text

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

#: Seconds for which a server that is away is tried again: when a memory is opened, and later.
OPENING_PATIENCE = 10.0
PATIENCE = 60.0
#: Seconds between two tries, at first and at most.
FIRST_PAUSE, MAX_PAUSE = 0.1, 2.0

#: A machine that is gone without a word is noticed within a minute, on both sides.
KEEPALIVES = {"idle": 30, "interval": 10, "count": 3}
#: Milliseconds; keepalives say nothing as long as something that was sent is not acknowledged.
UNANSWERED = 60_000
OPTIONS: dict[str, Any] = {
    "application_name": "newsclean",
    "client_encoding": "UTF8",
    "connect_timeout": 30,  # a busy server answers late
    "keepalives": 1,
    **{f"keepalives_{name}": value for name, value in KEEPALIVES.items()},
    "tcp_user_timeout": UNANSWERED,
}
SETTINGS = {
    "search_path": SCHEMA,
    # Who waits for another process does so for no longer than in SQLite. A process that is stopped
    # in a transaction makes others wait for half of that; it begins the transaction again later.
    "lock_timeout": int(1000 * MAX_BUSY_SECONDS),
    "idle_in_transaction_session_timeout": int(500 * MAX_BUSY_SECONDS),
    **{f"tcp_keepalives_{name}": value for name, value in KEEPALIVES.items()},
    "tcp_user_timeout": UNANSWERED,
}

#: Errors of a statement, not of the database.
STATEMENT_ERRORS = (
    psycopg.DataError,
    psycopg.IntegrityError,
    psycopg.NotSupportedError,
    psycopg.ProgrammingError,
    psycopg.errors.ProgramLimitExceeded,
)
#: But these are.
RIGHTS_ERRORS = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.UndefinedTable,
    psycopg.errors.InvalidSchemaName,
)
#: Transactions that the server gives up so that another may go on.
CONFLICTS = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)


class TextDumper(StrDumper):
    """Texts as PostgreSQL takes them."""

    def dump(self, obj: str) -> Any:
        return super().dump(storable_text(obj))


def open_session(address: str) -> psycopg.Connection:
    """One new session; raises `psycopg.Error`."""
    given = conninfo_to_dict(address)
    options = {name: value for name, value in OPTIONS.items() if name not in given}
    session = psycopg.connect(make_conninfo(address, **options), autocommit=True)
    try:
        session.adapters.register_dumper(str, TextDumper)
        settings = "; ".join(f"SET {name} = {value}" for name, value in SETTINGS.items())
        session.execute(settings.encode())
    except BaseException:
        session.close()
        raise
    return session


def open_patiently(
    address: str, path: str, patience: float, begin: Callable[[psycopg.Connection], None]
) -> psycopg.Connection:
    """A session that has begun; a server that is away is tried again until patience ends.

    Raises the last error then.
    """
    started, pause, is_told = time.monotonic(), FIRST_PAUSE, False
    while True:
        try:
            session = open_session(address)
            try:
                begin(session)
            except BaseException:
                session.close()
                raise
        except psycopg.OperationalError as error:
            if time.monotonic() + pause > started + patience or is_final(error):
                raise
            if not is_told:
                logger.warning(
                    "%s cannot be reached (%s): tried again for %.0f seconds",
                    path,
                    reason(error, address),
                    patience,
                )
                is_told = True
            time.sleep(pause)
            pause = min(2 * pause, MAX_PAUSE)
        else:
            if is_told:
                logger.warning("%s is reached again", path)
            return session


def is_final(error: psycopg.OperationalError) -> bool:
    """Whether another try would fail as well: the server does not want us."""
    text = str(error)
    words = ("authentication failed", "does not exist", "no pg_hba.conf entry", "not permitted")
    return any(word in text for word in words)


def is_lost(session: psycopg.Connection, error: psycopg.Error) -> bool:
    """Whether an error is the end of the session."""
    return session.closed or isinstance(error, psycopg.InterfaceError)


def reason(error: Exception, address: str) -> str:
    """What a library says, in one line and without a password."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return hide_password(lines[0] if lines else type(error).__name__, address)


def opening_error(error: psycopg.Error, address: str, path: str) -> MemoryFileError:
    return MemoryFileError(f"cannot open the memory {path}: {reason(error, address)}")
