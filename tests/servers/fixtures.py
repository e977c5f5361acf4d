"""Servers as fixtures: a plugin of pytest, loaded by `tests/conftest.py`.

One server serves all tests of a process. A test that stops it starts it again.
Where a server is not installed the test is reported as not run; with CI=true it fails.
"""

from collections.abc import Iterator

import pytest

from .postgresql import PostgresqlServer


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgresqlServer]:
    """PostgreSQL, running."""
    server = PostgresqlServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def postgresql(postgresql_server: PostgresqlServer) -> Iterator[str]:
    """The address of an empty database."""
    address = postgresql_server.new_database()
    yield address
    postgresql_server.give_back(address)
