"""`newsclean memory`."""

from contextlib import closing
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.memory import Memory
from newsclean.neighborhood.keys import page_keys
from newsclean.page import Page

Capture = pytest.CaptureFixture[str]

ODD = "[/b] All rights [red]reserved[/]"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A memory of three pages of a site; what they repeat looks like markup of the display."""
    path = str(tmp_path / "memory.sqlite")
    with closing(Memory(path)) as memory:
        for number in range(3):
            page = Page.from_html(f"<p>The story {number} of the day</p><footer>{ODD}</footer>")
            memory.learn("example.org", "[/sport]", f"page {number}", page_keys(page, "block"))
    return path


def test_texts_are_shown_as_they_stand_on_the_pages(path: str, capsys: Capture) -> None:
    assert main(["memory", "--memory", path, "show", "example.org"]) == 0
    shown = capsys.readouterr().out
    assert ODD in shown
    assert "example.org" in shown
    assert "The story" not in shown


def test_categories_are_listed_as_they_are_called(path: str, capsys: Capture) -> None:
    assert main(["memory", "--memory", path, "list"]) == 0
    assert "[/sport]" in capsys.readouterr().out
