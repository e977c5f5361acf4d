"""Pages in Chromium, for tests: `new_page` opens one, and every request that it makes is kept.

A plugin of pytest, loaded by `tests/conftest.py`: a test anywhere names the fixture it wants.
Nothing but files and this machine can be asked. Where Chromium, Playwright or axe-core are missing
the test is reported as not run; with CI=true it fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import pytest

from newsclean.browser.chromium import chromium_arguments
from tests.browser.installed import NOT_RUN, not_run, require_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

AXE = Path(__file__).parents[2] / ".axe" / "node_modules" / "axe-core" / "axe.min.js"
#: Hosts that a page under test may ask.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: What needs no network.
LOCAL_SCHEMES = ("file", "data", "blob", "about")


class NewPage(Protocol):
    """Opens a page; the options are those of Playwright's `new_context`."""

    def __call__(self, width: int = 1280, height: int = 900, **options: Any) -> Page: ...


# Of a module, not of the session: while Playwright runs, no other test can start an event loop.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Chromium without a window."""
    program = require_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium_arguments())
        yield browser
        browser.close()


@pytest.fixture
def requests() -> list[str]:
    """The addresses that the pages of this test have asked for, refused ones included."""
    return []


@pytest.fixture
def new_page(chromium: Browser, requests: list[str]) -> Iterator[NewPage]:
    """Opens a page of any size; all of a test are closed after it."""
    contexts = []

    def answer(route: Route) -> None:
        parts = urlsplit(route.request.url)
        is_here = parts.scheme in LOCAL_SCHEMES or parts.hostname in LOOPBACK
        route.continue_() if is_here else route.abort()

    def open_page(width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.on("request", lambda request: requests.append(request.url))
        context.route("**/*", answer)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


class Accessibility(Protocol):
    """The rules of axe-core that a page breaks, with the elements that break them."""

    def __call__(self, page: Page) -> list[str]: ...


@pytest.fixture(scope="session")
def violations() -> Accessibility:
    """Asks axe-core what is wrong with a page that is open."""
    if not AXE.is_file():
        not_run("axe-core is missing: make axe")
    source = AXE.read_text("utf-8")

    def find(page: Page) -> list[str]:
        # Not by a script element, which a strict page refuses.
        page.evaluate(source)
        result = page.evaluate("axe.run()")
        assert result["passes"], "axe-core has looked at nothing"
        return [
            f"{found['id']} ({found['impact']}): {node['html'][:200]}"
            for found in result["violations"]
            for node in found["nodes"]
        ]

    return find


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was not run, and how often."""
    counts: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
        if NOT_RUN in reason:
            reason = reason.partition(NOT_RUN)[2]
            counts[reason] = counts.get(reason, 0) + 1
    for reason, count in counts.items():
        terminalreporter.write_line(f"{count} tests not run: {reason}")
