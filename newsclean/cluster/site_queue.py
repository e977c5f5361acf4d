"""The queue of sites in PostgreSQL: which site is due, and which crawl is next.

A table holds the state of each site. Sites that are due become jobs of procrastinate, one at a time
for each domain and the most overdue first. Procrastinate hands jobs to workers and tracks which
workers are alive. That a domain has only one crawl at a time is guaranteed by the memory, not here.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from newsclean.error_hints import install_command
from newsclean.memory.database import hide_password, is_database_url, without_password

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

T = TypeVar("T")

#: The environment variable of the address, which other users cannot see, unlike an argument.
VARIABLE = "NEWSCLEAN_QUEUE"
SCHEMA = "newsclean_queue"
#: Names for procrastinate: the task of all jobs, and their queue.
TASK, QUEUE = "crawl", "crawl"
#: Maximum jobs that wait for a worker; few, so that their order stays up to date.
AHEAD = 100
#: The lock for creating the tables and for making jobs.
_LOCK = 0x4E434C10
#: Seconds until the next try after an interrupted crawl, and if another crawl has the domain.
_REST, _BUSY_REST = 5.0, 15.0

_TABLES = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {SCHEMA}.migration (name text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS {SCHEMA}.site (
    name text PRIMARY KEY,
    spec jsonb NOT NULL,
    domains text[] NOT NULL,
    seconds float8 NOT NULL,                               -- current interval between two crawls
    due timestamptz,                                       -- NULL: not crawled again
    not_before timestamptz NOT NULL DEFAULT '-infinity',   -- even if due
    job bigint,                                            -- of procrastinate, if any
    turn bigint NOT NULL DEFAULT 0,                        -- the number of its last crawl
    worker text NOT NULL DEFAULT '',
    tries int NOT NULL DEFAULT 0,                          -- failed crawls since the last success
    articles int NOT NULL DEFAULT 0,
    outcome text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    ended timestamptz
);
CREATE INDEX IF NOT EXISTS site_due ON {SCHEMA}.site (due) WHERE job IS NULL;
CREATE INDEX IF NOT EXISTS site_job ON {SCHEMA}.site (job) WHERE job IS NOT NULL;
"""
#: A site loses a job that procrastinate no longer has.
_HEAL = """
UPDATE site SET job = NULL, worker = '' WHERE job IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM procrastinate_jobs j WHERE j.id = site.job AND j.status IN ('todo', 'doing'))
"""
#: The most overdue site of each domain without a job, in units of its own interval.
_DUE = """
SELECT name, domains FROM (
    SELECT DISTINCT ON (domains[1]) name, domains, extract(epoch FROM now() - due) / seconds AS late
    FROM site WHERE job IS NULL AND due <= now() AND not_before <= now() AND NOT domains && ARRAY(
        SELECT DISTINCT unnest(domains) FROM site WHERE job IS NOT NULL)
    ORDER BY domains[1], late DESC, name) AS first
ORDER BY late DESC, name LIMIT %s
"""
_STATUSES = """
SELECT name, spec, CASE
    WHEN j.status = 'doing' THEN 'running'
    WHEN due IS NULL THEN CASE outcome WHEN 'failed' THEN 'failed' ELSE 'done' END
    WHEN greatest(due, not_before) <= now() THEN 'due' ELSE 'waiting' END,
    extract(epoch FROM coalesce(greatest(due, nullif(not_before, '-infinity')), ended))::float8,
    tries, turn, articles, worker, outcome, reason, site.seconds
FROM site LEFT JOIN procrastinate_jobs j ON j.id = site.job ORDER BY name
"""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_SPAN = re.compile(r"([1-9]\d{0,5})([smhdw])")
_ONCE = "once"
#: The interval by which a single crawl is compared with repeated ones.
_ONCE_SECONDS = 3600.0


class QueueError(Exception):
    """The queue cannot be used; its contents are intact."""


class QueueUsageError(QueueError):
    """No address, a wrong address, or a missing library."""


class Outcome(StrEnum):
    DONE = "done"
    FAILED = "failed"
    #: not completed, for a reason that is not the site's
    GIVEN_BACK = "given back"
    #: another crawl has one of its domains
    BUSY = "busy"


@dataclass(frozen=True)
class Interval:
    """Seconds between two crawls, at least and at most; both 0 for a single crawl."""

    least: float
    most: float

    @classmethod
    def of(cls, text: str) -> Interval:
        """Parse what a user has typed; ValueError if it is not an interval.

        >>> Interval.of("90m"), Interval.of("15m-1d")
        (Interval(least=5400, most=5400), Interval(least=900, most=86400))
        """
        if text.strip() == _ONCE:
            return cls(0, 0)
        found = [_SPAN.fullmatch(part.strip()) for part in text.split("-")]
        ends = [int(match[1]) * _UNITS[match[2]] for match in found if match]
        if len(found) > 2 or len(ends) != len(found) or ends[0] > ends[-1]:
            raise ValueError(
                f"{text!r} is not an interval: use 30m, 6h, 1d, a range like 15m-1d, or once"
            )
        return cls(ends[0], ends[-1])

    @property
    def first(self) -> float:
        """The interval of a new site."""
        return self.least or _ONCE_SECONDS

    def after(self, current: float, articles: int) -> float | None:
        """Return the next interval: halved after a crawl with articles, else doubled; None if none.

        >>> hourly = Interval.of("15m-6h")
        >>> hourly.after(3600, articles=3), hourly.after(3600, articles=0)
        (1800.0, 7200)
        >>> hourly.after(900, articles=3), Interval.of("once").after(3600, 1)
        (900, None)
        """
        if not self.most:
            return None
        return min(max(current / 2 if articles else current * 2, self.least), self.most)


@dataclass(frozen=True)
class SiteJob:
    """A site to crawl regularly."""

    name: str
    #: the text of its site file
    file: str
    #: the interval, as the user has typed it
    every: str = "1h"
    #: the text of its corrections file
    corrections: str | None = None
    #: registered domains, each with at most one crawl at a time
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The name becomes a file name, and an item of a list with commas.
        if not self.name.isprintable() or self.name[:1] in ("", ".", "-"):
            raise ValueError(f"{self.name!r} is not a valid site name")
        if any(sign in self.name for sign in "/\\,"):
            raise ValueError(f"{self.name!r}: a site name may not contain a slash or a comma")
        Interval.of(self.every)

    @classmethod
    def read(cls, spec: dict[str, Any]) -> SiteJob:
        """Parse what the queue has stored; ValueError if this version cannot."""
        known = {field.name for field in fields(cls)}
        if unknown := spec.keys() - known:
            raise ValueError(f"unknown field {', '.join(sorted(unknown))}")
        try:
            return cls(**spec | {"domains": tuple(spec["domains"])})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not a site: {error}") from None


@dataclass(frozen=True)
class Retries:
    """How failed crawls are repeated."""

    #: failed crawls in a row after which a site is given up
    most: int = 5
    #: seconds until the first retry, doubled for each further one
    backoff: float = 60.0


@dataclass(frozen=True)
class JobStatus:
    """The state of a site in the queue; times are seconds since 1970."""

    name: str
    #: running, due, waiting, failed, done or unreadable
    state: str
    #: when it is due, or when it ended
    when: float | None
    #: failed crawls since the last success
    tries: int
    runs: int
    #: articles of the last crawl
    articles: int
    worker: str
    outcome: str
    reason: str
    #: current seconds between two crawls
    interval: float
    every: str = ""

    @classmethod
    def of(cls, row: Sequence[Any]) -> JobStatus:
        name, spec, *others = row
        status = cls(name, *others)
        try:
            return replace(status, every=SiteJob.read(spec).every)
        except ValueError as error:
            return replace(status, state="unreadable", reason=str(error))


def address_of(given: str | None) -> str:
    """Return the given address, or that of the environment."""
    address = given or os.environ.get(VARIABLE)
    if not address:
        raise QueueUsageError(f"no queue: give its address by --queue or {VARIABLE}")
    if not is_database_url(address):
        shown = without_password(address)
        raise QueueUsageError(f"{shown} is not a database address: use postgresql://HOST/NAME")
    return address


class SiteQueue:
    """The queue, used over one connection, which is opened again when it is lost.

    Each step is one transaction, and may be repeated if no answer came.
    """

    def __init__(self, address: str) -> None:
        try:
            import procrastinate
            import psycopg  # noqa: F401
        except ModuleNotFoundError as error:
            raise QueueUsageError(
                f"queue needs {error.name}: {install_command('cluster')}"
            ) from None
        from newsclean.memory.postgresql import OPTIONS

        self.address = address
        #: options of all connections, including those of procrastinate
        self.options = OPTIONS | {
            "application_name": "newsclean queue",
            "connect_timeout": 10,
            "options": f"-c search_path={SCHEMA}",
        }
        self._app = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _do(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        import psycopg
        from procrastinate.exceptions import ConnectorException

        with self._lock:
            for is_last in (False, True):
                try:
                    if self._connection is None or self._connection.closed:
                        self._connection = self._connect()
                    with self._connection.transaction():
                        return work(self._connection)
                except (psycopg.Error, ConnectorException) as error:
                    is_lost = self._connection is None or self._connection.closed
                    if is_last or not is_lost or self._connection is None:
                        raise self._error(error) from None
        raise AssertionError("the last try returns or raises")

    def _error(self, error: Exception) -> QueueError:
        lines = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
        words = hide_password(lines[0], self.address)
        return QueueError(f"cannot use the queue at {without_password(self.address)}: {words}")

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        connection = psycopg.connect(self.address, autocommit=True, **self.options)
        try:
            with connection.transaction():
                self._make_tables(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_tables(self, connection: psycopg.Connection[Any]) -> None:
        """Create the tables and those of procrastinate, or migrate the latter to its version."""
        from pathlib import Path

        manager = self._app.schema_manager
        files = {path.name: path for path in Path(manager.get_migrations_path()).glob("*.sql")}
        known = connection.execute(f"SELECT to_regclass('{SCHEMA}.site_job')").fetchone()
        if known and known[0]:
            done = {name for (name,) in connection.execute("SELECT name FROM migration")}
            if not files.keys() - done:
                return
        connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        connection.execute(_TABLES.encode())
        done = {name for (name,) in connection.execute("SELECT name FROM migration")}
        for name in sorted(files.keys() - done) if done else ():
            connection.execute(files[name].read_bytes())
        if not done:
            connection.execute(manager.get_schema().encode())
        for name in files.keys() - done:
            connection.execute("INSERT INTO migration VALUES (%s)", (name,))

    def add(self, job: SiteJob) -> str:
        """Add a site: return `added`, `changed` if it was there but differed, or `known`."""
        from psycopg.types.json import Jsonb

        values = Jsonb(asdict(job)), list(job.domains), Interval.of(job.every).first, job.name

        def add(connection: psycopg.Connection[Any]) -> str:
            new = connection.execute(
                "INSERT INTO site (spec, domains, seconds, name, due) "
                "VALUES (%s, %s, %s, %s, now()) ON CONFLICT DO NOTHING",
                values,
            )
            changed = connection.execute(
                "UPDATE site SET spec = new, domains = %s, seconds = %s, due = now(), tries = 0, "
                "not_before = '-infinity' FROM (SELECT %s::jsonb AS new) n "
                "WHERE name = %s AND spec <> new",
                (values[1], values[2], values[0], values[3]),
            )
            return "added" if new.rowcount else "changed" if changed.rowcount else "known"

        return self._do(add)

    def feed(self) -> list[str]:
        """Make jobs of sites that are due, while few jobs wait; return the names of the sites.

        Each domain has one job at a time, however many of its sites are due.
        """
        from procrastinate.exceptions import AlreadyEnqueued

        def feed(connection: psycopg.Connection[Any]) -> list[str]:
            (is_ours,) = _row(connection, f"SELECT pg_try_advisory_xact_lock({_LOCK})")
            if not is_ours:
                return []
            connection.execute(_HEAL)
            (waiting,) = _row(
                connection, "SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'"
            )
            names: list[str] = []
            taken: set[str] = set()
            # More than needed: some may share a second domain.
            for name, domains in connection.execute(_DUE, (max(2 * (AHEAD - waiting), 0),)):
                if len(names) + waiting == AHEAD:
                    break
                if taken.isdisjoint(domains):
                    deferrer = self._app.configure_task(
                        TASK, queue=QUEUE, queueing_lock=name, connection=connection
                    )
                    try:
                        with connection.transaction():
                            number = deferrer.defer(site=name)
                    except AlreadyEnqueued:  # an old job of this site, which will end by itself
                        continue
                    connection.execute("UPDATE site SET job = %s WHERE name = %s", (number, name))
                    names.append(name)
                    taken.update(domains)
            return names

        return self._do(feed)

    def begin(self, name: str, job: int, worker: str) -> tuple[int, dict[str, Any]] | None:
        """Begin a crawl; return its number and the stored site, or None if it has another job."""
        return self._do(
            lambda connection: connection.execute(
                "UPDATE site SET turn = turn + 1, worker = %s WHERE name = %s AND job = %s "
                "RETURNING turn, spec",
                (worker, name, job),
            ).fetchone()
        )

    def finish(
        self,
        name: str,
        turn: int,
        outcome: Outcome,
        reason: str = "",
        articles: int = 0,
        retries: Retries | None = None,
    ) -> bool:
        """Store how a crawl ended; if another has begun since, change nothing and return False.

        Without `retries`, a failed site is given up.
        """

        def finish(connection: psycopg.Connection[Any]) -> bool:
            row = connection.execute(
                "SELECT spec, seconds, tries, domains FROM site WHERE name = %s AND turn = %s "
                "FOR UPDATE",
                (name, turn),
            ).fetchone()
            if row is None:
                return False
            spec, seconds, tries, domains = row
            changes, values = "", {"seconds": seconds, "wait": _REST, "domains": domains}
            if outcome is Outcome.DONE:
                following = Interval.of(spec["every"]).after(seconds, articles)
                values["seconds"] = following or seconds
                due = "NULL" if following is None else "now() + %(seconds)s * interval '1 s'"
                changes = f"tries = 0, seconds = %(seconds)s, due = {due}, "
            elif outcome is Outcome.FAILED:
                changes = "tries = tries + 1, "
                if retries is None or tries + 1 >= retries.most:
                    changes += "due = NULL, "
                else:
                    values["wait"] = retries.backoff * 2**tries
            elif outcome is Outcome.BUSY:
                values["wait"] = _BUSY_REST
                connection.execute(
                    "UPDATE site SET not_before = now() + %(wait)s * interval '1 s' "
                    "WHERE domains && %(domains)s AND not_before < now()",
                    values,
                )
            connection.execute(
                f"UPDATE site SET {changes}job = NULL, worker = '', outcome = %(outcome)s, "
                "reason = %(reason)s, articles = %(articles)s, ended = now(), "
                "not_before = now() + %(wait)s * interval '1 s' WHERE name = %(name)s",
                values | {"outcome": outcome, "reason": reason, "articles": articles, "name": name},
            )
            return True

        return self._do(finish)

    def retry(self, names: Sequence[str] = ()) -> list[str]:
        """Make sites due now, by default all failed ones; return those that are due."""
        return self._do(
            lambda connection: [
                name
                for (name,) in connection.execute(
                    "UPDATE site SET due = now(), not_before = '-infinity', tries = 0 "
                    "WHERE job IS NULL AND (name = ANY(%(names)s) OR %(names)s = '{}' "
                    "AND due IS NULL AND outcome = 'failed') RETURNING name",
                    {"names": list(names)},
                )
            ]
        )

    def remove(self, names: Sequence[str]) -> int:
        """Remove sites; a running crawl may end."""

        def remove(connection: psycopg.Connection[Any]) -> int:
            rows = connection.execute(
                "DELETE FROM site WHERE name = ANY(%s) RETURNING job", (list(names),)
            ).fetchall()
            for (job,) in rows:
                if job is not None:
                    self._app.job_manager.cancel_job_by_id(
                        job, delete_job=True, connection=connection
                    )
            return len(rows)

        return self._do(remove)

    def unfinished(self) -> int:
        """Return the number of sites that are due, running or waiting for a retry."""
        query = "SELECT count(*) FROM site WHERE job IS NOT NULL OR due <= now()"
        return int(self._do(lambda connection: _row(connection, query))[0])

    def statuses(self) -> list[JobStatus]:
        """Return the state of all sites, sorted by name."""
        rows = self._do(lambda connection: connection.execute(_STATUSES).fetchall())
        return [JobStatus.of(row) for row in rows]


def _row(connection: psycopg.Connection[Any], query: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row
