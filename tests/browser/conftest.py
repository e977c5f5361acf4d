from collections.abc import Iterator

import pytest

from newsclean.browser.saved_pages import SavedPageRenderer
from tests.browser.installed import require_browser


@pytest.fixture
def program() -> str:
    """The path of Chromium."""
    return require_browser()


@pytest.fixture
def renderer(program: str) -> Iterator[SavedPageRenderer]:
    with SavedPageRenderer(program, seconds=60) as renderer:
        yield renderer
