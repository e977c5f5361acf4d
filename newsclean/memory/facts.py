"""What holds for all that a memory has learned: the kind of keys, the model."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from newsclean.memory.schema import MemoryFileError

if TYPE_CHECKING:
    from newsclean.extraction.neighborhood import Keying
    from newsclean.memory.database import Database

logger = logging.getLogger(__name__)


def stored_keying(database: Database) -> Keying | None:
    """The kind of keys with which a memory was learned, None if it has learned nothing."""
    return _fact(database, "keying")  # type: ignore[return-value]


def require_keying(database: Database, keying: Keying) -> None:
    """Refuse a memory that was learned with other keys; an empty one is for these from now on."""

    def require() -> None:
        stored = stored_keying(database)
        if stored is None:
            _write_fact(database, "keying", keying)
        elif stored != keying:
            raise MemoryFileError(
                f"{database.path} was learned with {stored!r} keys and this method needs "
                f"{keying!r} keys: give it a memory of its own"
            )

    database.atomically(require)


def note_model(database: Database, model: str) -> None:
    """Remember the fingerprint of the model, with a warning if it was another one before."""

    def note() -> str | None:
        stored = _fact(database, "model")
        if stored != model:
            _write_fact(database, "model", model)
        return stored

    stored = database.atomically(note)
    if stored not in (None, model):
        logger.warning(
            "%s was learned with another model: what that one found out about the slots of the "
            "sites' templates is not used, and is learned anew",
            database.path,
        )


def _fact(database: Database, name: str) -> str | None:
    rows = database.query("SELECT value FROM fact WHERE name = ?", (name,))
    return rows[0][0] if rows else None


def _write_fact(database: Database, name: str, value: str) -> None:
    database.execute(
        "INSERT INTO fact (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )
