"""Locks of PostgreSQL that end with a session: who writes of which site, and which runs live."""

from __future__ import annotations

import time
import zlib
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import psycopg

from newsclean.files import StorageError
from newsclean.memory.process_identity import has_surely_ended, this_process
from newsclean.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.memory.database import Database

#: The first numbers of the locks: of all that is written, of what concerns a site, of a run.
ALL, SITE, RUN = (0x4E434C00 + number for number in range(3))

#: Seconds in which a living run comes back that has lost its session.
GRACE = 15.0
#: Seconds between two looks at one's own session, and at the lock of a run that is missed.
LOOK_EVERY = 2.0
POLL_EVERY = 0.2


def begin_statement(site: str | None) -> str:
    """Begins a transaction that writes what concerns a site, or anything; returns its number."""
    if site is None:
        locks = f"pg_advisory_xact_lock({ALL}, 0)"
    else:
        key = zlib.crc32(registered_domain(site).encode("utf-8", "replace")) - (1 << 31)
        locks = f"pg_advisory_xact_lock_shared({ALL}, 0), pg_advisory_xact_lock({SITE}, {key})"
    return f"BEGIN; SELECT pg_current_xact_id()::text, {locks}"


class RunSession:
    """The lock by which others see that a run is alive, and who looks that it is held.

    Another run that misses the lock waits for `GRACE` seconds before it takes over, unless the
    process has surely ended. Within that time a living process has found out that its session is
    lost and has opened another, even if it had nothing to write.
    """

    #: Whether a run has its lock.
    IS_LOCKED = (
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
        f"AND classid = {RUN} AND objid = CAST(? AS oid)"
    )

    def __init__(self, number: int, look: Callable[[], None]) -> None:
        self.number = number
        self.process = this_process()
        self._look = look
        self._stopped = Event()

    def start(self) -> None:
        Thread(target=self._watch, name="newsclean memory", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            self._look()

    def take(self, session: psycopg.Connection[Any]) -> None:
        session.execute(f"SELECT pg_advisory_lock({RUN}, {self.number})".encode())

    def release(self, session: psycopg.Connection[Any]) -> None:
        """Show at once that the run has ended: the server takes a moment to end a session."""
        session.execute(f"SELECT pg_advisory_unlock({RUN}, {self.number})".encode())

    def take_again(self, session: psycopg.Connection[Any], path: str) -> None:
        """Take the lock in a new session; raises `StorageError` if another run has taken over."""
        # The server may not have noticed yet that the old session is lost.
        session.execute(
            f"SELECT pg_terminate_backend(pid) FROM ({self.IS_LOCKED.replace('?', '%s')}) AS old",
            (self.number,),
        )
        self.take(session)
        alive = session.execute(
            "UPDATE run SET missed = NULL WHERE id = %s AND NOT ended", (self.number,)
        )
        if not alive.rowcount:
            raise StorageError(
                f"this run could not reach the memory {path} for too long, and another one has "
                "taken over what it had begun; start the crawl again"
            )

    @classmethod
    def is_gone(cls, database: Database, run: int, *, wait: bool) -> bool:
        """Whether the process of a run has ended."""
        while True:
            if database.is_run_alive(run):
                return False
            rows = database.query(
                "UPDATE run SET missed = coalesce(missed, clock_timestamp()) WHERE id = ? "
                "RETURNING ended, process, EXTRACT(EPOCH FROM clock_timestamp() - missed)::float8",
                (run,),
            )
            if not rows or rows[0][0] or has_surely_ended(rows[0][1]) or rows[0][2] >= GRACE:
                return True
            if not wait:
                return False
            time.sleep(POLL_EVERY)
