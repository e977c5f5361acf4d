"""What the parts of a memory need from a database.

Their SQL is what SQLite and PostgreSQL have in common (`?` for a value, `ON CONFLICT`,
`RETURNING`). What only one of them knows is in the modules of that database: connections, tables
and migrations, transactions, and how the processes that share a memory see who is running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from newsclean.memory.damage import DamagedRows

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
