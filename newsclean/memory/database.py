"""What the parts of a memory need from a database.

Their SQL is what SQLite and PostgreSQL have in common (`?` for a value, `ON CONFLICT`,
`RETURNING`). What only one of them knows is in the module of that database: connections, tables
and migrations, transactions, and how the processes that share a memory see who is running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from newsclean.memory.damage import DamagedRows


class Database(Protocol):
    """One database, shared by the threads of this process and by other processes.

    A database that can no longer be written or read raises `StorageError`.
    """

    #: where it is, for messages
    path: str
    #: the rows that were passed over
    damaged: DamagedRows

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held by one thread during a transaction, or to read several things in one state."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Write all of it or nothing; inside another transaction, a part of that one."""
        ...

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a statement; one that writes belongs in a transaction."""
        ...

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Write; the number of rows that were changed."""
        ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write once for each row of values."""
        ...

    def check_writable(self) -> None:
        """Write something that changes nothing; raises `StorageError` if that fails."""
        ...

    def lock_run(self, run: int) -> None:
        """Show other processes that this run is alive, until `close` or the end of the process."""
        ...

    def is_run_alive(self, run: int) -> bool:
        """Whether a living process has locked this run."""
        ...

    def close(self) -> None: ...
