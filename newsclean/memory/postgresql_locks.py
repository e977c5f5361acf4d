"""Advisory locks of a memory in PostgreSQL.

- of a transaction: only one process at a time writes data of a site (`begin_statement`)
- of a session: a run is alive (`RunSession`), and only one run crawls a registered domain
  (`DomainLocks`). The server frees these locks when the session ends, however it ends.
"""

from __future__ import annotations

import os
import time
import zlib
from hashlib import blake2b
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import psycopg

from newsclean.files import DomainBusyError, domain_busy
from newsclean.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from newsclean.memory.database import Database

#: The first numbers of the locks: of everything, of a site, of a run.
_ALL, SITE, _RUN = (0x4E434C00 + number for number in range(3))

#: Seconds in which a living run that lost its session takes its lock again.
GRACE = 15.0
#: Seconds between two checks of the own session, and of the missing lock of a run.
LOOK_EVERY = 2.0
_POLL_EVERY = 0.2
#: Seconds without an answer of the server after which a process checks that it still has its locks,
#: before it sends or writes anything: others wait longer than this before they take over.
MAX_SILENCE = 5.0
#: Idle seconds after which a process that wants a domain ends the session that holds it. A running
#: process uses its session every two seconds, so this one, or its machine, was suspended.
MAX_FROZEN = 60
#: Seconds to wait for the lock of a session that is being ended.
_RELEASE_SECONDS = 2.0


def clock() -> tuple[float, float]:
    """Return the seconds since the boot, including suspension, and the time of day."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic() if boot is None else time.clock_gettime(boot)), time.time()


def seconds_since(then: tuple[float, float]) -> float:
    """Return the seconds since then, including those in which the machine was suspended."""
    return max(abs(now - before) for now, before in zip(clock(), then, strict=True))


class DomainLocks:
    """The locks of the registered domains that this process crawls."""

    #: The sessions that hold the lock of a domain.
    _HOLDERS = (
        "SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 "
        "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
        "AND (l.classid::bigint << 32 | l.objid::bigint) = %s AND l.pid <> pg_backend_pid() "
    )
    _FROZEN = (
        f"SELECT pg_terminate_backend(pid) FROM ({_HOLDERS} AND a.state = 'idle' "
        "AND clock_timestamp() - a.state_change > %s * interval '1 second') AS frozen"
    )

    def __init__(self) -> None:
        self.held: list[str] = []

    def take(self, session: psycopg.Connection[Any], domains: Iterable[str]) -> str | None:
        """Take the locks in this order; if another has one, take none and return that domain."""
        new = [domain for domain in domains if domain not in self.held]
        for number, domain in enumerate(new):
            if not self._take(session, domain):
                for other in new[:number]:
                    session.execute("SELECT pg_advisory_unlock(%s)", (_domain_key(other),))
                return domain
        self.held += new
        return None

    def take_again(self, session: psycopg.Connection[Any], path: str) -> None:
        """Take the same locks in a new session; raises `DomainBusyError` if another has one."""
        domains, self.held = self.held, []
        try:
            busy = self.take(session, domains)
        finally:
            self.held = domains
        if busy is not None:
            raise domain_busy(busy, path)

    def _take(self, session: psycopg.Connection[Any], domain: str) -> bool:
        key = _domain_key(domain)
        if _try_lock(session, key):
            return True
        if not session.execute(self._FROZEN, (key, MAX_FROZEN)).fetchall():
            return False
        ends = time.monotonic() + _RELEASE_SECONDS
        while time.monotonic() < ends:
            if _try_lock(session, key):
                return True
            time.sleep(_POLL_EVERY)
        return False


def _try_lock(session: psycopg.Connection[Any], key: int) -> bool:
    row = session.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone()
    assert row is not None
    return bool(row[0])


def _domain_key(domain: str) -> int:
    """Return the number of a domain's lock, among the 64-bit locks."""
    name = f"newsclean domain {domain}".encode("utf-8", "replace")
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "big", signed=True)


def begin_statement(site: str | None) -> str:
    """Return SQL that begins a transaction for a site or for everything, and selects its number."""
    if site is None:
        locks = f"pg_advisory_xact_lock({_ALL}, 0)"
    else:
        key = zlib.crc32(registered_domain(site).encode("utf-8", "replace")) - (1 << 31)
        locks = f"pg_advisory_xact_lock_shared({_ALL}, 0), pg_advisory_xact_lock({SITE}, {key})"
    return f"BEGIN; SELECT pg_current_xact_id()::text, {locks}"


class RunSession:
    """The lock that shows that a run is alive, and the thread that checks its session.

    If the lock is missing, another run waits for `GRACE` seconds before it takes over, unless the
    process has certainly ended. Within that time, a living process notices that its session is lost
    and opens another, even if it has nothing to write.
    """

    #: The session that holds the lock of a run.
    IS_LOCKED = (
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
        f"AND classid = {_RUN} AND objid = CAST(? AS oid)"
    )

    def __init__(self, number: int, look: Callable[[], None]) -> None:
        self.number = number
        self.process = _this_process()
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
        session.execute(f"SELECT pg_advisory_lock({_RUN}, {self.number})".encode())

    def release(self, session: psycopg.Connection[Any]) -> None:
        """Free all locks now: the server takes a moment to end a session."""
        session.execute("SELECT pg_advisory_unlock_all()")

    def take_again(self, session: psycopg.Connection[Any], path: str) -> None:
        """Take the lock in a new session; raises `DomainBusyError` if another run took over."""
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
            raise DomainBusyError(
                f"this run could not reach the memory {path} for too long, and another run has "
                "taken over its work; start the crawl again"
            )

    @classmethod
    def is_gone(cls, database: Database, run: int, *, wait: bool) -> bool:
        """Tell whether the process of a run has ended."""
        while True:
            if database.is_run_alive(run):
                return False
            rows = database.query(
                "UPDATE run SET missed = coalesce(missed, clock_timestamp()) WHERE id = ? "
                "RETURNING ended, process, EXTRACT(EPOCH FROM clock_timestamp() - missed)::float8",
                (run,),
            )
            if not rows or rows[0][0] or _has_surely_ended(rows[0][1]) or rows[0][2] >= GRACE:
                return True
            if not wait:
                return False
            time.sleep(_POLL_EVERY)


def _this_process() -> str:
    """Return a unique name of this process, empty if the system does not tell enough."""
    try:
        return f"{_machine()} {os.getpid()} {_start_of(os.getpid())}"
    except (OSError, IndexError):
        return ""


def _has_surely_ended(process: str) -> bool:
    """Tell whether a process ran on this machine since its last boot, and has ended."""
    try:
        machine, number, start = process.rsplit(" ", 2)
        return machine == _machine() and _start_of(int(number)) != start
    except FileNotFoundError:
        return True
    except (OSError, IndexError, ValueError):
        return False


def _machine() -> str:
    """Identify this boot of this machine, and the namespace of its process ids."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return f"{boot} {os.readlink('/proc/self/ns/pid')}"


def _start_of(number: int) -> str:
    """Return the start of a process in ticks since the boot; empty for a zombie."""
    fields = Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
