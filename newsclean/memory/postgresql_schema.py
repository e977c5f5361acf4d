"""The tables of a memory in PostgreSQL, in their own schema, and the optional article table.

The article table (`NEWSCLEAN_TABLE`) is an output: each row is written in the transaction that
confirms its delivery, so that one never happens without the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.database import TABLES, VERSION, MemoryFileError, other_version

if TYPE_CHECKING:
    from psycopg import Connection

    from newsclean.memory.database import Database

SCHEMA = "newsclean"

#: The oldest server with `pg_current_xact_id`.
_MIN_SERVER = 13

#: The key of the lock for creating tables.
SCHEMA_LOCK = 0x4E434C4E_00000000

#: A table name that needs no quotes, with or without a schema.
NAME = re.compile(r"(?:([a-z_][a-z0-9_]{0,62})\.)?([a-z_][a-z0-9_]{0,62})")
_DEFAULT_SCHEMA = "public"

_NAMES = ("url", "site", "headline", "language", "published", "item")
_COLUMNS = ", ".join(("id", "revision", *_NAMES))
_REPLACE = "ON CONFLICT (id, revision) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in (*_NAMES, "delivered")
)

#: What PostgreSQL calls otherwise than `TABLES`. Texts are ordered by their bytes, as in SQLite.
_TRANSLATIONS = {
    r"\) STRICT(, WITHOUT ROWID)?;": ");",
    r"\bINTEGER PRIMARY KEY( AUTOINCREMENT)?": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    r"\bINTEGER\b": "BIGINT",
    r"\bREAL\b": "DOUBLE PRECISION",
    r"\bBLOB\b": "BYTEA",
    r"\bTEXT\b": 'TEXT COLLATE "C"',
}

#: What only several machines need: whether a run is alive, and which deliveries other runs have.
#: The fact `version` marks the schema as ours.
_ADDITIONS = f"""
ALTER TABLE run
    ADD COLUMN process TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN missed TIMESTAMPTZ,
    ADD COLUMN ended BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX pending_delivery_by_run ON pending_delivery (run);
CREATE INDEX pending_delivery_by_hash ON pending_delivery (content_hash);
INSERT INTO fact VALUES ('version', '{VERSION}');
"""


def translated(tables: str) -> str:
    """Translate definitions of tables from SQLite to PostgreSQL.

    >>> translated("CREATE TABLE page (name TEXT PRIMARY KEY, seen REAL NOT NULL) STRICT;")
    'CREATE TABLE page (name TEXT COLLATE "C" PRIMARY KEY, seen DOUBLE PRECISION NOT NULL);'
    """
    for pattern, replacement in _TRANSLATIONS.items():
        tables = re.sub(pattern, replacement, tables)
    return tables


def has_tables(connection: Connection) -> bool:
    """Tell whether the database has a memory."""
    return _one(connection, f"SELECT to_regclass('{SCHEMA}.fact') IS NOT NULL") is True


def make_tables(connection: Connection, path: str) -> None:
    """Create the tables; refuse a schema that is not ours or of another version."""
    if connection.info.server_version < 10_000 * _MIN_SERVER:
        version = connection.info.server_version // 10_000
        raise MemoryFileError(f"{path} is PostgreSQL {version}: newsclean needs {_MIN_SERVER}")
    if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
        raise MemoryFileError(
            f"{path} has the encoding {encoding}: create a database with ENCODING 'UTF8'"
        )
    if has_tables(connection):
        _check_version(connection, path)
        return
    # Another process may be creating them right now. Wait for it before the transaction begins,
    # which might otherwise not see its tables.
    connection.execute(f"SELECT pg_advisory_lock({SCHEMA_LOCK})".encode())
    try:
        _make_tables(connection, path)
    finally:
        connection.execute(f"SELECT pg_advisory_unlock({SCHEMA_LOCK})".encode())


def _make_tables(connection: Connection, path: str) -> None:
    with connection.transaction():
        if has_tables(connection):  # another process was faster
            _check_version(connection, path)
            return
        others = _one(
            connection,
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            f"WHERE n.nspname = '{SCHEMA}'",
        )
        if others:
            raise MemoryFileError(f"{path} has a schema {SCHEMA} that is not a memory")
        schema = f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET LOCAL search_path TO {SCHEMA};"
        connection.execute(f"{schema}{translated(TABLES)}{_ADDITIONS}".encode())


def _check_version(connection: Connection, path: str) -> None:
    stored = _one(connection, f"SELECT value FROM {SCHEMA}.fact WHERE name = 'version'")
    if not isinstance(stored, str) or not stored.isdecimal():
        raise MemoryFileError(f"{path} has a schema {SCHEMA} that is not a memory")
    if int(stored) != VERSION:
        raise other_version(path, int(stored), VERSION)


def _one(connection: Connection, sql: str) -> object:
    row = connection.execute(sql.encode()).fetchone()
    return None if row is None else row[0]


class ArticleRow(NamedTuple):
    """One state of an article."""

    id: str
    revision: int
    url: str | None
    site: str | None
    headline: str | None
    language: str | None
    #: in seconds since 1970, None if it is not known
    published: float | None
    #: the item as feeds export it, in JSON
    item: str


class ArticleTable:
    """A table with a row for each revision of each article."""

    def __init__(self, database: Database, name: str) -> None:
        """Check the name of the table; raises ValueError if it can't be used."""
        found = NAME.fullmatch(name)
        if found is None:
            raise ValueError(
                "it takes the name of a table in lowercase letters, digits and _, with or without "
                "a schema (news.articles)"
            )
        schema = found[1] or _DEFAULT_SCHEMA
        if schema == SCHEMA:
            raise ValueError(f"the schema {SCHEMA} is the memory's own: use another")
        self.database = database
        self.name = f"{schema}.{found[2]}"

    def make(self) -> None:
        """Create the table if there is none, and check that rows can be written."""

        def make() -> None:
            self.database.execute(
                f"CREATE TABLE IF NOT EXISTS {self.name} (id TEXT, revision INTEGER, url TEXT, "
                "site TEXT, headline TEXT, language TEXT, published TIMESTAMPTZ, "
                "item JSONB NOT NULL, delivered TIMESTAMPTZ NOT NULL DEFAULT now(), "
                "PRIMARY KEY (id, revision))"
            )
            self.database.execute(
                f"INSERT INTO {self.name} ({_COLUMNS}) SELECT {_COLUMNS} FROM {self.name} "
                f"WHERE false {_REPLACE}"
            )

        self.database.atomically(make)

    def write(self, row: ArticleRow) -> None:
        """Write a revision of an article, or replace its row."""
        self.database.execute(
            f"INSERT INTO {self.name} ({_COLUMNS}) VALUES "
            f"(?, ?, ?, ?, ?, ?, to_timestamp(?), CAST(? AS JSONB)) {_REPLACE}",
            row,
        )
