"""The tables of a memory in PostgreSQL, in their own schema, and the optional article table.

The article table (`NEWSCLEAN_TABLE`) is an output: each row is written in the transaction that
confirms its delivery, so that one never happens without the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.schema import MemoryFileError, other_version

if TYPE_CHECKING:
    from psycopg import Connection

    from newsclean.memory.database import Database

SCHEMA = "newsclean"

#: The oldest server with `pg_current_xact_id`.
_MIN_SERVER = 13

#: The key of the lock for creating tables.
SCHEMA_LOCK = 0x4E434C4E_00000000

#: The version of the tables; a memory of another version is refused.
VERSION = 2

#: A table name that needs no quotes, with or without a schema.
NAME = re.compile(r"(?:([a-z_][a-z0-9_]{0,62})\.)?([a-z_][a-z0-9_]{0,62})")
_DEFAULT_SCHEMA = "public"

_NAMES = ("url", "site", "headline", "language", "published", "item")
_COLUMNS = ", ".join(("id", "revision", *_NAMES))
_REPLACE = "ON CONFLICT (id, revision) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in (*_NAMES, "delivered")
)

#: Texts are ordered by their bytes, as in SQLite. The fact `version` marks the schema as ours.
_TABLES = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
SET LOCAL search_path TO {SCHEMA};
CREATE TABLE fact (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);
INSERT INTO fact VALUES ('version', '{VERSION}');
CREATE TABLE page (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site TEXT COLLATE "C" NOT NULL,
    category TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    keys BYTEA NOT NULL,
    facts BYTEA NOT NULL,
    UNIQUE (site, name)
);
CREATE INDEX page_by_category ON page (site, category, id);
CREATE INDEX page_by_site ON page (site, id);
CREATE TABLE sample (
    site TEXT COLLATE "C" NOT NULL,
    key BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (site, key)
);
CREATE TABLE run (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job TEXT COLLATE "C" NOT NULL,
    started DOUBLE PRECISION NOT NULL,
    outputs TEXT COLLATE "C" NOT NULL,
    process TEXT COLLATE "C" NOT NULL DEFAULT '',
    missed TIMESTAMPTZ,
    ended BOOLEAN NOT NULL DEFAULT false
);
CREATE TABLE stored_page (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run INTEGER NOT NULL,
    parked INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    url TEXT COLLATE "C" NOT NULL,
    site TEXT COLLATE "C" NOT NULL,
    category TEXT COLLATE "C" NOT NULL,
    content_type TEXT COLLATE "C" NOT NULL,
    fetched_at TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    origin BYTEA,
    "fetch" TEXT COLLATE "C" NOT NULL
);
CREATE INDEX stored_page_by_run ON stored_page (run, parked, site);
CREATE TABLE kept_page (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    url TEXT COLLATE "C" NOT NULL,
    site TEXT COLLATE "C" NOT NULL,
    category TEXT COLLATE "C" NOT NULL,
    content_type TEXT COLLATE "C" NOT NULL,
    fetched_at TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    size BIGINT NOT NULL
);
CREATE INDEX kept_page_by_site ON kept_page (site, number, size);
CREATE TABLE article (
    name TEXT COLLATE "C" PRIMARY KEY,
    revision INTEGER NOT NULL,
    url TEXT COLLATE "C" NOT NULL,
    content_hash TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    shown TEXT COLLATE "C" NOT NULL,
    blocks BYTEA NOT NULL,
    seen DOUBLE PRECISION NOT NULL
);
CREATE INDEX article_by_hash ON article (content_hash);
CREATE TABLE pending_delivery (
    name TEXT COLLATE "C" PRIMARY KEY,
    run INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    url TEXT COLLATE "C" NOT NULL,
    content_hash TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    shown TEXT COLLATE "C" NOT NULL,
    blocks BYTEA NOT NULL
);
CREATE INDEX pending_delivery_by_run ON pending_delivery (run);
CREATE INDEX pending_delivery_by_hash ON pending_delivery (content_hash);
CREATE TABLE "fetch" (
    url TEXT COLLATE "C" PRIMARY KEY,
    site TEXT COLLATE "C" NOT NULL,
    etag TEXT COLLATE "C" NOT NULL,
    last_modified TEXT COLLATE "C" NOT NULL,
    published DOUBLE PRECISION NOT NULL,
    fetched DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    delivered INTEGER NOT NULL
);
CREATE INDEX fetch_by_site ON "fetch" (site, seen);
CREATE TABLE address_shape (
    site TEXT COLLATE "C" NOT NULL,
    shape TEXT COLLATE "C" NOT NULL,
    articles DOUBLE PRECISION NOT NULL,
    others DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (site, shape)
);
CREATE TABLE site_run (
    run INTEGER NOT NULL,
    site TEXT COLLATE "C" NOT NULL,
    started DOUBLE PRECISION NOT NULL,
    seconds DOUBLE PRECISION,
    state TEXT COLLATE "C" NOT NULL,
    counts TEXT COLLATE "C" NOT NULL,
    expected DOUBLE PRECISION,
    PRIMARY KEY (site, run)
);
CREATE INDEX site_run_by_state ON site_run (state);
CREATE TABLE site_alert (
    site TEXT COLLATE "C" PRIMARY KEY,
    state TEXT COLLATE "C" NOT NULL,
    since DOUBLE PRECISION NOT NULL
);
"""


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
        connection.execute(_TABLES.encode())


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
