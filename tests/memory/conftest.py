from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from newsclean.memory import Memory

Remember = Callable[..., Memory]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where a memory may be."""
    return str(tmp_path / "memory.sqlite")


@pytest.fixture
def remember() -> Iterator[Remember]:
    """Opens memories and closes them when the test ends."""
    with ExitStack() as stack:

        def remember(*arguments: str, window: int = 50) -> Memory:
            return stack.enter_context(closing(Memory(*arguments, window=window)))

        yield remember
