"""Sessions of PostgreSQL beside those of a memory."""

from typing import Any

import psycopg


def cut(address: str) -> None:
    """End all other sessions of a database, as a broken network does."""
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def rows(address: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address) as session:
        return session.execute(sql.encode()).fetchall()
