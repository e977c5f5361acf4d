"""The queue of sites in PostgreSQL: which site is due, and which crawl is next.

A table has what is known of each site. What is due becomes a job of procrastinate, of each domain
one at a time and the most overdue first; procrastinate hands jobs to workers and sees which workers
live. Nothing here keeps two crawls of a domain apart: that is a promise of the memory.
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from newsclean.memory.database import hide_password, is_database_address, without_password

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

T = TypeVar("T")

#: Where the address is looked for: unlike an argument, other users of the machine cannot see it.
VARIABLE = "NEWSCLEAN_QUEUE"
HOW_TO_GET = "pip install 'newsclean[cluster]'"
SCHEMA = "newsclean_queue"
#: Of procrastinate: the task of all jobs, and their queue.
TASK, QUEUE = "crawl", "crawl"
#: Jobs that wait for a worker: few, so that the order of what is due stays fresh.
AHEAD = 100
#: The lock of who makes the tables or looks for what is due.
_LOCK = 0x4E434C10
#: Seconds that a site rests after an interrupted crawl, and a domain that another crawl has.
_REST, _BUSY_REST = 5.0, 15.0

_TABLES = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {SCHEMA}.migration (name text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS {SCHEMA}.site (
    name text PRIMARY KEY,
    spec jsonb NOT NULL,
    domains text[] NOT NULL,
    seconds float8 NOT NULL,                               -- between two crawls, as it is now
    due timestamptz,                                       -- NULL: it is not crawled again
    not_before timestamptz NOT NULL DEFAULT '-infinity',   -- whatever is due
    job bigint,                                            -- of procrastinate, while it has one
    turn bigint NOT NULL DEFAULT 0,                        -- the number of its last crawl
    worker text NOT NULL DEFAULT '',
    tries int NOT NULL DEFAULT 0,                          -- failed ones since one was done
    articles int NOT NULL DEFAULT 0,
    outcome text NOT NULL DEFAULT '',
    reason text NOT NULL DEFAULT '',
    ended timestamptz
);
CREATE INDEX IF NOT EXISTS site_due ON {SCHEMA}.site (due) WHERE job IS NULL;
CREATE INDEX IF NOT EXISTS site_job ON {SCHEMA}.site (job) WHERE job IS NOT NULL;
"""
#: A site whose job is gone is due again: procrastinate knows best which jobs there are.
_HEAL = """
UPDATE site SET job = NULL, worker = '' WHERE job IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM procrastinate_jobs j WHERE j.id = site.job AND j.status IN ('todo', 'doing'))
"""
#: Of each domain without a job the site that is most overdue, measured by its own interval.
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
#: How a crawl that is not to be repeated is weighed against those that are.
_ONCE_SECONDS = 3600.0


class QueueError(Exception):
    """The queue cannot be used; what it holds is whole."""


class QueueUsageError(QueueError):
    """No address, a wrong one, or a library that is not installed."""


class Outcome(StrEnum):
    DONE = "done"
    FAILED = "failed"
    #: not crawled to its end, and not for a reason of the site's
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
        """Read what somebody has typed; ValueError if that is not an interval.

        >>> Interval.of("90m"), Interval.of("15m-1d")
        (Interval(least=5400, most=5400), Interval(least=900, most=86400))
        """
        if text.strip() == _ONCE:
            return cls(0, 0)
        found = [_SPAN.fullmatch(part.strip()) for part in text.split("-")]
        ends = [int(match[1]) * _UNITS[match[2]] for match in found if match]
        if len(found) > 2 or len(ends) != len(found) or ends[0] > ends[-1]:
            raise ValueError(
                f"{text!r} is not an interval: it takes 30m, 6h, 1d, a span like 15m-1d, or once"
            )
        return cls(ends[0], ends[-1])

    @property
    def first(self) -> float:
        """The interval of a site of which nothing is known yet."""
        return self.least or _ONCE_SECONDS

    def after(self, current: float, articles: int) -> float | None:
        """The next interval: half as long after a crawl with articles, else twice; None for none.

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
    """A site to crawl again and again."""

    name: str
    #: the text of its site file
    file: str
    #: how often, as somebody has typed it
    every: str = "1h"
    #: the text of the file of its corrections
    corrections: str | None = None
    #: registered domains, of each of which there is one crawl at a time
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # It becomes the name of a file, and a value of an argument that takes several.
        if not self.name.isprintable() or self.name[:1] in ("", ".", "-"):
            raise ValueError(f"{self.name!r} is not a name for a site")
        if any(sign in self.name for sign in "/\\,"):
            raise ValueError(f"{self.name!r}: the name of a site has no slash and no comma")
        Interval.of(self.every)

    @classmethod
    def read(cls, spec: dict[str, Any]) -> SiteJob:
        """Read what the queue has stored; ValueError if this version cannot."""
        known = {field.name for field in fields(cls)}
        if unknown := spec.keys() - known:
            raise ValueError(f"unknown field {', '.join(sorted(unknown))}")
        try:
            return cls(**spec | {"domains": tuple(spec["domains"])})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not a site: {error}") from None


@dataclass(frozen=True)
class Retries:
    """What becomes of a site whose crawl has failed."""

    #: failed crawls after which it is given up
    most: int = 5
    #: seconds until it is tried again the first time; then twice as long each time
    backoff: float = 60.0


@dataclass(frozen=True)
class JobStatus:
    """The state of a site in the queue; times are seconds since 1970."""

    name: str
    #: running, due, waiting, failed, done or unreadable
    state: str
    #: when it is due, or when it has ended
    when: float | None
    #: failed tries since the last crawl that was done
    tries: int
    runs: int
    #: articles of the last crawl
    articles: int
    worker: str
    outcome: str
    reason: str
    #: seconds between two crawls, as they are now
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
    """The address that was given, or that of the environment."""
    address = given or os.environ.get(VARIABLE)
    if not address:
        raise QueueUsageError(f"where is the queue? Name it by --queue or {VARIABLE}")
    if not is_database_address(address):
        shown = without_password(address)
        raise QueueUsageError(f"{shown} is not a database: the queue is at postgresql://HOST/NAME")
    return address


class SiteQueue:
    """The queue by one connection, which is made again when it is lost.

    Each step is one transaction, and may be repeated if no answer came.
    """

    def __init__(self, address: str) -> None:
        try:
            import procrastinate
            import psycopg  # noqa: F401
        except ModuleNotFoundError as error:
            raise QueueUsageError(f"queue needs {error.name}: {HOW_TO_GET}") from None
        from newsclean.memory.postgresql import OPTIONS

        self.address = address
        #: how connections are opened, also those of procrastinate
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
        """Make the tables, also procrastinate's, or bring those up to its version."""
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
        """Put a site into the queue: `added`, `changed` if it was there in other words, `known`."""
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
        """Make jobs of what is due, as long as few wait; the names of the sites.

        Of each domain there is one job at a time, however many of its sites are due.
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
            # More than are wanted: some may share a second domain.
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
                    except AlreadyEnqueued:  # one that was left behind; it ends by itself
                        continue
                    connection.execute("UPDATE site SET job = %s WHERE name = %s", (number, name))
                    names.append(name)
                    taken.update(domains)
            return names

        return self._do(feed)

    def begin(self, name: str, job: int, worker: str) -> tuple[int, dict[str, Any]] | None:
        """Begin a crawl: its number and the stored site; None if the job is the site's no more."""
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
        """Say how a crawl went; False if another has begun since: then nothing has changed.

        A site that has failed without `retries` is given up.
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
        """Have sites due at once, all that have failed if none is named; those that are."""
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
        """Take sites out; a crawl that is at work may end."""

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
        """How many sites are due, are being crawled, or wait for another try."""
        query = "SELECT count(*) FROM site WHERE job IS NOT NULL OR due <= now()"
        return int(self._do(lambda connection: _row(connection, query))[0])

    def statuses(self) -> list[JobStatus]:
        """All sites, by name."""
        rows = self._do(lambda connection: connection.execute(_STATUSES).fetchall())
        return [JobStatus.of(row) for row in rows]


def _row(connection: psycopg.Connection[Any], query: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row
