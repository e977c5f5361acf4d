"""Renders saved pages in Chromium: one browser for many pages, and no request to anywhere.

A page is shown from its own bytes, with the stylesheets and pictures that were saved with it, and
without JavaScript: what a script would do to it, it has done already, or does without a network.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote, urldefrag, urlsplit

from newsclean.browser.chromium import BrowserMissingError, chromium_arguments, find_chromium
from newsclean.browser.snapshot import CAPTURE, CAPTURE_OPTIONS, SCREEN, SnapshotError, snapshot_of
from newsclean.extraction.page import PageError
from newsclean.extraction.page.decode import as_utf8

if TYPE_CHECKING:
    from types import TracebackType

    from playwright.sync_api import Browser, CDPSession, Route

    from newsclean.browser.snapshot import Snapshot


#: What was saved with a page: from an address to its bytes, None if it was not saved.
Resources = Callable[[str], bytes | None]

#: Seconds that a page may take; Chromium is then killed.
SECONDS = 30.0
#: Of a page whose address is not known.
_NO_ADDRESS = "http://saved.invalid/"
#: Names are not even looked up; numbers are refused by `_answer`, as all requests are.
_NO_NETWORK = ("--host-resolver-rules=MAP * ~NOTFOUND",)
#: What is loaded of what was saved with a page: all that has a say in how it looks.
_LOADED = frozenset({"stylesheet", "image", "font"})
HOW_TO_GET = "rendering needs Playwright: pip install 'newsclean[browser]'"


class SavedPageError(PageError):
    """A page that could not be rendered."""


class SavedPageRenderer:
    """Chromium, started with the first page and again after one on which it hung or died.

    `program` is the one to start, or the one that NEWSCLEAN_CHROMIUM names in the environment.
    A context manager; whatever happens, no process is left behind. One thread at a time.
    """

    def __init__(
        self,
        program: str | None = None,
        *,
        screen: tuple[int, int] = SCREEN,
        seconds: float = SECONDS,
    ) -> None:
        self.program = find_chromium(program or os.environ.get("NEWSCLEAN_CHROMIUM"))
        self.screen = screen
        self.seconds = seconds
        #: how often the browser was started
        self.starts = 0
        try:
            from playwright.sync_api import sync_playwright
        except ModuleNotFoundError:
            raise BrowserMissingError(HOW_TO_GET) from None
        self._playwright_of = sync_playwright
        self._playwright: Any = None
        self._browser: Browser | None = None
        self._session: CDPSession | None = None
        self._process = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def process(self) -> int:
        """The ID of Chromium's main process, 0 if it does not run."""
        return self._process

    def close(self) -> None:
        """End the browser; it is started again if another page comes."""
        process, self._process = self._process, 0
        playwright, self._playwright = self._playwright, None
        self._browser = self._session = None
        if process:
            _kill(process)
        if playwright is not None:
            playwright.stop()

    def render(
        self,
        body: bytes,
        url: str | None = None,
        content_type: str | None = None,
        resources: Resources | None = None,
        picture: Path | None = None,
    ) -> Snapshot:
        """The snapshot of a page, and a `picture` of all of it if a file is named for one.

        `SavedPageError` if Chromium hangs or dies on the page, `BrowserMissingError` if it does not
        start at all.
        """
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as LateError

        browser = self._started()
        out_of_time = threading.Event()

        def end() -> None:
            # From outside: a call to a browser that hangs does not come back.
            out_of_time.set()
            _kill(self._process)

        watch = threading.Timer(self.seconds, end)
        watch.daemon = True
        watch.start()
        try:
            return self._snapshot(browser, body, url, content_type, resources, picture)
        except Error as error:
            is_late = out_of_time.is_set() or isinstance(error, LateError)
            has_died = not browser.is_connected()
            self.close()
            if is_late:
                raise SavedPageError(
                    "render-timeout", f"Chromium took more than {self.seconds:g} seconds"
                ) from None
            if has_died:
                raise SavedPageError("render-crashed", "Chromium died on the page") from None
            message = str(error).partition("\n")[0]
            raise SavedPageError(
                "render-failed", f"Chromium could not show it: {message}"
            ) from None
        except SnapshotError as error:
            raise SavedPageError("render-failed", str(error)) from None
        finally:
            watch.cancel()

    def _started(self) -> Browser:
        from playwright.sync_api import Error

        if self._browser is not None and self._browser.is_connected():
            return self._browser
        self.close()
        self._playwright = self._playwright_of().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=self.program, args=[*chromium_arguments(), *_NO_NETWORK]
            )
            self._session = self._browser.new_browser_cdp_session()
            running = self._running()
        except Error as error:
            self.close()
            lines = str(error).strip().splitlines()
            raise BrowserMissingError(f"{self.program} does not start: {lines[0]}") from None
        self._process = next(one["id"] for one in running if one["type"] == "browser")
        self.starts += 1
        return self._browser

    def _running(self) -> list[dict[str, Any]]:
        """Chromium's processes."""
        assert self._session is not None
        running: list[dict[str, Any]] = self._session.send("SystemInfo.getProcessInfo")[
            "processInfo"
        ]
        return running

    def _processor_time(self) -> float:
        """Seconds that this process and those of Chromium have used so far."""
        return time.process_time() + sum(float(one["cpuTime"]) for one in self._running())

    def _snapshot(
        self,
        browser: Browser,
        body: bytes,
        url: str | None,
        content_type: str | None,
        resources: Resources | None,
        picture: Path | None,
    ) -> Snapshot:
        # The same characters as `Page.from_html` reads, whatever the page says of its encoding.
        begun = self._processor_time()
        source = as_utf8(body, content_type).replace(b"\x00", b"")
        address = _address_of(url)
        width, height = self.screen
        context = browser.new_context(
            java_script_enabled=False,
            viewport={"width": width, "height": height},
            service_workers="block",
        )
        try:
            answered: list[str] = []
            page = context.new_page()
            page.set_default_timeout(self.seconds * 1000)

            def answer(route: Route) -> None:
                _answer(route, source, answered, resources)

            page.route("**/*", answer)
            page.goto(address, wait_until="load")
            if picture is not None:
                page.screenshot(path=picture, full_page=True)
            session = context.new_cdp_session(page)
            snapshot = snapshot_of(session.send(CAPTURE, CAPTURE_OPTIONS), url, self.screen)
            return replace(snapshot, seconds=round(self._processor_time() - begun, 3))
        finally:
            if browser.is_connected():
                context.close()


def _address_of(url: str | None) -> str:
    """Where the browser believes a page to be: relative addresses are resolved against it."""
    try:
        parts = urlsplit(url or "")
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    return urldefrag(url or "").url if is_web else _NO_ADDRESS


def _answer(route: Route, source: bytes, answered: list[str], resources: Resources | None) -> None:
    """The page itself, once; what was saved with it; and nothing else."""
    request = route.request
    if request.is_navigation_request():
        if answered:  # a `refresh`, or a frame; "aborted" leaves the page where it is
            route.abort("aborted")
            return
        answered.append(request.url)
        route.fulfill(body=source, content_type="text/html; charset=utf-8")
        return
    saved = None
    if resources is not None and request.resource_type in _LOADED:
        saved = resources(request.url)
    if saved is None:
        route.abort("blockedbyclient")
    elif request.resource_type == "stylesheet":
        route.fulfill(body=saved, content_type="text/css")
    else:
        route.fulfill(body=saved)


def _kill(process: int) -> None:
    """End Chromium with all that it has started: Playwright gives it a process group of its own."""
    if not process:
        return
    try:
        group = os.getpgid(process)
        if group == os.getpgrp():
            os.kill(process, signal.SIGKILL)
        else:
            os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


# The stylesheets and pictures that were saved with a page, in files beside it.

#: Bytes of a file; a larger one is not loaded.
_MAX_SIZE = 10_000_000


def files_beside(page: Path, url: str | None = None, folder: Path | None = None) -> Resources:
    """From an address to the file in which it was saved, looked for in three places.

    - beside the page, as the page names it: `page_files/style.css`, as browsers save it;
    - in the folder, under its path: `folder/css/style.css`, as a mirror of one site has it;
    - and under host and path: `folder/example.org/css/style.css`, as a mirror of several.

    No file outside the folder is read, whatever the page asks for.
    """
    beside = page.parent
    root = (folder or beside).resolve()
    base = _address_of(url).rpartition("/")[0] + "/"

    def saved(address: str) -> bytes | None:
        parts = urlsplit(address)
        path = unquote(parts.path).lstrip("/")
        places = [root / path, root / (parts.hostname or "") / path]
        if address.startswith(base):
            rest = urlsplit(address.removeprefix(base)).path
            places.insert(0, beside / unquote(rest))
        for place in places:
            try:
                file = place.resolve()
                if file.is_relative_to(root) and file.is_file():
                    return file.read_bytes() if file.stat().st_size <= _MAX_SIZE else None
            except (OSError, ValueError):  # a name that no file can have, or a closed folder
                continue
        return None

    return saved
