"""The tables of an index file."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.index.target import IndexTargetError, TargetDownError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Marks the file as ours ("NCIX"); another program's database is left alone.
APPLICATION_ID = 0x4E434958
#: Of the tables; what is in them depends on `analysis_version` as well.
VERSION = 1

MAX_BUSY_SECONDS = 60.0
CACHE_KIB = 64_000

#: The columns of the full-text table, each with what a word in it counts: in the headline as much
#: as five times in the text, and half where only the stem is the same.
WEIGHTS = {
    "headline": 5.0,
    "body": 1.0,
    "headline_stems": 2.5,
    "body_stems": 0.5,
    "authors": 2.0,
    "keywords": 2.0,
    "language": 0.0,
}

# Contentless: the words are in the index and nowhere else. They come as our own analysis gives
# them, with spaces between them, and the ascii tokenizer splits them there and nowhere else.
TABLES = f"""
    CREATE TABLE article (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        revision INTEGER NOT NULL,
        reextracted INTEGER NOT NULL,
        fetched_at TEXT NOT NULL,
        digest BLOB NOT NULL,
        url TEXT,
        site TEXT,
        section TEXT,
        language TEXT,
        headline TEXT,
        date TEXT,
        published REAL,
        copies INTEGER NOT NULL
    );
    CREATE INDEX article_by_copies ON article (copies);
    CREATE INDEX article_by_date ON article (published);
    CREATE INDEX article_by_site ON article (site);
    CREATE INDEX article_by_section ON article (section);
    CREATE TABLE line (
        number INTEGER PRIMARY KEY,
        line BLOB NOT NULL
    );
    CREATE TABLE fingerprint (
        number INTEGER PRIMARY KEY,
        numbers BLOB NOT NULL
    );
    CREATE TABLE band (
        key INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (key, number)
    ) WITHOUT ROWID;
    CREATE TABLE stemmed_language (code TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE fact (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5 ({", ".join(WEIGHTS)}, content = '', tokenize = 'ascii');
"""


def open_to_write(path: str) -> sqlite3.Connection:
    """The index at a path, made if there is nothing; raises `IndexTargetError` if it is not one."""
    with file_errors(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            path, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    try:
        with file_errors(path):
            is_new = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not is_new:
                check_is_index(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            if is_new:
                _create(connection)
            check_is_index(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: str) -> sqlite3.Connection:
    """The index at a path, which nothing can change through it."""
    if not Path(path).is_file():
        raise IndexTargetError(f"there is no index at {path}: newsclean index makes one")
    address = Path(path).absolute().as_uri()
    with file_errors(path):
        try:
            return _connect_read_only(f"{address}?mode=ro", path)
        except sqlite3.OperationalError:
            # In a folder that may not be written, SQLite cannot share the file: nobody writes it.
            return _connect_read_only(f"{address}?immutable=1", path)


@contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Turn what SQLite reports of the file into errors that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        reason = str(error)
        if "locked" in reason or "full" in reason or "busy" in reason:
            raise TargetDownError(f"{path}: {reason}; try again later") from error
        raise IndexTargetError(f"{path}: {reason}") from error
    except sqlite3.DatabaseError as error:
        raise IndexTargetError(f"{path} is not an index of newsclean: {error}") from error
    except OSError as error:
        raise IndexTargetError(f"{path}: {error.strerror or error}") from error


def check_is_index(connection: sqlite3.Connection, path: str) -> None:
    """Raise `IndexTargetError` for a database of something else, or of a newer newsclean."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise IndexTargetError(f"{path} is a database, but not an index of newsclean")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise IndexTargetError(
            f"{path} is an index of version {version}, and this newsclean knows {VERSION}: "
            "use the newsclean that made it, or index the articles into another file"
        )


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        for statement in TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _connect_read_only(address: str, path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, timeout=MAX_BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        check_is_index(connection, path)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    except BaseException:
        connection.close()
        raise
    return connection
