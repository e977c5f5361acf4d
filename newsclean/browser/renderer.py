"""Shows downloaded pages to Chromium: what their scripts make of them, and how they look.

The browser itself has no network: whatever a page asks for is handed to a function, which answers
or refuses.
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

# What newsclean itself runs in a page that it shows.

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

#: The document as HTML, None if that has more characters than `max`. An open shadow root is put in
#: the place of what its host contains: HTML cannot show it otherwise, and a reader sees it there.
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


T = TypeVar("T")

#: What no page can undo: a proxy where nothing listens, and no name that resolves.
_CLOSED_NETWORK = (
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # A page that fills the memory ends itself, and not the crawl.
    "--js-flags=--max-old-space-size=512",
)
#: Pages that are shown at a time.
_MAX_PAGES = 4
#: Seconds between two looks at a page, and looks without a change after which it is finished.
_POLL, _QUIET_POLLS = 0.1, 5
#: What Playwright says when a page goes elsewhere while it is asked something.
_LEAVING = "context was destroyed"
#: Seconds for a page or the browser to close before the browser is ended.
_MAX_CLOSING = 10.0
#: A page may wait for what it has asked for this many times as long as it may take itself.
_MAX_WAITING = 10
#: Starts without success after which no other is tried.
_MAX_FAILED_STARTS = 3


class RenderingError(Exception):
    """A page could not be shown; `reason` is a short name for logs and stats."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Renderer:
    """One browser for many pages; it is started for the first, and again after a crash.

    `wait`: at most so many seconds until a loaded page comes to rest. `timeout`: the seconds that
    it may take in all, without those in which it waits for what it has asked for.
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
        """The HTML of a page after its scripts have run; raises `RenderingError`."""
        return await self._shown(shown, self._read, with_scripts=True)

    async def snapshot(self, shown: ShownPage) -> Snapshot:
        """How a page looks as it is, its scripts not run; raises `RenderingError`."""
        return await self._shown(shown, self._look, with_scripts=False)

    async def _shown(self, shown: ShownPage, read: _Reader[T], *, with_scripts: bool) -> T:
        """What `read` makes of a page that is shown."""
        async with self._places:
            for is_last in (False, True):
                browser = await self._started()
                try:
                    return await self._within_time(
                        shown, self._show(browser, shown, read, with_scripts)
                    )
                except RenderingError:
                    # A browser that dies takes all its pages along: each is shown once more.
                    if is_last or browser.is_connected():
                        raise
                finally:
                    shown.is_over = True
                    await self._end(shown, browser)
        raise AssertionError("the last one returns or raises")

    async def close(self) -> None:
        """End the browser; a page that is still shown fails."""
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
                    # The crawl closes it when it has ended itself.
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            except Exception as error:  # Playwright's, the system's
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
        """Run `work` as long as the page may take."""
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
                    raise RenderingError("timeout", "the page does not come to its end")
            return task.result()
        except RenderingError:
            raise
        except Exception as error:  # whatever a browser that is gone ends with
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
            # Playwright goes on to wait for a page that has crashed.
            await asyncio.wait([reading, crashing], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise RenderingError("crashed", "the page has crashed")
            return reading.result()
        finally:
            reading.cancel()
            crashing.cancel()

    async def _read(self, page: Page, shown: ShownPage) -> str:
        await page.goto(shown.url, wait_until="commit", timeout=0)
        html = await self._at_rest(page, shown)
        # By an address that is not requested, such as blob:, a page can leave itself.
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
                # Asked at the very moment in which the page leaves: where to is asked next.
                if _LEAVING not in str(error):
                    raise

    async def _look(self, page: Page, shown: ShownPage) -> Snapshot:
        await page.goto(shown.url, wait_until="load", timeout=0)
        assert shown.context is not None
        session = await shown.context.new_cdp_session(page)
        answer = await session.send(CAPTURE, CAPTURE_OPTIONS)
        try:  # a large page takes a while
            return await asyncio.to_thread(snapshot_of, answer, shown.url)
        except SnapshotError as error:
            raise RenderingError("no-snapshot", str(error)) from None

    async def _rest(self, page: Page, shown: ShownPage) -> None:
        """Wait until a page has loaded, asks for nothing and changes no more.

        Looks are counted, and not seconds: a page whose scripts are at work does not answer.
        """
        looks = quiet = 0
        before = None
        while quiet < _QUIET_POLLS and looks * _POLL < self.wait:
            await asyncio.sleep(_POLL)
            is_complete, changes = await page.evaluate(_STATE)
            state = (changes, shown.requests)
            is_quiet = is_complete and not shown.pending and state == before
            quiet = quiet + 1 if is_quiet else 0
            before = state
            looks += bool(is_complete and not shown.pending)

    async def _end(self, shown: ShownPage, browser: Browser) -> None:
        """Close a page; a browser that does not manage to is ended, and so are its other pages."""
        if shown.context is None or await _closed_in_time(shown.context.close()):
            return
        async with self._starting:
            if self._browser is browser:
                await self._stop()


async def _closed_in_time(closing: Any) -> bool:
    """Whether something was closed, or had been, before it took too long."""
    try:
        await asyncio.wait_for(closing, _MAX_CLOSING)
    except TimeoutError:
        return False
    except Exception:  # it was gone already
        return True
    return True


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
