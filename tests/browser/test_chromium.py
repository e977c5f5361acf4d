"""Where Chromium is looked for, and what a user is told who has none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from newsclean.browser import chromium
from newsclean.browser.chromium import (
    BrowserMissingError,
    check_browser,
    chromium_arguments,
    find_chromium,
)
from newsclean.error_hints import install_command


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; there is none in it yet."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_chromium_of_the_distribution_is_found(programs: Path) -> None:
    installed = program(programs / "chromium-browser")
    assert find_chromium() == str(installed)


def test_a_named_program_comes_before_the_one_that_is_installed(programs: Path) -> None:
    program(programs / "chromium")
    other = program(programs / "my-chromium")
    assert find_chromium(str(other)) == str(other)


def test_without_chromium_the_error_says_how_to_get_it(programs: Path) -> None:
    with pytest.raises(BrowserMissingError, match="apt-get install chromium"):
        find_chromium()


def test_a_named_program_that_is_missing_is_not_replaced_by_another(programs: Path) -> None:
    program(programs / "chromium")
    with pytest.raises(BrowserMissingError, match=str(programs / "none")):
        find_chromium(str(programs / "none"))


@pytest.mark.parametrize(("user", "unprotected"), [(0, True), (1000, False)])
def test_the_sandbox_is_off_for_root_alone(
    user: int, unprotected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--no-sandbox" in chromium_arguments()) is unprotected


def test_without_playwright_the_error_names_the_extra(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(programs / "chromium")
    check_browser()
    monkeypatch.setattr(chromium, "find_spec", lambda name: None)
    with pytest.raises(BrowserMissingError, match=re.escape(install_command("browser"))):
        check_browser()


@pytest.mark.process
def test_a_crawl_that_renders_nothing_imports_no_playwright() -> None:
    code = "import sys, newsclean.addon; sys.exit('playwright' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
