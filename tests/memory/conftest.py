from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from newsclean.memory import Memory
from tests.servers.postgresql import PostgresqlServer

Remember = Callable[..., Memory]

#: What every memory promises is tested with each kind of database.
KINDS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql))


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """The database of the memories of a test."""
    return str(request.param)


@pytest.fixture
def new_path(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[[], str]]:
    """Where a memory may be that is not there yet, another one with each call."""
    if kind == "sqlite":
        numbers = count()
        yield lambda: str(tmp_path / f"{next(numbers)}" / "memory.sqlite")
        return
    server: PostgresqlServer = request.getfixturevalue("postgresql_server")
    with ExitStack() as stack:

        def new_database() -> str:
            address = server.new_database()
            stack.callback(server.give_back, address)
            return address

        yield new_database


@pytest.fixture
def path(new_path: Callable[[], str]) -> str:
    """Where a memory may be."""
    return new_path()


@pytest.fixture
def remember(new_path: Callable[[], str]) -> Iterator[Remember]:
    """Opens memories, new ones if it is not told which, and closes them when the test ends."""
    with ExitStack() as stack:

        def remember(path: str | None = None, **options: Any) -> Memory:
            memory = Memory(new_path() if path is None else path, **options)
            return stack.enter_context(closing(memory))

        yield remember
