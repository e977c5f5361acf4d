"""Renders saved pages in Chromium, without any request to a server.

In: the bytes of a page, and the style sheets and pictures that were saved with it. Out: a snapshot
of how it looks. JavaScript is off: a saved page already contains what its scripts did, and without
a network they could not do more.
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

from newsclean.browser.chromium import BrowserMissingError, check_browser, chromium_arguments
from newsclean.browser.snapshot import CAPTURE, CAPTURE_OPTIONS, SCREEN, SnapshotError, snapshot_of
from newsclean.extraction.page import PageError
from newsclean.extraction.page.decode import as_utf8

if TYPE_CHECKING:
    from types import TracebackType

    from playwright.sync_api import Browser, CDPSession, Route

    from newsclean.browser.snapshot import Snapshot

#: What was saved with a page: from a URL to its bytes, None if it was not saved.
Resources = Callable[[str], bytes | None]

#: Seconds that a page may take before Chromium is killed.
_SECONDS = 30.0
#: Bytes of a file that was saved with a page; larger ones are not loaded.
_MAX_SIZE = 10_000_000
#: The URL of a page without one.
_NO_URL = "http://saved.invalid/"
#: Names are not even resolved; IP addresses are refused by `_answer`, like all requests.
_NO_NETWORK = ("--host-resolver-rules=MAP * ~NOTFOUND",)
#: What is loaded of what was saved with a page: all that affects how it looks.
_LOADED = frozenset({"stylesheet", "image", "font"})


class SavedPageError(PageError):
    """A page that could not be rendered."""


class SavedPageRenderer:
    """Chromium, started for the first page, and again after one on which it hung or died.

    `program` defaults to the environment variable NEWSCLEAN_CHROMIUM. A context manager: no process
    is left behind, whatever happens. To be used by one thread at a time.
    """

    def __init__(self, program: str | None = None, *, seconds: float = _SECONDS) -> None:
        self.program = check_browser(program or os.environ.get("NEWSCLEAN_CHROMIUM"))
        self.seconds = seconds
        #: number of times the browser was started
        self.starts = 0
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
        """The ID of Chromium's main process, 0 if it is not running."""
        return self._process

    def close(self) -> None:
        """End the browser; another page starts it again."""
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
        """Return the snapshot of a page, and save a screenshot of all of it to `picture`.

        `SavedPageError` if Chromium hangs or dies on the page, `BrowserMissingError` if it does not
        start at all.
        """
        from playwright.sync_api import Error
        from playwright.sync_api import TimeoutError as LateError

        browser = self._started()
        out_of_time = threading.Event()

        def end() -> None:
            # From another thread: a call to a browser that hangs does not return.
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
                "render-failed", f"Chromium could not render it: {message}"
            ) from None
        except SnapshotError as error:
            raise SavedPageError("render-failed", str(error)) from None
        finally:
            watch.cancel()

    def _started(self) -> Browser:
        from playwright.sync_api import Error, sync_playwright

        if self._browser is not None and self._browser.is_connected():
            return self._browser
        self.close()
        self._playwright = sync_playwright().start()
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
        assert self._session is not None
        running: list[dict[str, Any]] = self._session.send("SystemInfo.getProcessInfo")[
            "processInfo"
        ]
        return running

    def _processor_time(self) -> float:
        """Return the processor seconds of this process and those of Chromium."""
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
        begun = self._processor_time()
        # The same characters that `Page.from_html` reads, whatever encoding the page declares.
        source = as_utf8(body, content_type).replace(b"\x00", b"")
        context = browser.new_context(
            java_script_enabled=False,
            viewport={"width": SCREEN[0], "height": SCREEN[1]},
            service_workers="block",
        )
        try:
            answered: list[str] = []
            page = context.new_page()
            page.set_default_timeout(self.seconds * 1000)

            def answer(route: Route) -> None:
                _answer(route, source, answered, resources)

            page.route("**/*", answer)
            page.goto(_url_in_browser(url), wait_until="load")
            if picture is not None:
                page.screenshot(path=picture, full_page=True)
            session = context.new_cdp_session(page)
            snapshot = snapshot_of(session.send(CAPTURE, CAPTURE_OPTIONS), url)
            return replace(snapshot, seconds=round(self._processor_time() - begun, 3))
        finally:
            if browser.is_connected():
                context.close()


def _url_in_browser(url: str | None) -> str:
    """Return the URL of a page in the browser, which resolves relative URLs against it."""
    try:
        parts = urlsplit(url or "")
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    return urldefrag(url or "").url if is_web else _NO_URL


def _answer(route: Route, source: bytes, answered: list[str], resources: Resources | None) -> None:
    """Answer with the page itself, once, or with what was saved with it; refuse all else."""
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
    """Kill Chromium and its children: Playwright gives it a process group of its own."""
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


def files_beside(page: Path, url: str | None = None, folder: Path | None = None) -> Resources:
    """Return a function from a URL to the bytes of the file in which it was saved.

    The file is looked for in three places:

    - beside the page, as the page names it: `page_files/style.css`, as browsers save it;
    - in the folder, by its path: `folder/css/style.css`, as in a mirror of one site;
    - by host and path: `folder/example.org/css/style.css`, as in a mirror of several sites.

    No file outside the folder is read, whatever the page requests.
    """
    beside = page.parent
    root = (folder or beside).resolve()
    base = _url_in_browser(url).rpartition("/")[0] + "/"

    def saved(wanted: str) -> bytes | None:
        parts = urlsplit(wanted)
        path = unquote(parts.path).lstrip("/")
        places = [root / path, root / (parts.hostname or "") / path]
        if wanted.startswith(base):
            rest = urlsplit(wanted.removeprefix(base)).path
            places.insert(0, beside / unquote(rest))
        for place in places:
            try:
                file = place.resolve()
                if file.is_relative_to(root) and file.is_file():
                    return file.read_bytes() if file.stat().st_size <= _MAX_SIZE else None
            except (OSError, ValueError):  # an impossible file name, or a folder without access
                continue
        return None

    return saved
