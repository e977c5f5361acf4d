"""The interface between a memory and its database, SQLite or PostgreSQL; its tables.

The parts of a memory use only SQL that both understand (`?` for a value, `ON CONFLICT`,
`RETURNING`). Connections, transactions and locks differ: `SQLiteDatabase` and
`PostgresqlDatabase` each have their own.
"""

from __future__ import annotations

import logging
import math
import re
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

T = TypeVar("T")

_SCHEMES = ("postgresql", "postgres")

#: Options of a connection URL that must not be shown.
_SECRETS = ("password", "sslpassword", "passfile", "sslkey")


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


class Database(Protocol):
    """One database, shared by the threads of this process and by other processes.

    A database that can no longer be written or read raises `StorageError`.
    """

    #: where it is, for messages
    path: str
    #: the name of this machine if others can use the database, None if it is a local file
    host: str | None
    #: the rows that could not be read
    damaged: DamagedRows

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held by one thread during a transaction, or to read several things in one state."""
        ...

    def atomically(self, work: Callable[[], T], site: str | None = None) -> T:
        """Do some work in one transaction, as part of the current one if there is one.

        Meanwhile no other process writes data of the `site`, or anything at all without `site`. If
        the connection is lost, the work is repeated on a new one, so it must have no effects
        outside the database, or only such that can be repeated.
        """
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Like `atomically`, for work that can't be repeated: a lost connection ends it."""
        ...

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a statement; one that also writes needs a transaction."""
        ...

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Execute a statement and return the number of changed rows.

        Outside a transaction it may run twice, if the connection is lost after the first time: use
        only statements that change nothing the second time.
        """
        ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute a statement once for each row of values."""
        ...

    def check_writable(self) -> None:
        """Write without changing anything; raises `StorageError` if that fails."""
        ...

    def size(self) -> int:
        """Return the size in bytes."""
        ...

    def lock_run(self, run: int) -> None:
        """Mark this run as alive until `close` or the end of the process."""
        ...

    def lock_domains(self, domains: Sequence[str]) -> str | None:
        """Lock registered domains, in this order, until `close` or the end of the process.

        If another crawl has one of them, lock none and return the first such domain.
        """
        ...

    def check_held(self) -> None:
        """Raise `StorageError` if another crawl may have taken the domains of this run.

        The database is only asked after seconds without contact: the process or its machine may
        have been suspended.
        """
        ...

    def is_run_alive(self, run: int) -> bool:
        """Tell whether a living process has locked this run."""
        ...

    def is_run_gone(self, run: int, *, wait: bool) -> bool:
        """Tell whether the process of a run has ended, and not only lost its connection.

        That may take time to find out: without `wait`, return False until it is certain.
        """
        ...

    def end_run(self, run: int) -> None:
        """Record that another run takes over, so that this one stops if it is still alive."""
        ...

    def close(self) -> None: ...


class DamagedRowError(ValueError):
    """A row with invalid values in its columns."""


class DamagedRows:
    """The rows that could not be read, with one warning per table."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._rows: dict[str, set[object]] = {}

    def note(self, table: str, row: object) -> None:
        """Count a row once, by its key in the table."""
        if table not in self._rows:
            logger.warning(
                "%s has damaged rows in the table %s: they are counted and skipped",
                self.path,
                table,
            )
        self._rows.setdefault(table, set()).add(row)

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of damaged rows by table."""
        return {table: len(rows) for table, rows in sorted(self._rows.items())}


def is_database_url(path: str) -> bool:
    """Tell whether the name of a memory is the connection URL of a PostgreSQL database.

    >>> is_database_url("postgresql://db.example/news"), is_database_url("a.sqlite")
    (True, False)
    """
    return path.partition("://")[0].lower() in _SCHEMES and "://" in path


def without_password(address: str) -> str:
    """Return a connection URL without its secrets.

    >>> without_password("postgresql://ann:secret@db.example:5433/news?password=x&sslmode=require")
    'postgresql://ann@db.example:5433/news?sslmode=require'
    """
    try:
        parts = urlsplit(address)
        options = [pair for pair in parse_qsl(parts.query) if pair[0] not in _SECRETS]
    except ValueError:
        return f"{address.partition('://')[0]}://…"
    user, at, place = parts.netloc.rpartition("@")
    where = f"{parts.scheme}://{user.partition(':')[0]}{at}{place}{parts.path}"
    return f"{where}?{urlencode(options)}" if options else where


def hide_password(text: str, address: str) -> str:
    """Remove the secrets of a connection URL from the message of a library.

    >>> hide_password('no "s%20t" in postgresql://a:s%20t@db/x', "postgresql://a:s%20t@db/x")
    'no "…" in postgresql://a@db/x'
    """
    text = text.replace(address, without_password(address))
    # A password may contain "@": the last one ends it.
    written = re.match(r"\w+://[^:/?#]*:(.*)@", address)
    words = {written[1]} if written else set()
    words.update(value for name, value in _options(address) if name in _SECRETS)
    for word in sorted({*words, *map(unquote, words)}, key=len, reverse=True):
        if word:
            text = text.replace(word, "…")
    return text


def _options(address: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(address).query)
    except ValueError:
        return []


def storable_text(text: str) -> str:
    """Replace what PostgreSQL refuses in a text: NUL and lone surrogates.

    >>> storable_text("a\\x00b\\ud800")
    'a\\ufffdb?'
    """
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def storable(value: Any) -> Any:
    """Replace what PostgreSQL refuses in plain data.

    >>> storable({"a\\x00": ["b", 1, None]})
    {'a\\ufffd': ['b', 1, None]}
    """
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict):
        return {storable(key): storable(inner) for key, inner in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list | tuple):
        return [storable(inner) for inner in value]
    return value


def to_signed(key: int) -> int:
    """Convert a 64-bit key to the signed integer of a database."""
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    return number % (1 << 64)


def to_blob(hashes: NDArray[np.uint64]) -> bytes:
    return hashes.astype("<u8").tobytes()


def from_blob(blob: bytes) -> NDArray[np.uint64]:
    if len(blob) % 8:
        raise ValueError("not a column of 64-bit hashes")
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)
