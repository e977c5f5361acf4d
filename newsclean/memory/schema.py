"""The tables of a memory file, and the migration from older versions."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

#: Marks the file as ours ("NCLN"); another program's database is left alone.
APPLICATION_ID = 0x4E434C4E

MAX_BUSY_SECONDS = 60.0

#: The path of a memory that ends with the process.
RAM = ":memory:"

#: Each step takes the tables from one version to the next; the version is the number of steps.
STEPS = (
    """
    CREATE TABLE page (
        id INTEGER PRIMARY KEY,
        site TEXT NOT NULL,
        category TEXT NOT NULL,
        name TEXT NOT NULL,
        seen REAL NOT NULL,
        keys BLOB NOT NULL,
        UNIQUE (site, name)
    );
    CREATE INDEX page_by_category ON page (site, category, id);
    CREATE INDEX page_by_site ON page (site, id);
    CREATE TABLE fact (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        job TEXT NOT NULL,
        started REAL NOT NULL
    );
    CREATE TABLE waiting (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        run INTEGER NOT NULL,
        cold INTEGER NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        url TEXT NOT NULL,
        site TEXT NOT NULL,
        category TEXT NOT NULL,
        content_type TEXT NOT NULL,
        fetched_at TEXT NOT NULL,
        body BLOB NOT NULL,
        origin BLOB
    );
    CREATE INDEX waiting_by_run ON waiting (run, cold, site);
    CREATE TABLE article (
        name TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        url TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        body BLOB NOT NULL,
        seen REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE leaving (
        name TEXT PRIMARY KEY,
        run INTEGER NOT NULL,
        number INTEGER NOT NULL,
        url TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        body BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE sample (
        site TEXT NOT NULL,
        key INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (site, key)
    ) WITHOUT ROWID;
    """,
    """
    CREATE INDEX article_by_hash ON article (content_hash);
    """,
    """
    ALTER TABLE waiting RENAME TO stored_page;
    ALTER TABLE stored_page RENAME COLUMN cold TO parked;
    ALTER TABLE stored_page RENAME COLUMN tries TO failures;
    DROP INDEX waiting_by_run;
    CREATE INDEX stored_page_by_run ON stored_page (run, parked, site);
    ALTER TABLE leaving RENAME TO pending_delivery;
    ALTER TABLE pending_delivery RENAME COLUMN number TO revision;
    ALTER TABLE article RENAME COLUMN number TO revision;
    """,
    """
    ALTER TABLE run ADD COLUMN outputs TEXT NOT NULL DEFAULT '[]';
    """,
    """
    CREATE TABLE fetch (
        url TEXT PRIMARY KEY,
        site TEXT NOT NULL,
        etag TEXT NOT NULL,
        last_modified TEXT NOT NULL,
        published REAL NOT NULL,
        fetched REAL NOT NULL,
        seen REAL NOT NULL,
        delivered INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX fetch_by_site ON fetch (site, seen);
    CREATE TABLE address_shape (
        site TEXT NOT NULL,
        shape TEXT NOT NULL,
        articles REAL NOT NULL,
        others REAL NOT NULL,
        seen REAL NOT NULL,
        PRIMARY KEY (site, shape)
    ) WITHOUT ROWID;
    ALTER TABLE stored_page ADD COLUMN fetch TEXT NOT NULL DEFAULT '';
    """,
    """
    CREATE TABLE site_run (
        run INTEGER NOT NULL,
        site TEXT NOT NULL,
        started REAL NOT NULL,
        seconds REAL,
        state TEXT NOT NULL,
        counts TEXT NOT NULL,
        expected REAL,
        PRIMARY KEY (site, run)
    ) WITHOUT ROWID;
    CREATE INDEX site_run_by_state ON site_run (state);
    CREATE TABLE site_alert (
        site TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        since REAL NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE article ADD COLUMN shown TEXT NOT NULL DEFAULT '';
    ALTER TABLE article ADD COLUMN blocks BLOB NOT NULL DEFAULT x'';
    ALTER TABLE pending_delivery ADD COLUMN shown TEXT NOT NULL DEFAULT '';
    ALTER TABLE pending_delivery ADD COLUMN blocks BLOB NOT NULL DEFAULT x'';
    CREATE TABLE kept_page (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        url TEXT NOT NULL,
        site TEXT NOT NULL,
        category TEXT NOT NULL,
        content_type TEXT NOT NULL,
        fetched_at TEXT NOT NULL,
        body BLOB NOT NULL,
        size INTEGER NOT NULL
    );
    CREATE INDEX kept_page_by_site ON kept_page (site, number, size);
    """,
    """
    ALTER TABLE page ADD COLUMN facts BLOB NOT NULL DEFAULT x'';
    """,
)
VERSION = len(STEPS)


class MemoryFileError(ValueError):
    """A memory that cannot be used. It is never written to."""


class NoMemoryError(MemoryFileError):
    """There is no memory, and none is to be made."""


def connect(path: str) -> sqlite3.Connection:
    """A connection to a memory file, made or brought up to date where needed."""
    if path != RAM:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(
            path, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise MemoryFileError(f"cannot open the memory file {path}: {error}") from None
    connection.text_factory = _text
    try:
        _check(connection, path)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
    except sqlite3.OperationalError as error:
        connection.close()
        raise MemoryFileError(f"cannot use the memory file {path}: {error}") from None
    except sqlite3.Error as error:
        connection.close()
        raise MemoryFileError(f"{path} is damaged or not a memory of newsclean: {error}") from None
    except MemoryFileError:
        connection.close()
        raise
    return connection


def _text(value: bytes) -> str | bytes:
    """A text of the file; bytes if it is damaged."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _check(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN")  # another process may be making the file right now
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        state = connection.execute("PRAGMA quick_check(1)").fetchone()[0] if tables else "ok"
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if application != APPLICATION_ID and (tables or version or application):
        raise MemoryFileError(f"{path} is a database, but not a memory of newsclean")
    if version > VERSION:
        raise MemoryFileError(
            f"{path} was written by a newer newsclean (version {version} of the file, "
            f"this one knows {VERSION}): update newsclean"
        )
    if state != "ok":
        raise MemoryFileError(f"{path} is damaged: {state}")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let readers work while one process writes; SQLite does not retry this change by itself."""
    deadline = time.monotonic() + MAX_BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _migrate(connection: sqlite3.Connection) -> None:
    """Run the steps that the file lacks, all of them or none."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in STEPS[version:]:
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
