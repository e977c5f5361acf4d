"""The tables of a memory, in SQLite's words, and the errors of a memory that can't be used."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

#: Marks the file as ours ("NCLN"); databases of other programs are never written to.
_APPLICATION_ID = 0x4E434C4E

#: Maximum wait for other processes.
MAX_BUSY_SECONDS = 60.0

#: The path of a memory that ends with the process.
RAM = ":memory:"

#: The version of the tables; a memory of another version is refused.
VERSION = 11

#: The tables, as SQLite creates them; `postgresql_schema` translates them. `STRICT` lets SQLite
#: refuse values of the wrong type. `fetch` is quoted because PostgreSQL reserves the word.
TABLES = """
CREATE TABLE fact (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    category TEXT NOT NULL,
    name TEXT NOT NULL,
    seen REAL NOT NULL,
    keys BLOB NOT NULL,
    facts BLOB NOT NULL,
    UNIQUE (site, name)
) STRICT;
CREATE INDEX page_by_category ON page (site, category, id);
CREATE INDEX page_by_site ON page (site, id);
CREATE TABLE sample (
    site TEXT NOT NULL,
    key INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (site, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL,
    started REAL NOT NULL,
    outputs TEXT NOT NULL
) STRICT;
CREATE TABLE stored_page (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,
    parked INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    category TEXT NOT NULL,
    content_type TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    body BLOB NOT NULL,
    origin BLOB,
    "fetch" TEXT NOT NULL
) STRICT;
CREATE INDEX stored_page_by_run ON stored_page (run, parked, site);
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
) STRICT;
CREATE INDEX kept_page_by_site ON kept_page (site, number, size);
CREATE TABLE article (
    name TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    url TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    body BLOB NOT NULL,
    shown TEXT NOT NULL,
    blocks BLOB NOT NULL,
    seen REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX article_by_hash ON article (content_hash);
CREATE TABLE pending_delivery (
    name TEXT PRIMARY KEY,
    run INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    url TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    body BLOB NOT NULL,
    shown TEXT NOT NULL,
    blocks BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE "fetch" (
    url TEXT PRIMARY KEY,
    site TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    published REAL NOT NULL,
    fetched REAL NOT NULL,
    seen REAL NOT NULL,
    delivered INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX fetch_by_site ON "fetch" (site, seen);
CREATE TABLE url_pattern (
    site TEXT NOT NULL,
    pattern TEXT NOT NULL,
    articles REAL NOT NULL,
    others REAL NOT NULL,
    seen REAL NOT NULL,
    PRIMARY KEY (site, pattern)
) STRICT, WITHOUT ROWID;
CREATE TABLE site_run (
    run INTEGER NOT NULL,
    site TEXT NOT NULL,
    started REAL NOT NULL,
    seconds REAL,
    state TEXT NOT NULL,
    counts TEXT NOT NULL,
    expected REAL,
    PRIMARY KEY (site, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX site_run_by_state ON site_run (state);
CREATE TABLE site_alert (
    site TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    since REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""


class MemoryFileError(ValueError):
    """A memory that can't be used; it is never written to."""


class NoMemoryError(MemoryFileError):
    """A memory that does not exist and must not be created."""


def other_version(path: str, found: int, known: int) -> MemoryFileError:
    """Return the error for a memory of another version of newsclean."""
    return MemoryFileError(
        f"{path} is a memory of version {found}, and this newsclean knows version {known}: use the "
        "newsclean that made it, or another memory. To carry over what was learned, use `newsclean "
        "memory export` of the old version and `newsclean memory import` of the new one"
    )


def connect(path: str) -> sqlite3.Connection:
    """Open a memory file, and create it if there is none."""
    if path != RAM:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = sqlite3.connect(
            path, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise MemoryFileError(f"cannot open the memory file {path}: {error}") from None
    # A damaged text matches nothing, and is no reason to end a crawl.
    connection.text_factory = lambda value: value.decode(errors="replace")
    try:
        _check(connection, path)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        _make_tables(connection)
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


def _check(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN")  # another process may be creating the file right now
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        state = connection.execute("PRAGMA quick_check(1)").fetchone()[0] if tables else "ok"
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if application != _APPLICATION_ID and (tables or version or application):
        raise MemoryFileError(f"{path} is a database, but not a memory of newsclean")
    if tables and version != VERSION:
        raise other_version(path, version, VERSION)
    if state != "ok":
        raise MemoryFileError(f"{path} is damaged: {state}")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let others read while one process writes; SQLite does not retry this change by itself."""
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


def _make_tables(connection: sqlite3.Connection) -> None:
    """Create all tables or none, in a file without tables."""
    if connection.execute("PRAGMA user_version").fetchone()[0]:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            for statement in filter(str.strip, TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
