from collections.abc import Iterator
from pathlib import Path

import pytest

from .served import Served, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server of a folder with pages of one site, each of which has a box that came through."""
    with serving(tmp_path) as found:
        yield found
