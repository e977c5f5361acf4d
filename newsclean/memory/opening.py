"""Opens the database of a memory, of whichever kind it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.memory.address import is_database_address, without_password
from newsclean.memory.schema import MemoryFileError, NoMemoryError
from newsclean.memory.sqlite import SQLiteDatabase

if TYPE_CHECKING:
    from newsclean.memory.database import Database

HOW_TO_GET = "pip install 'newsclean[postgresql]'"


def open_database(path: str, host: str | None = None, *, make: bool = True) -> Database:
    """The database at a path or address, made where there is none; raises `MemoryFileError`.

    Without `make`, one that is not there is an error, too. `host` is the name of this machine
    among those that share a database.
    """
    if not is_database_address(path):
        if not make and not Path(path).is_file():
            raise NoMemoryError(f"there is no memory at {path}")
        return SQLiteDatabase(path)
    try:
        from newsclean.memory.postgresql import PostgresqlDatabase
    except ImportError as error:
        where = without_password(path)
        raise MemoryFileError(f"{where} needs {error.name}: {HOW_TO_GET}") from None
    return PostgresqlDatabase(path, host, make=make)
