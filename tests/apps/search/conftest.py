from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where an index will be."""
    return tmp_path / "index.sqlite"
