"""A page, and the pages beside it."""

from pathlib import Path

import pytest

from .pages import TOWNS, story


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(story("Tromsø"), "utf-8")
    return path


@pytest.fixture
def neighbors(tmp_path: Path) -> Path:
    folder = tmp_path / "neighbors"
    folder.mkdir()
    for town in TOWNS:
        (folder / f"{town}.html").write_text(story(town), "utf-8")
    return folder
