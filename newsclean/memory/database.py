"""What the parts of a memory need from a database.

Their SQL is what SQLite and PostgreSQL have in common (`?` for a value, `ON CONFLICT`,
`RETURNING`). What only one of them knows is in the modules of that database: connections, tables
and migrations, transactions, and how the processes that share a memory see who is running.
"""

from __future__ import annotations

import logging
import math
import re
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager


T = TypeVar("T")


class Database(Protocol):
    """One database, shared by the threads of this process and by other processes.

    A database that can no longer be written or read raises `StorageError`.
    """

    #: where it is, for messages
    path: str
    #: the name of this machine where others use the database as well, None where it is a file here
    host: str | None
    #: the rows that were passed over
    damaged: DamagedRows

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held by one thread during a transaction, or to read several things in one state."""
        ...

    def atomically(self, work: Callable[[], T], site: str | None = None) -> T:
        """Do some work in one transaction: all that it writes, or nothing.

        While it works no other process writes what concerns the `site`, or anything if it names
        none. Inside another transaction, it is a part of that one. A connection that was lost
        meanwhile is made again, and then the work is done again: it has no effect but on the
        database, or none that a second time would change.
        """
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """As `atomically`, for work that cannot be done again: a lost connection is its end."""
        ...

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement; one that writes belongs in a transaction."""
        ...

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Write; the number of rows that were changed.

        Outside a transaction it may be executed a second time, if the connection is lost after the
        first: such a statement is one that then changes nothing.
        """
        ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write once for each row of values."""
        ...

    def check_writable(self) -> None:
        """Write something that changes nothing; raises `StorageError` if that fails."""
        ...

    def size(self) -> int:
        """How large it is, in bytes."""
        ...

    def lock_run(self, run: int) -> None:
        """Show other processes that this run is alive, until `close` or the end of the process."""
        ...

    def lock_domains(self, domains: Sequence[str]) -> str | None:
        """Lock registered domains, in this order, until `close` or the end of the process.

        Returns None if all are locked, or the first that another crawl has; then none is locked.
        """
        ...

    def check_held(self) -> None:
        """Raise `StorageError` if another crawl may have taken the domains of this run.

        It costs nothing as long as the process has heard of the database a moment ago. After a
        pause (the process was stopped, its machine has slept) the database is asked.
        """
        ...

    def is_run_alive(self, run: int) -> bool:
        """Whether a living process has locked this run."""
        ...

    def is_run_gone(self, run: int, *, wait: bool) -> bool:
        """Whether the process of a run has ended, and not only lost its connection.

        Where that takes time to tell, it is told after a `wait`, and without one it is not gone.
        """
        ...

    def end_run(self, run: int) -> None:
        """Another run takes over what this one has left: should it be alive, it must not go on."""
        ...

    def close(self) -> None: ...


# Damaged rows in an intact file: counted and passed over.

logger = logging.getLogger(__name__)


class DamagedRowError(ValueError):
    """A row whose columns are not what was written."""


class DamagedRows:
    """The rows that could not be read, each once, with one warning for each table."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._rows: dict[str, set[object]] = {}

    def note(self, table: str, row: object) -> None:
        """Count a row, by what identifies it in its table."""
        if table not in self._rows:
            logger.warning(
                "%s has damaged rows in its table %s: they are counted and passed over",
                self.path,
                table,
            )
        self._rows.setdefault(table, set()).add(row)

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    @property
    def counts(self) -> dict[str, int]:
        """How many rows of each table are damaged."""
        return {table: len(rows) for table, rows in sorted(self._rows.items())}


# Where a memory is: the path of a file, or the address of a PostgreSQL database.

_SCHEMES = ("postgresql", "postgres")

#: Parts of an address that say who one is.
_SECRETS = ("password", "sslpassword", "passfile", "sslkey")


def is_database_address(path: str) -> bool:
    """Whether a memory is in PostgreSQL.

    >>> is_database_address("postgresql://db.example/news"), is_database_address("a.sqlite")
    (True, False)
    """
    return path.partition("://")[0].lower() in _SCHEMES and "://" in path


def without_password(address: str) -> str:
    """An address as it may be shown.

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
    """A message of a library without the password of an address, and without the address.

    >>> hide_password('no "s%20t" in postgresql://a:s%20t@db/x', "postgresql://a:s%20t@db/x")
    'no "…" in postgresql://a@db/x'
    """
    text = text.replace(address, without_password(address))
    # What is before the last @ may hold one itself.
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


# Texts as PostgreSQL takes them: it knows neither NUL nor half of a surrogate pair.


def storable_text(text: str) -> str:
    """A text without what PostgreSQL refuses.

    >>> storable_text("a\\x00b\\ud800")
    'a\\ufffdb?'
    """
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def storable(value: Any) -> Any:
    """Plain data with all its texts and numbers storable.

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
