"""Chromium on this machine: where it is, how it is started, and what a page in it requests."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.error_hints import install_command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from playwright.async_api import BrowserContext, Request, Route

#: Names under which Linux distributions install it.
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_HOW_TO_GET = (
    "install it from your distribution (Debian: apt-get install chromium), "
    "or name its program in NEWSCLEAN_CHROMIUM"
)


class BrowserMissingError(Exception):
    """There is no browser on this machine; the message says how to install one."""


def find_chromium(program: str | None = None) -> str:
    """Return the path of Chromium: of `program`, or of the first one that is installed."""
    if program:
        if found := shutil.which(str(Path(program).expanduser())):
            return found
        raise BrowserMissingError(f"no program to run at {program} (NEWSCLEAN_CHROMIUM)")
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    raise BrowserMissingError(f"no Chromium on this machine: {_HOW_TO_GET}")


def check_browser(program: str | None = None) -> str:
    """Return the path of Chromium; `BrowserMissingError` without it or without Playwright."""
    if find_spec("playwright") is None:
        raise BrowserMissingError(f"rendering needs Playwright: {install_command('browser')}")
    return find_chromium(program)


def chromium_arguments() -> list[str]:
    """Return the arguments for a machine without a screen; Chromium itself requests nothing."""
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


@dataclass(frozen=True)
class BrowserRequest:
    """A request of a page."""

    url: str
    method: str
    #: Playwright's name: script, stylesheet, xhr, fetch, image …
    kind: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Answer:
    body: bytes
    headers: Mapping[str, str]
    status: int = 200


@dataclass
class ShownPage:
    """A page while it is open in the browser."""

    url: str
    document: Answer
    answer: Callable[[BrowserRequest], Awaitable[Answer | None]]
    is_loaded: bool = False
    is_over: bool = False
    #: requests that wait for an answer, and all that were made
    pending: int = 0
    requests: int = 0
    #: seconds that the page itself has taken, and those spent waiting for answers
    seconds: float = 0.0
    waited: float = 0.0
    context: BrowserContext | None = field(default=None, repr=False)

    async def route(self, route: Route) -> None:
        """Answer a request of the page; it cannot navigate elsewhere."""
        from playwright.async_api import Error

        request = route.request
        is_document = request.is_navigation_request()
        answer = None
        try:
            if is_document and not self.is_loaded and request.frame.parent_frame is None:
                self.is_loaded = True
                answer = self.document
            elif not is_document and not self.is_over:
                self.pending += 1
                self.requests += 1
                try:
                    answer = await self.answer(_browser_request(request))
                finally:
                    self.pending -= 1
            if answer is None:
                await route.abort("aborted" if is_document else "blockedbyclient")
            else:
                await route.fulfill(
                    status=answer.status, headers=dict(answer.headers), body=answer.body
                )
        except Error:  # the page is gone
            if not self.is_over:
                raise


def _browser_request(request: Request) -> BrowserRequest:
    return BrowserRequest(
        request.url,
        request.method,
        request.resource_type,
        request.headers,
        request.post_data_buffer,
    )
