from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

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

        def remember(*arguments: str, **options: Any) -> Memory:
            return stack.enter_context(closing(Memory(*arguments, **options)))

        yield remember
