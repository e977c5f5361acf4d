"""Finds Chromium on this machine, and says how it is started."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

#: Names under which Linux distributions install it.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET = (
    "install it from your distribution (Debian: apt-get install chromium), "
    "or name its program in NEWSCLEAN_CHROMIUM"
)


class BrowserMissingError(Exception):
    """There is no browser on this machine; the message says how to get one."""


def find_chromium(program: str | None = None) -> str:
    """The path of Chromium: the one that is named, or the first one that is found."""
    if program:
        if found := shutil.which(str(Path(program).expanduser())):
            return found
        raise BrowserMissingError(f"no program to run at {program} (NEWSCLEAN_CHROMIUM)")
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise BrowserMissingError(f"no Chromium on this machine: {HOW_TO_GET}")


def check_browser(program: str | None = None) -> None:
    """Raise `BrowserMissingError` if a page could not be shown: no Playwright, or no Chromium."""
    if find_spec("playwright") is None:
        raise BrowserMissingError("pages are shown by Playwright: pip install 'newsclean[browser]'")
    find_chromium(program)


def chromium_arguments() -> list[str]:
    """Arguments for a machine without a screen; nothing is requested by Chromium itself."""
    arguments = [
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    # Chromium's sandbox refuses to run as root.
    return [*arguments, "--no-sandbox"] if os.geteuid() == 0 else arguments
