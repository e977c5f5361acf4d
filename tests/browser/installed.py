"""For tests that need something of this machine: without it they are not run, in CI they fail."""

import os
from typing import NoReturn

import pytest

from newsclean.browser.chromium import BrowserMissingError, check_browser, find_chromium

NOT_RUN = "not run: "


def not_run(reason: str) -> NoReturn:
    """End a test for which something is missing on this machine; in CI it fails."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (CI runs every test)", pytrace=False)
    pytest.skip(NOT_RUN + reason)


def require_browser() -> str:
    """The path of Chromium."""
    program = os.environ.get("NEWSCLEAN_CHROMIUM")
    try:
        check_browser(program)
        return find_chromium(program)
    except BrowserMissingError as error:
        not_run(str(error))
