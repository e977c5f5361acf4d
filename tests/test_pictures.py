"""The pictures of the documentation: `make pictures` makes each of them, and pages show them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.installed import require_browser

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = {path.name for path in (DOCS / "pictures").iterdir()}


@pytest.mark.chromium
@pytest.mark.process
@pytest.mark.slow
def test_the_script_makes_all_pictures(tmp_path: Path) -> None:
    require_browser()
    command = [sys.executable, str(DOCS / "pictures.py"), str(tmp_path), "--days", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == PICTURES


def test_every_picture_that_the_documentation_shows_exists() -> None:
    pages = [*DOCS.glob("**/*.md"), DOCS.parent / "README.md"]
    names = [re.findall(r"pictures/([\w-]+\.png)", page.read_text("utf-8")) for page in pages]
    assert {name for found in names for name in found} <= PICTURES
