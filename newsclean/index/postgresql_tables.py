"""The tables of an index in PostgreSQL, in a schema of their own, and connections to them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from newsclean.index.clients import import_client, without_password
from newsclean.index.target import IndexTargetError, TargetDownError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

SCHEMA = "newsclean_search"
#: Of the tables; what is in them depends on `analysis_version` as well.
VERSION = "1"
#: Known to all processes that write: one at a time does.
WRITERS = 0x4E434958
#: Seconds.
CONNECT_TIMEOUT = 10
#: A server that is gone without a word is noticed after a minute.
KEEPALIVES = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 4}

# What is large is kept beside the rows (`toast_tuple_target`), so that a search that finds many
# articles reads few pages.
TABLES = f"""
    CREATE SCHEMA {SCHEMA};
    CREATE TABLE {SCHEMA}.article (
        number bigint PRIMARY KEY,
        id text NOT NULL UNIQUE,
        revision bigint NOT NULL,
        reextracted boolean NOT NULL,
        fetched_at text NOT NULL,
        digest bytea NOT NULL,
        url text,
        site text,
        section text,
        language text,
        headline text,
        date text,
        published double precision,
        copies bigint NOT NULL,
        line bytea NOT NULL,
        words tsvector NOT NULL
    ) WITH (toast_tuple_target = 256);
    ALTER TABLE {SCHEMA}.article ALTER COLUMN line SET STORAGE EXTERNAL;
    CREATE INDEX article_by_copies ON {SCHEMA}.article (copies);
    CREATE INDEX article_by_date ON {SCHEMA}.article (published);
    CREATE INDEX article_by_site ON {SCHEMA}.article (site);
    CREATE INDEX article_by_section ON {SCHEMA}.article (lower(section));
    CREATE INDEX article_by_words ON {SCHEMA}.article USING gin (words);
    CREATE TABLE {SCHEMA}.fingerprint (number bigint PRIMARY KEY, numbers bytea NOT NULL);
    CREATE TABLE {SCHEMA}.band (key bigint, number bigint, PRIMARY KEY (key, number));
    CREATE TABLE {SCHEMA}.stemmed_language (code text PRIMARY KEY);
    CREATE TABLE {SCHEMA}.fact (name text PRIMARY KEY, value text NOT NULL);
    INSERT INTO {SCHEMA}.fact VALUES ('version', '{VERSION}');
"""


def connect(address: str) -> psycopg.Connection[Any]:
    """A connection without a transaction, or the error that says what to do."""
    client = import_client("postgresql")
    with server_errors(address):
        connection: psycopg.Connection[Any] = client.connect(
            address,
            autocommit=True,
            connect_timeout=CONNECT_TIMEOUT,
            application_name="newsclean",
            **KEEPALIVES,
        )
    return connection


def create_tables(connection: psycopg.Connection[Any]) -> None:
    """Create the tables unless they are there; in a transaction that has the writers' lock."""
    if not has_tables(connection):
        connection.execute(TABLES.encode())


def has_tables(connection: psycopg.Connection[Any]) -> bool:
    row = connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.fact",)).fetchone()
    return row is not None and row[0] is not None


def check_version(connection: psycopg.Connection[Any], address: str) -> None:
    row = connection.execute(
        f"SELECT value FROM {SCHEMA}.fact WHERE name = 'version'".encode()
    ).fetchone()
    if row is None or row[0] != VERSION:
        version = None if row is None else row[0]
        raise IndexTargetError(
            f"{without_password(address)} has an index of version {version}, and this newsclean "
            f"knows {VERSION}: use the newsclean that made it, or another database"
        )


@contextmanager
def server_errors(address: str) -> Iterator[None]:
    """Turn what PostgreSQL and its client report into errors that say whether to try again."""
    client = import_client("postgresql")
    where = without_password(address)
    try:
        yield
    except (client.OperationalError, client.InterfaceError) as error:
        reason = _one_line(error)
        raise TargetDownError(f"{where} does not answer: {reason}") from error
    except client.Error as error:
        raise IndexTargetError(f"{where}: {_one_line(error)}") from error


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
