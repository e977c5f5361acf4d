"""Servers as fixtures: a plugin of pytest, loaded by `tests/conftest.py`.

One server of each kind serves all tests of a process. A test that stops it starts it again.
Where a server is not installed the test is reported as not run; with CI=true it fails.
"""

from collections.abc import Iterator

import pytest

from .postgresql import PostgresqlServer
from .redis import RedisServer


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


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """Redis, running."""
    server = RedisServer()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def redis_address(redis_server: RedisServer) -> str:
    """The address of an empty Redis."""
    from redis import Redis

    with Redis.from_url(redis_server.address) as client:
        client.flushall()
    return redis_server.address
