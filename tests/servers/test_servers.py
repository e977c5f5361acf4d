"""What tests rely on: servers that start, keep what they were given, and start again."""

import psycopg
import pytest

from .postgresql import PostgresqlServer

pytestmark = pytest.mark.slow


def test_postgresql_keeps_what_was_committed_when_it_is_started_again(
    postgresql_server: PostgresqlServer, postgresql: str
) -> None:
    with psycopg.connect(postgresql) as connection:
        connection.execute("CREATE TABLE kept (name text)")
        connection.execute("INSERT INTO kept VALUES ('Oslo')")
    postgresql_server.restart()
    with psycopg.connect(postgresql) as connection:
        assert connection.execute("SELECT name FROM kept").fetchall() == [("Oslo",)]
