"""Renders downloaded pages in Chromium, for a crawl.

In: a page, and a function that answers its requests; the browser itself has no network. Out: the
HTML after the page's scripts have run, or a snapshot of how it looks.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from newsclean.browser.chromium import ShownPage, chromium_arguments
from newsclean.browser.snapshot import CAPTURE, CAPTURE_OPTIONS, SCREEN, SnapshotError, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Browser, Page, Playwright

    from newsclean.browser.snapshot import Snapshot

    _Reader = Callable[[Page, ShownPage], Awaitable["T"]]

T = TypeVar("T")

#: Whether the page has loaded, and how often it has changed since the first call.
_STATE = """() => {
  const key = Symbol.for("newsclean.changes");
  if (!(key in window)) {
    const count = {changes: 0};
    Object.defineProperty(window, key, {value: count});
    new MutationObserver((records) => { count.changes += records.length; }).observe(
      document, {subtree: true, childList: true, characterData: true});
  }
  return [document.readyState === "complete", window[key].changes];
}"""

#: The document as HTML, None if that has more characters than `max`. Open shadow roots replace the
#: content of their hosts: readers see them there, and HTML has no other way to express them.
_OUTER_HTML = """(max) => {
  const flatten = (root) => {
    for (const host of [...root.querySelectorAll("*")]) {
      const shadow = host.shadowRoot;
      if (!shadow) continue;
      flatten(shadow);
      for (const slot of shadow.querySelectorAll("slot")) {
        const assigned = slot.assignedNodes();
        slot.replaceWith(...(assigned.length ? assigned : slot.childNodes));
      }
      host.replaceChildren(...shadow.childNodes);
    }
  };
  flatten(document);
  const html = document.documentElement.outerHTML;
  if (html.length > max) return null;
  return document.doctype ? "<!DOCTYPE html>\\n" + html : html;
}"""

#: No page can undo this: a proxy where nothing listens, and no name that resolves.
_CLOSED_NETWORK = (
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # A page that fills the memory ends itself, not the crawl.
    "--js-flags=--max-old-space-size=512",
)
#: Pages that are open at a time.
_MAX_PAGES = 4
#: Seconds between two polls of a page, and polls without a change after which it is finished.
_POLL, _QUIET_POLLS = 0.1, 5
#: What Playwright says when a page navigates while a script is evaluated in it.
_LEAVING = "context was destroyed"
#: Seconds that a page or the browser may take to close before the browser is ended.
_MAX_CLOSING = 10.0
#: A page may wait for answers this many times as long as it may take itself.
_MAX_WAITING = 10
#: Failed starts after which no other is tried.
_MAX_FAILED_STARTS = 3


class RenderingError(Exception):
    """A page could not be rendered; `reason` is a short name for logs and stats."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Renderer:
    """One browser for many pages, started for the first one, and again after a crash.

    `wait` is the most seconds until a loaded page no longer changes, `timeout` the most seconds
    that it may take in all, without those in which it waits for answers.
    """

    def __init__(
        self, program: str, *, user_agent: str, wait: float, timeout: float, max_size: int
    ) -> None:
        self.program = program
        self.user_agent = user_agent
        self.wait = wait
        self.timeout = timeout
        self.max_size = max_size
        self.starts = 0
        self._failed_starts = 0
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._is_closed = False
        self._starting = asyncio.Lock()
        self._places = asyncio.Semaphore(_MAX_PAGES)

    async def render(self, shown: ShownPage) -> str:
        """Return the HTML of a page after its scripts have run, or raise `RenderingError`."""
        return await self._open(shown, self._read_html, with_scripts=True)

    async def snapshot(self, shown: ShownPage) -> Snapshot:
        """Return how a page looks without running its scripts, or raise `RenderingError`."""
        return await self._open(shown, self._take_snapshot, with_scripts=False)

    async def _open(self, shown: ShownPage, read: _Reader[T], *, with_scripts: bool) -> T:
        """Open a page in the browser, and return what `read` reads from it."""
        async with self._places:
            for is_last in (False, True):
                browser = await self._started()
                try:
                    return await self._within_time(
                        shown, self._show(browser, shown, read, with_scripts)
                    )
                except RenderingError:
                    # A browser that dies takes all its pages along: each is tried once more.
                    if is_last or browser.is_connected():
                        raise
                finally:
                    shown.is_over = True
                    await self._end(shown, browser)
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """End the browser; pages that are still open fail."""
        self._is_closed = True
        async with self._starting:
            await self._stop()

    async def _started(self) -> Browser:
        async with self._starting:
            if self._is_closed:
                raise RenderingError("closed", "the crawl has ended")
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            if self._failed_starts >= _MAX_FAILED_STARTS:
                raise RenderingError("no-browser", f"{self.program} does not start")
            await self._stop()
            from playwright.async_api import async_playwright

            try:
                self._playwright = await async_playwright().start()
                self._browser = await self._playwright.chromium.launch(
                    executable_path=self.program,
                    args=[*chromium_arguments(), *_CLOSED_NETWORK],
                    timeout=self.timeout * 1000,
                    # The crawl closes the browser at its own end.
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            except Exception as error:  # of Playwright or of the system
                self._failed_starts += 1
                await self._stop()
                words = f"{self.program} does not start: {_first_line(error)}"
                raise RenderingError("no-browser", words) from None
            self.starts += 1
            self._failed_starts = 0
            return self._browser

    async def _stop(self) -> None:
        """End Chromium and Playwright's own process, whatever state they are in."""
        browser, playwright = self._browser, self._playwright
        self._browser = self._playwright = None
        if browser is not None:
            await _closed_in_time(browser.close())
        if playwright is not None:
            await _closed_in_time(playwright.stop())

    async def _within_time(self, shown: ShownPage, work: Awaitable[T]) -> T:
        """Run `work` for as long as the page may take."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                began = time.monotonic()
                is_waiting = shown.pending > 0
                await asyncio.wait([task], timeout=_POLL)
                passed = time.monotonic() - began
                if is_waiting:
                    shown.waited += passed
                else:
                    shown.seconds += passed
                if shown.seconds > self.timeout or shown.waited > _MAX_WAITING * self.timeout:
                    raise RenderingError("timeout", "the page does not finish")
            return task.result()
        except RenderingError:
            raise
        except Exception as error:  # whatever a browser raises that is gone
            raise RenderingError("crashed", _first_line(error)) from None
        finally:
            task.cancel()

    async def _show(
        self, browser: Browser, shown: ShownPage, read: _Reader[T], with_scripts: bool
    ) -> T:
        shown.context, shown.is_loaded, shown.is_over = None, False, False
        shown.context = await browser.new_context(
            user_agent=self.user_agent or None,
            service_workers="block",
            accept_downloads=False,
            java_script_enabled=with_scripts,
            viewport={"width": SCREEN[0], "height": SCREEN[1]},
        )
        await shown.context.route("**/*", shown.route)
        page = await shown.context.new_page()
        crashed = asyncio.Event()
        page.on("crash", lambda _: crashed.set())
        reading = asyncio.ensure_future(read(page, shown))
        crashing = asyncio.ensure_future(crashed.wait())
        try:
            # Playwright itself keeps waiting for a page that has crashed.
            await asyncio.wait([reading, crashing], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise RenderingError("crashed", "the page has crashed")
            return reading.result()
        finally:
            reading.cancel()
            crashing.cancel()

    async def _read_html(self, page: Page, shown: ShownPage) -> str:
        await page.goto(shown.url, wait_until="commit", timeout=0)
        html = await self._at_rest(page, shown)
        # A page can navigate to a URL that is not requested, such as blob:.
        if urlsplit(page.url).hostname != urlsplit(shown.url).hostname:
            raise RenderingError("left", f"the page has gone to {page.url[:200]}")
        if not isinstance(html, str):
            raise RenderingError("too-large", f"more than {self.max_size:,} characters")
        return html

    async def _at_rest(self, page: Page, shown: ShownPage) -> Any:
        while True:
            try:
                await self._rest(page, shown)
                return await page.evaluate(_OUTER_HTML, self.max_size)
            except Exception as error:
                # The page is just navigating; `_read_html` checks where to.
                if _LEAVING not in str(error):
                    raise

    async def _take_snapshot(self, page: Page, shown: ShownPage) -> Snapshot:
        await page.goto(shown.url, wait_until="load", timeout=0)
        assert shown.context is not None
        session = await shown.context.new_cdp_session(page)
        answer = await session.send(CAPTURE, CAPTURE_OPTIONS)
        try:  # a large page takes a while
            return await asyncio.to_thread(snapshot_of, answer, shown.url)
        except SnapshotError as error:
            raise RenderingError("no-snapshot", str(error)) from None

    async def _rest(self, page: Page, shown: ShownPage) -> None:
        """Wait until a page has loaded, requests nothing and no longer changes.

        Polls are counted, not seconds: a page whose scripts are busy does not answer.
        """
        polls = quiet = 0
        before = None
        while quiet < _QUIET_POLLS and polls * _POLL < self.wait:
            await asyncio.sleep(_POLL)
            is_complete, changes = await page.evaluate(_STATE)
            state = (changes, shown.requests)
            is_quiet = is_complete and not shown.pending and state == before
            quiet = quiet + 1 if is_quiet else 0
            before = state
            polls += bool(is_complete and not shown.pending)

    async def _end(self, shown: ShownPage, browser: Browser) -> None:
        """Close a page; if the browser fails to, it is ended, and its other pages with it."""
        if shown.context is None or await _closed_in_time(shown.context.close()):
            return
        async with self._starting:
            if self._browser is browser:
                await self._stop()


async def _closed_in_time(closing: Any) -> bool:
    """Close something; False if it takes too long."""
    try:
        await asyncio.wait_for(closing, _MAX_CLOSING)
    except TimeoutError:
        return False
    except Exception:  # it is gone already
        pass
    return True


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
